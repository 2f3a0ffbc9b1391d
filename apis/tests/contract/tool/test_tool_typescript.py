"""Types generated from the document for TypeScript compile, and a client in these types works through a whole story."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from apis.tests.contract.tool.serving import ToolServer
from apis.tests.contract.typescript.clients import LIMIT_S, tell_story


@pytest.mark.timeout(LIMIT_S)
def test_typed_client_drives_the_whole_story(api: httpx.Client, running: ToolServer, tmp_path: Path) -> None:
    document = api.get("/api/openapi.json").json()
    told = tell_story("tool", document, tmp_path, running.address)
    assert 10000 <= told.pop("port") <= 65535
    assert told == {
        "states": ["running", "exited"],
        "listed": ["typed-story"],
        "taken": [409, 'A server named "typed-story" exists already'],
        "gone": [404, "Server not found"],
    }
