"""The theme of the builds under test, and small indexes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.tests.unit.search.conftest import make_index
from tests.support.sites import use_small_theme

__all__ = ["make_index"]


@pytest.fixture(scope="package", autouse=True)
def _small_theme() -> Iterator[None]:
    yield from use_small_theme()
