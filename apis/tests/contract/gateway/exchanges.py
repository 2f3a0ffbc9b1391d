"""Recorded exchanges for tests."""

from __future__ import annotations

import itertools
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from gateway_api.recording import Exchange

START = datetime(2025, 5, 1, 10, tzinfo=UTC)
_numbers = itertools.count(1)


def make_alert(trigger_type: str, category: str = "critical", at: datetime = START, **fields: Any) -> dict[str, Any]:
    values = {"trigger_type": trigger_type, "trigger_category": category, "trigger_string": f"found by {trigger_type}"}
    return values | {"timestamp": at.isoformat()} | fields


def make_exchange(
    workspace: str = "alpha",
    *,
    minute: float = 0,
    alerts: list[dict[str, Any]] | None = None,
    answer: str | None = "An answer.",
    **fields: Any,
) -> Exchange:
    """Make an exchange that was asked so many minutes after 10 o'clock."""
    at = START + timedelta(minutes=minute)
    values: dict[str, Any] = {
        "workspace": workspace,
        "id": str(uuid.UUID(int=next(_numbers), version=4)),
        "type": "chat",
        "provider": "openai",
        "timestamp": at.isoformat(),
        "messages": ["A question."],
        "alerts": alerts or [],
    }
    if answer is not None:
        values["answer"] = {"message": answer, "timestamp": (at + timedelta(seconds=2)).isoformat()}
    return Exchange.model_validate(values | fields)


def gpt_usage(input_tokens: int = 1_000, output_tokens: int = 100) -> dict[str, Any]:
    return {
        "provider_type": "openai",
        "model": "gpt-4o",
        "input_tokens": input_tokens,
        "output_tokens": output_tokens,
    }
