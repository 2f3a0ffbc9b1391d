"""`Picture`: Mermaid's SVG in both modes made one, of nothing but elements and attributes that are known to be safe."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from html import escape

from octavo.diagrams.drawing import ID_MARK
from octavo.diagrams.engine import DIAGRAM_ID
from octavo.diagrams.labels import Label
from octavo.diagrams.palette import brightness, paint
from octavo.diagrams.styles import COLORS, INHERITED, OWN, Style, local_name
from octavo.lazy import regex as re

_SHAPES = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"})
_CONTAINERS = frozenset({"g", "defs", "marker", "linearGradient", "radialGradient", "clipPath", "symbol", "a", "svg"})
_TEXT = frozenset({"text", "tspan"})
_KEPT = frozenset({*_SHAPES, *_CONTAINERS, *_TEXT, "stop", "use"})
_NUMBERS = frozenset({"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height", "dx", "dy"})
_COORDINATES = frozenset({"d", "points", "transform", "gradientTransform"})
_PLAIN = frozenset(
    {
        "viewBox",
        "refX",
        "refY",
        "markerWidth",
        "markerHeight",
        "markerUnits",
        "orient",
        "preserveAspectRatio",
        "offset",
        "gradientUnits",
        "clipPathUnits",
    }
)
_REFERENCES = frozenset({"marker-start", "marker-mid", "marker-end", "href"})
_CLASSES = frozenset({"node", "cluster", "edgeLabel", "actor", "note", "messageText"})
"""What a site's style sheet may want to find."""
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_SAFE = re.compile(r"[\w\s.,%#()+-]*\Z")
_REFERENCE = re.compile(r"(?:url\()?[\"']?#([^)\"']+)[\"']?\)?\Z")
_PLACE = re.compile(r"([\d.]+)px ([\d.]+)px\Z")
_XLINK = "{http://www.w3.org/1999/xlink}href"
_INITIAL = {
    "font-weight": "400",
    "font-style": "normal",
    "stroke-dasharray": "none",
    "fill": "#000",
    "stroke": "none",
} | {
    "stroke-width": "1",
    "text-anchor": "start",
}

_BASELINES = ("dominant-baseline", "alignment-baseline")
_PAINTS = COLORS | {"clip-path"}
"""Properties that may name a definition of the picture."""

Styles = Mapping[ET.Element, Style]


class Picture:
    """Writes one picture."""

    def __init__(self, light: ET.Element, styles: Styles, dark: ET.Element, dark_styles: Styles) -> None:
        """Initialize.

        Args:
            light: Mermaid's SVG for light mode.
            styles: Its styles.
            dark: The same for dark mode; it differs in colors only.
            dark_styles: Its styles.
        """
        self.links: list[str] = []
        """Addresses of the links that have been written."""
        self._styles = styles
        self._dark_styles = dark_styles
        self._dark = dict(zip(light.iter(), dark.iter(), strict=True))
        self._root = light
        self._ground = ""
        """Color that the author gave to the node whose inside is being written; empty for one of the theme's."""

    def write(self) -> str:
        """Write what is inside the `svg` element."""
        style = self._merged(self._root)
        inner = "".join(self._children(self._root, style))
        return f"<g{_attributes(_difference(style, {}))}>{inner}</g>"

    def _children(self, element: ET.Element, above: Style) -> Iterator[str]:
        name = local_name(element)
        if name in _TEXT and element.text:
            yield escape(element.text, quote=False)
        for child in element:
            if name == "switch" and local_name(child) == "foreignObject":
                continue
            yield self._element(child, above)
            if name in _TEXT and child.tail:
                yield escape(child.tail, quote=False)

    def _element(self, element: ET.Element, above: Style) -> str:
        name = local_name(element)
        if self._styles[element].get("display") == "none":
            return ""
        if name == "foreignObject":
            return self._label(element, above)
        if name == "switch":
            return "".join(self._children(element, above))
        if name not in _KEPT:
            return ""
        style = self._merged(element)
        attributes = self._geometry(element) | self._turn(element) | _difference(style, above)
        if name == "text" and len(element) and all(local_name(child) == "tspan" for child in element):
            # WebKit does not move a `tspan` by what the text around it says of baselines.
            for baseline in _BASELINES:
                attributes.pop(baseline, None)
            style = {key: value for key, value in style.items() if key not in _BASELINES}
        if name in _SHAPES:
            if _is_invisible(style, element):
                return ""
            # Said of each shape: rules for forced colors leave out what has none.
            attributes |= {paint: "none" for paint in ("fill", "stroke") if style.get(paint) == "none"}
        before = self._ground
        if "node" in element.get("class", "").split():
            self._ground = self._own_ground(element)
        inner = "".join(self._children(element, style))
        self._ground = before
        if not inner and name in (*_CONTAINERS, "text"):
            return ""
        if name == "g" and not attributes:
            return inner
        if name == "a":
            return self._link(element, attributes, inner)
        return f"<{name}{_attributes(attributes)}>{inner}</{name}>" if inner else f"<{name}{_attributes(attributes)}/>"

    def _link(self, element: ET.Element, attributes: Style, inner: str) -> str:
        address = element.get(_XLINK) or element.get("href")
        if not address:
            return f"<g{_attributes(attributes)}>{inner}</g>" if attributes else inner
        attributes.pop("href", None)
        self.links.append(address)
        return f'<a href="link:{len(self.links) - 1}"{_attributes(attributes)}>{inner}</a>'

    def _label(self, box: ET.Element, above: Style) -> str:
        """Write a label of HTML as text, on its ground."""
        label = Label(box, self._styles)
        lines = label.lines()
        if not lines:
            return ""
        parts: list[str] = []
        if label.ground is not None:
            colors = [styles[each].get("background-color", "none") for styles, each in self._both(label.ground)]
            parts.append(
                f'<rect width="{label.width:g}" height="{label.height:g}" fill="{paint(*colors)}" stroke="none"/>'
            )
        colors = [styles[each].get("color", "#000") for styles, each in self._both(label.element)]
        style = {"fill": self._ink(*colors), "font-size": f"{label.size:g}", "stroke": "none"}
        shown = {name: value for name, value in style.items() if above.get(name) != value}
        parts += [_text_line(*line, shown) for line in lines]
        return "".join(parts)

    def _own_ground(self, node: ET.Element) -> str:
        """Give the fill of a node's shape where it is the same in both modes, so that its author chose it."""
        for shape in node.iter():
            if local_name(shape) in _SHAPES:
                light, dark = (styles[each].get("fill", "none") for styles, each in self._both(shape))
                if light != "none":
                    return light if light == dark else ""
        return ""

    def _ink(self, light: str, dark: str) -> str:
        """Write the color of a label: on a ground that is the same in both modes, the one of the two that is read there."""
        if not self._ground or light == dark:
            return paint(light, dark)
        ground = brightness(self._ground)
        return max(light, dark, key=lambda color: abs(brightness(color) - ground))

    def _both(self, element: ET.Element) -> list[tuple[Styles, ET.Element]]:
        return [(self._styles, element), (self._dark_styles, self._dark[element])]

    def _merged(self, element: ET.Element) -> Style:
        """Give the style of an element in both modes."""
        light, dark = self._styles[element], self._dark_styles[self._dark[element]]
        style = {name: value for name, value in light.items() if name in INHERITED or name in OWN}
        for name in COLORS & style.keys():
            style[name] = _checked(paint(style[name], dark.get(name, style[name])))
        if "clip-path" in style:
            style["clip-path"] = _checked(style["clip-path"])
        return {name: value for name, value in style.items() if value and (name in _PAINTS or _SAFE.match(value))}

    def _geometry(self, element: ET.Element) -> Style:
        found: Style = {}
        for full_name, value in element.attrib.items():
            name = "href" if full_name == _XLINK else full_name
            if name in _NUMBERS or name in _COORDINATES:
                text = _rounded(value, 1 if name in {"d", "points"} else 2)
                if _SAFE.match(text):
                    found[name] = text.removesuffix("px")
            elif name in _PLAIN and _SAFE.match(value):
                found[name] = value
            elif name in _REFERENCES:
                if match := _REFERENCE.match(value):
                    mark = f"#{_own_id(match[1])}"
                    found[name] = mark if name == "href" else f"url({mark})"
            elif name == "id" and local_name(element) not in (*_SHAPES, *_TEXT, "g"):
                found["id"] = _own_id(value)
            elif name == "class" and (kept := [word for word in value.split() if word in _CLASSES]):
                found["class"] = " ".join(dict.fromkeys(kept))
        return found

    def _turn(self, element: ET.Element) -> Style:
        """Write as an attribute what the style sheet turns around a place of its own, as milestones are."""
        origin = _PLACE.match(element.get("transform-origin", ""))
        turn = self._styles[element].get("transform", "none").replace("deg", "")
        if origin is None or turn == "none" or turn == element.get("transform") or not _SAFE.match(turn):
            return {}
        x, y = origin[1], origin[2]
        return {"transform": f"translate({x} {y}) {turn} translate(-{x} -{y})"}


def _own_id(text: str) -> str:
    """Give an id the mark that the page replaces."""
    return ID_MARK + re.sub(r"[^\w-]", "_", text.removeprefix(DIAGRAM_ID).lstrip("-_"))


def _checked(color: str) -> str:
    """Keep a reference to a gradient of the picture, and no other address."""
    if not color.startswith("url("):
        return color
    match = _REFERENCE.match(color)
    return f"url(#{_own_id(match[1])})" if match else "none"


def _difference(style: Style, above: Style) -> Style:
    """List what must be written where everything above has been written."""
    written = {
        name: style[name] for name in INHERITED if name in style and style[name] != above.get(name, _INITIAL.get(name))
    }
    written |= {name: style[name] for name, initial in OWN.items() if style.get(name, initial) != initial}
    return written


def _is_invisible(style: Style, element: ET.Element) -> bool:
    has_marker = any(name.startswith("marker") for name in element.attrib)
    return (
        style.get("visibility") == "hidden"
        or style.get("opacity") == "0"
        or (style.get("fill") == "none" and style.get("stroke", "none") in {"none", ""} and not has_marker)
        or (local_name(element) == "rect" and "0" in {element.get("width", "0"), element.get("height", "0")})
    )


def _text_line(x: float, y: float, anchor: str, line: list, style: Style) -> str:  # type: ignore[type-arg]
    attributes = {"x": f"{round(x, 2):g}", "y": f"{round(y, 2):g}", "text-anchor": anchor} | style
    if len(line) == 1 and not line[0].is_bold and not line[0].is_slanted:
        return f"<text{_attributes(attributes)}>{escape(line[0].text.strip(), quote=False)}</text>"
    parts = []
    for run in line:
        marks = {"font-weight": "700"} if run.is_bold else {}
        marks |= {"font-style": "italic"} if run.is_slanted else {}
        text = escape(run.text, quote=False)
        parts.append(f"<tspan{_attributes(marks)}>{text}</tspan>" if marks else text)
    return f"<text{_attributes(attributes)}>{''.join(parts)}</text>"


def _rounded(text: str, digits: int) -> str:
    return _NUMBER.sub(lambda match: f"{round(float(match[0]), digits) + 0.0:g}", text)


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in values.items())
