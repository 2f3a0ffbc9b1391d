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
from typing import Any, BinaryIO, cast

import msgspec

from octavo.extension_host import Answer, Described, Request, Start, read_message, write_message

_PIECE_BYTES = 1 << 16
_LENGTH_BYTES = 4


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
        self._process = subprocess.Popen(
            # -P: the working folder is no place for modules.
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
            HostLostError: see there.
        """
        return msgspec.msgpack.decode(self._receive(seconds), type=Described)

    def call(self, request: Request, seconds: float) -> Answer:
        """Call a function.

        Raises:
            HostLostError: see there.
        """
        self._send(request)
        return msgspec.msgpack.decode(self._receive(seconds), type=Answer)

    def close(self) -> None:
        """End it, with all that it has started."""
        process = self._process
        if process.returncode is None and self.owner == os.getpid():
            with contextlib.suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _send(self, message: object) -> None:
        stream = cast("BinaryIO", self._process.stdin)
        with contextlib.suppress(OSError):  # that it has ended is noticed when its answer is waited for
            write_message(stream, message)

    def _receive(self, seconds: float) -> bytes:
        data = self._receive_polling(seconds) if os.name == "posix" else self._receive_watched(seconds)
        if data is not None:
            return data
        is_late = self._process.poll() is None
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
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        self._process.wait(max(0.0, until - time.monotonic()))
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
