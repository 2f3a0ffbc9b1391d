"""How the gateway uses the guard of both servers, and names that hold a slash."""

from __future__ import annotations

import re
from urllib.parse import unquote

from starlette.types import ASGIApp, Receive, Scope, Send

from gateway_api.observing import Metrics, log, log_crash
from gateway_api.settings import Settings
from gateway_api.values.text import MARK, escape
from service_guard import GuardedAnswer, Rules, ServiceGuard

SLASH = "/"
_ENCODED_SLASH = re.compile(rb"%2f", re.IGNORECASE)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"})


def make_guard(app: ASGIApp, settings: Settings, metrics: Metrics) -> ServiceGuard:
    """Put the guard around the application."""

    def report(answer: GuardedAnswer) -> None:
        method = answer.scope["method"] if answer.scope["method"] in _METHODS else "other"
        route = getattr(answer.scope.get("route"), "path", "unknown")
        metrics.requests.labels(method, route, answer.status).inc()
        if not answer.is_stream:
            metrics.durations.labels(route).observe(answer.seconds)
        log(
            "request",
            request_id=answer.request_id,
            method=method,
            route=route,
            status=answer.status,
            duration_ms=round(answer.seconds * 1000, 2),
        )

    rules = Rules(
        allowed_hosts=settings.allowed_hosts,
        allowed_origins=settings.allowed_origins,
        max_body_bytes=settings.max_body_bytes,
        body_timeout_s=settings.body_timeout_s,
    )
    return ServiceGuard(
        WholeSegments(app),
        rules,
        report=report,
        report_crash=lambda error, request_id: log_crash(error, request_id=request_id),
    )


class WholeSegments:
    """Keeps an encoded slash inside its segment, so that a provider whose name holds one can be addressed.

    `deps.ProviderName` decodes it. The router notes the route in the scope, where the log reads it: so the scope is
    changed in place.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["path"] = whole_path(scope.get("raw_path") or b"", scope["path"])
        await self._app(scope, receive, send)


def whole_path(raw: bytes, path: str) -> str:
    """Decode a path so that its encoded slashes can be told from the others.

    Args:
        raw: The path as it was sent, perhaps with a query.
        path: The path as the server has decoded it.
    """
    if not _ENCODED_SLASH.search(raw) and MARK not in path:
        return path
    segments = raw.partition(b"?")[0].decode("ascii", "replace").split(SLASH)
    return SLASH.join(escape(unquote(segment), SLASH) for segment in segments)
