"""A published folder, and servers that end with their test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.published import publish


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return publish(tmp_path / "out")
