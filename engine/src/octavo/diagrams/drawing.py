"""What comes out of drawing a diagram."""

from __future__ import annotations

from typing import Literal

import msgspec

ID_MARK = "\x01"
"""Stands in front of the ids of a drawing; the page puts a name there that is unique in it."""


class DiagramDrawing(msgspec.Struct, frozen=True, tag="drawing"):
    """A diagram as SVG for both color modes. It names no style, script or address outside itself."""

    svg: str
    """One `svg` element. Ids start with `ID_MARK`; the addresses of its links are `link:0`, `link:1`…"""
    kind: str
    """In words, such as `Sequence diagram`."""
    title: str
    """`accTitle` or the title of the diagram; may be empty."""
    description: str
    """`accDescr`; may be empty."""
    links: list[str]
    """Addresses that the author wrote, unchecked, in the order of their numbers."""
    width: float
    """Natural width in CSS pixels, at which text has the size of the page's text."""
    own_ground: Literal["", "light", "dark"] = ""
    """Where the author chose a theme, so that the colors are the same in both modes: the ground that they are made for."""


class DiagramFailure(msgspec.Struct, frozen=True, tag="failure"):
    """Why a diagram has not been drawn."""

    reason: Literal["syntax", "unsupported", "limit", "missing"]
    """`syntax`: the renderer's parser refuses it; Mermaid's own may accept it. `unsupported`: Mermaid in a browser may draw it. `limit`: it took too much
    time or memory, or crashed the renderer. `missing`: the renderer is not installed."""
    message: str
    """One sentence without a full stop, beginning in lower case."""
    line: int = 1
    """1-based line in the diagram's source."""
    column: int = 1
    """1-based column, in characters."""
