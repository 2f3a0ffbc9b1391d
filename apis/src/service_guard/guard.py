"""The middleware."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service_guard.rules import REQUEST_ID, Refusal, Rules, find_refusal, request_id, too_large, too_slow
from service_guard.waiting import until

SCOPE_KEY = "service_guard.request_id"
"""Where the application finds the id of a request, in its scope."""

_CLOSING = frozenset({408, 413})
"""Statuses after which the rest of the body is not read, so the connection cannot be used again."""


@dataclass(frozen=True)
class GuardedAnswer:
    """A request that was answered, for logs and counters."""

    scope: Scope
    request_id: str
    status: int
    """0 where the connection was lost before there was an answer."""
    seconds: float
    is_stream: bool
    """Whether it was an event stream, whose length says nothing about the server."""


def json_refusal(detail: str) -> tuple[str, bytes]:
    """Write a refusal as `{"detail": …}`: media type and body."""
    return "application/json", json.dumps({"detail": detail}).encode()


class ServiceGuard:
    """Checks every request before the application sees it, and marks every answer on its way out.

    Args:
        app: The application, with its error handlers.
        rules: Who may call, and how much they may send.
        report: Told of every answer.
        report_crash: Told of an error that the application has not handled, with the id of the request.
        write_refusal: Writes a sentence as media type and body.
    """

    def __init__(
        self,
        app: ASGIApp,
        rules: Rules,
        *,
        report: Callable[[GuardedAnswer], None],
        report_crash: Callable[[Exception, str], None],
        write_refusal: Callable[[str], tuple[str, bytes]] = json_refusal,
    ) -> None:
        self._app = CORSMiddleware(
            app,
            allow_origins=list(rules.allowed_origins),
            allow_methods=list(rules.methods),
            allow_headers=["content-type", REQUEST_ID, *rules.headers],
            expose_headers=[REQUEST_ID],
        )
        self._rules = rules
        self._report = report
        self._report_crash = report_crash
        self._write_refusal = write_refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        exchange = _Exchange(request_id(headers), send, self._rules, self._write_refusal)
        scope[SCOPE_KEY] = exchange.request_id
        started = time.perf_counter()
        refusal = find_refusal(scope["method"], headers, self._rules)
        try:
            if refusal:
                await exchange.refuse(refusal)
            else:
                await self._app(scope, exchange.limited(receive), exchange.send)
        except Exception as error:
            self._report_crash(error, exchange.request_id)
            if exchange.status:  # the answer has begun; the server must cut it off
                raise
            await exchange.refuse(Refusal(500, "Internal server error"))
        finally:
            seconds = time.perf_counter() - started
            self._report(GuardedAnswer(scope, exchange.request_id, exchange.status, seconds, exchange.is_stream))


class _Exchange:
    """One request and its answer."""

    def __init__(
        self, request_id_: str, send: Send, rules: Rules, write_refusal: Callable[[str], tuple[str, bytes]]
    ) -> None:
        self.request_id = request_id_
        self.status = 0
        self.is_stream = False
        self._send = send
        self._rules = rules
        self._write_refusal = write_refusal
        self._refusal: Refusal | None = None
        self._is_over = False

    def limited(self, receive: Receive) -> Receive:
        """Count and time what comes in; above a limit the request is over, and its answer is a refusal."""
        count = 0
        is_complete = False
        deadline = asyncio.get_running_loop().time() + self._rules.body_timeout_s

        async def counted() -> Message:
            nonlocal count, is_complete
            if is_complete:  # what comes now is the end of the connection, for which streams wait without a limit
                return await receive()
            try:
                async with until(deadline):
                    message = await receive()
            except TimeoutError:
                self._refusal = too_slow(self._rules)
                return {"type": "http.disconnect"}
            count += len(message.get("body", b""))
            is_complete = not message.get("more_body", False)
            if count <= self._rules.max_body_bytes:
                return message
            self._refusal = too_large(self._rules)
            return {"type": "http.disconnect"}

        return counted

    async def send(self, message: Message) -> None:
        """Pass an answer on, or the refusal in place of what the application makes of a body that was cut off."""
        if self._refusal:
            refusal, self._refusal = self._refusal, None
            await self.refuse(refusal)
            self._is_over = True
        if not self._is_over:
            await self._pass_on(message)

    async def refuse(self, refusal: Refusal) -> None:
        """Answer with a refusal."""
        media_type, body = self._write_refusal(refusal.detail)
        headers = [(b"content-type", media_type.encode()), (b"content-length", str(len(body)).encode())]
        if refusal.status in _CLOSING:
            headers.append((b"connection", b"close"))
        await self._pass_on({"type": "http.response.start", "status": refusal.status, "headers": headers})
        await self._pass_on({"type": "http.response.body", "body": body})

    async def _pass_on(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers[REQUEST_ID] = self.request_id
            headers["x-content-type-options"] = "nosniff"
            self.is_stream = headers.get("content-type", "").startswith("text/event-stream")
        await self._send(message)
