"""A listening socket of this process, served by the HTTP implementation that also serves the API."""

from __future__ import annotations

import asyncio
import errno
import random
import socket
from collections.abc import Container

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

from tool_api.errors import EngineError, FieldError

# Below the range that Linux takes outgoing connections from, which could hold a port just when it is bound again.
FIRST_PORT, LAST_PORT = 10000, 32767
_ATTEMPTS = 200
BACKLOG = 128
_TAKEN = (errno.EADDRINUSE, errno.EACCES)


class PortTakenError(Exception):
    """Another program listens on the port."""


class Port:
    """Serves an application on a bound socket until closed."""

    def __init__(self, bound: socket.socket) -> None:
        self._socket = bound
        self._state = ServerState()
        self._server: asyncio.Server | None = None

    async def open(self, app: ASGIApp) -> None:
        config = uvicorn.Config(app, lifespan="off", log_config=None, access_log=False, ws="none", server_header=False)
        config.load()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: config.http_protocol_class(config=config, server_state=self._state, app_state={}),  # type: ignore[call-arg]
            sock=self._socket,
            backlog=BACKLOG,
        )

    async def close(self) -> None:
        """Close the socket and every connection; requests that still run are ended."""
        if self._server is None:
            self._socket.close()
            return
        self._server.close()
        for connection in list(self._state.connections):
            connection.shutdown()
        tasks = list(self._state.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for connection in list(self._state.connections):
            if connection.transport is not None:
                connection.transport.abort()


def bind(host: str, port: int) -> socket.socket:
    """Bind one port.

    Raises:
        PortTakenError: Another program has it.
        FieldError: `host` is no address of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        # Listening at once: on Linux two sockets with SO_REUSEADDR may share a port until one of them listens.
        bound.listen(BACKLOG)
    except OSError as error:
        bound.close()
        if error.errno in _TAKEN:
            raise PortTakenError from error
        raise FieldError("host", "not an address of this machine") from error
    bound.setblocking(False)
    return bound


def bind_free(host: str, taken: Container[int]) -> tuple[socket.socket, int]:
    """Bind a free port.

    Args:
        host: An address of this machine.
        taken: Ports of servers that may be stopped now and need them again.
    """
    for _ in range(_ATTEMPTS):
        port = random.randint(FIRST_PORT, LAST_PORT)  # noqa: S311 - spread, not secrecy
        if port in taken:
            continue
        try:
            return bind(host, port), port
        except PortTakenError:
            continue
    raise EngineError("Unable to configure ports")
