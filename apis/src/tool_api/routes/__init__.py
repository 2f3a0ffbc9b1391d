"""The operations, a module per tag of the contract."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute


def refusals(**reasons: str) -> dict[int | str, dict[str, Any]]:
    """Responses of an operation that are one sentence of plain text.

    Args:
        reasons: When, by status: `s404="…"`.
    """
    content = {"text/plain": {"schema": {"type": "string"}}}
    return {int(status[1:]): {"description": when, "content": content} for status, when in reasons.items()}


def with_slash(router: APIRouter, path: str) -> None:
    """Let a path answer with a slash at its end, too, as the original does; the document names it without."""
    for route in [route for route in router.routes if isinstance(route, APIRoute) and route.path == path]:
        router.add_api_route(
            f"{path}/".removeprefix(router.prefix),
            route.endpoint,
            methods=sorted(route.methods or ()),
            operation_id=route.operation_id,
            status_code=route.status_code,
            response_model=route.response_model,
            response_class=route.response_class,
            response_model_exclude_none=route.response_model_exclude_none,
            include_in_schema=False,
        )


NO_SERVER = "There is no server of this name."
NO_REGISTRY = "There is no registry of this name."
