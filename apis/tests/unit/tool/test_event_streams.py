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
from tool_api.endpoint.sse.unanswered import UnansweredCalls
from tool_api.store import Store

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
    """An event stream of a client, as the SDK for TypeScript reads it."""

    def __init__(self, client: httpx.AsyncClient, lines: AsyncIterator[str], address: str) -> None:
        self._client, self._lines = client, lines
        self.address = address

    async def begin(self, *, answers: bool) -> None:
        """Read until the address for messages, and answer what is asked before at the one that is known."""
        while not (text := await self._next()).startswith("/"):
            asked = json.loads(text)
            assert asked["method"] == "ping"
            if answers:
                await self.post({"jsonrpc": "2.0", "id": asked["id"], "result": {}})
        self.address = text

    async def post(self, message: dict[str, Any]) -> None:
        assert (await self._client.post(self.address, json=message)).status_code == 202

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
async def listening(
    client: httpx.AsyncClient, former: Stream | None = None, *, answers: bool = True
) -> AsyncIterator[Stream]:
    """Open a stream.

    Args:
        client: Opens it.
        former: The stream that it had before.
        answers: Whether it answers what it is asked before it knows where to send messages.
    """
    headers = {"mcp-protocol-version": "2025-06-18"} if former else {}
    async with client.stream("GET", "/sse", headers=headers) as answer:
        stream = Stream(client, answer.aiter_lines(), former.address if former else "")
        await stream.begin(answers=answers)
        yield stream


async def initialize(stream: Stream, features: dict[str, Any] | None = None) -> None:
    params = {
        "protocolVersion": "2025-06-18",
        "capabilities": features or {},
        "clientInfo": {"name": "c", "version": "1"},
    }
    await stream.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
    assert (await stream.next())["id"] == 0
    await stream.post({"jsonrpc": "2.0", "method": "notifications/initialized"})


def lost(message: dict[str, Any]) -> Any:
    """Id of the call that a message says is lost."""
    assert message["error"]["code"] == CONNECTION_CLOSED, message
    assert "may have taken effect" in message["error"]["message"]
    return message["id"]


async def lose(client: httpx.AsyncClient, server: Recorder, *messages: dict[str, Any]) -> Stream:
    """Make calls on a stream that ends before they are answered."""
    async with listening(client) as stream:
        await initialize(stream)
        before = len(server.calls)
        for message in messages:
            await stream.post(message)
        await until(lambda: len(server.calls) == before + len(messages))
    await until(lambda: len(server.cancelled) >= len(server.calls))
    return stream


@pytest.mark.costly
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
            async with listening(client, stream) as back:
                assert [lost(await back.next()), lost(await back.next())] == [2, "three"]
                await back.post(call(4, "quick"))
                answer = await back.next()
                assert (answer["id"], answer["result"]) == (4, {"name": "quick"})
            # It has been told.
            async with listening(client, back) as again:
                await again.post(call(5, "quick"))
                assert (await again.next())["id"] == 5

    run(test)


def test_client_that_comes_back_and_names_no_version_goes_on_without_initialize() -> None:
    """The SDK for TypeScript before 1.13: all its further calls were refused."""

    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            async with listening(client) as stream:
                await initialize(stream)
            async with listening(client) as back:
                await back.post({"jsonrpc": "2.0", "id": "p", "method": "ping"})
                assert (await back.next())["id"] == "p"
                for number in (4, 5):
                    await back.post(call(number, "quick"))
                    answer = await back.next()
                    assert (answer["id"], answer.get("result")) == (number, {"name": "quick"})

    run(test)


def test_client_that_begins_is_still_initialized_after_a_ping(tmp_path: Path) -> None:
    async def test(server: Recorder) -> None:
        async with serving(server, tmp_path) as (_, client), listening(client) as stream:
            await stream.post({"jsonrpc": "2.0", "id": "p", "method": "ping"})
            assert (await stream.next())["id"] == "p"
            await initialize(stream)
            await stream.post(call(1, "quick"))
            assert (await stream.next())["result"] == {"name": "quick"}

    run(test)


def test_each_client_is_told_of_its_own_calls() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            formers = [
                await lose(client, server, *(call(number, "slow") for number in ids)) for ids in ((1, 2), (2, 3))
            ]
            new = await lose(client, server)
            async with (
                listening(client, new) as third,
                listening(client, formers[1]) as second,
                listening(client, formers[0]) as first,
            ):
                assert [lost(await second.next()) for _ in range(2)] == [2, 3]
                assert [lost(await first.next()) for _ in range(2)] == [1, 2]
                for stream in (first, second, third):
                    await stream.post(call(9, "quick"))
                    assert (await stream.next())["id"] == 9

    run(test)


def test_client_that_begins_anew_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            former = await lose(client, server, call(1, "slow"))
            monkeypatch.setattr(streams_module, "BEGIN_S", 3600)  # however long it takes until it begins
            async with listening(client, former) as stream:
                await initialize(stream)
                await stream.post(call(1, "quick"))
                assert (await stream.next())["result"] == {"name": "quick"}
            monkeypatch.setattr(streams_module, "BEGIN_S", 0.05)
            async with listening(client, stream) as back:
                await back.post(call(2, "quick"))
                assert (await back.next())["id"] == 2

    run(test)


def test_client_that_does_not_say_which_stream_was_its_own_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams_module, "FORMER_S", 0.05)

    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            former = await lose(client, server, call(1, "slow"))
            async with listening(client, former, answers=False) as stream:
                await stream.post(call(1, "quick"))
                assert (await stream.next())["result"] == {"name": "quick"}

    run(test)


def test_stream_whose_end_was_not_noticed_ends_when_its_client_comes_back() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client), listening(client) as stream:
            await initialize(stream)
            await stream.post(call(1, "slow"))
            await until(lambda: len(server.calls) == 1)
            async with listening(client, stream) as back:
                assert lost(await back.next()) == 1
                with pytest.raises((EOFError, httpx.RemoteProtocolError)):
                    await stream.next()

    run(test)


def test_features_of_a_client_are_known_on_its_next_stream(tmp_path: Path) -> None:
    async def test(server: Recorder) -> None:
        store = Store(tmp_path)
        memory = store.sessions_of("probe")
        async with serving(server, tmp_path) as (_, client):
            former: Stream | None = None
            names = []
            for _ in range(3):
                async with listening(client, former) as stream:
                    if former is None:
                        await initialize(stream, {"sampling": {}})
                    names.append(stream.address.partition("=")[2])
                former = stream
            found = [memory.find(name) for name in names]
        store.close()
        assert found[:2] == [None, None]
        assert found[2] is not None
        assert found[2].capabilities == {"sampling": {}}

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
                async with serving(Recorder(), Path(folder)) as (_, other), listening(other, stream) as back:
                    assert lost(await back.next()) == 1
            server.finish.set()
            assert (await stream.next())["id"] == 1
        async with serving(server, tmp_path) as (_, client), listening(client, stream) as back:
            await asyncio.gather(*[back.post(call(number, "quick")) for number in (2, 3)])
            assert {(await back.next())["id"] for _ in range(2)} == {2, 3}, "the first one was answered"

    run(test)


def test_call_that_is_refused_when_the_server_is_stopped_has_no_second_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(server: Recorder) -> None:
        async with serving(server, tmp_path) as (endpoint, client), listening(client) as stream:
            await initialize(stream)
            await stream.post(call(1, "slow"))
            await until(lambda: len(server.calls) == 1)
            closing = asyncio.create_task(endpoint.close())
            assert (await stream.next())["error"]["message"] == "The server is being stopped"
            await closing
        assert caplog.records == [], "the end of a stream is not a failure"
        # What the next process would tell the client of.
        assert UnansweredCalls(tmp_path / "calls" / "probe").open("next", stream.address.partition("=")[2]) == []

    run(test)


def test_client_is_told_of_more_lost_calls_than_may_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge_module, "OUTBOX_MESSAGES", 4)
    monkeypatch.setattr(streams_module, "TOLD_AT_ONCE", 3)
    numbers = range(1, 21)

    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            former = await lose(client, server, *(call(number, "slow") for number in numbers))
            async with listening(client, former) as stream:
                assert [lost(await stream.next()) for _ in numbers] == [*numbers]

    run(test)


def test_stream_ends_when_too_much_waits_for_its_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge_module, "OUTBOX_BYTES", -1)

    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client), listening(client) as stream:
            params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
            await stream.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
            with pytest.raises((EOFError, httpx.RemoteProtocolError)):
                await stream.next()

    run(test)


def test_refused_message_is_no_call(tmp_path: Path) -> None:
    async def test(server: Recorder) -> None:
        async with serving(server, tmp_path) as (_, client), listening(client) as stream:
            for address in ("/messages/", "/messages/?session_id=0", f"/messages/?session_id={'0' * 32}"):
                assert (await client.post(address, json=call(1, "slow"))).status_code in {400, 404}
            assert not (tmp_path / "calls").exists()
            await initialize(stream)

    run(test)
