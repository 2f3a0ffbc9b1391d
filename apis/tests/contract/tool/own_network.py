"""A network of a test's own: no other engine's bridges, address ranges, ports or packet filter are in it."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager

_NEW_NETWORK = 0x40000000
"""CLONE_NEWNET of Linux."""

_SET_FLAGS = 0x8914
"""SIOCSIFFLAGS of Linux."""

_UP = 0x1


@contextmanager
def own_network() -> Iterator[None]:
    """Move this thread into a new network for the length of a block, and all threads and processes begun in it.

    Engines of one machine would share the bridge `docker0`, its addresses, and the chains of the packet filter, which
    each of them makes anew when it starts.

    Raises:
        OSError: This process may not.
    """
    before = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    try:
        _call("unshare", _NEW_NETWORK)
        try:
            _open_loopback()
            yield
        finally:
            _call("setns", before, _NEW_NETWORK)
    finally:
        os.close(before)


def _call(name: str, *arguments: int) -> None:
    # Python has both from 3.12 on.
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)


def _open_loopback() -> None:
    """Bring up the one interface that a new network has."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))
