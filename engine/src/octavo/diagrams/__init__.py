"""Diagrams in Mermaid's language, drawn when the site is built: source in, SVG for both color modes out.

The drawing itself happens in a process of its own (`octavo.diagrams.child`), which alone loads the renderer: what a
diagram may cost has a limit, and one that crashes the renderer costs nothing but itself.
"""

from __future__ import annotations

from octavo.diagrams.drawing import ID_MARK, DiagramDrawing, DiagramFailure
from octavo.diagrams.left_out import DiagramOmission, find_left_out
from octavo.diagrams.process import draw_diagram, is_installed

__all__ = [
    "ID_MARK",
    "DiagramDrawing",
    "DiagramFailure",
    "DiagramOmission",
    "draw_diagram",
    "find_left_out",
    "is_installed",
]
