"""A process that compiles and draws components: one request at a time, and what becomes of a request that takes long."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, BinaryIO, cast

_PIECE_BYTES = 1 << 16


class ComponentError(Exception):
    """A component was stopped: it took too long or too much memory, or has ended the process. The text says which."""


class DamagedError(ComponentError):
    """What all components share was damaged, perhaps by another one; in the process that is started next it is whole."""


class TurnError(ComponentError):
    """The shared process is gone, with all it was given; the next request starts one for this process alone."""


class SlowError(ComponentError):
    """The answer is not there yet, and whoever asks does not wait longer. The next request starts another process."""

    def __init__(self, late: LateAnswer) -> None:
        super().__init__("it has not answered yet")
        self.late = late


class Conversation:
    """A running process; see `octavo.component_host`."""

    def __init__(self) -> None:
        """Start it."""
        self.owner = os.getpid()
        self._process = subprocess.Popen(
            # -P: the current folder is the site's, and no file of it is a module.
            [sys.executable, "-P", "-c", "from octavo.component_host.host import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._buffer = b""

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """It has not ended; only its owner can ask."""
        return self._process.poll() is None

    def send(self, request: dict[str, Any]) -> None:
        """Ask for something; that nobody listens is noticed when the answer is waited for."""
        with contextlib.suppress(OSError):
            stream = cast("BinaryIO", self._process.stdin)
            stream.write(json.dumps(request).encode() + b"\n")
            stream.flush()

    def receive(self, until: float) -> bytes | None:
        """Wait for a line; None where none comes. Without a thread: with one, forking workers later would not be safe.

        Args:
            until: Time of the monotonic clock.
        """
        stream = cast("BinaryIO", self._process.stdout)
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
                        self._process.wait(1)
                    return None
                self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def end(self) -> None:
        """End the process, or give it up where it is another's."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        if self.owner == os.getpid():
            self._process.kill()
            self._process.wait()
        else:
            # Another process's: only the copies of its pipes are given up.
            self._process.returncode = 0

    def kill(self) -> None:
        """Let a thread that waits for an answer find out that none comes."""
        self._process.kill()


def read_answer(conversation: Conversation, line: bytes | None, seconds: float) -> Any:
    """Read an answer.

    Args:
        conversation: Who gave it.
        line: The answer; None where none has come.
        seconds: That it was allowed to take.

    Raises:
        ComponentError: the request was stopped. What it has done to the process is not known.
    """
    if line is None:
        late = f"it takes longer than {seconds:g} s"
        raise ComponentError(late if conversation.is_alive else "it takes too much memory")
    answer = json.loads(line)
    if "failure" in answer:
        raise (DamagedError if answer["failure"] == "script" else ComponentError)(answer["message"])
    try:
        return json.loads(answer["value"]) if answer["value"] is not None else None
    except (TypeError, ValueError, RecursionError):
        raise unreadable() from None


def unreadable() -> DamagedError:
    """Make the error of an answer that the process cannot have meant."""
    return DamagedError("its answer cannot be read: it changes what all components share")


class LateAnswer:
    """An answer that is waited for elsewhere, with the process that gives it."""

    def __init__(self, conversation: Conversation, until: float, seconds: float) -> None:
        self._conversation = conversation
        self._until = until
        self._seconds = seconds

    def wait(self) -> Any:
        """Wait for it, and end the process.

        Raises:
            ComponentError: the request was stopped.
        """
        try:
            return read_answer(self._conversation, self._conversation.receive(self._until), self._seconds)
        finally:
            self._conversation.end()

    def cancel(self) -> None:
        """Let whoever waits stop waiting. May be called from any thread."""
        self._conversation.kill()


Take = Callable[[Any], None]
"""Takes an answer, or the error in its place."""


class LateAnswers:
    """Used by one thread; the threads that it starts only wait."""

    def __init__(self) -> None:
        self.tell: Callable[[], object] = lambda: None
        """Called by another thread when an answer has come."""
        self._waiting: dict[LateAnswer, Take] = {}
        self._come: deque[tuple[LateAnswer, Any]] = deque()
        self._is_closed = False

    def add(self, late: LateAnswer, take: Take) -> None:
        """Wait for an answer."""
        self._waiting[late] = take
        threading.Thread(target=self._wait, args=(late,), name="octavo-late-answer", daemon=True).start()

    def settle(self) -> bool:
        """Hand over what has come; returns whether anything has."""
        has_come = False
        while self._come:
            late, answer = self._come.popleft()
            self._waiting.pop(late)(answer)
            has_come = True
        return has_come

    def close(self) -> None:
        """Wait for nothing any more."""
        self._is_closed = True
        for late in self._waiting:
            late.cancel()

    def _wait(self, late: LateAnswer) -> None:
        try:
            answer = late.wait()
        except ComponentError as error:
            answer = error
        self._come.append((late, answer))
        if not self._is_closed:
            self.tell()
