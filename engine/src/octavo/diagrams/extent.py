"""How far the texts of a picture reach: Mermaid asks the browser for it, and the renderer trusts fixed sizes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping

from octavo.diagrams.measure import is_bold, text_width
from octavo.diagrams.styles import Style, local_name
from octavo.lazy import regex as re

_TRANSLATION = re.compile(r"\s*translate\(\s*(-?[\d.]+)(?:px)?(?:[\s,]+-?[\d.]+(?:px)?)?\s*\)\s*\Z")
_BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""`text-anchor` → the part of a text that is left of its place."""
_MARGIN = 4.0


def widened(box: list[float], root: ET.Element, styles: Mapping[ET.Element, Style]) -> list[float]:
    """Widen a view so that no text reaches beyond its left and right edge.

    Args:
        box: The view: x, y, width, height.
        root: The picture.
        styles: Its styles.

    Returns:
        The view, wider where a text needs it. Turned texts and those with a clip path of their own are not considered.
    """
    left, right = box[0], box[0] + box[2]
    for start, end in _reaches(root, styles, 0.0):
        if start < left - 1:
            left = start - _MARGIN
        if end > right + 1:
            right = end + _MARGIN
    return [left, box[1], right - left, box[3]]


def _reaches(element: ET.Element, styles: Mapping[ET.Element, Style], shift: float) -> Iterator[tuple[float, float]]:
    """List the left and right ends of the lines inside an element."""
    name, style = local_name(element), styles[element]
    if name in {"foreignObject", "defs"} or _is_hidden(style):
        return
    if "transform" in element.attrib:
        moved = _TRANSLATION.match(element.attrib["transform"])
        if moved is None:
            return
        shift += float(moved[1])
    if name == "text":
        yield from _lines(element, styles, shift)
        return
    for child in element:
        yield from _reaches(child, styles, shift)


def _lines(text: ET.Element, styles: Mapping[ET.Element, Style], shift: float) -> Iterator[tuple[float, float]]:
    rows = [child for child in text if child.get("x") is not None] or [text]
    for row in rows:
        words = " ".join("".join(row.itertext()).split())
        style = styles[row]
        try:
            place = shift + float((row.get("x") or text.get("x") or "0").removesuffix("px"))
        except ValueError:  # a part of the picture's width, or a place for each letter
            continue
        size = float(style.get("font-size", "16"))
        width = text_width(words, size, is_bold=is_bold(style.get("font-weight")))
        start = place - width * _BEFORE.get(style.get("text-anchor", "start"), 0.0)
        if words:
            yield start, start + width


def _is_hidden(style: Style) -> bool:
    return (
        style.get("display") == "none"
        or style.get("visibility") == "hidden"
        or style.get("opacity") == "0"
        or style.get("clip-path", "none") != "none"
    )
