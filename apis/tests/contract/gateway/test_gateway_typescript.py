"""Types generated from the document for TypeScript compile, and a client in these types works through a whole story."""

from __future__ import annotations

from pathlib import Path

import pytest

from apis.tests.contract.gateway.gateway import DOCUMENT, Gateway
from apis.tests.contract.gateway.providers import FakeProvider
from apis.tests.contract.typescript.clients import LIMIT_S, tell_story


@pytest.mark.timeout(LIMIT_S)
def test_typed_client_drives_the_whole_story(sqlite_gateway: Gateway, provider: FakeProvider, tmp_path: Path) -> None:
    folder = tmp_path / "story"
    folder.mkdir()
    assert tell_story("gateway", DOCUMENT, folder, sqlite_gateway.address, provider.url("open")) == {
        "models": provider.models,
        "rules": [[provider.models[0], "*.ts"]],
        "total": 0,
        "tokens": 0,
        "gone": [404, "Workspace does not exist"],
        "refused": 400,
    }
