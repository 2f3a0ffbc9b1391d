"""`/healthz`: is there something to serve, and which build is it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from octavo.server.source import EditionSource

_NOT_STORED = {"Cache-Control": "no-store"}


def health_route(editions: EditionSource) -> Route:
    """200 with the id of the build; 503 while nothing is published."""

    async def health(_: Request) -> JSONResponse:
        edition = await editions.current()
        if edition is None:
            return JSONResponse({"status": "unavailable", "build": None}, 503, _NOT_STORED)
        return JSONResponse({"status": "ok", "build": edition.manifest.build}, headers=_NOT_STORED)

    return Route("/healthz", health)
