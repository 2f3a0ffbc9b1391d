"""What the API knows of one worker: its answers, its end, and what is done when it does not answer."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from apis.tests.unit.tool.worker_house import (
    ENDED,
    LIMIT_S,
    House,
    run,
    until,
)
from tool_api.errors import EngineError
from tool_api.workers import pool as pool_module
from tool_api.workers.channel import Channel
from tool_api.workers.pool import WorkerHandle
from tool_api.workers.processes import ProcessId

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files are handed over as Linux does it")


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
