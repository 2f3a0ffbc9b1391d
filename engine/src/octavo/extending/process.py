"""`HostProcess`: the process that runs extensions, seen from the build."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

import msgspec

from octavo.extension_host import Answer, Described, Request, Start, end_children, read_message, write_message

_PIECE_BYTES = 1 << 16
_LENGTH_BYTES = 4
_POLL_S = 0.005
_T = TypeVar("_T")


class HostLostError(Exception):
    """The process has ended, or was ended because it took too long; the text says which."""


class HostProcess:
    """Used by one thread of the process that made it."""

    def __init__(self, site_dir: Path, specs: list[str], memory: int, options: Mapping[str, Mapping[str, Any]]) -> None:
        """Start it; nothing is waited for.

        Args:
            site_dir: The site's folder.
            specs: Extensions to load.
            memory: See `Start`.
            options: See `Start`.
        """
        self.owner = os.getpid()
        self._buffer = b""
        self._is_closed = False
        self._process = subprocess.Popen(
            # -P: the working folder is not a place for modules.
            [sys.executable, "-P", "-c", "from octavo.extension_host.host import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # A group of its own, so that what extensions start ends with them.
            start_new_session=True,
        )
        self._send(
            Start(os.fspath(site_dir.resolve()), specs, memory, {name: dict(table) for name, table in options.items()})
        )

    def next_described(self, seconds: float) -> Described:
        """Wait for the description of the next extension.

        Raises:
            HostLostError: See the class.
        """
        return self._decode(self._receive(seconds), Described)

    def call(self, request: Request, seconds: float) -> Answer:
        """Call a function.

        Raises:
            HostLostError: See the class.
        """
        self._send(request)
        return self._decode(self._receive(seconds), Answer)

    def _decode(self, data: bytes, type_: type[_T]) -> _T:
        try:
            return msgspec.msgpack.decode(data, type=type_)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            self.close()
            raise HostLostError("its process has given an answer that cannot be read") from None

    def close(self) -> None:
        """End it, with all that it has started."""
        process = self._process
        if self.owner == os.getpid() and not self._is_closed:
            self._is_closed = True
            if process.returncode is None:
                end_children(process.pid)
            # The group may outlive the process that leads it.
            with contextlib.suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                elif process.returncode is None:
                    process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _has_ended(self) -> bool:
        """Return whether it has, and leave it unreaped: until then nothing else can have its number, nor that of its group."""
        if not hasattr(os, "waitid"):
            return self._process.poll() is not None
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def _send(self, message: object) -> None:
        stream = cast("BinaryIO", self._process.stdin)
        with contextlib.suppress(OSError):  # that it has ended is noticed when its answer is waited for
            write_message(stream, message)

    def _receive(self, seconds: float) -> bytes:
        data = self._receive_polling(seconds) if os.name == "posix" else self._receive_watched(seconds)
        if data is not None:
            return data
        is_late = not self._has_ended()
        self.close()
        if is_late:
            raise HostLostError(f"it took longer than {seconds:g} s and was ended")
        code = self._process.returncode
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        raise HostLostError(f"its process has ended {how}")

    def _receive_polling(self, seconds: float) -> bytes | None:
        """Receive a message without a thread: with one, forking workers later would not be safe."""
        until = time.monotonic() + seconds
        number = cast("BinaryIO", self._process.stdout).fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(number, selectors.EVENT_READ)
            while True:
                size = int.from_bytes(self._buffer[:_LENGTH_BYTES], "big")
                if len(self._buffer) >= _LENGTH_BYTES + size and len(self._buffer) >= _LENGTH_BYTES:
                    data = self._buffer[_LENGTH_BYTES : _LENGTH_BYTES + size]
                    self._buffer = self._buffer[_LENGTH_BYTES + size :]
                    return data
                left = until - time.monotonic()
                if left <= 0 or not selector.select(left):
                    return None
                piece = os.read(number, _PIECE_BYTES)
                if not piece:
                    # It has ended, or has closed its output and goes on.
                    while not self._has_ended() and time.monotonic() < until:
                        time.sleep(_POLL_S)
                    return None
                self._buffer += piece

    def _receive_watched(self, seconds: float) -> bytes | None:
        """The same where pipes cannot be polled."""
        stream = cast("BinaryIO", self._process.stdout)
        is_done = threading.Event()
        outcome: list[bytes | None] = []

        def receive() -> None:
            outcome.append(read_message(stream))
            is_done.set()

        threading.Thread(target=receive, daemon=True).start()
        return outcome[0] if is_done.wait(seconds) else None
