"""What is there again when the API starts the next time, and ports that are lost meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from apis.tests.unit.tool.server_house import SPEC, House, opened, run
from apis.tests.unit.tool.worker_house import is_listening, until
from tool_api import servers as servers_module
from tool_api.endpoint.port import bind
from tool_api.endpoint.ports import Ports, Sockets
from tool_api.runtime.base import INSTANCE, LinkSpec
from tool_api.secret_store import Secrets
from tool_api.servers import Servers
from tool_api.settings import Limits
from tool_api.store import ServerRow, Store


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with opened(tmp_path) as made:
        yield made


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
