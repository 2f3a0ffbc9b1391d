"""Log lines as JSON, those of libraries included."""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime

FRAMES = 8
"""Frames of a traceback that are written, the innermost ones."""


class JsonLines(logging.Formatter):
    """Writes each record as one line: time, level, logger, message, and for an exception its class and place.

    A message that is a JSON object already is written as it is. The text of an exception stays out: it may hold what a
    client has sent.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Write one line."""
        message = record.getMessage()
        if message.startswith("{"):
            return message
        values: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "event": "log",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": message,
        }
        if record.exc_info and record.exc_info[1]:
            values |= describe_error(record.exc_info[1])
        return json.dumps(values)


def describe_error(error: BaseException) -> dict[str, object]:
    """Name the class of an error and where it came from, without its text."""
    frames = [f"{frame.name} in {frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    return {"error": type(error).__name__, "frames": frames[-FRAMES:]}


def write_json_logs(*loggers: str) -> None:
    """Send the log to standard error: warnings of everybody, and all that the named loggers say."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = True
    for name in loggers:
        logging.getLogger(name).setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
