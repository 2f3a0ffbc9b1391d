"""The only way out of a server whose outgoing connections are filtered: an HTTP proxy on its own network.

It speaks CONNECT (RFC 9110, section 9.3.6) and forwards requests in absolute form; host and port are checked for each.
"""

from __future__ import annotations

import asyncio
import contextvars
import re
import socket
import sys
from contextlib import suppress
from urllib.parse import urlsplit

from service_guard import is_of_this_link, is_public, read_address, tcp_socket
from tool_api.logs import log
from tool_api.runtime.writing import pipe
from tool_api.store import Network

MAX_HEAD_BYTES = 64 * 1024
HEAD_TIMEOUT_S = 30
CONNECT_TIMEOUT_S = 15
HTTP_PORT = 80
BACKLOG = 128
_TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_HEAD = re.compile(_TOKEN + rb" [!-~]+ HTTP/1\.[0-9]\r\n(?:" + _TOKEN + rb":[^\r\n\0]*\r\n)*\r\n")
"""A head that all servers read alike. Some take a single line feed for the end of a line, so that a head could name to them
another host than the one that was checked."""

_FREEBIND = 15
"""IP_FREEBIND of Linux, which Python does not name."""


def bind_listener(address: str, port: int) -> socket.socket:
    """Listen on an address of this machine, or one that it will have; port 0 is a free one.

    Podman gives a network its address on this machine only while a container of it runs.

    Raises:
        OSError: The port is taken.
    """
    bound = tcp_socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform == "linux":
            bound.setsockopt(socket.IPPROTO_IP, _FREEBIND, 1)
        bound.bind((address, port))
        bound.listen(BACKLOG)
    except OSError:
        bound.close()
        raise
    bound.setblocking(False)
    return bound


class EgressProxy:
    """Listens for one server's container."""

    def __init__(self, name: str, network: Network) -> None:
        self._name = name
        self._network = network
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, bound: socket.socket) -> None:
        """Serve on a listening socket, which is closed with the proxy."""
        # In a context of its own: what it logs later does not belong to the request that opened it.
        opening = asyncio.create_task(
            asyncio.start_server(self._accept, sock=bound, limit=MAX_HEAD_BYTES), context=contextvars.Context()
        )
        self._server = await opening

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            pass  # Either end has gone, or said what is not a request; there is nobody to tell.
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_TIMEOUT_S)
        line, _, fields = head.partition(b"\r\n")
        parsed = _target(line) if _HEAD.fullmatch(head) else None
        if parsed is None:
            await _answer(writer, "400 Bad Request")
            return
        host, port, forwarded = parsed
        if not allows(self._network, host, port):
            log("egress_refused", level="warning", server=self._name, host=host, port=port)
            await _answer(writer, "403 Forbidden")
            return
        out = await self._connect(host, port)
        if out is None:
            await _answer(writer, "502 Bad Gateway")
            return
        out_reader, out_writer = out
        try:
            if forwarded is None:
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                out_writer.write(forwarded + b"\r\n" + own_fields(fields, host, port))
            await asyncio.gather(pipe(reader, out_writer), pipe(out_reader, writer))
        finally:
            out_writer.close()

    async def _connect(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            return None
        for *_, address in found:
            # The address that was checked is the one that is connected to; the name is not resolved again.
            if is_reachable(self._network, host, str(address[0])):
                with suppress(OSError, TimeoutError):
                    return await asyncio.wait_for(asyncio.open_connection(str(address[0]), port), CONNECT_TIMEOUT_S)
        return None


def allows(network: Network, host: str, port: int) -> bool:
    """Whether the rules name this host and this port; an empty list names all."""
    name = host.lower().rstrip(".")
    is_host = not network.hosts or any(_matches(rule, name) for rule in network.hosts)
    return is_host and (not network.ports or port in network.ports)


def is_reachable(network: Network, host: str, address: str) -> bool:
    """Whether a host that the rules allow may be at this address.

    Rules for many hosts end at the public network, and a name never leads to this machine: the services here that
    listen on the loopback address, this API among them, would otherwise be open to the container. Who wants a private
    address names it.
    """
    ip = read_address(address)
    name = host.lower().rstrip(".")
    if name not in network.hosts:
        return is_public(ip)
    return name == str(ip) or not is_of_this_link(ip)


def _matches(rule: str, name: str) -> bool:
    rule = rule.rstrip(".")
    if rule == "*":
        return True
    return name.endswith(rule[1:]) and name != rule[2:] if rule.startswith("*.") else name == rule


def _target(line: bytes) -> tuple[str, int, bytes | None] | None:
    """Host, port and, for a request that is forwarded, its line in origin form; None for what is not a proxy request."""
    try:
        method, target, protocol = line.decode("ascii").split(" ")
        if not protocol.startswith("HTTP/1."):
            return None
        parts = urlsplit(f"//{target}" if method == "CONNECT" else target)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not host:
        return None
    if method == "CONNECT":
        return (host, port, None) if port else None
    if parts.scheme != "http":
        return None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return host, port or HTTP_PORT, f"{method} {path} HTTP/1.1".encode()


def own_fields(fields: bytes, host: str, port: int) -> bytes:
    """Header fields for the server, from those of a proxy request.

    The Host field is made of the address that was checked, whatever the client wrote into its own (RFC 9112, section
    3.2.2); otherwise a host with several names could be reached under one that is not allowed.
    """
    dropped = (b"host:", b"connection:", b"keep-alive:", b"proxy-")
    kept = [line for line in fields.split(b"\r\n") if line and not line.lower().startswith(dropped)]
    name = f"[{host}]" if ":" in host else host
    authority = name if port == HTTP_PORT else f"{name}:{port}"
    # One request a connection: what follows it is not checked anew.
    return b"\r\n".join([b"Host: " + authority.encode(), *kept, b"Connection: close", b"", b""])


async def _answer(writer: asyncio.StreamWriter, status: str) -> None:
    writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
    await writer.drain()
