"""Search and `mcp` below the path under which a site is published, for proxies that hand on nothing but that path."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from octavo.manifest import MCP_PATH
from octavo.mcp import is_of_protocol

_SEARCH = ("1/indexes/", "1/events")
"""What the protocol's clients ask for. Not all of `1/`: that may be the folder of a version's pages."""


class SearchBelowBase:
    """Answers `/docs/1/indexes/…` like `/1/indexes/…`; official clients know the latter only, so both work."""

    def __init__(self, app: ASGIApp, base_url: Callable[[], Awaitable[str]]) -> None:
        """Wrap an application.

        Args:
            app: The application, with search at the root of the host.
            base_url: Gives the path of the site of now; it begins and ends with a slash.
        """
        self._app = app
        self._base_url = base_url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            base = await self._base_url()
            rest = scope["path"].removeprefix(base)
            is_mcp = rest == MCP_PATH[1:] and is_of_protocol(scope)
            if base != "/" and rest != scope["path"] and (rest.startswith(_SEARCH) or is_mcp):
                scope = {**scope, "path": f"/{rest}", "raw_path": None}
        await self._app(scope, receive, send)
