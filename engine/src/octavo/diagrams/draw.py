"""Draw one diagram. Loads the renderer, which takes a tenth of a second: a process of its own does it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Literal

from octavo.diagrams.drawing import DiagramDrawing, DiagramFailure
from octavo.diagrams.engine import render
from octavo.diagrams.extent import widened
from octavo.diagrams.palette import LINE, brightness
from octavo.diagrams.picture import Picture
from octavo.diagrams.prune import prune
from octavo.diagrams.set_off import set_off
from octavo.diagrams.styles import Style, compute_styles, local_name
from octavo.lazy import regex as re

_KINDS = {
    "flowchart": "Flowchart",
    "sequence": "Sequence diagram",
    "class": "Class diagram",
    "state": "State diagram",
    "er": "Entity relationship diagram",
    "journey": "User journey",
    "gantt": "Gantt chart",
    "pie": "Pie chart",
    "quadrant": "Quadrant chart",
    "requirement": "Requirement diagram",
    "gitgraph": "Git graph",
    "mindmap": "Mind map",
    "timeline": "Timeline",
    "sankey": "Sankey diagram",
    "xychart": "XY chart",
    "block": "Block diagram",
    "packet": "Packet diagram",
    "kanban": "Kanban board",
    "architecture": "Architecture diagram",
    "radar": "Radar chart",
    "treemap": "Treemap",
    "c4": "C4 diagram",
}
"""First letters of the renderer's name of a kind, in small letters → the kind in words."""
_MARKUP = re.compile(r"</?(?:a|b|big|br|code|div|em|font|hr|i|img|kbd|p|s|small|span|strong|sub|sup|u)(?:\s[^<>]*|/)?>")
"""Elements of HTML that authors write in labels. Names of types in angle brackets, such as `List<T>`, are others."""
_MOST_BYTES = 2_000_000
"""Of the finished SVG: a page that holds more is of no use to anybody."""


def draw(source: str) -> DiagramDrawing | DiagramFailure:
    """Draw a diagram in both color modes."""
    trees: list[ET.Element] = []
    for mode in ("light", "dark"):
        svg = render(source, mode)
        if isinstance(svg, DiagramFailure):
            return svg
        try:
            # The renderer wrote it: no doctype, no entities.
            tree = ET.fromstring(svg)  # noqa: S314
        except ET.ParseError as error:
            return DiagramFailure("unsupported", f"the renderer wrote no well-formed SVG ({error})")
        prune(tree)
        trees.append(tree)
    light, dark = trees
    if [element.tag for element in light.iter()] != [element.tag for element in dark.iter()]:
        return DiagramFailure("unsupported", "the renderer draws it differently in the two color modes")
    return _compose(light, dark)


def _compose(light: ET.Element, dark: ET.Element) -> DiagramDrawing | DiagramFailure:
    box = [float(number) for number in re.split(r"[\s,]+", light.get("viewBox", "").strip()) if number]
    if len(box) != 4 or not (box[2] > 0 and box[3] > 0):
        return DiagramFailure("unsupported", "the renderer drew nothing")
    if markup := _shown_markup(light):
        return DiagramFailure("unsupported", f"the renderer would show `{markup}` in a label as text")
    kind = _kind(light.get("aria-roledescription", ""))
    styles, dark_styles = compute_styles(light), compute_styles(dark)
    box = widened(box, light, styles)
    if kind == _KINDS["pie"]:
        _outline(light, styles, dark, dark_styles)
    elif kind in (_KINDS["mindmap"], _KINDS["xychart"]):
        set_off(light, styles, dark, dark_styles)
    picture = Picture(light, styles, dark, dark_styles)
    inner = picture.write()
    view = " ".join(f"{round(number, 1):g}" for number in box)
    size = f'width="{round(box[2], 1):g}" height="{round(box[3], 1):g}"'
    svg = f'<svg viewBox="{view}" {size}>{inner}</svg>'
    if len(svg) > _MOST_BYTES:
        return DiagramFailure("limit", "it is larger than a page can show")
    return DiagramDrawing(
        svg=svg,
        kind=kind,
        title=_child_text(light, "title"),
        description=_child_text(light, "desc"),
        links=picture.links,
        width=round(box[2], 1),
        own_ground=_own_ground(svg, styles[light].get("fill", "#000")),
    )


def _shown_markup(root: ET.Element) -> str:
    """Give an element of HTML that a text of the picture spells out; empty where there is none."""
    labels = (element for element in root.iter() if local_name(element) in {"text", "foreignObject"})
    texts = (text for label in labels for text in label.itertext())
    return next((match[0] for text in texts if (match := _MARKUP.search(text))), "")


def _outline(
    light: ET.Element, styles: dict[ET.Element, Style], dark: ET.Element, dark_styles: dict[ET.Element, Style]
) -> None:
    """Give areas an outline that is seen in both modes.

    The theme's palest and darkest areas are hardly told from the page, and its outline is black in dark mode too, or of
    the color of the area. Areas that look the same in both modes have the colors of the author.
    """
    for one, other in zip(light.iter(), dark.iter(), strict=True):
        style, dark_style = styles.get(one), dark_styles.get(other)
        if style is None or dark_style is None or style.get("fill") == dark_style.get("fill"):
            continue
        if local_name(one) in ("path", "rect") and style.get("stroke", "none") != "none":
            style["stroke"], dark_style["stroke"] = LINE


def _own_ground(svg: str, ink: str) -> Literal["", "light", "dark"]:
    """Tell for which ground a drawing is made that is the same in both modes; `ink` is the color of its text."""
    if "var(--diagram-" in svg or "light-dark(" in svg:
        return ""
    return "dark" if brightness(ink) > 128 else "light"


def _kind(name: str) -> str:
    return next((words for start, words in _KINDS.items() if name.lower().startswith(start)), "Diagram")


def _child_text(root: ET.Element, name: str) -> str:
    found = next((child.text for child in root if local_name(child) == name), None)
    return " ".join((found or "").split())
