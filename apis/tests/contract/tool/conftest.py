"""A tool API per test module, empty at the start of each test."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from apis.tests.contract.tool.serving import ToolServer, tool_server


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolServer]:
    with tool_server(tmp_path_factory.mktemp("state")) as server:
        yield server


@pytest.fixture
def api(running: ToolServer) -> Iterator[httpx.Client]:
    """A client of the API; servers that a test leaves are deleted."""
    yield running.client
    for server in running.client.get("/api/v1beta/servers", params={"all": "true"}).json()["servers"]:
        running.client.delete(f"/api/v1beta/servers/{server['name']}", params={"force": "true"})
