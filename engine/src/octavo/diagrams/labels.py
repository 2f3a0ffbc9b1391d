"""Labels that Mermaid writes as HTML inside its SVG, as lines of SVG text.

HTML in SVG is broken anew by each browser, in fonts that were not measured, and is cut off at the edge of its box.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping

from octavo.diagrams.measure import Run, is_bold, line_width, wrap
from octavo.diagrams.styles import Style, local_name
from octavo.lazy import regex as re

_LINE = 1.5
"""Height of a line in font sizes, as Mermaid sets it for labels."""
_BASELINE = 0.34
"""From the middle of a line to its baseline, in font sizes."""
_BLOCKS = frozenset({"p", "div", "li", "ul", "ol", "br"})
_BOLD = frozenset({"b", "strong"})
_SLANTED = frozenset({"i", "em"})
_SPACE = re.compile(r"\s+")


class Label:
    """The text of one `foreignObject`."""

    def __init__(self, box: ET.Element, styles: Mapping[ET.Element, Style]) -> None:
        """Read a label.

        Args:
            box: The `foreignObject`.
            styles: The styles of the whole picture.
        """
        self._box = box
        self._styles = styles
        inner = [element for element in box.iter() if element is not box]
        self.element = next((each for each in reversed(inner) if local_name(each) in {"p", "span", "div"}), box)
        """The element that gives the text its color."""
        self._outer = inner[0] if inner else box
        self.size = float(styles[self.element].get("font-size", "16"))
        self.width, self.height = (float(box.get(name, "0").removesuffix("px")) for name in ("width", "height"))

    @property
    def ground(self) -> ET.Element | None:
        """The element whose background is the label's, where it has one."""
        inner_first = reversed(list(self._box.iter()))
        return next(
            (each for each in inner_first if self._styles[each].get("background-color", "none") != "none"), None
        )

    def lines(self) -> list[tuple[float, float, str, list[Run]]]:
        """Place the lines: list of (x, y of the baseline, `text-anchor`, runs)."""
        style = self._styles[self._outer]
        written = _split(list(self._runs(self._box)))
        limit = self.width if self._breaks(written, style) else None
        lines = wrap(written, self.size, limit)
        is_centered = style.get("text-align") == "center"
        x, anchor = (self.width / 2, "middle") if is_centered else (0.0, "start")
        top = (self.height - len(lines) * self.size * _LINE) / 2
        return [
            (x, top + (number + 0.5) * self.size * _LINE + _BASELINE * self.size, anchor, line)
            for number, line in enumerate(lines)
            if line_width(line, self.size)
        ]

    def _breaks(self, lines: list[list[Run]], style: Style) -> bool:
        """Return whether lines are broken at the edge of the box.

        The box of a long label of an edge has been measured with broken lines although its style forbids to break them.
        """
        if style.get("white-space") != "nowrap":
            return True
        is_wider = any(line_width(line, self.size) > self.width + 1 for line in lines)
        return is_wider and self.height >= (len(lines) + 1) * self.size * _LINE - 1

    def _runs(self, element: ET.Element) -> Iterator[Run | None]:
        """Read the runs of an element; None breaks the line."""
        name, style = local_name(element), self._styles[element]
        bold = is_bold(style.get("font-weight")) or name in _BOLD
        slanted = style.get("font-style") == "italic" or name in _SLANTED
        if name in _BLOCKS:
            yield None
        if element.text:
            yield Run(_SPACE.sub(" ", element.text), bold, slanted)
        for child in element:
            for run in self._runs(child):
                yield run and Run(run.text, run.is_bold or bold, run.is_slanted or slanted)
            if child.tail:
                yield Run(_SPACE.sub(" ", child.tail), bold, slanted)
        if name in _BLOCKS:
            yield None


def _split(runs: list[Run | None]) -> list[list[Run]]:
    """Cut runs into lines; lines without words are left out."""
    lines: list[list[Run]] = [[]]
    for run in runs:
        if run is None:
            lines.append([])
        elif run.text.strip() or lines[-1]:
            lines[-1].append(run if lines[-1] else run._replace(text=run.text.lstrip()))
    return [line for line in lines if line]
