"""`HelperProcess`: a module that answers lines, run by a process of its own that is ended when it takes too long."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from typing import NamedTuple


class HelperAnswer(NamedTuple):
    """What a process has answered."""

    line: bytes
    """With its line end; empty where the process has ended without an answer."""
    is_late: bool
    """It was ended because the answer had not come in time."""


class HelperProcess:
    """Runs a module that reads lines from its input and answers each with one line; started when it is first asked, and again after its end."""

    def __init__(self, module: str, seconds: float) -> None:
        """Initialize.

        Args:
            module: Full name of the module.
            seconds: The most that an answer may take, the start of the process included.
        """
        self._module = module
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def ask(self, line: bytes) -> HelperAnswer:
        """Ask the process; several threads are answered one after the other.

        Args:
            line: The question, without a line end.
        """
        with self._lock:
            return self._ask(line)

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _ask(self, line: bytes) -> HelperAnswer:
        process = self._process = self._process or self._start()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("A helper process was started without pipes.")
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self._seconds, end)
        timer.start()
        answer = b""
        try:
            with contextlib.suppress(OSError):  # it has ended meanwhile
                process.stdin.write(line + b"\n")
                process.stdin.flush()
                answer = process.stdout.readline()
        finally:
            timer.cancel()
        if not answer.endswith(b"\n"):
            self.close()
            return HelperAnswer(b"", late.is_set())
        return HelperAnswer(answer, is_late=False)

    def _start(self) -> subprocess.Popen[bytes]:
        # -P: the current folder is the site's, and no file of it is a module.
        command = [sys.executable, "-P", "-m", self._module]
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, close_fds=True
        )
