"""Take a published folder over into a new one, as hard links, by a process beside the build.

The build after the first one finds no spare, and would link thousands of files one by one. Meanwhile it reads the site
instead, and asks for what was linked when it has something to write.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from octavo.last_build.file_states import FileState, FolderStates, knows_no_case
from octavo.last_build.mounts import is_one_mount
from octavo.runtime import count_cores

_WORTH_FROM = 200
"""Files from which a process of its own is faster."""


class LinkedFolder:
    """The files of a folder, linked into another one."""

    def __init__(self, source: Path, target: Path, states: FolderStates) -> None:
        """Begin.

        Args:
            source: The published folder.
            target: A new, empty one.
            states: What `source` looked like when it was published.
        """
        self._target = target
        self._states = states
        context = multiprocessing.get_context("fork")
        self._connection, theirs = context.Pipe()
        arguments = (theirs, self._connection, os.fspath(source), os.fspath(target), states)
        self._process = context.Process(target=_link_all, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    @staticmethod
    def is_worth_it(source: Path, target: Path, states: FolderStates) -> bool:
        """Return whether files can be linked on another core, and are many."""
        return (
            sys.platform.startswith("linux")
            and len(states.files) >= _WORTH_FROM
            and count_cores() > 1
            and source.is_dir()
            and is_one_mount(source, target)
            and not knows_no_case(target)
        )

    def wait(self) -> dict[str, FileState]:
        """Wait for the end: address → state of each file that was as it had been published, before it was linked.

        Where the process has died, the folder is empty.
        """
        left_out: list[str] | None = None
        with suppress(OSError, EOFError, msgspec.DecodeError, msgspec.ValidationError):
            left_out = msgspec.msgpack.decode(self._connection.recv_bytes(), type=list[str])
        self.close()
        if left_out is None:
            shutil.rmtree(self._target, ignore_errors=True)
            self._target.mkdir(exist_ok=True)
            return {}
        missing = frozenset(left_out)
        return {address: state for address, state in self._states.files.items() if address not in missing}

    def close(self) -> None:
        """End the process, if it still runs."""
        self._connection.close()
        self._process.kill()
        self._process.join()


def _link_all(connection: Connection, parents: Connection, source: str, target: str, states: FolderStates) -> None:
    # Else this process would hold the other end open itself.
    parents.close()
    # The parent answers Ctrl+C for both.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    left_out: list[str] = []
    folders = {target}
    for address, state in states.files.items():
        try:
            if not state.matches(os.lstat(f"{source}/{address}")):
                left_out.append(address)
                continue
            path = f"{target}/{address}"
            folder = os.path.dirname(path)  # noqa: PTH120 - strings: this runs for every file of the site
            if folder not in folders:
                os.makedirs(folder, exist_ok=True)  # noqa: PTH103
                folders.add(folder)
            os.link(f"{source}/{address}", path)
        except OSError:
            left_out.append(address)
    with suppress(OSError):
        connection.send_bytes(msgspec.msgpack.encode(left_out))
    os._exit(0)
