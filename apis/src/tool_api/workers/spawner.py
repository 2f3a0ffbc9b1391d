"""Starts workers: a process that has imported everything already, and becomes a worker by a fork.

It is forked from the API before that has threads or an event loop, so it costs no import, and the workers share its
memory: pages that nobody writes to exist once. It ends with the API; the workers stay.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from tool_api.logs import log
from tool_api.workers.start import Start
from tool_api.workers.worker import run_worker

MAX_START_BYTES = 64 * 1024
_DESCRIPTORS = 65536


def is_available() -> bool:
    """Whether workers can be started here: files are handed over and processes told apart as Linux does it."""
    return sys.platform == "linux"


class Spawner:
    """The API's side of the spawning process."""

    def __init__(self) -> None:
        self._control: socket.socket | None = None
        self._pid = 0

    def fork(self) -> None:
        """Start the process as a fork of this one, which must not have any threads yet."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._pid = os.fork()
        if self._pid == 0:
            self._control.close()
            _end_with(partial(_serve, theirs))
        theirs.close()

    def execute(self) -> None:
        """Start the process as a new program: for an API that has threads already, and cannot be forked."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-m", "tool_api.workers.spawner", str(theirs.fileno())]
            self._pid = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL).pid

    def spawn(self, start: Start) -> socket.socket:
        """Start a worker; returns the connection to it."""
        start.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            data = start.dump().encode()
            if self._control is None:
                self.execute()
            elif not self._send(data, theirs):
                log("spawner_restarted", level="warning")
                self.close()
                self.execute()
            else:
                return ours
            self._send(data, theirs)
        return ours

    def close(self) -> None:
        """End the process; workers stay."""
        if self._control is not None:
            self._control.close()
            self._control = None
            with suppress(ChildProcessError):
                os.waitpid(self._pid, 0)

    def _send(self, data: bytes, file: socket.socket) -> bool:
        """Send the settings of a worker and its connection; tells whether the process is there to take them."""
        try:
            socket.send_fds(self._control, [data], [file.fileno()])  # type: ignore[arg-type]
        except OSError:
            return False
        return True


def _serve(control: socket.socket) -> None:
    """Fork a worker for each message, until the API has gone."""
    os.setsid()
    _leave_streams(control.fileno())
    # Workers that end are no concern of this process; the kernel need not keep them for it.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _call_process("tool-spawner")
    # Objects that the collector does not look at are not written to, so their pages stay shared.
    gc.collect()
    gc.freeze()
    while True:
        data, files, *_ = socket.recv_fds(control, MAX_START_BYTES, 1)
        if not data:
            return
        if os.fork() == 0:
            control.close()
            _end_with(partial(_become_worker, data, files[0]))
        os.close(files[0])


def _become_worker(data: bytes, connection: int) -> None:
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _call_process("tool-worker")
    run_worker(Start.load(data.decode()), socket.socket(fileno=connection))


def _end_with(work: Callable[[], None]) -> None:
    """Do the work and end this process, without what its parent registered for its own end."""
    code = 1
    try:
        work()
        code = 0
    except BaseException:  # noqa: BLE001 - the process ends here
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _leave_streams(kept: int) -> None:
    """Close everything that the parent had open: who reads from it would wait for this process, too."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    os.closerange(3, kept)
    os.closerange(kept + 1, _DESCRIPTORS)


def _call_process(name: str) -> None:
    Path("/proc/self/comm").write_text(name)


if __name__ == "__main__":
    _end_with(lambda: _serve(socket.socket(fileno=int(sys.argv[1]))))
