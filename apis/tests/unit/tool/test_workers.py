"""Ports in workers: who serves which, how they are handed over, and what becomes of them when a worker ends."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from apis.tests.unit.tool.worker_house import (
    LINK,
    Here,
    House,
    is_listening,
    run,
    until,
)
from tool_api.endpoint.port import bind
from tool_api.endpoint.ports import Sockets
from tool_api.errors import EngineError
from tool_api.runtime.simulated import SimulatedRuntime
from tool_api.secret_store import Secrets
from tool_api.servers import Servers
from tool_api.settings import Limits
from tool_api.store import ServerSpec
from tool_api.workers import Start, Workers
from tool_api.workers.channel import NamedSocket
from tool_api.workers.processes import identify

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files are handed over as Linux does it")


class Outliving(SimulatedRuntime):
    """Its servers go on without the API, as containers do."""

    outlives = True


def listening_socket(port: int) -> str:
    """Number of the socket that listens on a port of the loopback address: another one, if it is bound anew."""
    lines = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    (number,) = (line[9] for line in lines if line[1] == f"0100007F:{port:04X}" and line[3] == "0A")
    return number


class TestPool:
    def test_port_is_served_by_a_worker_until_it_is_closed(self, house: House) -> None:
        async def work() -> None:
            spawner = Here(house)
            workers = house.workers(spawner)
            row, sockets = house.add()
            assert not workers.is_open("one")
            await workers.open(row, LINK, sockets)
            assert (workers.is_open("one"), workers.holds(row)) == (True, True)
            assert not workers.holds(replace(row, container_id="another"))
            assert is_listening(row.port)
            assert spawner.started == ["all"]
            assert house.files() == {".sock", ".json", ".log"}
            await workers.close("one")
            assert (workers.is_open("one"), is_listening(row.port)) == (False, False)
            await workers.close("one")
            await asyncio.gather(*spawner.tasks)
            assert house.files() == {".log"}
            assert house.lost == []
            await workers.aclose(ends=True)

        run(work())

    def test_worker_of_several_servers_ends_with_the_last_one(self, house: House) -> None:
        async def work() -> None:
            spawner = Here(house)
            workers = house.workers(spawner)
            (first, first_sockets), (second, second_sockets) = house.add("one"), house.add("two")
            await workers.open(first, LINK, first_sockets)
            await workers.open(second, LINK, second_sockets)
            assert spawner.started == ["all"]
            await workers.close("one")
            assert [is_listening(row.port) for row in (first, second)] == [False, True]
            assert not spawner.tasks[0].done()
            await workers.close("two")
            await asyncio.gather(*spawner.tasks)
            third, sockets = house.add("three")
            await workers.open(third, LINK, sockets)
            assert spawner.started == ["all", "all"]
            await workers.aclose(ends=True)
            assert not is_listening(third.port)

        run(work())

    def test_server_has_a_worker_of_its_own_where_its_group_says_so(self, house: House) -> None:
        async def work() -> None:
            spawner = Here(house)
            workers = house.workers(spawner, one_group=False)
            for name in ("one", "two"):
                row, sockets = house.add(name)
                await workers.open(row, LINK, sockets)
            assert spawner.started == ["one", "two"]
            await workers.close("one")
            await spawner.tasks[0]
            assert workers.is_open("two")
            assert list(workers._workers) == ["two"]
            await workers.aclose(ends=True)
            await asyncio.gather(*spawner.tasks)
            assert not workers.is_open("two")

        run(work())

    def test_port_that_cannot_be_opened_is_refused_and_its_worker_ends(self, house: House) -> None:
        async def work() -> None:
            spawner = Here(house)
            workers = house.workers(spawner)
            row, sockets = house.add()
            with pytest.raises(EngineError, match=r"^KeyError$"):
                await workers.open(row, {"kind": "docker"}, sockets)
            assert sockets.clients.fileno() == -1
            assert not workers.is_open("one")
            await asyncio.gather(*spawner.tasks)
            assert house.lost == []
            await workers.aclose(ends=True)

        run(work())

    def test_later_api_takes_over_what_an_earlier_one_has_left(self, house: House) -> None:
        async def work() -> None:
            spawner = Here(house)
            earlier = house.workers(spawner)
            rows = []
            for name in ("one", "two"):
                row, sockets = house.add(name)
                await earlier.open(row, LINK, sockets)
                rows.append(row)
            await earlier.aclose(ends=False)
            assert not earlier.is_open("one")
            assert all(is_listening(row.port) for row in rows)
            folder = house.folder / "workers"
            (folder / "broken.7.json").write_text("{")
            (folder / "incomplete.8.json").write_text('{"pid": 1}')
            (folder / "ended.9.json").write_text('{"pid": 1, "started": "1@another", "socket": "9.sock"}')
            (folder / "9.sock").touch()
            (folder / "lone.10.json").write_text('{"pid": 1, "started": "1@another", "socket": "10.sock"}')
            later = house.workers(spawner)
            await later.adopt()
            assert sorted(path.name for path in folder.glob("*.json")) == [f"all.{os.getpid()}.json"]
            assert not (folder / "9.sock").exists()
            assert house.said("worker_adopted") == [{"level": "info", "worker": "all", "servers": 2}]
            assert [later.holds(row) for row in rows] == [True, True]
            assert later.take_sockets("one") is None
            third, sockets = house.add("three")
            await later.open(third, LINK, sockets)
            assert spawner.started == ["all"], "in the worker that was there"
            await later.close_others({"two", "three"})
            assert [later.is_open(name) for name in ("one", "two", "three")] == [False, True, True]
            assert not is_listening(rows[0].port)
            await later.close_others(set())
            await asyncio.gather(*spawner.tasks)
            await later.aclose(ends=True)

        run(work())

    def test_name_of_a_worker_may_have_dots(self, house: House) -> None:
        async def work() -> None:
            spawner = Here(house)
            earlier = house.workers(spawner, one_group=False)
            row, sockets = house.add("one.two.json")
            await earlier.open(row, LINK, sockets)
            await earlier.aclose(ends=False)
            later = house.workers(spawner, one_group=False)
            await later.adopt()
            assert [line["worker"] for line in house.said("worker_adopted")] == ["one.two.json"]
            assert list(later._workers) == ["one.two.json"]
            await later.aclose(ends=True)

        run(work())

    @pytest.mark.costly
    def test_worker_of_other_settings_hands_its_sockets_over(self, house: House) -> None:
        async def work() -> None:
            spawner = Here(house)
            earlier = house.workers(spawner)
            rows = []
            for name in ("one", "two", "three"):
                row, sockets = house.add(name)
                await earlier.open(row, LINK, sockets)
                rows.append(row)
            await earlier.aclose(ends=False)
            other = replace(house.start, limits=Limits(ready_timeout_s=1))
            later = house.workers(spawner, start=other)
            await later.adopt()
            assert spawner.tasks[0].done()
            assert house.said("worker_replaced") == [{"level": "info", "servers": 3}]
            assert not later.is_open("one")
            assert all(is_listening(row.port) for row in rows), "whoever connects meanwhile waits"
            taken = later.take_sockets("one")
            assert taken is not None
            assert (taken.clients.getsockname()[1], taken.clients.getblocking()) == (rows[0].port, False)
            assert taken.egress is None
            assert later.take_sockets("one") is None
            await later.open(rows[0], LINK, taken)
            assert later.holds(rows[0])
            await later.close("two")
            assert [is_listening(row.port) for row in rows] == [True, False, True]
            await later.close_others({"one"})
            assert [is_listening(row.port) for row in rows] == [True, False, False]
            await later.aclose(ends=True)

        run(work())

    @pytest.mark.costly
    def test_clients_that_connect_while_a_worker_is_replaced_are_served_by_the_next(self, house: House) -> None:
        """The port was bound anew, which broke off the connections that waited at it."""

        async def work() -> None:
            spawner, runtime = Here(house), Outliving(lambda _image: ["tell"])

            def servers(start: Start) -> Servers:
                def make(_on_lost: Callable[[str], None]) -> Workers:
                    return house.workers(spawner, start=start)

                return Servers(house.store, runtime, Secrets(None), make, stop_timeout_s=1)

            async with (first := servers(house.start)).running():
                row = await first.create(ServerSpec("one", "mcp/one"))
            waited_at = listening_socket(row.port)
            async with servers(replace(house.start, limits=Limits(ready_timeout_s=1))).running():
                assert house.said("worker_replaced") == [{"level": "info", "servers": 1}]
                assert listening_socket(row.port) == waited_at
            later = house.workers(spawner, start=replace(house.start, limits=Limits(ready_timeout_s=1)))
            await later.adopt()
            await later.aclose(ends=True)

        run(work())

    @pytest.mark.parametrize("is_adopted", [False, True])
    def test_clients_that_connect_after_the_end_of_a_worker_wait_for_the_next(
        self, house: House, is_adopted: bool
    ) -> None:
        """They were refused until the port was bound anew; some clients give up after two attempts."""

        async def work() -> None:
            spawner = Here(house)
            workers = house.workers(spawner)
            row, sockets = house.add()
            await workers.open(row, LINK, sockets)
            if is_adopted:
                await workers.aclose(ends=False)
                workers = house.workers(spawner)
                await workers.adopt()
            waited_at = listening_socket(row.port)
            spawner.tasks[0].cancel()
            await until(lambda: house.lost)
            assert not workers.is_open("one")
            assert listening_socket(row.port) == waited_at
            taken = workers.take_sockets("one")
            assert taken is not None
            await workers.open(row, LINK, taken)
            assert (workers.is_open("one"), listening_socket(row.port)) == (True, waited_at)
            await workers.close("one")
            assert not is_listening(row.port)
            await workers.aclose(ends=True)

        run(work())

    @pytest.mark.parametrize("is_lost", [False, True])
    def test_port_of_a_server_that_is_closed_is_refused(self, house: House, is_lost: bool) -> None:
        async def work() -> None:
            spawner = Here(house)
            workers = house.workers(spawner)
            row, sockets = house.add()
            await workers.open(row, LINK, sockets)
            if is_lost:
                spawner.tasks[0].cancel()
                await until(lambda: house.lost)
                await asyncio.gather(*spawner.tasks, return_exceptions=True)
            await workers.close("one")
            assert not is_listening(row.port)
            await workers.aclose(ends=True)

        run(work())

    def test_sockets_that_nobody_has_taken_are_closed_at_the_end(self, house: House) -> None:
        async def work() -> None:
            spawner = Here(house)
            earlier = house.workers(spawner)
            row, sockets = house.add()
            await earlier.open(row, LINK, sockets)
            await earlier.aclose(ends=False)
            later = house.workers(spawner, start=replace(house.start, origins=("http://x",)))
            await later.adopt()
            assert is_listening(row.port)
            await later.aclose(ends=True)
            assert not is_listening(row.port)

        run(work())

    def test_worker_that_hangs_up_while_it_is_adopted_is_left_out(self, house: House) -> None:
        async def work() -> None:
            folder = house.folder / "workers"
            folder.mkdir(mode=0o700)
            process = identify(os.getpid())
            assert process is not None
            record = {"pid": process.pid, "started": process.started, "socket": "7.sock"}
            (folder / "all.7.json").write_text(json.dumps(record))
            with NamedSocket(folder / "7.sock").listen() as listener:
                listener.setblocking(False)
                workers = house.workers(Here(house))
                adopting = asyncio.create_task(workers.adopt())
                connection, _ = await asyncio.get_running_loop().sock_accept(listener)
                connection.close()
                await adopting
            assert house.said("worker_adopted") == house.said("worker_killed") == []
            await workers.aclose(ends=True)

        run(work())

    def test_socket_of_an_egress_proxy_is_handed_over_beside_that_of_the_port(self, house: House) -> None:
        async def work() -> None:
            spawner = Here(house)
            earlier = house.workers(spawner)
            row, sockets = house.add()
            egress = bind("127.0.0.1", 0)
            place = egress.getsockname()
            await earlier.open(row, LINK, Sockets(sockets.clients, egress))
            assert is_listening(place[1])
            await earlier.aclose(ends=False)
            later = house.workers(spawner, start=replace(house.start, origins=("http://x",)))
            await later.adopt()
            taken = later.take_sockets("one")
            assert taken is not None
            assert taken.egress is not None
            assert (taken.clients.getsockname()[1], taken.egress.getsockname()) == (row.port, place)
            taken.close()
            assert (taken.clients.fileno(), taken.egress.fileno()) == (-1, -1)
            await later.aclose(ends=True)

        run(work())


class TestLostPorts:
    def test_port_that_a_worker_has_closed_is_lost_and_can_be_opened_anew(self, house: House) -> None:
        async def work() -> None:
            spawner = Here(house)
            workers = house.workers(spawner)
            row, sockets = house.add()
            await workers.open(row, LINK, sockets)
            spawner.tasks[0].cancel()
            await until(lambda: house.lost)
            assert house.lost == ["one"]
            assert house.said("port_lost") == [{"level": "error", "server": "one"}]
            await asyncio.gather(*spawner.tasks, return_exceptions=True)
            assert not workers.is_open("one")
            taken = workers.take_sockets("one")
            assert taken is not None
            await workers.open(row, LINK, taken)
            assert spawner.started == ["all", "all"]
            assert workers.is_open("one")
            await workers.aclose(ends=True)
            assert house.lost == ["one"]

        run(work())
