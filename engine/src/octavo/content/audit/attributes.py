"""Names of attributes that are nearly one which has a meaning, such as `title` with two letters exchanged.

Components and elements of HTML may have attributes that mean nothing here, of other engines for instance. Only a slip of
the pen is reported.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Element

_HTML = ["alt", "align", "class", "colspan", "controls", "download", "height", "href", "id", "lang", "loading", "open",
     "placeholder", "poster", "rel", "role", "rowspan", "sizes", "src", "srcset", "start", "style", "target", "title",
     "type", "value", "width"]  # fmt: skip
_COMPONENTS = ["alt", "attributes", "caption", "className", "code", "collapsible", "color", "cols", "columns", "cta", "default",
     "defaultOpen", "defaultValue", "description", "disabled", "groupId", "heading", "headline", "header", "height", "href", "icon",
     "id", "img", "items", "label", "language", "lang", "layout", "link", "name", "open", "path", "query", "queryString",
     "rel", "required", "size", "sources", "src", "style", "tag", "tags", "target", "text", "tip", "title", "type", "url",
     "value", "values", "variant", "version", "width"]  # fmt: skip
_FINE = frozenset(
    ["abbr", "accept", "action", "allow", "async", "attr", "attrs", "axis", "background", "badge", "bind", "body", "bold",
     "border", "char", "charset", "checked", "child", "cite", "clear", "clip", "coll", "columns", "cols", "content",
     "controlslist", "coords", "cover", "data", "date", "dates", "dir", "dirs", "download", "end", "face", "fill", "filter",
     "find", "fold", "font", "footer", "form", "frame", "frameborder", "front", "gap", "grid", "group", "groups", "head",
     "heads", "hide", "hint", "hspace", "html", "image", "images", "index", "info", "init", "inline", "input", "is", "item",
     "itemid", "itemprop", "itemscope", "itemtype", "key", "keys", "kind", "last", "latest", "left", "legend", "length",
     "level", "line", "lines", "links", "list", "loader", "local", "lock", "log", "logo", "loop", "main", "margin", "mark",
     "max", "meta", "min", "mode", "model", "multiple", "muted", "next", "note", "nowrap", "object", "on", "only", "option",
     "order", "outline", "padding", "page", "part", "parts", "pattern", "photo", "pkg", "placement", "point", "points",
     "pos", "position", "preload", "preview", "props", "ratio", "read", "readonly", "render", "repo", "reversed", "right",
     "root", "rows", "scale", "scope", "scoped", "section", "select", "selected", "shape", "show", "side", "site", "slot",
     "slug", "sort", "source", "span", "spec", "start", "stat", "state", "static", "step", "steps", "stroke", "styled",
     "subtitle", "summary", "svg", "tab", "tabs", "tables", "tags", "tail", "task", "template", "test", "texture", "theme",
     "tile", "time", "tint", "tiles", "tone", "tooltip", "top", "topic", "track", "transform", "translate", "truncate", "ui",
     "unit", "units", "unlisted", "user", "usemap", "valign", "var", "vars", "vertical", "view", "viewbox", "visible",
     "void", "vspace", "wide", "widget", "wrap", "x", "y", "z", "zoom"]
)  # fmt: skip
"""Attributes that are like one of those above, and have a meaning of their own."""
_WITH_CAPITALS = {one.lower(): one for one in ("groupId", "queryString", "defaultValue", "defaultOpen")}
_ALIKE = 0.79
_SHORTEST = 4
"""Letters of the shortest name that is taken for a slip."""


def misspelt_attribute(names: Iterable[str], *, is_component: bool) -> tuple[str, str] | None:
    """Find the first name that is nearly one of a known attribute: the name as written, and the one that was meant.

    Args:
        names: Of the attributes of one tag.
        is_component: The tag is that of a component; otherwise of an element of HTML.
    """
    for name in names:
        if len(name) >= _SHORTEST and (meant := _meant(name, is_component)) is not None:
            return name, meant
    return None


def check_attributes(node: Element, renderer: NodeRenderer) -> None:
    """Report an attribute of a component of ours that is nearly one which it may have."""
    if (slip := misspelt_attribute(node.attributes, is_component=True)) is not None:
        message = f'"<{node.name}>" has no attribute "{slip[0]}": it has no effect.'
        hint = f'Did you mean "{slip[1]}"?'
        source = renderer.fragment.source
        renderer.context.report("warn", "unknown-attribute", message, source, node.offset, suggestion=hint)


@lru_cache(maxsize=1024)
def _meant(name: str, is_component: bool) -> str | None:
    folded = name.lower()
    known = _COMPONENTS if is_component else _HTML
    if not name.isalpha() or folded in _FINE:
        return None
    # Components know their attributes by the exact name, elements of HTML by any capitals.
    if is_component and folded in _WITH_CAPITALS and name != (exact := _WITH_CAPITALS[folded]):
        return exact
    if any(folded == one.lower() for one in (*_COMPONENTS, *_HTML)):
        return None
    if (exchanged := next((one for one in known if sorted(one.lower()) == sorted(folded)), None)) is not None:
        return exchanged
    # Nobody mistypes the first letter, and comparing with all names takes long where a page has thousands of attributes.
    alike = [one for one in known if one[0].lower() in folded[:2]]
    close = difflib.get_close_matches(name if is_component else folded, alike, 1, _ALIKE)
    # `hrefs` and `titles` are lists in somebody's component.
    return None if not close or folded.rstrip("s") == close[0].lower().rstrip("s") else close[0]
