"""The life of servers: created, stopped, restarted, deleted, taken up by a later API, and what engines do meanwhile."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest

from tool_api import logs
from tool_api import servers as servers_module
from tool_api.endpoint.port import bind
from tool_api.endpoint.ports import Ports, Sockets
from tool_api.errors import ConflictError, EngineError, NotFoundError
from tool_api.runtime.base import INSTANCE, ContainerState, LinkSpec
from tool_api.runtime.simulated import SimulatedRuntime
from tool_api.secret_store import Secrets
from tool_api.servers import ORPHAN, Servers
from tool_api.settings import Limits
from tool_api.store import ServerRow, ServerSpec, Store

LIMIT_S = 240
SPEC = ServerSpec("one", "mcp/one:1")


class Engine(SimulatedRuntime):
    """Containers of which an engine knows the state; servers answer as simulated ones do."""

    name = "docker"
    outlives = True

    def __init__(self, instance: str) -> None:
        super().__init__(lambda _image: ["tell"])
        self._instance = instance
        self.containers: dict[str, ContainerState] = {}
        self.calls: list[tuple[str, ...]] = []
        self.refuses: set[str] = set()
        """Operations that fail."""
        self.numbers = iter(range(1, 1_000))

    def _do(self, operation: str, *values: str) -> None:
        self.calls.append((operation, *values))
        if operation in self.refuses:
            raise EngineError(f"the engine refused to {operation}")

    def put(self, container_id: str, state: str, **fields: Any) -> None:
        known = self.containers.get(container_id)
        made = known or ContainerState(container_id, container_id, state, "", labels={INSTANCE: self._instance})
        self.containers[container_id] = replace(made, state=state, status=f"{state} for a while", **fields)

    async def create(self, row: ServerRow, secrets: Mapping[str, str]) -> ServerRow:
        self._do("create", row.name, *sorted(f"{name}={value}" for name, value in secrets.items()))
        made = replace(row, container_id=f"container-{next(self.numbers)}")
        self.put(made.container_id, "created", name=row.name, image=row.spec.image)
        return made

    async def start(self, row: ServerRow) -> None:
        self._do("start", row.name)
        self.put(row.container_id, "running")

    async def adopt(self, row: ServerRow) -> None:
        self._do("adopt", row.name)

    async def stop(self, row: ServerRow, timeout_s: int) -> None:
        self._do("stop", row.name, str(timeout_s))
        self.put(row.container_id, "exited")

    async def remove(self, row: ServerRow, *, force: bool) -> None:
        self._do("remove", row.name, str(force))
        self.containers.pop(row.container_id, None)

    async def states(self) -> dict[str, ContainerState] | None:
        if "states" in self.refuses:
            raise EngineError("the engine does not answer")
        return dict(self.containers)

    def link(self, row: ServerRow) -> LinkSpec:
        del row
        return {"kind": "simulated", "tools": ["tell"]}

    def operations(self) -> list[tuple[str, ...]]:
        found, self.calls = self.calls, []
        return found


class House:
    """An API, its engine, and what it has logged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[dict[str, Any]] = []
        self.engine: Engine
        self.store: Store
        self.servers: Servers
        self.ports: Ports

    @asynccontextmanager
    async def running(self, engine: Engine | None = None) -> AsyncIterator[None]:
        """Run an API on the folder; a later one may take the engine of an earlier one."""
        self.store = Store(self.folder)
        self.engine = engine or Engine(self.store.instance)
        secrets = self.folder / "secrets.env"
        secrets.write_text("key=corner-lantern")
        secrets.chmod(0o600)

        def make(on_lost: Callable[[str], None]) -> Ports:
            self.lose = on_lost
            self.ports = Ports(Limits(), (), self.store.sessions_of)
            return self.ports

        self.servers = Servers(self.store, self.engine, Secrets(secrets), make, stop_timeout_s=7)
        try:
            async with self.servers.running():
                yield
        finally:
            self.store.close()

    def said(self, event: str) -> list[dict[str, Any]]:
        hidden = {"time", "event", "request_id"}
        return [{k: v for k, v in one.items() if k not in hidden} for one in self.events if one["event"] == event]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    logs.send_to(lambda line: made.events.append(json.loads(line)))
    yield made
    logs.send_to(logs.write_line)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, LIMIT_S))


async def until(condition: Callable[[], object]) -> None:
    while not condition():  # noqa: ASYNC110 - what is waited for happens in the same loop
        await asyncio.sleep(0.001)


def is_listening(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


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


class TestNextStart:
    def test_servers_are_taken_up_as_they_were_wanted(self, house: House) -> None:
        async def work() -> None:
            async with house.running():
                rows = {name: await house.servers.create(replace(SPEC, name=name)) for name in "abcd"}
                await house.servers.stop("b")
                house.store.update(replace(rows["d"], phase="creating"))
            engine = house.engine
            engine.put(rows["b"].container_id, "running")
            engine.put(rows["c"].container_id, "exited")
            engine.put("lost", "running", name="stray")
            engine.put("theirs", "running", labels={INSTANCE: "another API"})
            engine.operations()
            house.events.clear()
            async with house.running(engine):
                assert engine.operations() == [
                    ("adopt", "a"),
                    ("stop", "b", "7"),
                    ("start", "c"),
                    ("remove", "d", "True"),
                ]
                assert [is_listening(rows[name].port) for name in "abcd"] == [True, False, True, False]
                assert [row.name for row in house.store.rows()] == ["a", "b", "c"]
                assert house.said("half_made_server_removed") == [{"level": "info", "server": "d", "phase": "creating"}]
                assert house.said("orphan_found") == [{"level": "warning", "container": "lost", "name": "stray"}]
                assert house.said("server_not_resumed") == []

        run(work())

    def test_server_whose_container_is_gone_is_not_opened(self, house: House) -> None:
        async def work() -> None:
            async with house.running():
                row = await house.servers.create(SPEC)
            house.engine.containers.clear()
            house.engine.operations()
            async with house.running(house.engine):
                assert house.engine.operations() == []
                assert not is_listening(row.port)
                assert (await house.servers.info("one")).state == "dead"

        run(work())

    def test_one_that_cannot_be_taken_up_does_not_keep_the_others(self, house: House) -> None:
        async def work() -> None:
            async with house.running():
                rows = [await house.servers.create(replace(SPEC, name=name)) for name in ("a", "b", "c")]
            house.engine.put(rows[1].container_id, "exited")
            house.engine.refuses = {"start"}
            with bind("127.0.0.1", rows[0].port):
                async with house.running(house.engine):
                    assert house.said("server_not_resumed") == [
                        {"level": "error", "server": "a", "reason": "port taken"},
                        {"level": "error", "server": "b", "reason": "the engine refused to start"},
                    ]
                    assert is_listening(rows[2].port)

        run(work())

    def test_port_that_was_taken_is_opened_when_it_is_free(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        async def work() -> None:
            async with house.running():
                row = await house.servers.create(SPEC)
            monkeypatch.setattr(servers_module, "RETRY_S", 0.001)
            taken = bind("127.0.0.1", row.port)
            async with house.running(house.engine):
                assert not house.ports.is_open("one")
                taken.close()
                await until(lambda: house.ports.is_open("one"))
                assert is_listening(row.port)

        run(work())


def test_port_that_is_lost_is_opened_again_soon(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers_module, "RETRY_S", 3_600.0)
    monkeypatch.setattr(servers_module, "PAUSE_S", 0.0)

    async def work() -> None:
        async with house.running():
            row = await house.servers.create(SPEC)
            await house.ports.close("one")
            house.lose("one")
            await until(lambda: house.ports.is_open("one"))
            assert is_listening(row.port)

    run(work())


def test_round_of_retries_that_fails_is_followed_by_another(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers_module, "RETRY_S", 0.001)

    async def work() -> None:
        async with house.running():
            await house.servers.create(SPEC)
            # Before the port is closed, which a round may come between: it would open the port again.
            states, house.engine.states = house.engine.states, None  # type: ignore[method-assign, assignment]
            await house.ports.close("one")
            await until(lambda: house.said("server_not_retried"))
            assert house.said("server_not_retried")[0] == {
                "level": "error",
                "server": "one",
                "reason": "'NoneType' object is not callable",
            }
            house.engine.states = states  # type: ignore[method-assign]
            await until(lambda: house.ports.is_open("one"))

    run(work())


def test_ports_are_closed_at_the_end(house: House) -> None:
    async def work() -> None:
        async with house.running():
            row = await house.servers.create(SPEC)
        assert not is_listening(row.port)

    run(work())


def test_sockets_that_an_earlier_api_has_left_are_used(house: House) -> None:
    class Keeping(Ports):
        """Has sockets of an earlier API."""

        def take_sockets(self, name: str) -> Sockets | None:
            return left.pop(name, None)

        async def open(self, row: ServerRow, spec: LinkSpec, sockets: Sockets) -> None:
            opened.append(sockets)
            await super().open(row, spec, sockets)

    left: dict[str, Sockets] = {}
    opened: list[Sockets] = []

    async def work() -> None:
        async with house.running():
            row = await house.servers.create(SPEC)
        store = Store(house.folder)
        kept = Sockets(bind("127.0.0.1", row.port))
        left["one"] = kept
        make = lambda _: Keeping(Limits(), (), store.sessions_of)  # noqa: E731 - given once
        async with Servers(store, house.engine, Secrets(None), make, stop_timeout_s=1).running():
            assert opened == [kept]
            assert is_listening(row.port)
        store.close()

    run(work())
