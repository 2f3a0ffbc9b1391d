"""The life of servers where the state folder cannot be written."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from tool_api import servers as servers_module
from tool_api.endpoint.ports import Ports
from tool_api.errors import EngineError
from tool_api.runtime.simulated import SimulatedRuntime
from tool_api.secret_store import Secrets
from tool_api.servers import Servers
from tool_api.settings import Limits
from tool_api.store import ServerRow, ServerSpec, Store

SPEC = ServerSpec("one", "an-image")


class FullDisk(SimulatedRuntime):
    """A container is not started, because the disk is full; and so the database cannot be written."""

    def __init__(self, database: Path) -> None:
        super().__init__(lambda _image: [])
        self._database = database
        self.is_full = True

    async def start(self, row: ServerRow) -> None:
        await super().start(row)
        if self.is_full:
            self._execute("CREATE TRIGGER full BEFORE DELETE ON servers BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
            raise EngineError("no space left on device")

    def clear(self) -> None:
        """There is space again."""
        self.is_full = False
        self._execute("DROP TRIGGER full")

    def _execute(self, statement: str) -> None:
        with closing(sqlite3.connect(self._database)) as database:
            database.execute(statement)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[tuple[Store, Servers, FullDisk]]:
    store, runtime = Store(folder), FullDisk(folder / "tool.db")
    servers = Servers(store, runtime, Secrets(None), lambda _: Ports(Limits(), (), store.sessions_of), stop_timeout_s=1)
    try:
        async with servers.running():
            yield store, servers, runtime
    finally:
        store.close()


def test_name_of_a_server_that_was_half_made_on_a_full_disk_becomes_free(tmp_path: Path) -> None:
    async def test() -> None:
        async with running(tmp_path) as (store, servers, runtime):
            with pytest.raises(EngineError, match="no space left on device"):
                await servers.create(SPEC)
            assert [row.phase for row in store.rows()] == ["creating"]
            assert await servers.infos(stopped=True) == []
            runtime.clear()
            assert (await servers.create(SPEC)).phase == "kept"

    asyncio.run(test())


def test_row_of_a_server_that_was_half_made_on_a_full_disk_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers_module, "RETRY_S", 0.02)

    async def test() -> None:
        async with running(tmp_path) as (store, servers, runtime):
            with pytest.raises(EngineError, match="no space left on device"):
                await servers.create(SPEC)
            runtime.clear()
            async with asyncio.timeout(30):
                while store.rows():  # noqa: ASYNC110 - what removes it runs in the same loop
                    await asyncio.sleep(0)

    asyncio.run(test())
