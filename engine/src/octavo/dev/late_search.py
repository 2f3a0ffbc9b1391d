"""The search routes of `octavo dev`: those of production, imported when somebody searches for the first time.

Their import takes 0.1 s, which the first page would wait for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send


class LateSearch:
    """Answers search requests from the index that was finished last."""

    def __init__(self, folder: Path, name: Callable[[], str]) -> None:
        """Prepare; nothing is imported yet.

        Args:
            folder: Holds the indexes.
            name: Tells the name of the index to answer from; empty while there is none.
        """
        self._folder = folder
        self._name = name
        self._app: ASGIApp | None = None

    def route(self) -> Route:
        """Give the route of all search requests."""
        return Route("/1/{rest:path}", self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._app is None:
            self._app = await asyncio.to_thread(self._load)
        await self._app(scope, receive, send)

    def _load(self) -> ASGIApp:
        from starlette.applications import Starlette

        from octavo.search import ProtocolError, SearchRoutes, SearchService

        async def name_index() -> str:
            name = self._name()
            if not name:
                raise ProtocolError(503, "The search index is being written; try again in a moment")
            return name

        return Starlette(routes=SearchRoutes(SearchService(self._folder, name_index)).routes())
