"""SVG files of authors as icons: nothing but shapes, in the colour of the text."""

from __future__ import annotations

from html import escape
from xml.etree import ElementTree as ET

from octavo.lazy import regex as re

_SHAPES = frozenset(["g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon"])
_UNSEEN = frozenset(["title", "desc", "metadata", "defs", "namedview"])
_ATTRIBUTES = frozenset(
    """d cx cy r rx ry x y x1 y1 x2 y2 width height points transform opacity fill stroke fill-rule clip-rule fill-opacity
    stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset stroke-opacity
    vector-effect""".split()  # noqa: SIM905 - forty lines otherwise
)
_VALUE = re.compile(r"[\w\s.,%()+#-]*")
_BOX = re.compile(r"\s*-?[\d.]+(?:[\s,]+-?[\d.]+){3}\s*")
_LARGEST = 50_000
"""Characters; an icon is a hundredth of it."""


class UnsafeIconError(Exception):
    """A file is not an icon; the text says why, as the end of a sentence."""


def clean_svg(text: str) -> tuple[str, str]:
    """Keep of an SVG what an icon needs.

    Returns:
        (its view box, the markup in it).

    Raises:
        UnsafeIconError: it is not SVG, or holds what an icon must not: scripts, styles, references, pictures, text.
    """
    if len(text) > _LARGEST:
        raise UnsafeIconError(f"it has more than {_LARGEST:,} characters")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise UnsafeIconError("it has a document type, which could define entities")
    try:
        root = ET.fromstring(text)  # noqa: S314 - entities are refused above
    except ET.ParseError as error:
        raise UnsafeIconError(f"it is not valid XML ({error})") from error
    if _local(root.tag) != "svg":
        raise UnsafeIconError(f"it begins with <{_local(root.tag)}>, not with <svg>")
    box = root.get("viewBox") or f"0 0 {_number(root.get('width'))} {_number(root.get('height'))}"
    if not _BOX.fullmatch(box):
        raise UnsafeIconError("it has no viewBox")
    # What the root says about colours holds for all shapes in it.
    around = {name: value for name, value in root.attrib.items() if name.startswith(("fill", "stroke"))}
    opening = _attributes({"fill": "currentColor", "stroke": "none", **around})
    return " ".join(box.replace(",", " ").split()), f"<g{opening}>{_children(root)}</g>"


def _children(element: ET.Element) -> str:
    parts: list[str] = []
    for child in element:
        name = _local(child.tag)
        if name in _UNSEEN and not len(child):
            continue
        if name not in _SHAPES:
            raise UnsafeIconError(f"it holds <{name}>, which is not a shape")
        for attribute in child.attrib:
            if attribute.lower().startswith("on") or _local(attribute) in ("href", "style"):
                raise UnsafeIconError(f'<{name}> has the attribute "{_local(attribute)}"')
        parts.append(f"<{name}{_attributes(child.attrib)}>{_children(child)}</{name}>")
    return "".join(parts)


def _attributes(given: dict[str, str]) -> str:
    parts: list[str] = []
    for name, value in given.items():
        if name not in _ATTRIBUTES:
            continue
        if not _VALUE.fullmatch(value) or "url(" in value.replace(" ", ""):
            raise UnsafeIconError(f'the attribute {name} has the value "{value[:40]}"')
        shown = value if name not in ("fill", "stroke") or value == "none" else "currentColor"
        parts.append(f' {name}="{escape(shown)}"')
    return "".join(parts)


def _local(name: object) -> str:
    return str(name).rpartition("}")[2]


def _number(value: str | None) -> str:
    match = re.match(r"[\d.]+", value or "")
    return match[0] if match else "?"
