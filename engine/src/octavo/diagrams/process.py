"""Have diagrams drawn by another process, with limits of time and memory."""

from __future__ import annotations

import atexit
import importlib.util
import os
from functools import cache

import msgspec

from octavo.diagrams.drawing import DiagramDrawing, DiagramFailure
from octavo.runtime import HelperProcess

_SECONDS = 20.0
"""That a diagram may take. One of the usual size takes 50 ms; the start of the process is included."""
_MOST_CHARACTERS = 100_000
"""Of a diagram's source; Mermaid itself refuses half of that."""
_MISSING = DiagramFailure("missing", 'the renderer is not installed: pip install "octavo[diagrams]"')

_decoder: msgspec.json.Decoder[DiagramDrawing | DiagramFailure] = msgspec.json.Decoder(DiagramDrawing | DiagramFailure)


def draw_diagram(source: str) -> DiagramDrawing | DiagramFailure:
    """Draw a diagram for both color modes.

    Never raises and never takes long: a source that hangs or crashes the renderer is a `DiagramFailure`.
    """
    if not is_installed():
        return _MISSING
    if len(source) > _MOST_CHARACTERS:
        return DiagramFailure("limit", f"it has more than {_MOST_CHARACTERS} characters")
    return _renderer().draw(source)


@cache
def is_installed() -> bool:
    """Return whether the renderer can be had; there are platforms for which it is not made."""
    return all(importlib.util.find_spec(name) is not None for name in ("merman", "tinycss2", "cssselect2"))


class DiagramRenderer:
    """A process that draws, started with its first diagram, and again after one that ended it."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        """Initialize; `seconds` are the most that a diagram may take."""
        self.process = HelperProcess("octavo.diagrams.child", seconds)

    def draw(self, source: str) -> DiagramDrawing | DiagramFailure:
        """Draw one diagram; called by several threads, it draws one after the other."""
        answer, is_late = self.process.ask(msgspec.json.encode(source.encode(errors="replace").decode()))
        if answer:
            return _decoder.decode(answer)
        return DiagramFailure("limit", "it takes too long to draw" if is_late else "it crashes the renderer")

    def close(self) -> None:
        """End the process."""
        self.process.close()


_renderers: dict[int, DiagramRenderer] = {}
"""Of this process, by its id: one that was forked starts its own."""


def _renderer() -> DiagramRenderer:
    process_id = os.getpid()
    if process_id not in _renderers:
        _renderers[process_id] = DiagramRenderer()
        atexit.register(_renderers[process_id].close)
    return _renderers[process_id]
