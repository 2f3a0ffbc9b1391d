"""Logs: one JSON object a line on standard error. Values of secrets, bodies and headers never enter one."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime

request_id: ContextVar[str] = ContextVar("request_id", default="")


def write_line(line: str) -> None:
    """Write a line that is an event already, e.g. one of another process.

    Nothing else fails where it cannot be written: the disk may be full, or who reads the lines has gone.
    """
    with suppress(OSError, ValueError):
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


_write: Callable[[str], None] = write_line


def send_to(write: Callable[[str], None]) -> None:
    """Give the lines to a function from now on, in place of standard error."""
    global _write  # noqa: PLW0603 - one log a process
    _write = write


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
    _write(json.dumps(entry | values, default=str, ensure_ascii=False))
