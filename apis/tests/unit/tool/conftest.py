"""A state folder with servers whose workers run in the test's own process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from apis.tests.unit.tool.worker_house import (
    House,
)
from tool_api import logs
from tool_api.workers import pool as pool_module


@pytest.fixture
def house(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Workers write their log to standard error of this process, which is given back at the end."""
    del capfd
    kept = os.dup(2)
    made = House(tmp_path)

    monkeypatch.setattr(pool_module, "write_line", made.told.append)
    logs.send_to(made.note)
    yield made
    logs.send_to(logs.write_line)
    made.store.close()
    os.dup2(kept, 2)
    os.close(kept)
