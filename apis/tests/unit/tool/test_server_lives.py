"""The life of servers: created, stopped, restarted, deleted, and what engines do meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from apis.tests.unit.tool.server_house import SPEC, House, opened, run
from apis.tests.unit.tool.worker_house import is_listening, until
from tool_api import servers as servers_module
from tool_api.endpoint.port import bind
from tool_api.endpoint.ports import Ports
from tool_api.errors import ConflictError, EngineError, NotFoundError
from tool_api.runtime.base import INSTANCE
from tool_api.runtime.simulated import SimulatedRuntime
from tool_api.secret_store import Secrets
from tool_api.servers import ORPHAN, Servers
from tool_api.settings import Limits
from tool_api.store import ServerRow, Store


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with opened(tmp_path) as made:
        yield made


def test_server_is_made_started_and_opened(house: House) -> None:
    async def work() -> None:
        async with house.running():
            row = await house.servers.create(replace(SPEC, secrets=(("key", "API_KEY"),)))
            assert house.engine.operations() == [("create", "one", "API_KEY=corner-lantern"), ("start", "one")]
            assert (row.phase, row.wanted, row.container_id) == ("kept", "running", "container-1")
            assert house.store.find("one") == row
            assert is_listening(row.port)
            assert house.ports.holds(row)
            assert house.said("server_created") == [
                {"level": "info", "server": "one", "port": row.port, "runtime": "docker"}
            ]
            with pytest.raises(ConflictError):
                await house.servers.create(SPEC)
            other = await house.servers.create(replace(SPEC, name="two"))
            assert other.port != row.port
            assert house.servers.counts() == {"running": 2, "exited": 0}

    run(work())


@pytest.mark.parametrize("operation", ["create", "start"])
def test_server_that_cannot_be_made_leaves_nothing(house: House, operation: str) -> None:
    async def work() -> None:
        async with house.running():
            house.engine.refuses = {operation}
            with pytest.raises(EngineError, match=f"refused to {operation}"):
                await house.servers.create(SPEC)
            assert house.engine.operations()[-1] == ("remove", "one", "True")
            assert house.store.rows() == []
            assert house.said("server_created") == []
            house.engine.refuses = {"create", "remove"}
            with pytest.raises(EngineError, match="refused to create"):
                await house.servers.create(SPEC)
            house.engine.refuses = set()
            assert (await house.servers.create(SPEC)).phase == "kept"

    run(work())


def test_container_of_a_server_that_could_not_be_made_is_removed_later(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine that goes away meanwhile does not remove it either."""
    monkeypatch.setattr(servers_module, "RETRY_S", 0.01)

    async def work() -> None:
        async with house.running():
            house.engine.refuses = {"start", "remove"}
            with pytest.raises(EngineError, match="refused to start"):
                await house.servers.create(SPEC)
            assert [container.name for container in house.engine.containers.values()] == ["one"]
            assert await house.servers.infos(stopped=True) == [], "it is not a server, and will not be one"
            assert house.said("container_left") == [
                {"level": "warning", "server": "one", "reason": "the engine refused to remove"}
            ]
            house.engine.refuses = set()
            await until(lambda: not house.engine.containers)
            assert house.store.rows() == []

    run(work())


def test_stop_and_restart(house: House) -> None:
    async def work() -> None:
        async with house.running():
            row = await house.servers.create(SPEC)
            house.engine.operations()
            await house.servers.stop("one")
            assert house.engine.operations() == [("stop", "one", "7")]
            assert not is_listening(row.port)
            stored = house.store.find("one")
            assert stored is not None
            assert (stored.wanted, stored.phase) == ("exited", "kept")
            assert house.said("server_stopped") == [{"level": "info", "server": "one"}]
            await house.servers.stop(row.container_id)
            assert house.engine.operations() == [], "it is stopped already"
            assert house.servers.counts() == {"running": 0, "exited": 1}
            await house.servers.restart(row.container_id)
            assert house.engine.operations() == [("stop", "one", "7"), ("start", "one")]
            assert is_listening(row.port)
            assert house.said("server_started") == [{"level": "info", "server": "one", "port": row.port}]
            stored = house.store.find("one")
            assert stored is not None
            assert stored.wanted == "running"
            await house.servers.restart("one")
            assert house.engine.operations() == [("stop", "one", "7"), ("start", "one")]

    run(work())


def test_restart_on_a_port_that_another_program_has_is_refused(house: House) -> None:
    async def work() -> None:
        async with house.running():
            row = await house.servers.create(SPEC)
            await house.servers.stop("one")
            with bind("127.0.0.1", row.port), pytest.raises(EngineError, match=r"^Unable to configure ports$"):
                await house.servers.restart("one")
            await house.servers.restart("one")
            assert is_listening(row.port)

    run(work())


@pytest.mark.parametrize("force", [True, False])
def test_deletion(house: House, force: bool) -> None:
    async def work() -> None:
        async with house.running():
            row = await house.servers.create(SPEC)
            house.engine.operations()
            await house.servers.delete("one", force=force)
            stop = [] if force else [("stop", "one", "7")]
            assert house.engine.operations() == [*stop, ("remove", "one", str(force))]
            assert house.store.rows() == []
            assert not is_listening(row.port)
            assert house.said("server_deleted") == [{"level": "info", "server": "one"}]
            for action in (
                house.servers.delete("one", force=force),
                house.servers.stop("one"),
                house.servers.restart("one"),
                house.servers.info("one"),
            ):
                with pytest.raises(NotFoundError, match=r"^Server not found$"):
                    await action

    run(work())


def test_engine_that_does_not_remove_keeps_the_server_unless_it_is_forced(house: House) -> None:
    async def work() -> None:
        async with house.running():
            await house.servers.create(SPEC)
            house.engine.refuses = {"remove"}
            with pytest.raises(EngineError, match="refused to remove"):
                await house.servers.delete("one", force=False)
            assert house.said("server_deleted") == []

    run(work())


def test_forced_deletion_is_finished_later(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers_module, "RETRY_S", 0.001)

    async def work() -> None:
        async with house.running():
            await house.servers.create(SPEC)
            house.engine.refuses = {"remove"}
            await house.servers.delete("one", force=True)
            assert house.said("container_left") == [
                {"level": "warning", "server": "one", "reason": "the engine refused to remove"}
            ]
            assert [row.phase for row in house.store.rows()] == ["removing"]
            assert await house.servers.infos(stopped=True) == []
            with pytest.raises(NotFoundError):
                await house.servers.stop("one")
            with pytest.raises(EngineError, match="refused to remove"):
                await house.servers.create(SPEC)
            house.engine.refuses = set()
            await until(lambda: house.store.rows() == [])
            assert house.said("container_removed") == [{"level": "info", "server": "one"}]
            await house.servers.create(SPEC)

    run(work())


def test_name_of_a_server_that_was_left_is_free_once_the_engine_removes_it(house: House) -> None:
    async def work() -> None:
        async with house.running():
            await house.servers.create(SPEC)
            house.engine.refuses = {"remove"}
            await house.servers.delete("one", force=True)
            house.engine.refuses = set()
            house.engine.operations()
            await house.servers.create(SPEC)
            assert [call[0] for call in house.engine.operations()] == ["remove", "create", "start"]
            assert [row.phase for row in house.store.rows()] == ["kept"]

    run(work())


class TestLists:
    def test_what_the_engine_says_is_told(self, house: House) -> None:
        async def work() -> None:
            async with house.running():
                row = await house.servers.create(replace(SPEC, transport="sse", target_port=8000))
                stdio = await house.servers.create(replace(SPEC, name="two"))
                first, second = await house.servers.infos(stopped=False)
                assert (first.id, first.name, first.image) == (row.container_id, "one", "mcp/one:1")
                assert (first.state, first.status, first.created) == ("running", "running for a while", row.created)
                assert [one.model_dump(by_alias=True) for one in first.ports] == [
                    {"containerPort": 8000, "hostPort": row.port, "protocol": "tcp"}
                ]
                assert (second.id, second.ports) == (stdio.container_id, [])
                assert first.labels == {INSTANCE: house.store.instance}
                await house.servers.stop("one")
                assert [one.name for one in await house.servers.infos(stopped=False)] == ["two"]
                stopped = await house.servers.info("one")
                assert (stopped.state, stopped.status) == ("exited", "exited for a while")
                assert [one.name for one in await house.servers.infos(stopped=True)] == ["one", "two"]
                await house.ports.close("two")
                assert (await house.servers.info("two")).status == f"running for a while; port {stdio.port} is not open"
                del house.engine.containers[stdio.container_id]
                gone = await house.servers.info(stdio.container_id)
                assert (gone.state, gone.status) == ("dead", "The container is gone")
                assert gone.labels["toolhive-name"] == "two"

        run(work())

    def test_containers_that_the_database_does_not_have_come_last(self, house: House) -> None:
        async def work() -> None:
            async with house.running():
                await house.servers.create(SPEC)
                house.engine.put("lost", "exited", name="stray", image="mcp/x", created="2025-05-01T10:00:00Z")
                house.engine.put("theirs", "running", labels={INSTANCE: "another API"})
                house.engine.put("older", "running", labels={})
                assert [one.name for one in await house.servers.infos(stopped=True)] == ["one", "stray"]
                assert [one.name for one in await house.servers.infos(stopped=False)] == ["one"]
                for name in ("stray", "lost"):
                    found = await house.servers.info(name)
                    assert (found.id, found.name, found.image, found.state) == ("lost", "stray", "mcp/x", "exited")
                    assert (found.status, found.created, found.ports) == (
                        "exited for a while",
                        "2025-05-01T10:00:00Z",
                        [],
                    )
                    assert found.labels == {INSTANCE: house.store.instance, ORPHAN: "true"}
                for name in ("theirs", "older", "nobody"):
                    with pytest.raises(NotFoundError):
                        await house.servers.info(name)

        run(work())

    def test_container_without_a_row_can_be_stopped_started_and_deleted(self, house: House) -> None:
        async def work() -> None:
            async with house.running():
                house.engine.put("lost", "running", name="stray")
                await house.servers.stop("stray")
                await house.servers.stop("lost")
                await house.servers.restart("lost")
                assert house.engine.operations() == [
                    ("stop", "stray", "7"),
                    ("stop", "stray", "7"),
                    ("stop", "stray", "7"),
                    ("start", "stray"),
                ]
                await house.servers.delete("stray", force=True)
                assert house.engine.operations() == [("remove", "stray", "True")]
                assert (house.engine.containers, house.store.rows()) == ({}, [])

        run(work())

    def test_runtime_without_an_engine_tells_what_is_stored(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Standing(datetime):
            """Always the same: the text of an age has whole seconds, and a slow machine may cross from one to the next."""

            moment = datetime.now(UTC)

            @classmethod
            def now(cls, tz: tzinfo | None = None) -> Standing:
                return cls.fromisoformat(cls.moment.astimezone(tz).isoformat())

        monkeypatch.setattr(servers_module, "datetime", Standing)

        async def work() -> None:
            store = Store(tmp_path)
            runtime = SimulatedRuntime(lambda _image: [])
            make = lambda _: Ports(Limits(), (), store.sessions_of)  # noqa: E731 - given twice
            servers = Servers(store, runtime, Secrets(None), make, stop_timeout_s=1)
            async with servers.running():
                row = await servers.create(SPEC)
                found = await servers.info("one")
                assert (found.state, found.status) == ("running", "Up 0 seconds (simulated)")
                assert found.labels["toolhive-name"] == "one"
                for seconds, age in (
                    (-5, "0 seconds"),
                    (119, "119 seconds"),
                    (120, "2 minutes"),
                    (7_199, "119 minutes"),
                ):
                    assert await told(servers, store, row, seconds) == f"Up {age} (simulated)"
                for seconds, age in ((7_200, "2 hours"), (172_799, "47 hours"), (172_800, "2 days")):
                    assert await told(servers, store, row, seconds) == f"Up {age} (simulated)"
                await servers.stop("one")
                assert (await servers.info("one")).status == "Exited (0) 0 seconds ago (simulated)"
                assert await servers.infos(stopped=False) == []
            store.close()

        async def told(servers: Servers, store: Store, row: ServerRow, seconds: int) -> str:
            moment = Standing.now(UTC) - timedelta(seconds=seconds)
            store.update(replace(row, changed=moment.isoformat()))
            return (await servers.info("one")).status

        run(work())
