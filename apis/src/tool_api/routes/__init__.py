"""The operations, a module per tag of the contract."""

from __future__ import annotations

from typing import Any


def refusals(**reasons: str) -> dict[int | str, dict[str, Any]]:
    """Responses of an operation that are one sentence of plain text.

    Args:
        reasons: When, by status: `s404="…"`.
    """
    content = {"text/plain": {"schema": {"type": "string"}}}
    return {int(status[1:]): {"description": when, "content": content} for status, when in reasons.items()}


NO_SERVER = "There is no server of this name."
NO_REGISTRY = "There is no registry of this name."
