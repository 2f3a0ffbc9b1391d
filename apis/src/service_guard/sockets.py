"""Sockets to listen on."""

from __future__ import annotations

import socket


def tcp_socket(family: int) -> socket.socket:
    """Make a socket whose connections send what they have at once.

    asyncio switches Nagle's algorithm off only for sockets that name their protocol. With it, an answer that is written
    in two pieces, as uvicorn does, is 40 ms late: the second piece waits until the client acknowledges the first.
    """
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
