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
    "tip": Pair("#1c6637", "#7fd39a"),
    "danger": Pair("#a3241f", "#ff9a94"),
    "code-ink": Pair("#2b2824", "#dedbd4"),
    "code-comment": Pair("#69635a", "#9a968e"),
    "code-keyword": Pair("#97266d", "#f39ac9"),
    "code-string": Pair("#2c6430", "#9fd38f"),
    "code-number": Pair("#8a4a00", "#efb478"),
    "code-name": Pair("#2746b5", "#a5b6ff"),
    "code-type": Pair("#0d616d", "#7fd0d8"),
    "code-line": Pair("#e9e6fb", "#2b2d45"),
    "code-added": Pair("#dff1e2", "#16301f"),
    "code-removed": Pair("#fbe2df", "#3b1e1f"),
}
"""Colors of the theme from which others are derived, as its `tokens.css` has them."""

TOKENS: Final[dict[str, str]] = {
    "paper": "Ground of pages",
    "paper-raised": "Ground of boxes and code",
    "paper-hover": "Ground of what the pointer is on",
    "line": "Thin lines",
    "line-strong": "Lines that must be seen",
    "ink": "Text",
    "ink-soft": "Text of second rank",
    "ink-faint": "Captions and hints",
    "heading": "Headings",
    "accent": "Links",
    "accent-strong": "Links under the pointer",
    "accent-fill": "Ground of buttons",
    "on-accent": "Text on that ground",
    "accent-soft": "Ground of chosen entries",
    "rubric": "Marks the place where the reader is",
    "mark": "Ground of marked text",
    "selection": "Ground of selected text",
    "shade": "What lies behind dialogs",
    "note": "Text of notes",
    "note-soft": "Ground of notes",
    "tip": "Text of tips",
    "tip-soft": "Ground of tips",
    "info": "Text of infos",
    "info-soft": "Ground of infos",
    "warning": "Text of warnings",
    "warning-soft": "Ground of warnings",
    "danger": "Text of dangers and errors",
    "danger-soft": "Ground of dangers",
    "important": "Text of important boxes",
    "important-soft": "Ground of important boxes",
    "code-ink": "Code",
    "code-comment": "Comments in code",
    "code-keyword": "Keywords",
    "code-string": "Strings",
    "code-number": "Numbers",
    "code-name": "Names of functions",
    "code-type": "Names of types",
    "code-line": "Ground of highlighted lines",
    "code-added": "Ground of added lines",
    "code-removed": "Ground of removed lines",
    "font-headings": "Fonts of headings",
    "font-text": "Fonts of text",
    "font-code": "Fonts of code",
    "size-0": "Smallest size of text",
    "size-1": "Size of navigation",
    "size-2": "Size of controls",
    "size-3": "Size of running text",
    "size-4": "Size of headings of the third rank",
    "size-5": "Size of headings of the second rank",
    "size-6": "Size of page titles",
    "size-7": "Size of the title of a landing page",
    "space-1": "Smallest distance",
    "space-2": "Distance of neighbours",
    "space-3": "Distance of entries",
    "space-4": "Distance of paragraphs",
    "space-5": "Distance of boxes",
    "space-6": "Distance of parts",
    "space-7": "Distance of chapters",
    "space-8": "Largest distance",
    "bar": "Height of the top bar",
    "sidebar": "Width of the sidebar",
    "toc": "Width of the table of contents",
    "measure": "Longest line of running text",
    "column": "Widest content of a page",
    "frame": "Width of all",
    "gutter": "Distance of the text from the edge",
    "radius-1": "Corners of small things",
    "radius-2": "Corners of boxes and buttons",
    "radius-3": "Corners of large things",
    "shadow-1": "Shadow of things that lie on the page",
    "shadow-2": "Shadow of things that float",
    "quick": "Duration of small changes",
    "calm": "Duration of large ones",
}
"""Name without the dashes → what it is. Removing or renaming one breaks sites: it takes a note in the changelog."""

LAYERS: Final = ("reset", "tokens", "base", "layout", "components", "content", "utilities")
"""The theme's cascade layers, in order. A rule outside of layers wins over all of them."""
