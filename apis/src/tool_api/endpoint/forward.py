"""A port in front of a server that speaks HTTP itself: every request is passed on, every answer streamed back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
import httpx
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from tool_api.errors import ToolError
from tool_api.guard import BodyLimit
from tool_api.settings import Limits

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
RETRY_S = 0.2
CLOSE_S = 5
"""Seconds that closing a connection to the server may take."""

# A stream that is open holds a connection for as long as its client likes, so any limit would be reached one day.
_POOL = httpx.Limits(max_connections=None, max_keepalive_connections=20)

Locate = Callable[[], Awaitable[str]]


class Forward:
    """An ASGI application that passes requests on to the server at an address."""

    def __init__(self, locate: Locate, *, target_port: int, keeps_token: bool, limits: Limits) -> None:
        """Args: locate: Tells the server's address, which changes when its container is started anew.

        target_port: Port that the server believes to listen on.
        keeps_token: Whether Authorization is forwarded to the server; a token for us is not for it.
        limits: Size of a request, and how long a server may take to start.
        """
        self._locate = locate
        # Servers that check the Host header know themselves as localhost and their own port, not the published one.
        self._host = f"localhost:{target_port}"
        self._ready_timeout_s = limits.ready_timeout_s
        self._address: str | None = None
        self._starting = anyio.Lock()
        self._limited = BodyLimit(self._handle, max_bytes=limits.max_message_bytes, option="--max-message-bytes")
        self._dropped = _HOP_BY_HOP | ({"host"} if keeps_token else {"host", "authorization"})
        # Streams stay open as long as both ends like; only connecting has a limit.
        timeout = httpx.Timeout(None, connect=CONNECT_TIMEOUT_S)
        self._client = httpx.AsyncClient(timeout=timeout, limits=_POOL, trust_env=False, follow_redirects=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._limited(scope, receive, send)

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward one request, and give it up as soon as its client has gone."""
        try:
            body = await Request(scope, receive).body()
        except ClientDisconnect:
            return
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_cancel_when_gone, receive, tasks.cancel_scope)
            await self._forward(scope, body, receive, send)
            tasks.cancel_scope.cancel()

    async def _forward(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        answer = await self._ask(scope, body)
        if answer is None:
            text = "The server does not answer; its log says why if it has ended"
            await PlainTextResponse(text, 502)(scope, receive, send)
            return
        try:
            await self._stream_back(answer, scope, send)
        except httpx.HTTPError:
            # The server broke off. An answer that is not ended makes uvicorn close the connection: the client sees it.
            return
        finally:
            with anyio.move_on_after(CLOSE_S, shield=True):
                await answer.aclose()

    async def _ask(self, scope: Scope, body: bytes) -> httpx.Response | None:
        """Send the request once; None where no answer comes."""
        dropped = self._dropped | _named_by_connection(scope)
        fields = [field for field in scope["headers"] if field[0].decode("latin-1").lower() not in dropped]
        fields.append((b"host", self._host.encode()))
        while True:
            try:
                address = await self._wait_for_server()
                target = httpx.URL(address).copy_with(raw_path=_raw_path(scope))
                request = self._client.build_request(scope["method"], target, headers=fields, content=body)
                return await self._client.send(request, stream=True)
            except httpx.ConnectError:
                # Nothing was sent: the container was started again, perhaps somewhere else.
                self._address = None
            except (httpx.HTTPError, ToolError, TimeoutError):
                self._address = None
                return None

    async def _wait_for_server(self) -> str:
        """Address of the server as soon as it answers anything.

        A published port takes connections before the server in the container does, and drops them. So a request is
        only sent, and sent once, when a harmless one has been answered.

        Raises:
            TimeoutError: It did not in time.
            ToolError: There is no such container.
        """
        if self._address is not None:
            return self._address
        with anyio.fail_after(self._ready_timeout_s):
            async with self._starting:
                while self._address is None:
                    address = await self._locate()
                    if await self._answers(address):
                        self._address = address
                    else:
                        await anyio.sleep(RETRY_S)
                return self._address

    async def _answers(self, address: str) -> bool:
        try:
            timeout, headers = CONNECT_TIMEOUT_S, {"host": self._host}
            async with self._client.stream("GET", address, timeout=timeout, headers=headers):
                return True
        except httpx.HTTPError:
            return False

    async def _stream_back(self, answer: httpx.Response, scope: Scope, send: Send) -> None:
        headers = [(name.lower(), value) for name, value in answer.headers.raw]
        headers = [
            (name, self._own_location(value, scope) if name == b"location" else value)
            for name, value in headers
            if name.decode("latin-1") not in _HOP_BY_HOP
        ]
        await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
        async for piece in answer.aiter_raw():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _own_location(self, location: bytes, scope: Scope) -> bytes:
        """A redirect to the server's own address becomes one to ours: the client cannot reach the server's."""
        own = f"http://{self._host}".encode()
        host = Headers(scope=scope).get("host", "").encode("latin-1")
        is_own = location == own or location.startswith(own + b"/")
        return b"http://" + host + location[len(own) :] if is_own and host else location


async def _cancel_when_gone(receive: Receive, scope: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


def _named_by_connection(scope: Scope) -> set[str]:
    """Names of further headers that concern one connection only (RFC 9110, section 7.6.1)."""
    values = Headers(scope=scope).getlist("connection")
    return {name.strip().lower() for value in values for name in value.split(",")}


def _raw_path(scope: Scope) -> bytes:
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope["query_string"]
    return path.partition(b"?")[0] + (b"?" + query if query else b"")
