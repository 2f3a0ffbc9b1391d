"""JSX attributes of HTML elements, written as HTML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from octavo.content.escape import escape_attribute
from octavo.content.html_names import needs_end_tag

if TYPE_CHECKING:
    from octavo.content.scan.jsx import Tag

_RENAMED = {
    "className": "class",
    "htmlFor": "for",
    "tabIndex": "tabindex",
    "colSpan": "colspan",
    "rowSpan": "rowspan",
    "srcSet": "srcset",
    "autoPlay": "autoplay",
    "playsInline": "playsinline",
    "allowFullScreen": "allowfullscreen",
    "frameBorder": "frameborder",
    "crossOrigin": "crossorigin",
    "xlinkHref": "xlink:href",
}
_HYPHENATED = re.compile(
    r"(?:stroke|fill|stop|clip|flood|lighting|font|text|dominant|alignment|marker|paint|shape|color|image|pointer|vector)"
    r"[A-Z]\w*"
)
"""SVG attributes that HTML writes with hyphens."""
_WITHOUT_UNIT = frozenset(
    {
        "animationIterationCount",
        "aspectRatio",
        "columnCount",
        "columns",
        "fillOpacity",
        "flex",
        "flexGrow",
        "flexShrink",
        "fontWeight",
        "gridArea",
        "gridColumn",
        "gridRow",
        "lineClamp",
        "lineHeight",
        "opacity",
        "order",
        "orphans",
        "scale",
        "strokeOpacity",
        "tabSize",
        "widows",
        "zIndex",
        "zoom",
    }
)
"""Style properties whose numbers are no pixels."""


_SHOWN_IN_DARK = frozenset(f"dark:{one}" for one in ("block", "flex", "grid", "inline", "inline-block", "inline-flex"))


def needs_html(tag: Tag) -> bool:
    """Whether a tag holds anything that HTML would write in another way."""
    return tag.has_expressions or any(_html_name(name) != name for name in tag.attributes)


def tag_to_html(tag: Tag) -> str:
    """Write a tag as HTML."""
    parts = [tag.name]
    for name, value in tag.attributes.items():
        text = _style(value) if name == "style" and isinstance(value, dict) else value
        if name in ("class", "className") and isinstance(text, str):
            text = with_mode(text)
        if text is True:
            parts.append(_html_name(name))
        elif text is not None and text is not False and not isinstance(text, (list, dict)):
            parts.append(f'{_html_name(name)}="{escape_attribute(str(text))}"')
    if tag.is_self_closing and needs_end_tag(tag.name):
        return f"<{' '.join(parts)}></{tag.name}>"
    return f"<{' '.join(parts)}{' />' if tag.is_self_closing else '>'}"


def with_mode(classes: str) -> str:
    """Add the classes of pictures for one mode to those with which Tailwind hides them in the other."""
    names = classes.split()
    if "dark:hidden" in names:
        return f"{classes} themed themed-light"
    if "hidden" in names and not _SHOWN_IN_DARK.isdisjoint(names):
        return f"{classes} themed themed-dark"
    return classes


def _html_name(name: str) -> str:
    if name in _RENAMED:
        return _RENAMED[name]
    return _hyphenated(name) if _HYPHENATED.fullmatch(name) else name


def _hyphenated(name: str) -> str:
    return re.sub(r"[A-Z]", lambda match: f"-{match[0].lower()}", name)


def _style(values: dict[str, Any]) -> str:
    """Write a style object as CSS; numbers are pixels where the property has a unit."""
    rules = []
    for name, value in values.items():
        is_length = isinstance(value, (int, float)) and not isinstance(value, bool) and value != 0
        unit = "px" if is_length and name not in _WITHOUT_UNIT and not name.startswith("--") else ""
        rules.append(f"{name if name.startswith('--') else _hyphenated(name)}: {value}{unit}")
    return "; ".join(rules)
