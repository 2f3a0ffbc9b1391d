"""One server for each module of tests, put back before each test to what it was at first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from apis.tests.unit.gateway.api_server import Server


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("gateway"))
    with made.client:
        yield made


@pytest.fixture
def server(running: Server) -> Server:
    running.reset()
    return running
