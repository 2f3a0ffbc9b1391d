"""The theme of the builds under test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.sites import use_small_theme


@pytest.fixture(scope="package", autouse=True)
def _small_theme() -> Iterator[None]:
    yield from use_small_theme()
