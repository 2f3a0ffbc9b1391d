"""What every request passes before it reaches an operation, and what every answer gets on its way out."""

from __future__ import annotations

import json
import re
import time
import uuid
from typing import Any
from urllib.parse import unquote

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway_api.observing import Metrics, log, log_crash
from gateway_api.settings import Settings
from gateway_api.text import MARK, escape

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_ENCODED_SLASH = re.compile(rb"%2f", re.IGNORECASE)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"})
SLASH = "/"


class Guard:
    """Gives each request an id, a line in the log and its place in the counters; refuses what no operation may see.

    Refused are hosts that are not ours (a page elsewhere may have pointed its own name at this machine), changes asked
    for by pages of other origins, and bodies above the limit.
    """

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self.app = app
        self._settings = settings
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        exchange = _Exchange(_request_id(headers), send)
        started = time.perf_counter()
        refusal = self._refusal(scope, headers)
        try:
            if refusal:
                await exchange.refuse(*refusal)
            else:
                await self.app(_with_whole_segments(scope), exchange.limited(receive, self._settings), exchange.send)
        except Exception as error:
            log_crash(error, request_id=exchange.request_id)
            if exchange.status:  # the answer has begun; the server must cut it off
                raise
            await exchange.refuse(500, "Internal server error")
        finally:
            self._count(scope, exchange, time.perf_counter() - started)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Say with which status and sentence a request is refused; None lets it pass."""
        hosts = self._settings.allowed_hosts
        if "*" not in hosts and _host_name(headers.get("host", "")) not in hosts:
            return 421, "This host name is not served here"
        origin = headers.get("origin")
        if origin and scope["method"] not in SAFE_METHODS and not self._is_allowed(origin, headers):
            return 403, "This origin may not change anything here"
        if _announced_bytes(headers) > self._settings.max_body_bytes:
            return _too_large(self._settings)
        return None

    def _is_allowed(self, origin: str, headers: Headers) -> bool:
        own = origin.partition("://")[2] == headers.get("host")
        return own or origin in self._settings.allowed_origins

    def _count(self, scope: Scope, exchange: _Exchange, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"
        route = getattr(scope.get("route"), "path", "unknown")
        self._metrics.requests.labels(method, route, exchange.status).inc()
        if not exchange.is_stream:
            self._metrics.durations.labels(route).observe(seconds)
        log(
            "request",
            request_id=exchange.request_id,
            method=method,
            route=route,
            status=exchange.status,
            duration_ms=round(seconds * 1000, 2),
        )


class _Exchange:
    """The answer on its way out."""

    def __init__(self, request_id: str, send: Send) -> None:
        self.request_id = request_id
        self.status = 0
        self.is_stream = False
        self._send = send
        self._overflow: tuple[int, str] | None = None
        self._is_over = False

    def limited(self, receive: Receive, settings: Settings) -> Receive:
        """Count what comes in; above the limit the request is over, and its answer is a refusal."""
        count = 0

        async def counted() -> Message:
            nonlocal count
            message = await receive()
            count += len(message.get("body", b""))
            if count <= settings.max_body_bytes:
                return message
            self._overflow = _too_large(settings)
            return {"type": "http.disconnect"}

        return counted

    async def send(self, message: Message) -> None:
        if self._overflow:
            refusal, self._overflow = self._overflow, None
            await self.refuse(*refusal)
            self._is_over = True
        if self._is_over:
            return
        await self._pass_on(message)

    async def _pass_on(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["x-request-id"] = self.request_id
            headers["x-content-type-options"] = "nosniff"
            self.is_stream = headers.get("content-type", "").startswith("text/event-stream")
        await self._send(message)

    async def refuse(self, status: int, detail: str) -> None:
        body = json.dumps({"detail": detail}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if status == 413:
            headers.append((b"connection", b"close"))  # the rest of the body is not read
        await self._pass_on({"type": "http.response.start", "status": status, "headers": headers})
        await self._pass_on({"type": "http.response.body", "body": body})


def _too_large(settings: Settings) -> tuple[int, str]:
    return 413, f"The body is larger than {settings.max_body_bytes} bytes"


def _request_id(headers: Headers) -> str:
    """Take over the id that a proxy has given, if it is one; else make one."""
    given = headers.get("x-request-id", "")
    return given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex


def _host_name(host: str) -> str:
    """Take the port off a Host header; an IPv6 address comes without its brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _announced_bytes(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() and len(length) < 20 else 0


def _with_whole_segments(scope: Scope) -> Scope:
    """Keep an encoded slash inside its segment, so that a name which holds one can be addressed.

    `name_in_path` brings it back.
    """
    raw: bytes = scope.get("raw_path") or b""
    if not _ENCODED_SLASH.search(raw) and MARK not in scope["path"]:
        return scope
    segments = raw.partition(b"?")[0].decode("ascii", "replace").split(SLASH)
    path = SLASH.join(escape(unquote(segment), SLASH) for segment in segments)
    changed: dict[str, Any] = {**scope, "path": path}
    # The router notes its findings in the scope that it gets; the log reads them in this one.
    scope.update(changed)
    return scope
