"""How the tool API uses the guard of both servers, and the size of messages at the ports of its servers."""

from __future__ import annotations

import asyncio
import hmac

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from service_guard import SCOPE_KEY, GuardedAnswer, Rules, ServiceGuard, until
from tool_api.endpoint.guard import LOCAL_NAMES
from tool_api.logs import log, request_id
from tool_api.metrics import Metrics
from tool_api.settings import Settings

_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


def make_middleware(settings: Settings, metrics: Metrics) -> list[Middleware]:
    """The guard with this API's rules, its log and its figures."""

    def report(answer: GuardedAnswer) -> None:
        # The operation's name, not the path: paths are without number, and so would be the series.
        operation = getattr(answer.scope.get("route"), "operation_id", None) or "none"
        method = answer.scope["method"] if answer.scope["method"] in _METHODS else "other"
        metrics.count(method, operation, answer.status, answer.seconds)
        log(
            "request",
            request_id=answer.request_id,
            method=method,
            path=answer.scope["path"],
            status=answer.status,
            ms=round(answer.seconds * 1000, 2),
        )

    def report_crash(error: Exception, identifier: str) -> None:
        log("failure", level="error", kind=type(error).__name__, request_id=identifier)

    names = {name.lower() for name in settings.allowed_hosts}
    if settings.host not in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        names.add(settings.host.lower())
    rules = Rules(
        allowed_hosts=(*sorted(LOCAL_NAMES), *sorted(names)),
        allowed_origins=settings.cors_origins,
        methods=("GET", "POST", "DELETE"),
        headers=("authorization",) if settings.token else (),
        max_body_bytes=settings.max_body_bytes,
    )
    return [
        Middleware(ServiceGuard, rules, report=report, report_crash=report_crash, write_refusal=_plain),
        Middleware(LogContext),
        *([Middleware(RequireApiToken, token=settings.token)] if settings.token else []),
    ]


BODY_S = 60
"""Seconds that the body of a request may take; a client that sends half of one would keep its connection for ever."""


class LogContext:
    """Puts the identifier of a request on every line that is logged while it is answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = request_id.set(scope.get(SCOPE_KEY, ""))
        try:
            await self._app(scope, receive, send)
        finally:
            request_id.reset(token)


class RequireApiToken:
    """Answers 401 to callers without the token of the API; `/health` needs none, so that supervisors can ask."""

    def __init__(self, app: ASGIApp, *, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] != "/health":
            # Schemes are compared without regard to case (RFC 9110, section 11.1).
            scheme, _, given = Headers(scope=scope).get("authorization", "").encode("latin-1").partition(b" ")
            if scheme.lower() != b"bearer" or not hmac.compare_digest(given.strip(b" "), self._token):
                headers = {"www-authenticate": 'Bearer realm="tool API"'}
                answer = PlainTextResponse("This API needs its token in the Authorization header", 401, headers)
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)


class BodyLimit:
    """Reads bodies, and refuses one that is too large (413) or does not come (408)."""

    def __init__(self, max_bytes: int, option: str = "") -> None:
        """Args: option: The option of the command line that sets the limit, to be named in the refusal."""
        self._max_bytes = max_bytes
        self._hint = f"; {option} sets the limit" if option else ""

    async def read(self, scope: Scope, receive: Receive, send: Send) -> bytes | None:
        """Read the body of a request; None where it was refused, or its client has gone before its end."""
        pieces: list[bytes] = []
        try:
            async with until(asyncio.get_running_loop().time() + BODY_S):
                is_whole = await self._read(receive, pieces)
        except TimeoutError:
            text = f"The body was not complete after {BODY_S} seconds"
            await PlainTextResponse(text, 408, {"Connection": "close"})(scope, receive, send)
            return None
        if is_whole is None:
            return None
        if not is_whole:
            text = f"The body is larger than {self._max_bytes} bytes{self._hint}"
            await PlainTextResponse(text, 413, {"Connection": "close"})(scope, receive, send)
            return None
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    async def _read(self, receive: Receive, pieces: list[bytes]) -> bool | None:
        """Read to the end of the body; tells whether it is no larger than it may be, None if its client has gone."""
        size = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return None
            pieces.append(message.get("body", b""))
            size += len(pieces[-1])
            if size > self._max_bytes:
                return False
            if not message.get("more_body", False):
                return True


def _plain(sentence: str) -> tuple[str, bytes]:
    return "text/plain; charset=utf-8", sentence.encode()
