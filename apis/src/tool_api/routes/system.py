"""Health, version and the API's own description."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from octavo_sandbox import __version__
from tool_api.models import versionResponse
from tool_api.routes import with_slash

router = APIRouter()


@router.get("/health", status_code=204, operation_id="health", tags=["system"], summary="Tell whether the API answers")
async def health() -> Response:
    return Response(status_code=204)


@router.get("/api/openapi.json", operation_id="openapi", tags=["system"], summary="Return the description of this API")
async def openapi(request: Request) -> dict[str, Any]:
    document: dict[str, Any] = request.app.openapi()
    return document


@router.get("/api/v1beta/version", operation_id="version", tags=["version"], summary="Return the program's version")
async def version() -> versionResponse:
    return versionResponse(version=f"v{__version__}")


for _path in ("/health", "/api/v1beta/version"):
    with_slash(router, _path)
