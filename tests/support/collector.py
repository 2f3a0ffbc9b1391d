"""The collector of garbage passes over what pytest collects: modules and tests, which stay until the end of a run.

Each process collects all tests of a run. The collector went through thousands of them again and again while they were made,
which was two thirds of the processor time that collecting the unit tests takes, and two fifths for the contract tests.
"""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Switch it off meanwhile, and put what is there out of its sight."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
