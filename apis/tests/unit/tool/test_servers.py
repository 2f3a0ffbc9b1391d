"""The life of servers where something is in the way: a state folder that cannot be written, a server that does not come up."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from tool_api import servers as servers_module
from tool_api.endpoint.port import bind_free
from tool_api.endpoint.ports import Ports
from tool_api.errors import EngineError
from tool_api.runtime.simulated import SimulatedRuntime
from tool_api.secret_store import Secrets
from tool_api.servers import Servers
from tool_api.settings import Limits
from tool_api.store import ServerRow, ServerSpec, Store

SPEC = ServerSpec("one", "an-image")
NOW = "2026-01-01T00:00:00Z"


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


class SlowStart(SimulatedRuntime):
    """The server `first` is not taken up before it may."""

    def __init__(self) -> None:
        super().__init__(lambda _image: [])
        self.may_start = asyncio.Event()

    async def adopt(self, row: ServerRow) -> None:
        if row.name == "first":
            await self.may_start.wait()


@asynccontextmanager
async def with_a_slow_one(folder: Path) -> AsyncIterator[tuple[Servers, SlowStart, dict[str, socket.socket]]]:
    """Start an API that has the servers `first` and `second`, with sockets that hold their ports."""
    store, runtime = Store(folder), SlowStart()
    holders = {}
    for name in ("first", "second"):
        holders[name], port = bind_free("127.0.0.1", set())
        row = ServerRow(ServerSpec(name, "an-image"), name.ljust(64, "0"), port, "kept", "running", NOW, NOW)
        store.add(row)
    servers = Servers(store, runtime, Secrets(None), lambda _: Ports(Limits(), (), store.sessions_of), stop_timeout_s=1)
    try:
        async with asyncio.timeout(60):
            yield servers, runtime, holders
    finally:
        for bound in holders.values():
            bound.close()
        store.close()


async def until_open(servers: Servers, *names: str) -> None:
    """Wait until the ports of just these servers are open."""

    async def opened() -> set[str]:
        return {info.name for info in await servers.infos(stopped=False) if "not open" not in info.status}

    while await opened() != set(names):  # noqa: ASYNC110 - what opens them runs in the same loop
        await asyncio.sleep(0)


def test_server_that_does_not_come_up_holds_up_neither_the_start_nor_other_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers_module, "TAKE_UP_S", 0.02)

    async def test() -> None:
        async with with_a_slow_one(tmp_path) as (servers, runtime, holders):
            for bound in holders.values():
                bound.close()
            async with servers.running():
                await until_open(servers, "second")
                # Who wants something of it waits, and only they.
                stopping = asyncio.create_task(servers.stop("first"))
                await servers.restart("second")
                assert not stopping.done()
                runtime.may_start.set()
                await stopping
                await until_open(servers, "second")

    asyncio.run(test())


def test_server_that_does_not_come_up_holds_up_no_other_that_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers_module, "RETRY_S", 0.02)

    async def test() -> None:
        async with with_a_slow_one(tmp_path) as (servers, runtime, holders):
            runtime.may_start.set()
            async with servers.running():
                await until_open(servers)
                runtime.may_start.clear()
                for bound in holders.values():
                    bound.close()
                await until_open(servers, "second")
                runtime.may_start.set()
                await until_open(servers, "second", "first")

    asyncio.run(test())
