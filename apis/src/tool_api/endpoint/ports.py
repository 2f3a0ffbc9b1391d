"""Open ports in this process: for each server its endpoint, and its egress proxy if it has one."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from tool_api.endpoint.endpoint import Endpoint
from tool_api.endpoint.posted import Memory
from tool_api.runtime.base import Link, LinkSpec
from tool_api.runtime.egress import EgressProxy
from tool_api.runtime.links import make_link
from tool_api.settings import Limits
from tool_api.store import ServerRow


@dataclass(frozen=True, slots=True)
class Sockets:
    """Listening sockets of one server."""

    clients: socket.socket
    egress: socket.socket | None = None
    """Of its egress proxy, if it has one."""

    def close(self) -> None:
        self.clients.close()
        if self.egress is not None:
            self.egress.close()


class Holder(Protocol):
    """Holds the ports of all servers of an API, in its own process or in others."""

    async def adopt(self) -> None:
        """Take over what an earlier API has left open."""
        ...

    def take_sockets(self, name: str) -> Sockets | None:
        """Sockets that an earlier API has left for a server, to be given to `open`."""
        ...

    async def open(self, row: ServerRow, spec: LinkSpec, sockets: Sockets) -> None:
        """Open a server's port; the sockets are the holder's from now on, also when it cannot be opened."""
        ...

    async def close(self, name: str) -> None:
        """Close a server's port and every connection to it; nothing happens where there is none."""
        ...

    async def close_others(self, names: set[str]) -> None:
        """Close all that an earlier API has left open, but the ports of these servers."""
        ...

    def is_open(self, name: str) -> bool: ...

    def holds(self, row: ServerRow) -> bool:
        """Whether the port of this very server is open; that of an earlier server of the same name does not count."""
        ...

    async def aclose(self, *, ends: bool) -> None:
        """Let go of the ports; `ends` closes also those that could stay open without this process."""
        ...


@dataclass(frozen=True, slots=True)
class _Open:
    row: ServerRow
    endpoint: Endpoint
    link: Link
    proxy: EgressProxy | None
    sockets: Sockets

    async def close(self) -> None:
        await self.endpoint.close()
        if self.proxy is not None:
            await self.proxy.close()
        await self.link.aclose()


class Ports:
    """The ports that one process holds."""

    def __init__(self, limits: Limits, origins: tuple[str, ...], memory_of: Callable[[str], Memory]) -> None:
        """Args: memory_of: What is known of the sessions of a server from before. origins: Pages that may call."""
        self._limits = limits
        self._origins = origins
        self._memory_of = memory_of
        self._open: dict[str, _Open] = {}

    async def open(self, row: ServerRow, spec: LinkSpec, sockets: Sockets) -> None:
        """Serve a server's clients until closed.

        Args:
            row: The server.
            spec: How it is reached.
            sockets: Are closed with the port, and when it cannot be opened.

        Raises:
            EngineError: The server has no address.
        """
        link: Link | None = None
        proxy: EgressProxy | None = None
        try:
            link = make_link(spec, self._limits.max_message_bytes)
            memory = self._memory_of(row.name)
            endpoint = Endpoint(row, link, sockets.clients, self._limits, memory, origins=self._origins)
            if sockets.egress is not None:
                proxy = EgressProxy(row.name, row.spec.network)
                await proxy.open(sockets.egress)
            await endpoint.open()
        except BaseException:
            if proxy is not None:
                await proxy.close()
            if link is not None:
                await link.aclose()
            sockets.close()
            raise
        self._open[row.name] = _Open(row, endpoint, link, proxy, sockets)

    async def close(self, name: str) -> None:
        """Close a server's port and every connection to it; nothing happens where there is none."""
        if found := self._open.pop(name, None):
            await found.close()

    async def adopt(self) -> None:
        return

    def take_sockets(self, name: str) -> Sockets | None:
        del name
        return None

    async def close_others(self, names: set[str]) -> None:
        del names

    def holds(self, row: ServerRow) -> bool:
        return self.containers().get(row.name) == row.container_id

    async def aclose(self, *, ends: bool = True) -> None:
        """Close all ports."""
        del ends
        await asyncio.gather(*(self.close(name) for name in list(self._open)))

    def is_open(self, name: str) -> bool:
        return name in self._open and self._open[name].endpoint.is_open

    def containers(self) -> dict[str, str]:
        """Identifier of the container by name of the server, of all that are open."""
        return {name: found.row.container_id for name, found in self._open.items() if self.is_open(name)}

    async def until_closed(self, name: str) -> None:
        """Wait until a port is closed, by its owner or by a failure."""
        if name in self._open:
            await self._open[name].endpoint.until_closed()

    def duplicate(self, name: str) -> Sockets:
        """Duplicates of a server's listening sockets, for who opens its port after this process."""
        sockets = self._open[name].sockets
        return Sockets(sockets.clients.dup(), sockets.egress.dup() if sockets.egress is not None else None)

    async def release(self, name: str, drain_s: float) -> None:
        """Close a port after the calls in progress have ended, but wait at most `drain_s` seconds for them."""
        if found := self._open.get(name):
            await found.endpoint.drain(drain_s)
            await self.close(name)
