"""A site with components."""

from __future__ import annotations

from pathlib import Path

import pytest

from .site_of_components import Site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    return Site(tmp_path, monkeypatch)
