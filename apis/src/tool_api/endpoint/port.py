"""A listening socket of this process, served by the HTTP implementation that also serves the API."""

from __future__ import annotations

import asyncio
import errno
import random
import socket
from collections.abc import Container
from functools import partial
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp

from service_guard import KEEP_ALIVE_S, tcp_socket
from tool_api.endpoint.direct import Handler
from tool_api.endpoint.gathering import PortHttp
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
        self._server: uvicorn.Server | None = None

    async def open(self, app: ASGIApp, handler: Handler | None = None) -> None:
        """Serve an application, and before it a handler of the requests that need none."""
        config = uvicorn.Config(
            app,
            lifespan="off",
            log_config=None,
            access_log=False,
            ws="none",
            http=cast("Any", partial(PortHttp, handler=handler)),
            server_header=False,
            date_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE_S,
        )
        config.load()
        server = uvicorn.Server(config)
        server.lifespan = config.lifespan_class(config)
        # Not `serve`: it handles signals and wakes up ten times a second, for each of hundreds of ports.
        await server.startup(sockets=[self._socket])
        self._server = server

    def stop_listening(self) -> None:
        """Take no more connections, and let those that there are come to their end."""
        if self._server is None:
            return
        for listener in self._server.servers:
            listener.close()
        for connection in list(self._server.server_state.connections):
            if isinstance(connection, PortHttp):
                connection.finish()

    async def close(self) -> None:
        """Close the socket and every connection; requests in progress are cancelled."""
        if self._server is None:
            self._socket.close()
            return
        for listener in self._server.servers:
            listener.close()
        state = self._server.server_state
        for connection in list(state.connections):
            connection.shutdown()
            if isinstance(connection, PortHttp):
                connection.refuse()
        tasks = list(state.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)  # what was written last leaves
        for connection in list(state.connections):
            transport = getattr(connection, "transport", None)
            if transport is not None:
                transport.abort()


def bind(host: str, port: int) -> socket.socket:
    """Bind one port.

    Raises:
        PortTakenError: Another program has it.
        FieldError: `host` is not an address of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = tcp_socket(family)
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
