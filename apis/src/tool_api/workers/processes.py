"""Telling processes apart: a number is given to another process one day, number and start time together are not."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_START_FIELD = 22
"""Field of /proc/PID/stat with the start time; see proc_pid_stat(5)."""


@dataclass(frozen=True, slots=True)
class ProcessId:
    """One process of this machine since it was started."""

    pid: int
    started: str
    """Clock ticks after the machine's start, and what identifies that start."""

    @property
    def is_running(self) -> bool:
        return identify(self.pid) == self

    def kill(self) -> None:
        """End the process at once; nothing happens to another one that has got its number."""
        try:
            handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return
        try:
            # The handle stays with the process that it was opened for: what is checked now is what is killed.
            if self.is_running:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        except ProcessLookupError:
            return
        finally:
            os.close(handle)


def identify(pid: int) -> ProcessId | None:
    """The process that has this number now; None if there is none, or it has ended."""
    try:
        text = (_PROC / str(pid) / "stat").read_text()
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return None
    # The process name is in parentheses and may contain any character; the third field follows it.
    state, *fields = text.rpartition(")")[2].split()
    return None if state in {"Z", "X"} else ProcessId(pid, f"{fields[_START_FIELD - 4]}@{boot}")
