"""Search, `mcp` and pages beside each other: which of them a path means."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from starlette.types import ASGIApp, Receive, Scope, Send

from octavo.manifest import INDEXES_PATH, MCP_PATH
from octavo.mcp import is_of_protocol

_INDEXES = f"{INDEXES_PATH[1:]}/"
_EVENTS = "1/events"
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
            is_event = rest == _EVENTS and scope["method"] not in ("GET", "HEAD")
            if base != "/" and rest != scope["path"] and (rest.startswith(_INDEXES) or is_event or is_mcp):
                scope = {**scope, "path": f"/{rest}", "raw_path": None}
        await self._app(scope, receive, send)


class _Pages(Protocol):
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...

    async def holds(self, scope: Scope) -> bool: ...


class PagesBesideSearch:
    """Answers with the pages of a folder `1/`, such as that of a version, what is none of search's own paths."""

    def __init__(self, app: ASGIApp, pages: _Pages) -> None:
        """Wrap an application.

        Args:
            app: The application, whose search answers all paths below `/1/`.
            pages: What is published.
        """
        self._app = app
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_page = (
            scope["type"] == "http"
            and scope["path"].startswith("/1/")
            and not f"{scope['path'][1:]}/".startswith(_INDEXES)
            and await self._pages.holds(scope)
        )
        await (self._pages if is_page else self._app)(scope, receive, send)
