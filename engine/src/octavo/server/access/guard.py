"""The middleware that refuses requests which `AccessRules` do not allow, and answers CORS for search."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from octavo.server.access.rules import SEARCH_PREFIX, AccessRules, Refusal

Headers = list[tuple[bytes, bytes]]

_POLICY_VIOLATION = 1008
"""Close code of a WebSocket that is refused (RFC 6455 section 7.4.1)."""


class AccessGuard:
    """Stands before everything else, so that no route can be forgotten."""

    def __init__(self, app: ASGIApp, rules: Callable[[], AccessRules]) -> None:
        """Guard an application.

        Args:
            app: The application.
            rules: Gives the rules of now; asked for each request, since settings may change while the server runs.
        """
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        rules, headers = self._rules(), group_headers(scope["headers"])
        is_search = scope["path"].startswith(SEARCH_PREFIX)
        refusal = rules.refusal(scope["path"], headers)
        if refusal is not None:
            await _refuse(scope, send, refusal, is_search=is_search)
            return
        if not is_search or "*" in rules.search_origins:
            await self._app(scope, receive, send)
            return
        origin = (headers.get("origin") or [""])[0]
        allowed = origin if origin and not rules.is_private and rules.allows(origin) else ""

        async def send_with_origin(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = restrict_cors(message["headers"], allowed)
            await send(message)

        await self._app(scope, receive, send_with_origin)


def group_headers(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, list[str]]:
    """Give the headers of an ASGI scope as name in lower case → values."""
    grouped: dict[str, list[str]] = {}
    for name, value in headers:
        grouped.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1").strip())
    return grouped


def restrict_cors(headers: Headers, origin: str) -> Headers:
    """Let one origin read an answer, and no other; an empty one lets none."""
    if not origin:
        kept = [header for header in headers if not header[0].lower().startswith(b"access-control-")]
    else:
        kept = [header for header in headers if header[0].lower() != b"access-control-allow-origin"]
        kept.append((b"access-control-allow-origin", origin.encode("latin-1")))
    # A cache between must not give one origin the answer for another.
    return [*kept, (b"vary", b"Origin")]


async def _refuse(scope: Scope, send: Send, refusal: Refusal, *, is_search: bool) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": refusal.message[:120]})
        return
    if is_search:
        media_type = b"application/json"
        body = msgspec.json.encode({"message": refusal.message, "status": refusal.status})
    else:
        media_type, body = b"text/plain; charset=utf-8", f"{refusal.message}\n".encode()
    headers = [
        (b"content-type", media_type),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
