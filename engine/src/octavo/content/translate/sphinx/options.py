"""Options of a directive, and those of them that have no effect."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from octavo.lazy import regex as re


class Options(dict[str, str]):
    """Options as they are written. They know which of them were asked for: the others have no effect."""

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        super().__init__(given or {})
        self.asked: set[str] = set()

    @classmethod
    def of_block(cls, given: Mapping[str, str], text: str) -> Options:
        """Make the options of a directive from what docutils has read of its text.

        It gives each directive of a substitution the name of that one as `alt`, which nobody has written.
        """
        made = cls(given)
        if ":alt:" not in text:
            made.asked.add("alt")
        return made

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self.asked.add(str(name))
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Give the text of an option."""
        self.asked.add(name)
        return super().get(name, default)

    def copy(self) -> Options:
        """Give a copy that is asked on its own."""
        return Options(self)

    def changed(self, given: Mapping[str, str]) -> Options:
        """Give a copy with other texts; what is asked of it is asked of these options."""
        made = Options({**self, **given})
        made.asked = self.asked
        return made

    def all_asked(self) -> None:
        """Note that nothing has to be said of any option: the directive says nothing here, or has a finding of its own."""
        self.asked.update(self)


_LOOK = frozenset(
    ["align", "animate", "backlinks", "child-align", "child-direction", "class", "classes", "color", "columns", "expand", "figclass", "figwidth",
     "gutter", "height", "icon", "margin", "outline", "padding", "reverse", "scale", "shadow", "style", "text-align", "width", "widths"]
)  # fmt: skip
"""How something looks: pages have the look of the theme. Names that begin with `class-` are of this kind too."""
_INDEX = frozenset(
    [
        "no-contents-entry",
        "no-index",
        "no-index-entry",
        "nocontentsentry",
        "noindex",
        "noindexentry",
        "no-search",
        "no-value",
    ]
)
"""What is in the index and in lists of names, which a site does not have."""
_PRINT = frozenset(["enumerated", "kind", "nonumber", "nowrap", "no-wrap", "placeholder", "typst"])
"""For printed documents, and numbers of figures, formulas and proofs, which are not drawn for any of them."""
_OF_READING = frozenset(["encoding", "force", "ref-type", "tab-width"])
"""How Sphinx reads a file, a program or a label; here files are UTF-8, what cannot be highlighted is shown as it is, and labels are of one kind."""
_OF_READERS = frozenset(["link-alt"])
"""What screen readers say of a card that is a link: here the title of a card, or its address, is the link."""
_UNSEEN = _OF_READERS | _LOOK | _INDEX | _PRINT | _OF_READING

_DONE_ELSEWHERE = {
    # The sidebar has the order, the captions and all pages of a table of contents.
    **dict.fromkeys(
        ("toctree", "nbgallery", "nblinkgallery"),
        frozenset(["caption", "glob", "hidden", "includehidden", "maxdepth", "name", "reversed", "titlesonly"]),
    ),
    # Which stub pages Sphinx makes, and from which pattern.
    "autosummary": frozenset(["nosignatures", "recursive", "template", "toctree"]),
    # Code is always shown without the white space that all of its lines begin with.
    **dict.fromkeys(("code", "code-block", "sourcecode"), frozenset(["dedent"])),
    # How outputs look, and which ones may fail: nothing is run, and there are none.
    "code-cell": frozenset(["dedent", "mystnb"]),
    "ipython": frozenset(["doctest", "okexcept", "okwarning", "savefig", "verbatim"]),
    # Every block of code has a button that copies it, and scrolls where it is wide.
    "terminal": frozenset(["copy", "scroll"]),
    # Facts for the index of modules; a canonical name is one more name for references.
    **dict.fromkeys(("module", "py:module", "js:module"), frozenset(["deprecated", "platform", "synopsis"])),
}
"""Directive → options that have their effect, or lose nothing, in another place than the text of the page."""
_OF_SIGNATURES = frozenset(["canonical", "single-line-parameter-list", "single-line-type-parameter-list"])
"""Of descriptions of objects: further names for references, and where lines break."""


def without_effect(name: str, options: Mapping[str, str]) -> Iterator[str]:
    """List the options of a directive that nothing has asked for, and that readers lose something by.

    Args:
        name: Of the directive.
        options: What it says; options that do not know what was asked for are not looked at.
    """
    asked = options.asked if isinstance(options, Options) else set(options)
    done = _DONE_ELSEWHERE.get(name, frozenset[str]())
    for option in options:
        if option in asked or option in _UNSEEN or option in done or option.startswith("class-"):
            continue
        if option in _OF_SIGNATURES and name.rpartition(":")[2] not in ("note", "admonition"):
            continue
        yield option


def no_effect(name: str, option: str) -> tuple[str, str]:
    """Say that an option has no effect: the message, and what to do.

    Args:
        name: Of the directive, as it is written.
        option: Of this name.
    """
    if (meant := _misspelt(option)) is not None:
        return f'"{name}" has no option "{option}": it has no effect.', f'Did you mean "{meant}"?'
    return (
        f'The option "{option}" of "{name}" has no effect.',
        "Take it out, or write what it says as text.",
    )


_OPTIONS = frozenset(
    ["align", "alt", "animate", "caption", "child-direction", "class", "class-card", "class-title", "classes", "color",
     "columns", "dedent", "delim", "dedent-to", "depth", "emphasize-lines", "encoding", "end-at", "end-before", "end-line",
     "figclass", "figwidth", "file", "force", "exclude-members", "glob", "gutter", "header", "header-rows", "height", "hidden", "icon", "ignore-module-all", "imported-members", "inherited-members",
     "img-top", "img-bottom", "includehidden", "label", "language", "lineno-start", "linenos", "lines", "link", "link-alt",
     "link-type", "literal", "local", "margin", "maxdepth", "member-order", "members", "name", "noindex", "nowrap", "number-lines",
     "numbered", "open", "outline", "padding", "parser", "private-members", "pyobject", "reverse", "reversed", "class-item", "class-container", "class-row", "scale", "selected",
     "shadow", "show-inheritance", "special-members", "start-after", "start-at", "start-line", "stub-columns", "sync",
     "tags", "tab-width", "target", "text-align", "titlesonly", "undoc-members", "url", "value", "width", "widths"]
)  # fmt: skip
"""Those of the usual directives; others may be those of somebody's own."""
_ALIKE = 0.8


@lru_cache(maxsize=256)
def _misspelt(name: str) -> str | None:
    """Give the option that is nearly this one; None where it is known, or nothing comes near."""
    if name in _OPTIONS:
        return None
    close = difflib.get_close_matches(name, _OPTIONS, 1, _ALIKE)
    return close[0] if close else None


_ATTRIBUTE = re.compile(
    r"""(?P<mark>[.#])(?P<word>[\w-]+)|(?P<key>[\w-]+)=(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'|(?P<bare>\S+))"""
)


def options_in(attributes: str) -> Options:
    """Read the attributes that mystmd takes within the braces of a directive: `{note .dropdown #wind icon=false}`."""
    options = Options()
    for match in _ATTRIBUTE.finditer(attributes or ""):
        if match["mark"] == ".":
            before = f"{options['class']} " if "class" in options else ""
            options["class"] = before + match["word"]
        else:
            value = next((one for one in (match["double"], match["single"], match["bare"]) if one is not None), "")
            options[match["key"] or "name"] = match["word"] or value
    return options
