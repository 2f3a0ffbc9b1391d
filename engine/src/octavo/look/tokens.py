"""The design tokens: custom properties that style sheets of a site may use and set. A contract: see `docs/customize.md`."""

from __future__ import annotations

from typing import Final, NamedTuple


class Pair(NamedTuple):
    """A color of each mode."""

    light: str
    dark: str

    def __str__(self) -> str:
        return f"light-dark({self.light}, {self.dark})"


COLORS: Final[dict[str, Pair]] = {
    "paper": Pair("#fdfcfa", "#16171b"),
    "paper-raised": Pair("#f6f4ef", "#1e2025"),
    "paper-hover": Pair("#efece5", "#272930"),
    "line": Pair("#e5e1d8", "#2e3038"),
    "line-strong": Pair("#c9c3b6", "#4a4d58"),
    "ink": Pair("#1f1d1a", "#e9e6e0"),
    "ink-soft": Pair("#4d4841", "#bdb9b1"),
    "ink-faint": Pair("#69635a", "#9a968e"),
    "heading": Pair("#14120f", "#f6f3ee"),
    "accent": Pair("#2a49c4", "#a5b6ff"),
    "accent-strong": Pair("#1d348f", "#c6d1ff"),
    "accent-fill": Pair("#2a49c4", "#a5b6ff"),
    "on-accent": Pair("#ffffff", "#14161f"),
    "accent-soft": Pair("#e9edfb", "#242a40"),
    "rubric": Pair("#b23a1e", "#ff9377"),
    "selection": Pair("#dbe2ff", "#3a4473"),
    "note": Pair("#4d4841", "#bdb9b1"),
    "note-soft": Pair("#f3f1ec", "#212329"),
    "tip": Pair("#105d2f", "#7fd39a"),
    "danger": Pair("#971514", "#ff9a94"),
    "code-ink": Pair("#2b2824", "#dedbd4"),
    "code-comment": Pair("#69635a", "#9a968e"),
    "code-keyword": Pair("#8b1963", "#faa0cf"),
    "code-string": Pair("#1d5622", "#9fd38f"),
    "code-number": Pair("#743e00", "#efb478"),
    "code-name": Pair("#2240ae", "#a9baff"),
    "code-type": Pair("#00545f", "#7fd0d8"),
    "code-line": Pair("#e9e6fb", "#2b2d45"),
    "code-added": Pair("#dff1e2", "#16301f"),
    "code-removed": Pair("#fbe2df", "#3b1e1f"),
}
"""Colors of the theme from which others are derived, as its `tokens.css` has them."""

TOKENS: Final[dict[str, str]] = {
    "paper": "Background of pages",
    "paper-raised": "Background of boxes and code",
    "paper-hover": "Background of entries under the pointer",
    "line": "Color of thin lines",
    "line-strong": "Color of lines with enough contrast for controls",
    "ink": "Color of text",
    "ink-soft": "Color of secondary text",
    "ink-faint": "Color of captions and hints",
    "heading": "Color of headings",
    "accent": "Color of links",
    "accent-strong": "Color of links under the pointer",
    "accent-fill": "Background of buttons",
    "on-accent": "Color of text on buttons",
    "accent-soft": "Background of selected entries",
    "rubric": "Color that marks the current page or section",
    "mark": "Background of highlighted text",
    "selection": "Background of selected text",
    "shade": "Overlay behind dialogs",
    "note": "Color of the text of notes",
    "note-soft": "Background of notes",
    "tip": "Color of the text of tips",
    "tip-soft": "Background of tips",
    "info": "Color of the text of infos",
    "info-soft": "Background of infos",
    "warning": "Color of the text of warnings",
    "warning-soft": "Background of warnings",
    "danger": "Color of the text of dangers and errors",
    "danger-soft": "Background of dangers",
    "important": "Color of the text of important boxes",
    "important-soft": "Background of important boxes",
    "code-ink": "Color of code",
    "code-comment": "Color of comments in code",
    "code-keyword": "Color of keywords",
    "code-string": "Color of strings",
    "code-number": "Color of numbers",
    "code-name": "Color of function names",
    "code-type": "Color of type names",
    "code-line": "Background of highlighted lines",
    "code-added": "Background of added lines",
    "code-removed": "Background of removed lines",
    "font-headings": "Font of headings",
    "font-text": "Font of text",
    "font-code": "Font of code",
    "size-0": "Smallest text size",
    "size-1": "Text size of the navigation",
    "size-2": "Text size of buttons and fields",
    "size-3": "Text size of articles",
    "size-4": "Text size of headings of level 3",
    "size-5": "Text size of headings of level 2",
    "size-6": "Text size of page titles",
    "size-7": "Text size of the title of a landing page",
    "space-1": "Smallest spacing",
    "space-2": "Spacing of adjacent elements",
    "space-3": "Spacing of entries",
    "space-4": "Spacing of paragraphs",
    "space-5": "Spacing of boxes",
    "space-6": "Spacing of sections",
    "space-7": "Spacing of the parts of a landing page",
    "space-8": "Largest spacing",
    "bar": "Height of the top bar",
    "sidebar": "Width of the sidebar",
    "toc": "Width of the table of contents",
    "measure": "Maximum width of text",
    "column": "Maximum width of tables, images, and code",
    "frame": "Maximum width of the page",
    "gutter": "Spacing between the text and the edge of the window",
    "radius-1": "Corner radius of small elements",
    "radius-2": "Corner radius of boxes and buttons",
    "radius-3": "Corner radius of large elements",
    "shadow-1": "Shadow of raised elements",
    "shadow-2": "Shadow of floating elements, such as menus",
    "quick": "Duration of short animations",
    "calm": "Duration of long animations",
}
"""Name without the dashes → what it is. Removing or renaming one breaks sites: it takes a note in the changelog."""

LAYERS: Final = ("reset", "tokens", "base", "layout", "components", "content", "utilities")
"""The theme's cascade layers, in order. A rule outside of layers wins over all of them."""
