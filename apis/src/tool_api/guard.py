"""What every request passes before it reaches an operation: its log, who may ask, and how much it may send."""

from __future__ import annotations

import re
import time
from collections import deque
from urllib.parse import urlsplit
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tool_api.endpoint.guard import LOCAL_NAMES, host_name
from tool_api.logs import log, request_id
from tool_api.metrics import Metrics

ID_HEADER = "X-Request-ID"
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_KNOWN_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class Journal:
    """Gives each request an identifier, and writes one line and one figure when it has been answered."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(ID_HEADER, "")
        identifier = given if _ID.fullmatch(given) else uuid4().hex
        token = request_id.set(identifier)
        began = time.perf_counter()
        status = 500

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers[ID_HEADER] = identifier
                headers["X-Content-Type-Options"] = "nosniff"
            await send(message)

        try:
            await self._app(scope, receive, send_marked)
        finally:
            seconds = time.perf_counter() - began
            route = scope.get("route")
            # The route's name, not the path: paths are without number, and so would be the series.
            operation = getattr(route, "operation_id", None) or "none"
            method = scope["method"] if scope["method"] in _KNOWN_METHODS else "other"
            self._metrics.count(method, operation, status, seconds)
            log("request", method=method, path=scope["path"], status=status, ms=round(seconds * 1000, 2))
            request_id.reset(token)


class Gate:
    """Refuses foreign hosts (421) and foreign pages (403), and answers the preflights of pages that are allowed.

    The origin is checked for requests without a preflight as well: stopping a server needs no body, so any page in the
    reader's browser could ask for it.
    """

    def __init__(self, app: ASGIApp, *, hosts: frozenset[str], origins: frozenset[str]) -> None:
        """Args: hosts: Further names of this API; `*` is any. origins: Origins of pages that may call it."""
        self._app = app
        self._hosts = LOCAL_NAMES | hosts
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if "*" not in self._hosts and host_name(host) not in self._hosts:
            await PlainTextResponse("Host not allowed", 421)(scope, receive, send)
            return
        origin = headers.get("origin")
        if origin is None or _is_same(origin, host):
            await self._app(scope, receive, send)
        elif origin not in self._origins:
            await PlainTextResponse("Origin not allowed", 403)(scope, receive, send)
        elif scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await PlainTextResponse("", 204, _preflight(origin))(scope, receive, send)
        else:
            await self._app(scope, receive, _allowing(send, origin))


class BodyLimit:
    """Reads the body before the operation does, and refuses one that is too large (413)."""

    def __init__(self, app: ASGIApp, *, max_bytes: int, option: str = "") -> None:
        """Args: option: The option of the command line that sets the limit, to be named in the refusal."""
        self._app = app
        self._max_bytes = max_bytes
        self._hint = f"; {option} sets the limit" if option else ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        kept: deque[Message] = deque()
        size = 0
        while True:
            message = await receive()
            kept.append(message)
            size += len(message.get("body", b""))
            if size > self._max_bytes:
                text = f"The body is larger than {self._max_bytes} bytes{self._hint}"
                await PlainTextResponse(text, 413, {"Connection": "close"})(scope, receive, send)
                return
            if not message.get("more_body", False):
                break

        async def replay() -> Message:
            return kept.popleft() if kept else await receive()

        await self._app(scope, replay, send)


def _is_same(origin: str, host: str) -> bool:
    return urlsplit(origin).netloc.lower() == host.lower()


def _preflight(origin: str) -> dict[str, str]:
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Methods": "GET, POST, DELETE",
        "Access-Control-Allow-Headers": f"Content-Type, {ID_HEADER}",
        "Access-Control-Max-Age": "600",
        "Vary": "Origin",
    }


def _allowing(send: Send, origin: str) -> Send:
    async def send_allowed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["Access-Control-Allow-Origin"] = origin
            headers["Access-Control-Expose-Headers"] = ID_HEADER
            headers.add_vary_header("Origin")
        await send(message)

    return send_allowed
