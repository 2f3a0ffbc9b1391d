"""A pytest plugin that notes which tests call which function; loaded by `-p tests.mutation.calls`."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import pytest

CALLS_TO = "MUTATION_CALLS_TO"
"""Environment variable: file that the notes are written to."""
ROOT = "MUTATION_ROOT"
"""Environment variable: folder of the code whose calls are noted."""

Calls = dict[str, dict[int, list[str]]]
"""File, from the root → first line of a function → tests that call it, each once, without its parameters.

Calls in other processes are not seen.
"""


class Notes:
    """What has been called so far."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._seen: dict[tuple[str, int], set[str]] = {}
        self._test = ""

    def begin(self, test: str) -> None:
        """Note calls for this test from now on."""
        self._test = test.partition("[")[0]

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a call; see `sys.setprofile`."""
        if event == "call":
            code = frame.f_code
            if code.co_filename.startswith(self._root):
                self._seen.setdefault((code.co_filename, code.co_firstlineno), set()).add(self._test)

    def calls(self) -> Calls:
        """Give the notes."""
        found: Calls = {}
        for (file, line), tests in sorted(self._seen.items()):
            found.setdefault(Path(file).relative_to(self._root).as_posix(), {})[line] = sorted(tests)
        return found


_NOTES = Notes(f"{os.environ.get(ROOT, '')}{os.sep}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note what a test calls, its fixtures included."""
    _NOTES.begin(item.nodeid)
    threading.setprofile(_NOTES.note)
    sys.setprofile(_NOTES.note)
    try:
        return (yield)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  # None is what ends it


def pytest_sessionfinish() -> None:
    """Write the notes."""
    if target := os.environ.get(CALLS_TO):
        Path(target).write_bytes(msgspec.json.encode(_NOTES.calls()))
