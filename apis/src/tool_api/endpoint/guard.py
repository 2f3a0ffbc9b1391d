"""Keeps foreign pages away from ports on this machine: a page may make its own name point here (DNS rebinding)."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOCAL_NAMES = frozenset(("localhost", "127.0.0.1", "::1"))


class LocalOnly:
    """ASGI middleware: 421 for a Host, 403 for an Origin that is not this machine."""

    def __init__(self, app: ASGIApp, origins: Collection[str] = ()) -> None:
        """Args: origins: Further origins whose pages may call."""
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            origin = headers.get("origin")
            if host_name(headers.get("host", "")) not in LOCAL_NAMES:
                await PlainTextResponse("Host not allowed", 421)(scope, receive, send)
                return
            is_known = not origin or origin in self._origins or host_name(urlsplit(origin).netloc) in LOCAL_NAMES
            if not is_known:
                await PlainTextResponse("Origin not allowed", 403)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def host_name(header: str) -> str:
    """The name in a Host header, lower case and without its port; empty for one that is malformed."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""
