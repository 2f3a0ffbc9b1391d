"""Have diagrams drawn by another process, with limits of time and memory."""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import os
import subprocess
import sys
import threading
from functools import cache

import msgspec

from octavo.diagrams.drawing import DiagramDrawing, DiagramFailure

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
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def draw(self, source: str) -> DiagramDrawing | DiagramFailure:
        """Draw one diagram; called by several threads, it draws one after the other."""
        with self._lock:
            answer, is_late = self._ask(source)
        if answer:
            return _decoder.decode(answer)
        return DiagramFailure("limit", "it takes too long to draw" if is_late else "it crashes the renderer")

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _ask(self, source: str) -> tuple[bytes, bool]:
        """Give (answer, whether it came too late); the answer is empty where the process has ended without one."""
        process = self._process = self._process or _start()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("The renderer was started without pipes.")
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self._seconds, end)
        timer.start()
        answer = b""
        try:
            with contextlib.suppress(OSError):  # it has ended meanwhile
                process.stdin.write(msgspec.json.encode(source.encode(errors="replace").decode()) + b"\n")
                process.stdin.flush()
                answer = process.stdout.readline()
        finally:
            timer.cancel()
        if not answer.endswith(b"\n"):
            self.close()
            return b"", late.is_set()
        return answer, False


def _start() -> subprocess.Popen[bytes]:
    # -P: the current folder is the site's, and no file of it is a module.
    command = [sys.executable, "-P", "-m", "octavo.diagrams.child"]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, close_fds=True
    )


_renderers: dict[int, DiagramRenderer] = {}
"""Of this process, by its id: one that was forked starts its own."""


def _renderer() -> DiagramRenderer:
    process_id = os.getpid()
    if process_id not in _renderers:
        _renderers[process_id] = DiagramRenderer()
        atexit.register(_renderers[process_id].close)
    return _renderers[process_id]
