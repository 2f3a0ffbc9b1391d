"""Work out how each element of Mermaid's SVG looks, so that its style sheet can go.

Mermaid writes some 10 kB of rules into every SVG, and style attributes beside them; pages that forbid inline styles
would show neither. Presentation attributes are allowed, and rules of the theme's style sheet win over them.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import cssselect2
import tinycss2
from tinycss2.color4 import parse_color

INHERITED = (
    "fill",
    "fill-opacity",
    "fill-rule",
    "clip-rule",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-opacity",
    "font-size",
    "font-weight",
    "font-style",
    "text-anchor",
    "dominant-baseline",
    "visibility",
)
"""Properties that reach what is inside an element."""
OWN = {
    "opacity": "1",
    "stop-color": "#000",
    "stop-opacity": "1",
    "text-decoration": "none",
    "alignment-baseline": "auto",
    "clip-path": "none",
    "rx": "",
    "ry": "",
}
"""Properties of one element → their initial value."""
COLORS = frozenset({"fill", "stroke", "stop-color", "color", "background-color"})
_READ_ONLY = ("color", "background-color", "display", "max-width", "white-space", "text-align", "transform")
"""Properties that decide something here and are not written."""
_KNOWN = frozenset({*INHERITED, *OWN, *_READ_ONLY})
_LENGTHS = frozenset({"stroke-width", "font-size", "rx", "ry", "max-width"})
_PASSED_DOWN = frozenset({*INHERITED, "color", "white-space", "text-align", "max-width"})
_FIRST = {
    "fill": "#000",
    "stroke": "none",
    "stroke-width": "1",
    "font-size": "16",
    "color": "#000",
    "stroke-dasharray": "none",
    "font-weight": "400",
    "font-style": "normal",
    "text-anchor": "start",
}
_DEFAULTS = ("inherit", "initial", "revert", "unset")
_WEIGHTS = {"normal": "400", "bold": "700", "bolder": "700", "lighter": "300"}
_NO_DASHES = frozenset({"0", "1, 0", "1 0", "0, 0"})

Style = dict[str, str]


def compute_styles(root: ET.Element) -> dict[ET.Element, Style]:
    """Give the properties of each element as CSS works them out; those at their initial value may be missing.

    Colors are `#rgb`, `#rrggbb` or `#rrggbbaa` where they are plain; lengths are numbers of pixels.
    """
    matcher = _matcher("".join(element.text or "" for element in root.iter() if local_name(element) == "style"))
    styles: dict[ET.Element, Style] = {}
    for wrapper in cssselect2.ElementWrapper.from_xml_root(root).iter_subtree():
        element = wrapper.etree_element
        parent = styles[wrapper.parent.etree_element] if wrapper.parent is not None else _FIRST
        styles[element] = _computed(_specified(element, matcher.match(wrapper)), parent)
    return styles


@lru_cache(maxsize=64)
def _matcher(sheet: str) -> Any:
    """Read a style sheet; each kind of diagram has its own, which all diagrams of the kind share."""
    matcher = cssselect2.Matcher()
    for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule":
            continue
        declarations = _declarations(tinycss2.parse_blocks_contents(rule.content))
        if not declarations:
            continue
        try:
            selectors = cssselect2.compile_selector_list(rule.prelude)
        except cssselect2.SelectorError:  # what only browsers know, such as states of a pointer
            continue
        for selector in selectors:
            if selector.pseudo_element is None:
                matcher.add_selector(selector, declarations)
    return matcher


@lru_cache(maxsize=1024)
def _own_declarations(text: str) -> list[tuple[str, str, bool]]:
    """Read a style attribute."""
    return _declarations(tinycss2.parse_blocks_contents(text))


def _declarations(parsed: list[Any]) -> list[tuple[str, str, bool]]:
    """Keep what is known here: list of (property, value, whether it is important)."""
    return [
        (part.lower_name, tinycss2.serialize(part.value).strip(), part.important)
        for part in parsed
        if part.type == "declaration" and part.lower_name in _KNOWN
    ]


def _specified(element: ET.Element, matches: list[Any]) -> Style:
    """Gather what is said about an element: attributes, rules by their weight, the style attribute, important ones."""
    found = {name: value for name, value in element.attrib.items() if name in _KNOWN and name not in {"rx", "ry"}}
    own = element.attrib.get("style", "")
    layers = [declarations for _, _, _, declarations in matches]
    layers.append(_own_declarations(own) if own else [])
    for important in (False, True):
        for layer in layers:
            found.update((name, value) for name, value, is_important in layer if is_important is important)
    return found


def _computed(specified: Mapping[str, str], parent: Mapping[str, str]) -> Style:
    style = {name: parent[name] for name in parent if name in _PASSED_DOWN}
    for name, value in specified.items():
        if value in _DEFAULTS:
            continue
        plain = _plain(name, value, parent)
        if plain is not None:
            style[name] = plain
    for name in COLORS:
        if style.get(name, "").lower() == "currentcolor":
            style[name] = style.get("color", _FIRST["color"])
    return style


def _plain(name: str, value: str, parent: Mapping[str, str]) -> str | None:
    """Give a value its plain form; None for one that says nothing here."""
    if name in COLORS:
        return _color(value)
    if name in _LENGTHS:
        return _length(value, float(parent.get("font-size", _FIRST["font-size"])))
    if name == "font-weight":
        return _WEIGHTS.get(value, value)
    if name == "stroke-dasharray":
        return "none" if value in _NO_DASHES else value.replace("px", "")
    return value


@lru_cache(maxsize=1024)
def _color(value: str) -> str | None:
    if value.startswith("url("):
        return value.replace('"', "").replace("'", "")
    if value == "none" or value.lower() == "currentcolor":
        return value
    parsed = parse_color(value)
    if parsed is None or isinstance(parsed, str):
        return None
    *channels, alpha = parsed.to("srgb")
    if alpha == 0:
        return "none"
    digits = [f"{round(max(0.0, min(1.0, float(channel))) * 255):02x}" for channel in channels]
    if alpha < 1:
        digits.append(f"{round(alpha * 255):02x}")
    text = "".join(digits)
    return f"#{text[::2]}" if all(pair[0] == pair[1] for pair in digits) else f"#{text}"


def _length(value: str, em: float) -> str | None:
    number = value.removesuffix("px").strip()
    scale = 1.0
    for unit, factor in (("rem", 16.0), ("em", em), ("ex", em / 2), ("%", em / 100), ("pt", 4 / 3)):
        if number.endswith(unit):
            number, scale = number.removesuffix(unit), factor
            break
    try:
        return f"{round(float(number) * scale, 2):g}"
    except ValueError:
        return None


def local_name(element: ET.Element) -> str:
    """Give the name of an element without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
