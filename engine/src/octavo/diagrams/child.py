"""The process that draws: sources of diagrams on standard input, drawings on standard output, a JSON value a line.

Started by `octavo.diagrams.process`, ended by the end of its input.
"""

from __future__ import annotations

import contextlib
import sys

import msgspec

from octavo.diagrams.draw import draw
from octavo.diagrams.drawing import DiagramDrawing, DiagramFailure

_MOST_MEMORY = 1 << 30
"""Bytes of address space; the renderer needs a tenth of it."""


def main() -> None:
    """Answer each line of the input."""
    _limit_memory()
    output = sys.stdout.buffer
    for line in sys.stdin.buffer:
        output.write(msgspec.json.encode(_draw(msgspec.json.decode(line, type=str))) + b"\n")
        output.flush()


def _draw(source: str) -> DiagramDrawing | DiagramFailure:
    try:
        return draw(source)
    except (MemoryError, RecursionError):
        return DiagramFailure("limit", "it needs more memory than the renderer may use")
    except Exception as error:  # noqa: BLE001 - whatever one diagram does, the next one is drawn
        return DiagramFailure("unsupported", f"the renderer failed ({type(error).__name__}: {error})")


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    # Some systems refuse it: macOS knows no such limit, and a container may have a lower one.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


if __name__ == "__main__":
    main()
