"""Logs: one JSON object a line on standard error. Values of secrets, bodies and headers never enter one."""

from __future__ import annotations

import json
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

request_id: ContextVar[str] = ContextVar("request_id", default="")


def log(event: str, *, level: str = "info", **values: object) -> None:
    """Write one event.

    Args:
        event: What happened, in words joined by underscores.
        level: info, warning or error.
        values: Facts about it; what JSON does not know is written as text.
    """
    entry: dict[str, object] = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "level": level}
    entry["event"] = event
    if identifier := request_id.get():
        entry["request_id"] = identifier
    sys.stderr.write(json.dumps(entry | values, default=str, ensure_ascii=False) + "\n")
    sys.stderr.flush()
