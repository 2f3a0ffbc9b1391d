"""A port in front of a server that speaks HTTP itself: every request is passed on, every answer streamed back."""

from __future__ import annotations

import httpx
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

# RFC 9110, section 7.6.1: what concerns one connection only is not passed on.
_HOP_BY_HOP = frozenset(
    (
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    )
)
CONNECT_TIMEOUT_S = 5


class Forward:
    """An ASGI application that stands for the server at `address`."""

    def __init__(self, address: str, *, keeps_token: bool) -> None:
        """Args: keeps_token: Whether Authorization goes on to the server; ours is not for it."""
        self._address = address
        self._dropped = _HOP_BY_HOP | ({"host"} if keeps_token else {"host", "authorization"})
        # Streams stay open as long as both ends like; only connecting has a limit.
        timeout = httpx.Timeout(None, connect=CONNECT_TIMEOUT_S)
        self._client = httpx.AsyncClient(base_url=address, timeout=timeout, trust_env=False, follow_redirects=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        headers = [(name, value) for name, value in request.headers.raw if name.decode().lower() not in self._dropped]
        # Servers that guard against rebinding know themselves as localhost.
        headers.append((b"host", f"localhost:{httpx.URL(self._address).port}".encode()))
        target = httpx.URL(self._address).copy_with(raw_path=_raw_path(scope))
        outgoing = self._client.build_request(request.method, target, headers=headers, content=request.stream())
        try:
            answer = await self._client.send(outgoing, stream=True)
        except httpx.HTTPError:
            await PlainTextResponse("The server does not answer; it may be starting", 502)(scope, receive, send)
            return
        await _stream_back(answer, send)

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
