"""What OpenAPI 3.2 says in a new way, said as 3.1 does."""

from __future__ import annotations

from typing import Any


def as_openapi_31(root: dict[str, Any]) -> dict[str, Any]:
    """Rewrite a checked description of OpenAPI 3.2 for those who draw it; others are given back.

    A stream of items becomes a list of them, and an answer is described by its summary where it has nothing else.
    """
    made = _rewritten(root, "") if str(root.get("openapi", "")).startswith("3.2") else root
    return made if isinstance(made, dict) else root


def _rewritten(value: Any, key: str) -> Any:
    if isinstance(value, list):
        return [_rewritten(item, "") for item in value]
    if not isinstance(value, dict) or key in ("example", "examples", "default", "enum", "const"):
        return value
    made = {name: _rewritten(item, name) for name, item in value.items()}
    if key == "content":
        return {media: _with_list(item) for media, item in made.items()}
    if key == "responses":
        return {status: _with_description(item) for status, item in made.items()}
    return made


def _with_list(media: Any) -> Any:
    if not isinstance(media, dict) or "itemSchema" not in media or "schema" in media:
        return media
    others = {key: value for key, value in media.items() if key != "itemSchema"}
    return {**others, "schema": {"type": "array", "items": media["itemSchema"]}}


def _with_description(answer: Any) -> Any:
    if not isinstance(answer, dict) or "$ref" in answer or "description" in answer:
        return answer
    return {**answer, "description": str(answer.get("summary") or "")}
