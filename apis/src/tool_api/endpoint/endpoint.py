"""The endpoint of one running server: its port, the server behind it, and who may connect."""

from __future__ import annotations

import asyncio
import contextvars
import ipaddress
import socket
from contextlib import nullcontext

import anyio
from mcp.server.streamable_http import LAST_EVENT_ID_HEADER, MCP_SESSION_ID_HEADER
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from tool_api.endpoint.bridge import Bridge
from tool_api.endpoint.direct import DirectRequest, Handler, TakeRequest
from tool_api.endpoint.forward import Forward
from tool_api.endpoint.guard import LocalOnly, for_local_hosts
from tool_api.endpoint.port import Port
from tool_api.endpoint.posted import VERSION_HEADER, Memory
from tool_api.endpoint.progress import InProgress, until_all_end
from tool_api.endpoint.sessions import Sessions
from tool_api.endpoint.tokens import RequireToken
from tool_api.errors import EngineError
from tool_api.logs import log
from tool_api.runtime.base import Link
from tool_api.runtime.place import Place
from tool_api.settings import Limits
from tool_api.store import ServerRow, ServerSpec

LINGER_S = 0.25
"""Seconds that connections without a call stay open at the end, for calls that are on their way."""


class Endpoint:
    """Opens on a bound socket and serves until closed."""

    def __init__(
        self,
        row: ServerRow,
        link: Link,
        bound: socket.socket,
        limits: Limits,
        memory: Memory,
        *,
        origins: tuple[str, ...] = (),
    ) -> None:
        """Args: memory: What is known of the server's sessions from before. origins: Pages that may call."""
        self._row = row
        self._origins = origins
        self._memory = memory
        self._limits = limits
        self._link = link
        self._port = Port(bound)
        self._task: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._posts, self._calls = InProgress(), InProgress()

    @property
    def is_open(self) -> bool:
        return self._task is not None and not self._task.done()

    async def open(self) -> None:
        """Open the port; clients can connect when this returns."""
        is_open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # In a context of its own: what it logs later does not belong to the request that opened it.
        self._task = asyncio.create_task(
            self._run(is_open), name=f"endpoint {self._row.name}", context=contextvars.Context()
        )
        await is_open

    async def close(self) -> None:
        if self._task is None:
            await self._port.close()
            return
        self._stopping.set()
        # What made it fail has been logged where it failed.
        await asyncio.gather(self._task, return_exceptions=True)

    async def until_closed(self) -> None:
        """Wait until the port is closed, by its owner or by a failure."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def drain(self, timeout_s: float) -> None:
        """Take no more connections, and wait until nothing is in progress, but not longer than the time-out."""
        self._port.stop_listening()
        with anyio.move_on_after(timeout_s):
            await until_all_end(self._posts, self._calls)
            await anyio.sleep(LINGER_S)
            await until_all_end(self._posts, self._calls)

    async def _run(self, is_open: asyncio.Future[None]) -> None:
        try:
            place = await self._link.address(self._row)
            if place is None:
                await self._bridge(is_open)
            else:
                place.close()
                await self._forward(is_open)
        except BaseException as error:
            if is_open.done():
                # The servers look after ports that are closed and should not be.
                log("endpoint_failed", level="error", server=self._row.name, reason=type(error).__name__)
                raise
            is_open.set_exception(error)
        finally:
            await self._port.close()

    async def _bridge(self, is_open: asyncio.Future[None]) -> None:
        limits = self._limits
        bridge = Bridge(self._row.name, lambda: self._link.connect(self._row), ready_timeout_s=limits.ready_timeout_s)
        self._calls = bridge.calls
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(bridge.run)
            sessions = Sessions(bridge, tasks, max_message_bytes=limits.max_message_bytes, memory=self._memory)
            try:
                await self._serve(sessions, sessions.look, is_open)
                bridge.refuse_all()
                await sessions.drain()
            finally:
                sessions.close()
            tasks.cancel_scope.cancel()

    async def _forward(self, is_open: asyncio.Future[None]) -> None:
        forward = Forward(
            self._locate,
            target_port=self._row.spec.target_port,
            keeps_token=self._row.spec.oidc is None,
            limits=self._limits,
        )
        try:
            await self._serve(forward, forward.look, is_open)
        finally:
            await forward.aclose()

    async def _locate(self) -> Place:
        place = await self._link.address(self._row)
        if place is None:
            raise EngineError("The server has no address")
        return place

    async def _serve(self, app: ASGIApp, handler: Handler, is_open: asyncio.Future[None]) -> None:
        oidc = self._row.spec.oidc
        if _is_loopback(self._row.spec):
            # At another address callers use a name that we cannot know.
            app = LocalOnly(app, self._origins)
            handler = for_local_hosts(handler)
        guarded = RequireToken(app, oidc) if oidc else app
        counted = self._counted(_readable_by_pages(guarded, self._origins))
        # A token is checked before anything else is done, which may take a request to another server.
        await self._port.open(counted, None if oidc else self._counted_direct(handler))
        is_open.set_result(None)
        await self._stopping.wait()

    def _counted(self, app: ASGIApp) -> ASGIApp:
        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            is_post = scope["type"] == "http" and scope["method"] == "POST"
            with self._posts.one_more() if is_post else nullcontext():
                await app(scope, receive, send)

        return counted

    def _counted_direct(self, handler: Handler) -> Handler:
        posts = self._posts

        def looked_at(scope: Scope) -> TakeRequest | None:
            take = handler(scope)
            if take is None:
                return None

            def counted(request: DirectRequest) -> bool:
                is_taken = take(request)
                if is_taken and request.is_open:
                    posts.add(1)
                    request.when_done(posts.remove_one)
                return is_taken

            return counted

        return looked_at


def _is_loopback(spec: ServerSpec) -> bool:
    return ipaddress.ip_address(spec.host).is_loopback


def _readable_by_pages(app: ASGIApp, origins: tuple[str, ...]) -> ASGIApp:
    """Let pages of these origins call, and read what the protocol puts into headers."""
    readable = CORSMiddleware(
        app,
        allow_origins=list(origins),
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["authorization", "content-type", MCP_SESSION_ID_HEADER, VERSION_HEADER, LAST_EVENT_ID_HEADER],
        expose_headers=[MCP_SESSION_ID_HEADER, "www-authenticate"],
    )
    if origins:
        return readable

    async def unless_a_page_asks(scope: Scope, receive: Receive, send: Send) -> None:
        """Nothing is said to others about origins: no answer depends on them."""
        is_asked = any(name == b"origin" for name, _ in scope.get("headers", ()))
        await (readable if is_asked else app)(scope, receive, send)

    return unless_a_page_asks
