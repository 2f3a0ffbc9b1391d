"""Health, version and the bodies of errors."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel


class HealthStatus(BaseModel):
    status: Literal["healthy"]


class VersionInfo(BaseModel):
    current_version: str
    latest_version: str
    is_latest: bool | None
    error: str | None


class ErrorDetail(BaseModel):
    detail: str


class ValidationError(BaseModel):
    loc: list[str | int]
    msg: str
    type: str
    input: Any = None
    ctx: dict[str, Any] | None = None


class HTTPValidationError(BaseModel):
    detail: list[ValidationError] = []
