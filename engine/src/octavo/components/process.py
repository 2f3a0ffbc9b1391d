"""`ComponentProcess`: the process that compiles and draws components, seen from the build."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import selectors
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from octavo.rendering import THEME_DIR, read_theme_file

if TYPE_CHECKING:
    from multiprocessing.synchronize import Lock

_PIECE_BYTES = 1 << 16
_GRACE_S = 5.0
"""That the process may answer late: it stops code itself, and is started meanwhile."""


class ComponentError(Exception):
    """A component was stopped: it took too long or too much memory, or has ended the process. The text says which."""


class DamagedError(ComponentError):
    """What all components share was damaged, perhaps by another one; in the process that is started next it is whole."""


class TurnError(ComponentError):
    """The shared process is gone, with all it was given; the next request starts one for this process alone."""


class ComponentProcess:
    """Started with the first request. Used by one thread of one process.

    A process that was forked starts its own, unless this one was shared before: then they take turns, and each starts its
    own when a request of anybody's was stopped.
    """

    def __init__(self, base_url: str, *, seconds: float, memory: int) -> None:
        """Initialize.

        Args:
            base_url: Path under which the site is published.
            seconds: That one request may take.
            memory: Bytes that the objects of components may take.
        """
        self._base_url = base_url
        self._limits = {"seconds": seconds, "memory": memory}
        self._patience = seconds + _GRACE_S
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._turn: Lock | None = None
        """Held during a request, where the process is shared."""
        self._buffer = b""
        self._loaded: set[str] = set()
        self.defined: set[str] = set()
        """Ids of the modules that it has; none after it was replaced."""

    def compile(self, code: str, path: str) -> dict[str, Any]:
        """Compile a module.

        Returns:
            `code` and `mappings`, or `error`, `line` and `column`.

        Raises:
            ComponentError: see there.
        """
        self._start()
        self._load("compile-script.js")
        return cast("dict[str, Any]", self._ask({"do": "compile", "code": code, "path": path}))

    def define(self, module_id: str, path: str, needs: dict[str, str], mappings: str, code: str) -> dict[str, Any]:
        """Give it a module; returns what is wrong with it as `error`, `line` and `column`, or nothing.

        Raises:
            ComponentError: see there.
        """
        self._start()
        self._load_server()
        found: dict[str, Any] = self._ask(
            {
                "do": "define",
                "id": module_id,
                "path": path,
                "needs": json.dumps(needs),
                "mappings": mappings,
                "code": code,
            }
        )
        self.defined.add(module_id)
        return found

    def describe(self, module_id: str) -> dict[str, Any]:
        """Run a module that was given; returns what it exports, or `error` and `place`.

        Raises:
            ComponentError: see there.
        """
        found = self._ask({"do": "describe", "id": module_id})
        if not isinstance(found, dict) or not (
            "error" in found or {"isComponent", "client", "contract"} <= found.keys()
        ):
            raise self._unreadable()
        return found

    def draw(self, uses: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Draw uses; returns for each `html`, or `error` and `place`.

        Raises:
            ComponentError: see there.
        """
        drawn = self._ask({"do": "draw", "uses": json.dumps(uses)})
        if (
            not isinstance(drawn, list)
            or len(drawn) != len(uses)
            or not all(isinstance(one, dict) and isinstance(one.get("html", one.get("error")), str) for one in drawn)
        ):
            raise self._unreadable()
        return drawn

    def share(self) -> None:
        """Let processes that are forked from now on use it too: to start V8 costs as much as to draw thousands of uses."""
        self._start()
        self._load_server()
        self._turn = multiprocessing.get_context("fork").Lock()

    @property
    def is_running(self) -> bool:
        """It runs, and this process may use it."""
        if self._process is None:
            return False
        if self._owner != os.getpid():
            # Only its owner can ask; the others see it when they ask it for something.
            return self._turn is not None
        return self._process.poll() is None

    def close(self) -> None:
        """End it."""
        process, self._process = self._process, None
        self._loaded, self.defined, self._buffer, self._turn = set(), set(), b"", None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        if self._owner == os.getpid():
            process.kill()
            process.wait()
        else:
            # Another process's: only the copies of its pipes are given up.
            process.returncode = 0

    def _start(self) -> None:
        if self.is_running:
            return
        self.close()
        self._owner = os.getpid()
        self._process = subprocess.Popen(
            # -P: the current folder is the site's, and no file of it is a module.
            [sys.executable, "-P", "-c", "from octavo.component_host.host import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def _load_server(self) -> None:
        self._load("component-server.js", f"OctavoComponents.start({json.dumps(self._base_url)})")

    def _load(self, name: str, call: str = "") -> None:
        if name not in self._loaded:
            self._loaded.add(name)
            self._ask({"do": "load", "script": read_theme_file(THEME_DIR / name).decode(), "call": call})

    def _ask(self, request: dict[str, Any]) -> Any:
        turn, process = self._turn, self._process
        if turn is None or process is None:
            return self._ask_alone(request)
        if not turn.acquire(timeout=self._patience):
            self.close()
            raise TurnError("its process has no time")
        try:
            return self._ask_alone(request)
        except ComponentError as error:
            # Perhaps for something that another process has asked: by itself this one finds out. No answer that is still
            # under way may reach the others.
            with contextlib.suppress(OSError):
                os.kill(process.pid, signal.SIGKILL)
            raise TurnError(str(error)) from error
        finally:
            turn.release()

    def _ask_alone(self, request: dict[str, Any]) -> Any:
        process = self._process
        if process is None:
            raise ComponentError("its process has ended")
        with contextlib.suppress(OSError):  # noticed when the answer is waited for
            stream = cast("BinaryIO", process.stdin)
            stream.write(json.dumps(request | self._limits).encode() + b"\n")
            stream.flush()
        line = self._receive()
        if line is None:
            is_late = process.poll() is None
            self.close()
            raise ComponentError(
                f"it takes longer than {self._limits['seconds']:g} s" if is_late else "it takes too much memory"
            )
        answer = json.loads(line)
        if "failure" in answer:
            # What it has done to the state of the others is not known.
            self.close()
            raise (DamagedError if answer["failure"] == "script" else ComponentError)(answer["message"])
        try:
            return json.loads(answer["value"]) if answer["value"] is not None else None
        except (TypeError, ValueError, RecursionError):
            raise self._unreadable() from None

    def _unreadable(self) -> ComponentError:
        """Give the process up: code of the site has changed what answers."""
        self.close()
        return DamagedError("its answer cannot be read: it changes what all components share")

    def _receive(self) -> bytes | None:
        """Wait for a line; None where none comes. Without a thread: with one, forking workers later would not be safe."""
        stream = cast("BinaryIO", cast("subprocess.Popen[bytes]", self._process).stdout)
        until = time.monotonic() + self._patience
        with selectors.DefaultSelector() as selector:
            if os.name == "posix":
                selector.register(stream, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                left = until - time.monotonic()
                if os.name == "posix" and (left <= 0 or not selector.select(left)):
                    return None
                piece = os.read(stream.fileno(), _PIECE_BYTES)
                if not piece:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        cast("subprocess.Popen[bytes]", self._process).wait(1)
                    return None
                self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line
