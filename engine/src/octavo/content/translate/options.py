"""Options of the directives of Sphinx and MyST."""

from __future__ import annotations

import difflib
from functools import lru_cache

_OPTIONS = frozenset(
    ["align", "alt", "animate", "caption", "child-direction", "class", "class-card", "class-title", "classes", "color",
     "columns", "dedent", "delim", "dedent-to", "depth", "emphasize-lines", "encoding", "end-at", "end-before", "end-line",
     "figclass", "figwidth", "file", "force", "glob", "gutter", "header", "header-rows", "height", "hidden", "icon",
     "img-top", "img-bottom", "includehidden", "label", "language", "lineno-start", "linenos", "lines", "link", "link-alt",
     "link-type", "literal", "local", "margin", "maxdepth", "members", "name", "noindex", "nowrap", "number-lines",
     "numbered", "open", "outline", "padding", "parser", "private-members", "pyobject", "reverse", "reversed", "class-item", "class-container", "class-row", "scale", "selected",
     "shadow", "show-inheritance", "special-members", "start-after", "start-at", "start-line", "stub-columns", "sync",
     "tags", "tab-width", "target", "text-align", "titlesonly", "undoc-members", "url", "value", "width", "widths"]
)  # fmt: skip
"""Those of the usual directives; others may be those of somebody's own."""
_ALIKE = 0.8


@lru_cache(maxsize=256)
def misspelt_option(name: str) -> str | None:
    """Give the option that is nearly this one; None where it is known, or nothing comes near."""
    if name in _OPTIONS:
        return None
    close = difflib.get_close_matches(name, _OPTIONS, 1, _ALIKE)
    return close[0] if close else None
