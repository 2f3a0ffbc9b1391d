"""Keeps foreign pages away from ports on this machine: a page may make its own name point here (DNS rebinding)."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from service_guard import host_name
from tool_api.endpoint.direct import Handler, TakeRequest

LOCAL_NAMES = frozenset(("localhost", "127.0.0.1", "::1"))


class LocalOnly:
    """ASGI middleware: 421 for a Host, 403 for an Origin that is not this machine."""

    def __init__(self, app: ASGIApp, origins: Collection[str] = ()) -> None:
        """Args: origins: Further origins whose pages may call."""
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            hosts = [value for name, value in scope["headers"] if name == b"host"]
            origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
            if len(hosts) != 1 or not _is_local_host(hosts[0]):
                await PlainTextResponse("Host not allowed", 421)(scope, receive, send)
                return
            if not all(origin in self._origins or _is_local(origin) for origin in origins):
                await PlainTextResponse("Origin not allowed", 403)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def for_local_hosts(handler: Handler) -> Handler:
    """Let a handler take requests only that `LocalOnly` would let through; those of pages do not get to handlers."""

    def of_local_hosts(scope: Scope) -> TakeRequest | None:
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        return handler(scope) if len(hosts) == 1 and _is_local_host(hosts[0]) else None

    return of_local_hosts


@lru_cache(maxsize=64)
def _is_local_host(host: bytes) -> bool:
    return host_name(host.decode("latin-1")) in LOCAL_NAMES


def _is_local(origin: str) -> bool:
    scheme, _, place = origin.partition("://")
    return not origin or (scheme in {"http", "https"} and host_name(place) in LOCAL_NAMES)
