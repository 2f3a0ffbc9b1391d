"""The interface between the API and what runs the servers."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from mcp.types import JSONRPCMessage, RequestId

from tool_api.runtime.place import Place
from tool_api.store import ServerRow, ServerSpec


@dataclass(frozen=True, slots=True)
class UnreadAnswer:
    """The answer to a request, with its result as the server has written it.

    To make a message of it takes as long as all that is done with it otherwise.
    """

    number: int
    """Id of the request."""

    data: bytes
    """JSON of the result: an object, UTF-8, on one line for every reader."""


Take = Callable[[JSONRPCMessage | UnreadAnswer | Exception], None]
"""Takes a message of a server, or why one cannot be used."""


class Wire(Protocol):
    """A connection to a stdio server."""

    @property
    def unsent_bytes(self) -> int:
        """What waits in this process because the server does not read it, or not yet."""
        ...

    async def carry(self, take: Take) -> None:
        """Hand on what the server says, in order, until the connection ends. May be called once."""
        ...

    def send(self, message: JSONRPCMessage) -> None:
        """Write a message behind those before it, without waiting; it is discarded if the connection has ended."""
        ...

    def send_line(self, line: bytes) -> None:
        """The same with a message that is written: with the end of its line, and no other."""
        ...


class UnusableMessageError(Exception):
    """A server sent what cannot be passed on; it was discarded, and the connection stays open."""

    def __init__(self, reason: str, *, answers: int | None = None, asks: RequestId | None = None) -> None:
        """Args: reason: What it is. answers: Id of the request it answers. asks: Its own id, if it is a request."""
        super().__init__(reason, answers, asks)
        self.reason = reason
        self.answers = answers
        self.asks = asks


class OversizedMessageError(UnusableMessageError):
    """A message was larger than the limit."""

    def __init__(self, limit: int, *, answers: int | None = None, asks: RequestId | None = None) -> None:
        """Args: limit: Bytes. The rest as above."""
        reason = f"larger than {limit} bytes; --max-message-bytes sets the limit"
        super().__init__(reason, answers=answers, asks=asks)
        self.limit = limit


@dataclass(frozen=True, slots=True)
class ContainerState:
    """What an engine says about one container."""

    container_id: str
    name: str
    state: str
    """created, running, paused, restarting, exited or dead."""

    status: str
    """The same as people read it."""

    image: str = ""
    created: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)


class Runtime(Protocol):
    """One way of running servers. Failures of an engine are `EngineError`; a name taken there is `ConflictError`."""

    name: str
    """docker, kubernetes or simulated."""

    place: str
    """Address of the engine; empty where there is none."""

    outlives: bool
    """Whether servers go on when this process ends."""

    async def create(self, row: ServerRow, secrets: Mapping[str, str]) -> ServerRow:
        """Make the container, without starting it.

        Args:
            row: The server as it is stored.
            secrets: Values by variable; they go to the container and nowhere else.

        Returns:
            The row with what only the engine could say, its `container_id` first of all.
        """
        ...

    async def start(self, row: ServerRow) -> None: ...

    async def adopt(self, row: ServerRow) -> None:
        """Take up a server that ran already when this process began."""
        ...

    async def stop(self, row: ServerRow, timeout_s: int) -> None:
        """Stop gracefully, then by force after the timeout. A container that does not run is left alone."""
        ...

    async def remove(self, row: ServerRow, *, force: bool) -> None:
        """Remove the container and what was made for it. A container that is gone already is not a failure."""
        ...

    async def states(self) -> dict[str, ContainerState] | None:
        """All containers that bear our label, by identifier; None where the database is all there is to know."""
        ...

    async def egress(self, row: ServerRow) -> socket.socket | None:
        """Socket for the egress proxy of a server that has one, bound to the address that its container was told."""
        ...

    def link(self, row: ServerRow) -> LinkSpec:
        """How a process that holds the server's port reaches it."""
        ...

    async def aclose(self) -> None: ...


LinkSpec = Mapping[str, Any]
"""What `links.make_link` makes a `Link` from: `kind`, and values that JSON can hold."""


class Link(Protocol):
    """The way to servers that run already; all that the holder of a port needs of a runtime."""

    def connect(self, row: ServerRow) -> AbstractAsyncContextManager[Wire]:
        """Connect to a stdio server. The connection ends when the server does, or the block."""
        ...

    async def address(self, row: ServerRow) -> Place | None:
        """Where a server is that speaks HTTP itself; None for one that is talked to by `connect`."""
        ...

    async def aclose(self) -> None: ...


INSTANCE = "toolhive-instance"
"""Label with what tells one API from others on the same engine."""


def labels_of(spec: ServerSpec, port: int, runtime: str) -> dict[str, str]:
    """Labels of a server's container."""
    return {
        "toolhive": "true",
        "toolhive-name": spec.name,
        "toolhive-basename": spec.name,
        "toolhive-transport": spec.transport,
        "toolhive-port": str(port),
        "toolhive-tool-type": "mcp",
        "toolhive-runtime": runtime,
    }
