"""The search routes of `octavo dev`: those of production, imported when somebody searches for the first time.

Their import takes 0.1 s, which the first page would wait for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from octavo.search import MODE_PATH, mode_file


class LateSearch:
    """Answers search requests from the index that was finished last."""

    def __init__(self, folder: Path, name: Callable[[], str]) -> None:
        """Initialize; nothing is imported yet.

        Args:
            folder: Holds the indexes.
            name: Tells the name of the index to answer from; empty while there is none.
        """
        self._folder = folder
        self._name = name
        self._app: ASGIApp | None = None

    def routes(self) -> list[BaseRoute]:
        """Give the route of all search requests, and that of the file that says that they are answered."""

        async def tell_mode(_request: Request) -> Response:
            return Response(mode_file("", has_server=True)[1], media_type="application/json")

        return [Route("/1/{rest:path}", self), Route("/{base:path}" + MODE_PATH, tell_mode)]

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
