"""The server as a process: one socket, one loop, streams that end when it stops."""

from __future__ import annotations

import asyncio
import errno
import socket
from types import FrameType

import uvicorn
from fastapi import FastAPI

from gateway_api.errors import SetupError
from service_guard import KEEP_ALIVE_S, LimitedHttp, tcp_socket

STOP_WITHIN_S = 5
"""Longest wait for requests that are under way when the server stops."""


DRAIN_S = 0.25
"""Time for requests on connections that were taken just before the server stops."""


class GatewayServer(uvicorn.Server):
    """Ends the event streams before it waits for its connections: they would never end by themselves."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app
        self._loop: asyncio.AbstractEventLoop | None = None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, let those that were taken send their requests, then stop.

        A balancer that has connected just now would otherwise be cut off with a request on its way, which it may not
        send to another server if it changes something.
        """
        await asyncio.sleep(0)  # takes what waits in the queue of the socket
        for server in self.servers:
            server.close()
        await asyncio.sleep(DRAIN_S)
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.end_streams()
        super().handle_exit(sig, frame)

    def end_streams(self) -> None:
        """End all event streams; may be called from any thread."""
        if self._loop:
            self._loop.call_soon_threadsafe(self._app.state.parts.news.close)


def make_server(app: FastAPI) -> GatewayServer:
    """Make a server that logs nothing by itself: the app writes its own lines."""
    config = uvicorn.Config(
        app,
        http=LimitedHttp,
        access_log=False,
        log_config=None,  # `observing.show_logs` writes uvicorn's lines as JSON
        server_header=False,
        date_header=True,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=STOP_WITHIN_S,
        ws="none",
    )
    return GatewayServer(config, app)


def open_socket(host: str, port: int) -> socket.socket:
    """Take a port; 0 takes a free one.

    Raises:
        SetupError: It is taken, or the address is not of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = tcp_socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise SetupError(f"Port {port} on {host} is taken; choose another with --port.") from error
        raise SetupError(f"The server cannot listen on {host}:{port}: {error.strerror or error}.") from error
    listener.listen(socket.SOMAXCONN)
    return listener
