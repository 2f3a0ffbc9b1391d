"""Results as files to compare with: JSON that is read by lines.

`OCTAVO_UPDATE_CASES=1 pytest FILE` writes what a test compares anew; read the difference like code.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_WIDTH = 118


def compare_with_record(path: Path, text: str) -> None:
    """Hold a text against a file."""
    if os.environ.get("OCTAVO_UPDATE_CASES"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def write_lines(value: Any) -> str:
    """Write a value as JSON, each part that is short on a line of its own."""
    return "".join(f"{line}\n" for line in _lines(value, "", 0))


def _lines(value: Any, head: str, depth: int) -> Iterator[str]:
    indent = "  " * depth
    short = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(indent + head + short) <= _WIDTH:
        yield f"{indent}{head}{short}"
        return
    is_list = isinstance(value, list)
    items: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        items = [(f"{json.dumps(key, ensure_ascii=False)}: ", item) for key, item in value.items()]
    else:
        items = [("", item) for item in value]
    yield f"{indent}{head}{'[' if is_list else '{'}"
    for number, (name, item) in enumerate(items, 1):
        *before, last = _lines(item, name, depth + 1)
        yield from before
        yield f"{last}," if number < len(items) else last
    yield f"{indent}{']' if is_list else '}'}"
