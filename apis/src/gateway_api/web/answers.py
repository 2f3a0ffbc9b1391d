"""How errors are answered: validation errors as a list of findings, everything else as one sentence."""

from __future__ import annotations

import math
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from gateway_api.errors import DiscoveryError, GatewayError
from gateway_api.events import TooManyListenersError
from gateway_api.observing import log
from gateway_api.storage_errors import StorageError

_RETRY = {"retry-after": "1"}
_SECRET_FIELD = "api_key"  # noqa: S105 - the name of a field
_NO_JSON = {"loc": ["body"], "msg": "JSON decode error", "type": "json_invalid"}
_LONGEST_ECHO = 200
"""Characters of a wrong value that are sent back."""


def answer_errors(app: FastAPI) -> None:
    """Register the handlers that answer errors as the contract says."""
    app.add_exception_handler(RequestValidationError, _findings)
    app.add_exception_handler(GatewayError, _refusal)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(StorageError, _storage_failed)
    app.add_exception_handler(TooManyListenersError, _too_many_listeners)


async def _findings(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for this class
    return JSONResponse({"detail": [_finding(found) for found in error.errors()]}, status_code=422)


async def _refusal(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, GatewayError)  # noqa: S101 - registered for this class
    if isinstance(error, DiscoveryError):
        log("models_not_listed", reason=error.reason)
    return JSONResponse({"detail": _writable(str(error))}, status_code=error.status)


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this class
    if error.status_code == 400:  # FastAPI's answer to a body that is not JSON in other ways than its parser's own
        return JSONResponse({"detail": [_NO_JSON]}, status_code=422)
    headers = error.headers
    methods = request.app.state.methods.at(request.url.path) if error.status_code == 405 else None
    if methods:
        headers = {"allow": methods}
    return JSONResponse({"detail": error.detail}, status_code=error.status_code, headers=headers)


async def _storage_failed(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, StorageError)  # noqa: S101 - registered for this class
    log("storage_failed", trouble=error.trouble, code=error.code)
    return JSONResponse({"detail": str(error)}, status_code=503, headers=_RETRY if error.is_passing else None)


async def _too_many_listeners(_: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 - a handler's signature
    return JSONResponse({"detail": "Too many listeners; try again later"}, status_code=503, headers=_RETRY)


def _finding(found: Any) -> dict[str, Any]:
    """Write one violation; a wrong value is sent back only where it is short, plain and no secret."""
    place = [_writable(part) if isinstance(part, str) else part for part in found["loc"]]
    written = {"loc": place, "msg": _writable(found["msg"]), "type": found["type"]}
    given = found.get("input")
    if _SECRET_FIELD not in place and _is_plain(given):
        written["input"] = _writable(given)[:_LONGEST_ECHO] if isinstance(given, str) else given
    limits = {name: value for name, value in found.get("ctx", {}).items() if _is_plain(value)}
    if limits:
        written["ctx"] = {name: _writable(value) if isinstance(value, str) else value for name, value in limits.items()}
    return written


def _is_plain(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, (str, bool)) or (isinstance(value, int) and abs(value) < 2**53)


def _writable(text: str) -> str:
    """Replace halves of characters, which JSON can escape and UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode()
