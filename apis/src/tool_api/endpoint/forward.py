"""A port in front of a server that speaks HTTP itself: every request is passed on, every answer streamed back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
import httpx
from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from tool_api.errors import ToolError

# RFC 9110, section 7.6.1: what concerns one connection only is not passed on.
_HOP_BY_HOP = frozenset(
    (
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",  # codespell:ignore te
        "trailer",
        "transfer-encoding",
        "upgrade",
    )
)
CONNECT_TIMEOUT_S = 5
START_S = 15
"""Seconds a server gets to take connections, from the first request on."""

RETRY_S = 0.2
MAX_BODY_BYTES = 4 * 1024 * 1024

Locate = Callable[[], Awaitable[str]]


class Forward:
    """An ASGI application that stands for the server at `address`."""

    def __init__(self, locate: Locate, *, keeps_token: bool) -> None:
        """Args: locate: Tells the server's address, which changes when its container is started anew.

        keeps_token: Whether Authorization goes on to the server; a token for us is not for it.
        """
        self._locate = locate
        self._address: str | None = None
        self._limited = RequestBodyLimitMiddleware(self._handle, MAX_BODY_BYTES)
        self._dropped = _HOP_BY_HOP | ({"host"} if keeps_token else {"host", "authorization"})
        # Streams stay open as long as both ends like; only connecting has a limit.
        timeout = httpx.Timeout(None, connect=CONNECT_TIMEOUT_S)
        self._client = httpx.AsyncClient(timeout=timeout, trust_env=False, follow_redirects=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._limited(scope, receive, send)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        headers = [(name, value) for name, value in request.headers.raw if name.decode().lower() not in self._dropped]
        answer = await self._ask(request.method, _raw_path(scope), headers, await request.body())
        if answer is None:
            await PlainTextResponse("The server does not answer", 502)(scope, receive, send)
        else:
            await _stream_back(answer, send)

    async def _ask(
        self, method: str, raw_path: bytes, headers: list[tuple[bytes, bytes]], body: bytes
    ) -> httpx.Response | None:
        """Ask the server once; None where it does not answer."""
        try:
            self._address = self._address or await self._wait_for_server()
            address = httpx.URL(self._address)
            # Servers that guard against rebinding know themselves as localhost.
            fields = [*headers, (b"host", f"localhost:{address.port}".encode())]
            target = address.copy_with(raw_path=raw_path)
            request = self._client.build_request(method, target, headers=fields, content=body)
            return await self._client.send(request, stream=True)
        except (httpx.HTTPError, ToolError, TimeoutError):
            # It may have been started anew, and be somewhere else now.
            self._address = None
            return None

    async def _wait_for_server(self) -> str:
        """Address of the server as soon as it answers anything.

        A published port takes connections before the server in the container does, and drops them; so a request is
        only sent, and sent once, when a harmless one has been answered.
        """
        with anyio.fail_after(START_S):
            while True:
                address = await self._locate()
                try:
                    async with self._client.stream("GET", address, timeout=CONNECT_TIMEOUT_S):
                        return address
                except httpx.HTTPError:
                    await anyio.sleep(RETRY_S)

    async def aclose(self) -> None:
        await self._client.aclose()


async def _stream_back(answer: httpx.Response, send: Send) -> None:
    headers = [(name.lower(), value) for name, value in answer.headers.raw if name.decode().lower() not in _HOP_BY_HOP]
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    try:
        async for piece in answer.aiter_raw():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    except httpx.HTTPError:
        pass  # The server went in the middle of its answer; the end below is all that can be said.
    finally:
        await answer.aclose()
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _raw_path(scope: Scope) -> bytes:
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope["query_string"]
    return path.partition(b"?")[0] + (b"?" + query if query else b"")
