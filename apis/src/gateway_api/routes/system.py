"""Health and version."""

from __future__ import annotations

from fastapi import APIRouter

from gateway_api import __version__
from gateway_api.models.system import HealthStatus, VersionInfo
from gateway_api.web.deps import DatabaseDep

router = APIRouter()


@router.get("/health", operation_id="health_check_health_get", tags=["System"])
def health_check(database: DatabaseDep) -> HealthStatus:
    """Read the database, and write to it if the last write failed."""
    database.check()
    return HealthStatus(status="healthy")


@router.get("/api/v1/version", operation_id="v1_version_check", tags=["Dashboard"])
async def version_check() -> VersionInfo:
    """Return the version; no other host is asked for a newer one."""
    return VersionInfo(current_version=__version__, latest_version="unknown", is_latest=None, error=None)
