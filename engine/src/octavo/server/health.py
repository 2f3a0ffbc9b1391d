"""`/healthz`: is there something to serve, and which build is it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from octavo.manifest import HEALTH_PATH
from octavo.server.source import BuildSource

_NOT_STORED = {"Cache-Control": "no-store"}


def health_route(builds: BuildSource) -> Route:
    """200 with the id of the build; 503 while nothing is published."""

    async def health(_: Request) -> JSONResponse:
        build = await builds.current()
        if build is None:
            return JSONResponse({"status": "unavailable", "build": None}, 503, _NOT_STORED)
        return JSONResponse({"status": "ok", "build": build.manifest.build}, headers=_NOT_STORED)

    return Route(HEALTH_PATH, health)
