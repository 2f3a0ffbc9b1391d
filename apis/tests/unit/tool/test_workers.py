"""Both sides of a worker in one process: real workers run in the test's own loop, at the other end of a socket pair.

Where a worker is to fail, the test itself speaks for it.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import stat
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tool_api import logs
from tool_api.endpoint.port import bind
from tool_api.endpoint.ports import Sockets
from tool_api.errors import EngineError
from tool_api.runtime.base import LinkSpec
from tool_api.settings import Limits
from tool_api.store import ServerRow, ServerSpec, Store, dump_row
from tool_api.workers import Spawner, Start, Workers
from tool_api.workers import pool as pool_module
from tool_api.workers import worker as worker_module
from tool_api.workers.channel import Channel, NamedSocket
from tool_api.workers.pool import WorkerHandle
from tool_api.workers.processes import ProcessId, identify
from tool_api.workers.worker import Worker, WorkerLog

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files are handed over as Linux does it")
LIMIT_S = 240
LINK: LinkSpec = {"kind": "simulated", "tools": ["tell"]}
ENDED = "The process of the server's port has ended"


@contextmanager
def unhidden_stderr() -> Iterator[None]:
    """Write to the descriptor that a worker leads to its file; the test runner has put another file in its place."""
    hidden, sys.stderr = sys.stderr, os.fdopen(2, "w", closefd=False)
    try:
        yield
    finally:
        sys.stderr.close()
        sys.stderr = hidden


def run(work: Coroutine[Any, Any, None]) -> None:
    with unhidden_stderr():
        asyncio.run(asyncio.wait_for(work, LIMIT_S))


async def until(condition: Callable[[], object]) -> None:
    while not condition():  # noqa: ASYNC110 - what is waited for happens in the same loop
        await asyncio.sleep(0.001)


def is_listening(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


async def live(worker: Worker, connection: socket.socket) -> None:
    """Let a worker live in this process: at its end it closes what the end of a process would close."""
    try:
        await worker.work(connection)
    finally:
        tasks = list(worker._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await worker._ports.aclose()


class NotedWorker(Worker):
    """Notes each line that is logged: both sides of a worker have one log where they are in one process."""

    def __init__(self, start: Start, note: Callable[[str], None]) -> None:
        super().__init__(start)
        self._note = note

    def _write_log(self, line: str) -> None:
        self._note(line)
        super()._write_log(line)


class Here(Spawner):
    """Starts workers in this process."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self._house = house
        self.started: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    def spawn(self, start: Start) -> socket.socket:
        start.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self.started.append(start.worker)
        self.tasks.append(asyncio.create_task(live(NotedWorker(start, self._house.note), theirs)))
        return ours


class House:
    """A state folder with servers, and the lines that were logged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store(folder)
        self.lines: list[dict[str, Any]] = []
        self.told: list[str] = []
        """Lines that workers have handed over."""
        self.lost: list[str] = []
        self.start = Start("", folder, Limits(), (), "simulated ")

    def workers(self, spawner: Spawner, *, one_group: bool = True, start: Start | None = None) -> Workers:
        return Workers(
            spawner,
            start or self.start,
            group_of=lambda row: "all" if one_group else row.name,
            on_lost=self.lost.append,
        )

    def add(self, name: str = "one") -> tuple[ServerRow, Sockets]:
        """Make the row of a server and the socket of its port."""
        bound = bind("127.0.0.1", 0)
        port = bound.getsockname()[1]
        moment = "2025-05-01T10:00:00Z"
        row = ServerRow(ServerSpec(name, "mcp/one"), f"container-{name}", port, "kept", "running", moment, moment)
        self.store.add(row)
        return row, Sockets(bound)

    def note(self, line: str) -> None:
        self.lines.append(json.loads(line))

    def said(self, event: str) -> list[dict[str, Any]]:
        hidden = {"time", "event"}
        return [{k: v for k, v in one.items() if k not in hidden} for one in self.lines if one["event"] == event]

    def files(self) -> set[str]:
        return {path.suffix for path in (self.folder / "workers").iterdir()}


@pytest.fixture
def house(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Workers write their log to standard error of this process, which is given back at the end."""
    del capfd
    kept = os.dup(2)
    made = House(tmp_path)

    monkeypatch.setattr(pool_module, "write_line", made.told.append)
    logs.send_to(made.note)
    yield made
    logs.send_to(logs.write_line)
    made.store.close()
    os.dup2(kept, 2)
    os.close(kept)


class TestPool:
    def test_port_is_served_by_a_worker_until_it_is_closed(self, house: House) -> None:
        async def work() -> None:
            spawner = Here(house)
            workers = house.workers(spawner)
            row, sockets = house.add()
            assert not workers.is_open("one")
            await workers.open(row, LINK, sockets)
            assert sockets.clients.fileno() == -1, "the worker has its own"
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
            assert egress.fileno() == -1
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


class Peer:
    """The other end of a handle: what it is asked, and what it says."""

    def __init__(self, connection: socket.socket) -> None:
        self.channel = Channel(connection)
        self.asked: list[Any] = []

    async def hear(self) -> Any:
        received = await self.channel.receive()
        assert received is not None
        self.asked.append(received[0])
        return received[0]

    async def answer(self, **values: Any) -> None:
        message = await self.hear()
        await self.channel.send({"id": message["id"], **values})


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[WorkerHandle, Peer, list[str]]]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    closed: list[str] = []
    handle = WorkerHandle(ours, lambda _, name: closed.append(name))
    peer = Peer(theirs)
    try:
        yield handle, peer, closed
    finally:
        peer.channel.close()
        await handle.disconnect()


class TestHandle:
    def test_answers_are_told_apart_by_their_number(self, house: House) -> None:
        del house

        async def work() -> None:
            async with connected() as (handle, peer, _):
                first = asyncio.create_task(handle.ask("one", value=1))
                second = asyncio.create_task(handle.ask("two"))
                asked = [await peer.hear(), await peer.hear()]
                assert [{k: v for k, v in one.items() if k != "id"} for one in asked] == [
                    {"do": "one", "value": 1},
                    {"do": "two"},
                ]
                await peer.channel.send({"id": 999, "of": "nobody"})
                await peer.channel.send({"id": asked[1]["id"], "of": "two"})
                await peer.channel.send({"id": asked[1]["id"], "of": "two again"})
                await peer.channel.send({"id": asked[0]["id"], "of": "one"})
                assert [(await first)[0]["of"], (await second)[0]["of"]] == ["one", "two"]

        run(work())

    def test_files_come_with_the_answer(self, house: House) -> None:
        del house

        async def work() -> None:
            async with connected() as (handle, peer, _):
                read, write = os.pipe()
                asking = asyncio.create_task(handle.ask("open", [read]))
                received = await peer.channel.receive()
                assert received is not None
                message, files = received
                await peer.channel.send({"id": message["id"]}, [write])
                _, given = await asking
                os.write(given[0], b"x")
                assert os.read(files[0], 1) == b"x"
                for file in (read, write, *files, *given):
                    os.close(file)

        run(work())

    def test_refusal_is_its_error(self, house: House) -> None:
        del house

        async def work() -> None:
            async with connected() as (handle, peer, _):
                asking = asyncio.create_task(handle.ask("open"))
                await peer.answer(error="no address")
                with pytest.raises(EngineError, match=r"^no address$"):
                    await asking
                assert handle.is_connected

        run(work())

    def test_end_of_the_process_ends_all_that_waits_and_loses_its_ports(self, house: House) -> None:
        del house

        async def work() -> None:
            async with connected() as (handle, peer, closed):
                handle.names.update(("one", "two"))
                asking = [asyncio.create_task(handle.ask("open")) for _ in range(2)]
                await peer.hear()
                peer.channel.close()
                for one in asking:
                    with pytest.raises(EngineError, match=ENDED):
                        await one
                assert not handle.is_connected
                assert sorted(closed) == ["one", "two"]
                with pytest.raises(EngineError, match=ENDED):
                    await handle.ask("hello")
                await handle.until_ended(LIMIT_S)
                await asyncio.wait([handle._watcher], timeout=20)  # it would ask the next time in 30 seconds
                assert handle._watcher.cancelled()

        run(work())

    def test_worker_that_does_not_answer_is_given_up(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        del house
        monkeypatch.setattr(pool_module, "ANSWER_S", 0.01)

        async def work() -> None:
            async with connected() as (handle, peer, _):
                with pytest.raises(EngineError, match=ENDED):
                    await handle.ask("hello")
                late = await peer.hear()
                await peer.channel.send({"id": late["id"]})
                monkeypatch.setattr(pool_module, "ANSWER_S", LIMIT_S)
                asking = asyncio.create_task(handle.ask("hello"))
                await peer.answer(pid=1)
                assert (await asking)[0]["pid"] == 1, "its late answer has done no harm"

        run(work())

    def test_worker_tells_of_lines_and_of_ports_that_it_has_closed(self, house: House) -> None:
        async def work() -> None:
            async with connected() as (_, peer, closed):
                await peer.channel.send({"log": "a line"})
                await peer.channel.send({"closed": "one"})
                await until(lambda: closed)
                assert house.told == ["a line"]
                assert closed == ["one"]

        run(work())

    def test_worker_that_hangs_is_killed(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pool_module, "WATCH_S", 0.001)
        monkeypatch.setattr(pool_module, "ANSWER_S", 0.01)

        async def work() -> None:
            async with connected() as (handle, peer, _):
                handle.process = ProcessId(os.getpid(), "0@another boot")  # nobody is killed
                assert (await peer.hear())["do"] == "hello"
                await until(lambda: house.said("worker_killed"))
                assert house.said("worker_killed") == [{"level": "warning", "pid": os.getpid()}]
                await until(handle._watcher.done)

        run(work())

    def test_worker_that_answers_is_asked_again_and_again(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pool_module, "WATCH_S", 0.001)

        async def work() -> None:
            async with connected() as (handle, peer, _):
                handle.process = ProcessId(os.getpid(), "0@another boot")
                for _ in range(3):
                    await peer.answer()
                assert house.said("worker_killed") == []
                assert handle.is_connected

        run(work())

    def test_process_that_does_not_end_in_time_is_killed(self, house: House) -> None:
        async def work() -> None:
            async with connected() as (handle, _, _closed):
                await handle.until_ended(0.001)
                assert house.said("worker_killed") == [], "its process is not known"
                handle.process = ProcessId(os.getpid(), "0@another boot")
                await handle.until_ended(0.001)
                assert len(house.said("worker_killed")) == 1

        run(work())

    def test_disconnection_leaves_ports_open(self, house: House) -> None:
        del house

        async def work() -> None:
            async with connected() as (handle, peer, closed):
                asking = asyncio.create_task(handle.ask("hello"))
                await peer.answer()
                await asking
                await handle.disconnect()
                assert not handle.is_connected
                assert closed == []
                assert await peer.channel.receive() is None

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
            await workers.open(row, LINK, Sockets(bind("127.0.0.1", row.port)))
            assert spawner.started == ["all", "all"]
            assert workers.is_open("one")
            await workers.aclose(ends=True)
            assert house.lost == ["one"]

        run(work())


@asynccontextmanager
async def worker_of(house: House, name: str = "one") -> AsyncIterator[tuple[Channel, asyncio.Task[None]]]:
    start = replace(house.start, worker=name).identified()
    start.folder.mkdir(mode=0o700, exist_ok=True)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    task = asyncio.create_task(live(Worker(start), theirs))
    channel = Channel(ours)
    try:
        yield channel, task
    finally:
        with suppress(OSError):
            await channel.send({"id": 0, "do": "end"})
        await task
        channel.close()


async def ask(channel: Channel, do: str, files: list[int] | None = None, **values: Any) -> tuple[Any, list[int]]:
    """Ask a worker, and pass over what it tells by itself."""
    await channel.send({"id": 7, "do": do, **values}, files or [])
    while received := await channel.receive():
        if "id" in received[0]:
            return received
    raise AssertionError("it has hung up")


def opening(house: House, name: str = "one") -> tuple[ServerRow, list[int], dict[str, Any]]:
    row, sockets = house.add(name)
    return row, [sockets.clients.detach()], {"row": dump_row(row), "link": dict(LINK)}


class TestWorker:
    def test_worker_says_who_it_is_and_is_found_by_its_record(self, house: House) -> None:
        async def work() -> None:
            async with worker_of(house) as (channel, task):
                hello, _ = await ask(channel, "hello")
                identity = replace(house.start, worker="one").identified().identity
                assert hello == {"id": 7, "identity": identity, "pid": os.getpid(), "ports": {}}
                folder = house.folder / "workers"
                record = folder / f"one.{os.getpid()}.json"
                process = identify(os.getpid())
                assert process is not None
                assert json.loads(record.read_text()) == {
                    "pid": os.getpid(),
                    "started": process.started,
                    "socket": f"{os.getpid()}.sock",
                }
                for path in (record, folder / f"{os.getpid()}.sock", folder / "one.log"):
                    assert stat.S_IMODE(path.stat().st_mode) == 0o600
                assert await ask(channel, "end") == ({"id": 7}, [])
                await asyncio.wait_for(asyncio.shield(task), LIMIT_S)
                assert house.files() == {".log"}
                written = [json.loads(line)["event"] for line in (folder / "one.log").read_text().splitlines()]
                assert written == ["worker_started", "worker_ended"]

        run(work())

    def test_further_apis_connect_to_its_socket_and_all_hear_what_it_logs(self, house: House) -> None:
        async def work() -> None:
            async with worker_of(house) as (channel, _):
                await ask(channel, "hello")
                other = Channel(NamedSocket(house.folder / "workers" / f"{os.getpid()}.sock").connect())
                assert (await ask(other, "hello"))[0]["pid"] == os.getpid()
                logs.log("tested", number=3)
                for one in (channel, other):
                    received = await one.receive()
                    assert received is not None
                    line = json.loads(received[0]["log"])
                    assert (line["event"], line["number"]) == ("tested", 3)
                other.close()
                await ask(channel, "hello")

        run(work())

    def test_port_is_opened_and_closed(self, house: House) -> None:
        async def work() -> None:
            async with worker_of(house) as (channel, _):
                row, files, values = opening(house)
                assert await ask(channel, "open", files, **values) == ({"id": 7}, [])
                os.close(files[0])
                assert is_listening(row.port)
                assert (await ask(channel, "hello"))[0]["ports"] == {"one": "container-one"}
                assert await ask(channel, "close", name="one") == ({"id": 7}, [])
                assert not is_listening(row.port)
                assert (await ask(channel, "hello"))[0]["ports"] == {}

        run(work())

    @pytest.mark.parametrize(
        ("do", "values", "said"),
        [("open", {}, "KeyError"), ("close", {}, "KeyError"), ("open", {"row": "{", "link": {}}, "TypeError")],
    )
    def test_request_that_fails_is_answered_with_its_error(
        self, house: House, do: str, values: dict[str, Any], said: str
    ) -> None:
        async def work() -> None:
            async with worker_of(house) as (channel, task):
                answer, _ = await ask(channel, do, **values)
                assert set(answer) == {"id", "error"}
                assert answer["error"] in {said, "JSONDecodeError", "AttributeError"}
                assert (await ask(channel, "hello"))[0]["pid"] == os.getpid()
                assert not task.done()

        run(work())

    def test_sockets_are_released_and_calls_come_to_their_end_before_the_worker(self, house: House) -> None:
        async def work() -> None:
            async with worker_of(house) as (channel, task):
                row, files, values = opening(house)
                await ask(channel, "open", files, **values)
                os.close(files[0])
                answer, given = await ask(channel, "release", drain_s=5.0)
                assert answer == {"id": 7, "sockets": [{"name": "one", "has_egress": False}]}
                with socket.socket(fileno=given[0]) as kept:
                    assert kept.getsockname()[1] == row.port
                    await asyncio.wait_for(asyncio.shield(task), LIMIT_S)
                    assert is_listening(row.port)
                assert not is_listening(row.port)

        run(work())

    def test_api_hears_of_a_port_that_is_closed_without_its_doing(self, house: House) -> None:
        async def work() -> None:
            start = replace(house.start, worker="one").identified()
            start.folder.mkdir(mode=0o700)
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            worker = Worker(start)
            task = asyncio.create_task(live(worker, theirs))
            channel = Channel(ours)
            _, files, values = opening(house)
            await ask(channel, "open", files, **values)
            os.close(files[0])
            await worker._ports.close("one")  # as a failure of the port does
            while received := await channel.receive():
                if "closed" in received[0]:
                    break
            assert received == ({"closed": "one"}, [])
            await ask(channel, "end")
            await task
            channel.close()

        run(work())

    @pytest.mark.parametrize("how", ["signal", "record", "folder"])
    def test_worker_ends_on_a_signal_and_when_nobody_could_find_it(
        self, house: House, monkeypatch: pytest.MonkeyPatch, how: str
    ) -> None:
        monkeypatch.setattr(worker_module, "WATCH_S", 0.001)

        async def work() -> None:
            async with worker_of(house) as (channel, task):
                await ask(channel, "hello")
                record = house.folder / "workers" / f"one.{os.getpid()}.json"
                if how == "signal":
                    os.kill(os.getpid(), signal.SIGTERM)
                elif how == "record":
                    record.unlink()
                else:
                    fresh = record.with_suffix(".other")
                    fresh.write_text(record.read_text())
                    fresh.replace(record)
                await asyncio.wait_for(asyncio.shield(task), LIMIT_S)

        run(work())

    def test_worker_that_is_found_stays(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(worker_module, "WATCH_S", 0.0)

        async def work() -> None:
            async with worker_of(house) as (channel, task):
                for _ in range(20):
                    await ask(channel, "hello")
                assert not task.done()

        run(work())


def test_log_of_a_worker_is_put_aside_when_it_is_long(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "MAX_LOG_BYTES", 10)
    path = house.folder / "one.log"
    log = WorkerLog(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with unhidden_stderr():
        for line in ("first line", "second line", "third line"):
            log.write(line)
    assert path.read_text() == "third line\n"
    assert path.with_suffix(".log.1").read_text() == "second line\n"


def test_log_that_cannot_be_written_stops_nothing(house: House) -> None:
    with unhidden_stderr():
        WorkerLog(house.folder / "missing" / "one.log").write("x")
