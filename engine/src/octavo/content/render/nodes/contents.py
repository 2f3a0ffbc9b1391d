"""`<TOCInline>` and the marks `[TOC]` and `[[toc]]`: the headings of the page, listed in its text.

The list is known when the whole page is drawn, so a mark takes its place until then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from octavo.content.document import SLOT, Heading
from octavo.content.escape import escape_attribute
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.render.protocol import NodeRenderer
    from octavo.content.scan.nodes import Element

_MARK = re.compile(f"{SLOT}C([2-6])([2-6]){SLOT}")


def draw_contents(node: Element, renderer: NodeRenderer) -> tuple[str, str]:  # noqa: ARG001 - as all that draw
    """Draw the mark of a list of headings, by default those of the levels 2 and 3."""
    first = _level(node.attributes.get("minHeadingLevel"), 2)
    last = _level(node.attributes.get("maxHeadingLevel"), 3)
    return f"{SLOT}C{first}{max(first, last)}{SLOT}", ""


def fill_contents(html: str, headings: Iterable[Heading]) -> str:
    """Put the lists of headings into a page, or into a part of it."""
    return _MARK.sub(lambda mark: _list(headings, int(mark[1]), int(mark[2])), html) if f"{SLOT}C" in html else html


def _level(value: object, otherwise: int) -> int:
    return min(max(value, 2), 6) if isinstance(value, int) and not isinstance(value, bool) else otherwise


def _list(headings: Iterable[Heading], first: int, last: int) -> str:
    out: list[str] = []
    open_levels: list[int] = []
    for heading in headings:
        if not heading.anchor or not first <= heading.level <= last:
            continue
        while len(open_levels) > 1 and open_levels[-1] > heading.level:
            out.append("</li></ul>")
            open_levels.pop()
        if not open_levels or open_levels[-1] < heading.level:
            out.append("<ul>")
            open_levels.append(heading.level)
        else:
            out.append("</li>")
        out.append(f'<li><a href="#{escape_attribute(heading.anchor)}">{heading.html}</a>')
    return "".join(out) + "</li></ul>" * len(open_levels)
