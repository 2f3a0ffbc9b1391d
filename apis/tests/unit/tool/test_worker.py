"""One worker: what it answers, whom it tells, when it ends, and its log."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import pytest

from apis.tests.unit.tool.worker_house import (
    LIMIT_S,
    LINK,
    House,
    is_listening,
    live,
    run,
    unhidden_stderr,
)
from tool_api import logs
from tool_api.store import ServerRow, dump_row
from tool_api.workers import worker as worker_module
from tool_api.workers.channel import Channel, NamedSocket
from tool_api.workers.processes import identify
from tool_api.workers.worker import Worker, WorkerLog

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files are handed over as Linux does it")


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
