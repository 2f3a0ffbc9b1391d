"""`/mcp`: the protocol's streamable HTTP, without sessions: each request is answered by itself, as JSON."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from anyio.abc import TaskGroup, TaskStatus
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from octavo.mcp.finding import SectionFinder
from octavo.mcp.library import CurrentLibrary, CurrentSite
from octavo.mcp.problems import ProblemStore
from octavo.mcp.tools import Tools
from octavo.search import RateLimit, SearchService, TooManyRequestsError, network_of

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

MOST_BYTES = 64 << 10
"""Of a request."""
_PER_SECOND = 50
"""Requests of one network, twice as many at once; a client needs three for its first question."""
_HEADERS = {"Cache-Control": "no-store"}
_MISSING = "This server has no support for the Model Context Protocol: its package is not installed (octavo[mcp]).\n"


def has_sdk() -> bool:
    """Return whether the protocol's SDK is installed."""
    return importlib.util.find_spec("mcp") is not None


class McpEndpoint:
    """The ASGI application of the address. What is not a request of the protocol is a page's."""

    def __init__(self, current: CurrentSite, service: SearchService, problems: Path | None, others: ASGIApp) -> None:
        """Initialize; the SDK is loaded with the first request, since most servers get none.

        Args:
            current: Gives what is published now.
            service: The search index.
            problems: Database of reported problems; None takes none.
            others: Answers what is not a request of the protocol: the site may have a page of this name.
        """
        self._library = CurrentLibrary(current)
        self._tools = Tools(self._library, SectionFinder(service), ProblemStore(problems) if problems else None)
        self._others = others
        self._limit = RateLimit()
        self._lock = anyio.Lock()
        self._tasks: TaskGroup | None = None
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Answer requests; to be entered for as long as the application runs."""
        async with anyio.create_task_group() as self._tasks:
            yield
            self._tasks.cancel_scope.cancel()
        self._tasks = self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_of_protocol(scope):
            await self._others(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        manager = await self._started()
        await manager.handle_request(scope, receive, send)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        if scope["method"] != "POST":
            # No sessions, so there are no streams to open and none to end.
            return PlainTextResponse("Send requests by POST.\n", 405, {**_HEADERS, "Allow": "POST"})
        if not has_sdk():
            return PlainTextResponse(_MISSING, 501, _HEADERS)
        client = scope.get("client")
        if client is not None:
            try:
                self._limit.take(network_of(client[0]), 1, per_second=_PER_SECOND)
            except TooManyRequestsError as error:
                wait = {**_HEADERS, "Retry-After": str(math.ceil(error.wait_s))}
                return PlainTextResponse("Too many requests.\n", 429, wait)
        return None

    async def _started(self) -> StreamableHTTPSessionManager:
        async with self._lock:
            if self._manager is None:
                if self._tasks is None:
                    raise RuntimeError("The endpoint is not running; enter run() with the application.")
                self._manager = await self._tasks.start(self._serve)
            return self._manager

    async def _serve(self, task_status: TaskStatus[StreamableHTTPSessionManager]) -> None:
        title = await self._library.title()
        manager = await anyio.to_thread.run_sync(self._make, title)
        async with manager.run():
            task_status.started(manager)
            await anyio.sleep_forever()

    def _make(self, title: str) -> StreamableHTTPSessionManager:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from octavo.mcp.protocol import make_server

        # Host and origin are checked by the server before this, for all its addresses alike.
        server = make_server(title, self._tools, self._library)
        return StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=MOST_BYTES
        )


def is_of_protocol(scope: Scope) -> bool:
    """Tell requests of the protocol from those for a page: nobody reads a page by these methods, or as a stream."""
    if scope["method"] in ("GET", "HEAD"):
        return "text/event-stream" in Headers(scope=scope).get("accept", "")
    return bool(scope["method"] != "OPTIONS")
