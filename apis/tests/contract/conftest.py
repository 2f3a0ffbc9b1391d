"""An end of patience: no test of the two APIs can hold up a run.

Everything that waits in a test has its own limit. Beyond these, each test has a limit, and finally there is one for the
process with the stacks of all threads, should even the end of the test wait for something.
"""

from __future__ import annotations

import faulthandler
import os
import threading
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key

HERE = Path(__file__).parent
BOUNDED = (HERE / "gateway", HERE / "tool")
LIMIT_S = 240
"""For a test with the fixtures that it is the first to need; a longer one says so with the mark `timeout`."""

TEARDOWN_S = 60


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test its limit."""
    for item in items:
        if _is_bounded(item) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(LIMIT_S))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """End the process when the limit of the test has not ended it."""
    mark = item.get_closest_marker("timeout")
    if mark is None or not _is_bounded(item):
        return (yield)
    # Not faulthandler's own timer: pytest stops that one when a test fails, and what hangs then is the teardown.
    stderr = item.config.stash[fault_handler_stderr_fd_key]
    timer = threading.Timer(mark.args[0] + TEARDOWN_S, _end_process, [stderr])
    timer.daemon = True
    timer.start()
    try:
        return (yield)
    finally:
        timer.cancel()


def _end_process(stderr: int) -> None:
    faulthandler.dump_traceback(file=stderr, all_threads=True)
    os._exit(1)


def _is_bounded(item: pytest.Item) -> bool:
    return any(item.path.is_relative_to(folder) for folder in BOUNDED)
