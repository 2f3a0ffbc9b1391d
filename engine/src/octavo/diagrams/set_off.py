"""Set off from the page what Mermaid's themes draw in nearly its color: edges of mind maps, bars of charts."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from octavo.diagrams.engine import LABEL_GROUND
from octavo.diagrams.palette import brightness
from octavo.diagrams.styles import Style, local_name

_LEAST_DIFFERENCE = 30
"""Of brightness, from 0 to 255, to the ground of the page."""
_EDGE = ("#bbb", "#777")
"""Color, in light and in dark mode, of lines that could hardly be seen, and of outlines around such areas."""
_AREAS = {"path", "rect", "circle", "ellipse", "polygon"}
_LINES = {"path", "line", "polyline"}


def set_off(
    light: ET.Element, styles: dict[ET.Element, Style], dark: ET.Element, dark_styles: dict[ET.Element, Style]
) -> None:
    """Give lines another color, and areas an outline, in the mode in which they are too pale.

    What looks the same in both modes has the colors of the author.
    """
    for one, other in zip(light.iter(), dark.iter(), strict=True):
        both = styles.get(one), dark_styles.get(other)
        if both[0] is None or both[1] is None or one.get("class") == "background":
            continue
        fills = [style.get("fill", "#000") for style in both if style is not None]
        strokes = [style.get("stroke", "none") for style in both if style is not None]
        if fills[0] == "none" and local_name(one) in _LINES and strokes[0] != strokes[1]:
            for style, stroke, ground, edge in zip(both, strokes, LABEL_GROUND, _EDGE, strict=True):
                if style is not None and _is_pale(stroke, ground):
                    style["stroke"] = edge
        elif fills[0] != fills[1] and local_name(one) in _AREAS and any(map(_is_pale, fills, LABEL_GROUND)):
            # In both modes: the width of an outline is one for both.
            for style, edge in zip(both, _EDGE, strict=True):
                if style is not None:
                    style["stroke"], style["stroke-width"] = edge, "1"


def _is_pale(color: str, ground: str) -> bool:
    return color.startswith("#") and abs(brightness(color) - brightness(ground)) < _LEAST_DIFFERENCE
