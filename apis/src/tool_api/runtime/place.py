"""Where the server in a container is, and whether it still is there.

Engines give the addresses of containers that have ended to others, and after a restart of the engine all of them at
once. So a connection is used only if the same run of the same container still exists when it has been made.
"""

from __future__ import annotations

import os
import select
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

CONNECT_S = 1.0


class Place(Protocol):
    """An address, and what it belongs to."""

    url: str

    async def is_current(self) -> bool:
        """Whether the address still belongs to the server; never true again once it was false."""
        ...

    def close(self) -> None: ...


class LastingPlace:
    """An address that always leads to the same server, whatever that runs in."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def is_current(self) -> bool:
        return True

    def close(self) -> None:
        return


class ProcessPlace:
    """The address of a container whose first process is a process of this machine."""

    def __init__(self, url: str, process: int) -> None:
        """Args: process: Its descriptor, see `open_process`; is closed with this place."""
        self.url = url
        self._process = process

    async def is_current(self) -> bool:
        return self._process >= 0 and not _has_ended(self._process)

    def close(self) -> None:
        if self._process >= 0:
            os.close(self._process)
            self._process = -1


class AskedPlace:
    """The address of a container that only its engine knows about."""

    def __init__(self, url: str, is_same: Callable[[], Awaitable[bool]]) -> None:
        self.url = url
        self._is_same = is_same

    async def is_current(self) -> bool:
        return await self._is_same()

    def close(self) -> None:
        return


def open_process(container: str, number: int) -> int | None:
    """A descriptor of a container's first process; None if that is not a process of this machine, or has ended.

    Args:
        container: Identifier, which the process's control group is named after.
        number: What the engine says that the process has.
    """
    if sys.platform != "linux" or number <= 0:
        return None
    try:
        process = os.pidfd_open(number)
    except OSError:
        return None
    try:
        # In this order: a process that has not ended when this is done is the one that was asked about.
        is_it = container in Path(f"/proc/{number}/cgroup").read_text() and _is_of_our_users(number)
        if is_it and not _has_ended(process):
            return process
    except OSError:
        pass
    os.close(process)
    return None


def open_input(container: str, number: int) -> int | None:
    """The pipe that a container reads its standard input from, to be written to without waiting; None if there is none.

    An engine's attach stream leads there, too, through two processes that copy each message.

    Args:
        container: See `open_process`.
        number: The same.
    """
    process = open_process(container, number)
    if process is None:
        return None
    found = opened = None
    try:
        found = os.open(f"/proc/{number}/fd/0", os.O_PATH)
        if _is_fed_by_parent(number, found):
            opened = os.open(f"/proc/self/fd/{found}", os.O_WRONLY | os.O_NONBLOCK)
        # Otherwise all this was of a process that has got its number since.
        if opened is not None and not _has_ended(process):
            opened, is_its = None, opened
            return is_its
    except OSError:
        pass
    finally:
        for descriptor in (found, opened, process):
            if descriptor is not None:
                os.close(descriptor)
    return None


def _is_fed_by_parent(number: int, opened: int) -> bool:
    """Whether a file is the pipe that the engine's helper, the parent of a container's first process, writes to.

    Else it may be anything that a container can open, and some of that we can write to and it cannot.
    """
    # No pipe with a name: on another file system it may have the number of one that the parent writes to.
    pipe = _link(Path(f"/proc/self/fd/{opened}"))
    if pipe != f"pipe:[{os.fstat(opened).st_ino}]":
        return False
    parent = Path("/proc", Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
    ends = [end.name for end in (parent / "fd").iterdir() if _link(end) == pipe]
    return any(_flags(parent / "fdinfo" / end) & os.O_ACCMODE == os.O_WRONLY for end in ends)


def _flags(info: Path) -> int:
    """How a file is open, see proc_pid_fdinfo(5)."""
    fields = dict(line.split(":", 1) for line in info.read_text().splitlines())
    return int(fields["flags"], 8)


def _link(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return ""  # closed meanwhile


def reaches(address: str, gateway: str, published: str) -> bool:
    """Whether a container's own address can be used in place of the published one, which costs a process on the way.

    Args:
        address: Of the container, on the engine's network.
        gateway: This machine's on the same network, as the engine says.
        published: URL of the published port. If it cannot be reached, the engine is in some other network.
    """
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            any_socket.connect((address, 9))  # sends nothing, but finds the way
            if any_socket.getsockname()[0] != gateway:
                return False
        parts = urlsplit(published)
        socket.create_connection((parts.hostname or "", parts.port or 80), CONNECT_S).close()
    except (OSError, ValueError):
        return False
    return True


def _has_ended(process: int) -> bool:
    poll = select.poll()
    poll.register(process, select.POLLIN)
    return bool(poll.poll(0))


def _is_of_our_users(number: int) -> bool:
    """Whether a process has the users of this one: those of engines without root have their own, and networks, too."""
    return Path(f"/proc/{number}/uid_map").read_text() == Path("/proc/self/uid_map").read_text()
