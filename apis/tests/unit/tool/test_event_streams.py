"""Event streams that break: their client comes back on another one, and each of its calls comes to an end."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import httpx
import pytest
from mcp.types import CONNECTION_CLOSED

from apis.tests.unit.tool.recorder import Recorder, call, run, serving, until
from tool_api.endpoint.bridge import bridge as bridge_module
from tool_api.endpoint.sse import streams as streams_module

# The SDK's transports leave the ends of streams to the collector.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning")


@pytest.fixture(autouse=True)
def _collect(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(streams_module, "BEGIN_S", 0.05)
    gc.freeze()
    yield
    gc.collect()
    gc.unfreeze()


class Stream:
    """An event stream of a client."""

    def __init__(self, client: httpx.AsyncClient, lines: AsyncIterator[str], agent: str) -> None:
        self._client, self._lines, self._agent = client, lines, agent
        self._address = ""

    async def begin(self) -> None:
        self._address = await self._next()

    async def post(self, message: dict[str, Any]) -> None:
        headers = {"user-agent": self._agent}
        assert (await self._client.post(self._address, json=message, headers=headers)).status_code == 202

    async def next(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(await self._next())
        return found

    async def _next(self) -> str:
        with anyio.fail_after(30):
            async for line in self._lines:
                if line.startswith("data: "):
                    return line.removeprefix("data: ")
        raise EOFError


@asynccontextmanager
async def listening(client: httpx.AsyncClient, agent: str = "node", version: str = "") -> AsyncIterator[Stream]:
    headers = {"user-agent": agent} | ({"mcp-protocol-version": version} if version else {})
    async with client.stream("GET", "/sse", headers=headers) as answer:
        stream = Stream(client, answer.aiter_lines(), agent)
        await stream.begin()
        yield stream


async def initialize(stream: Stream) -> None:
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    await stream.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
    assert (await stream.next())["id"] == 0
    await stream.post({"jsonrpc": "2.0", "method": "notifications/initialized"})


def lost(message: dict[str, Any]) -> Any:
    """Id of the call that a message says is lost."""
    assert message["error"]["code"] == CONNECTION_CLOSED, message
    assert "may have taken effect" in message["error"]["message"]
    return message["id"]


async def lose(client: httpx.AsyncClient, server: Recorder, *messages: dict[str, Any], agent: str = "node") -> None:
    """Make calls on a stream that ends before they are answered."""
    async with listening(client, agent) as stream:
        await initialize(stream)
        before = len(server.calls)
        for message in messages:
            await stream.post(message)
        await until(lambda: len(server.calls) == before + len(messages))
    await until(lambda: len(server.cancelled) >= len(server.calls))


def test_client_that_comes_back_is_told_that_its_calls_are_lost() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            async with listening(client) as stream:
                await initialize(stream)
                await stream.post(call(1, "quick"))
                assert (await stream.next())["id"] == 1
                await stream.post(call(2, "slow"))
                await stream.post(call("three", "slow"))
                await until(lambda: len(server.calls) == 3)
            await until(lambda: len(server.cancelled) == 2)
            async with listening(client, version="2025-06-18") as stream:
                assert [lost(await stream.next()), lost(await stream.next())] == [2, "three"]
                await stream.post(call(4, "quick"))
                answer = await stream.next()
                assert (answer["id"], answer["result"]) == (4, {"name": "quick"})

    run(test)


def test_client_that_begins_anew_and_one_of_another_kind_are_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            await lose(client, server, call(1, "slow"))
            async with AsyncExitStack() as stack:
                with monkeypatch.context() as patch:
                    patch.setattr(streams_module, "BEGIN_S", 3600)  # however long it takes until it begins
                    begun = await stack.enter_async_context(listening(client))
                    await initialize(begun)
                other = await stack.enter_async_context(listening(client, "python"))
                back = await stack.enter_async_context(listening(client))
                # By then it has been decided about the streams that were opened before.
                assert lost(await back.next()) == 1
                await initialize(other)
                for stream in (begun, other):
                    await stream.post(call(5, "quick"))
                    assert (await stream.next())["id"] == 5

    run(test)


def test_call_with_the_id_of_a_lost_one_gets_its_own_answer_only() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            await lose(client, server, call(1, "slow"), call(2, "slow"))
            async with listening(client, version="2025-06-18") as stream:
                await stream.post(call(1, "slow"))
                assert lost(await stream.next()) == 2
                server.finish.set()
                assert (await stream.next())["result"] == {"name": "slow"}

    run(test)


def test_another_process_tells_what_a_killed_one_has_lost(tmp_path: Path) -> None:
    async def test(server: Recorder) -> None:
        async with AsyncExitStack() as stack:
            _, client = await stack.enter_async_context(serving(server, tmp_path))
            stream = await stack.enter_async_context(listening(client))
            await initialize(stream)
            await stream.post(call(1, "slow"))
            await until(lambda: len(server.calls) == 1)
            # A process that is killed leaves what its successor finds.
            with TemporaryDirectory() as folder:
                (copy := Path(folder) / "calls").mkdir()
                (copy / "probe").write_bytes((tmp_path / "calls" / "probe").read_bytes())
                async with serving(Recorder(), Path(folder)) as (_, other), listening(other) as back:
                    assert lost(await back.next()) == 1
            server.finish.set()
            assert (await stream.next())["id"] == 1
        async with serving(server, tmp_path) as (_, client), listening(client, version="2025-06-18") as stream:
            await stream.post(call(2, "quick"))
            await asyncio.gather(*[stream.post(call(number, "quick")) for number in (3, 4)])
            assert {(await stream.next())["id"] for _ in range(3)} == {2, 3, 4}, "it was answered"

    run(test)


def test_client_is_told_of_more_lost_calls_than_may_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge_module, "OUTBOX_MESSAGES", 4)
    monkeypatch.setattr(streams_module, "TOLD_AT_ONCE", 3)
    numbers = range(1, 21)

    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            await lose(client, server, *(call(number, "slow") for number in numbers))
            async with listening(client) as stream:
                assert {lost(await stream.next()) for _ in numbers} == set(numbers)

    run(test)


def test_refused_message_is_no_call(tmp_path: Path) -> None:
    async def test(server: Recorder) -> None:
        async with serving(server, tmp_path) as (_, client), listening(client) as stream:
            for address in ("/messages/", "/messages/?session_id=0", f"/messages/?session_id={'0' * 32}"):
                assert (await client.post(address, json=call(1, "slow"))).status_code in {400, 404}
            assert not (tmp_path / "calls").exists()
            await initialize(stream)

    run(test)
