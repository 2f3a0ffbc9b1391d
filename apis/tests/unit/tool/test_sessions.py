"""Sessions at the port of a stdio server: a client that leaves cancels its calls, an idle session is evicted, and closing leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sniffio

from apis.tests.unit.tool.recorder import (
    Recorder,
    call,
    initialize,
    message_of,
    run,
    serving,
    until,
)
from tool_api import logs
from tool_api.endpoint import sessions as sessions_module
from tool_api.endpoint.endpoint import Endpoint
from tool_api.endpoint.port import bind
from tool_api.settings import Limits
from tool_api.store import ServerRow, ServerSpec, Store

# The SDK's transports leave the ends of streams to the collector.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning")


@pytest.fixture(autouse=True)
def _collect() -> Iterator[None]:
    gc.freeze()  # what is there already is not part of the test, and most of what the collector would look at
    yield
    gc.collect()
    gc.unfreeze()


@contextmanager
def begun_by(identifier: str) -> Iterator[None]:
    """What is done in the block is done for a request."""
    token = logs.request_id.set(identifier)
    try:
        yield
    finally:
        logs.request_id.reset(token)


def test_deleted_session_cancels_its_calls() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session, other = await initialize(client), await initialize(client)
            posts = [
                asyncio.create_task(client.post("/mcp", json=call(1, "slow"), headers=session)),
                asyncio.create_task(client.post("/mcp", json=call(1, "slow"), headers=other)),
            ]
            await until(lambda: len(server.calls) == 2)
            assert (await client.delete("/mcp", headers=session)).status_code == 200
            await until(lambda: len(server.cancelled) == 1)
            answer = message_of((await posts[0]).text)
            assert (answer["id"], answer["error"]["code"]) == (1, -32800)
            assert (await client.post("/mcp", json=call(2, "quick"), headers=session)).status_code == 404
            assert not posts[1].done()
            for post in posts:
                post.cancel()
            await asyncio.gather(*posts, return_exceptions=True)

    run(test)


def test_client_that_closes_the_stream_of_its_answer_cancels_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions_module, "RESUME_S", 0.1)

    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session = await initialize(client)
            post = asyncio.create_task(client.post("/mcp", json=call(1, "slow"), headers=session))
            await until(lambda: len(server.calls) == 1)
            post.cancel()
            await until(lambda: len(server.cancelled) == 1)
            answer = await client.post("/mcp", json=call(2, "quick"), headers=session)
            assert message_of(answer.text)["result"] == {"name": "quick"}
            assert len(server.cancelled) == 1, "an answered call is not cancelled"

    run(test)


def test_call_that_ends_in_a_callback_of_the_loop_is_looked_after_where_sniffio_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Outside of tasks sniffio knows no event loop, and with it anyio."""
    monkeypatch.setattr(sessions_module, "RESUME_S", 0.0)

    async def test(server: Recorder) -> None:
        loop = asyncio.get_running_loop()
        failures: list[dict[str, Any]] = []
        loop.set_exception_handler(lambda _, context: failures.append(context))
        known: list[bool] = []
        loop.call_soon(lambda: known.append(_knows_the_library()))
        await until(lambda: known)
        assert known == [False]
        async with serving(server) as (_, client):
            session = await initialize(client) | {"mcp-protocol-version": "2025-11-25"}
            async with client.stream("POST", "/mcp", json=call(1, "slow"), headers=session) as answer:
                await anext(answer.aiter_text())  # an application answers by now, and its task ends in a callback
                await until(lambda: server.calls)
            await until(lambda: server.cancelled or failures)
        assert failures == []

    run(test)


def _knows_the_library() -> bool:
    try:
        return bool(sniffio.current_async_library())
    except sniffio.AsyncLibraryNotFoundError:
        return False


def test_cancelled_call_is_answered_so_that_its_stream_ends() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session = await initialize(client)
            post = asyncio.create_task(client.post("/mcp", json=call(1, "slow"), headers=session))
            await until(lambda: server.calls)
            cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
            assert (await client.post("/mcp", json=cancel, headers=session)).status_code == 202
            assert message_of((await post).text)["error"]["code"] == -32800
            assert len(server.cancelled) == 1

    run(test)


def test_crash_answers_the_call_with_an_error_and_it_is_not_made_again() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session = await initialize(client)
            post = asyncio.create_task(client.post("/mcp", json=call(1, "slow"), headers=session))
            await until(lambda: server.calls)
            server.crash.set()
            assert message_of((await post).text)["error"]["code"] == -32000
            answer = await client.post("/mcp", json=call(2, "quick"), headers=session)
            assert message_of(answer.text)["result"] == {"name": "quick"}
            assert [made["name"] for made in server.calls] == ["slow", "quick"]

    run(test)


def test_id_in_progress_is_refused_and_the_first_call_is_still_answered() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session = await initialize(client)
            first = asyncio.create_task(client.post("/mcp", json=call(1, "slow"), headers=session))
            await until(lambda: server.calls)
            refused = await client.post("/mcp", json=call(1, "quick"), headers=session)
            assert refused.status_code == 400
            assert "a request with the id 1 is in progress" in refused.text
            cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
            await client.post("/mcp", json=cancel, headers=session)
            assert message_of((await first).text)["error"]["code"] == -32800
            assert len(server.calls) == 1

    run(test)


def test_stream_with_an_unknown_event_id_begins_anew() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            headers = {**(await initialize(client)), "last-event-id": "nothing-we-sent"}
            async with client.stream("GET", "/mcp", headers=headers) as answer:
                assert answer.status_code == 200

    run(test)


def test_session_that_was_idle_the_longest_makes_room(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sessions_module, "MAX_SESSIONS", 3)

    async def test(server: Recorder) -> None:
        async with serving(server, tmp_path) as (_, client):
            first, second, third = [await initialize(client) for _ in range(3)]
            await client.post("/mcp", json=call(1, "quick"), headers=first)
            await initialize(client)
            statuses = [
                (await client.post("/mcp", json=call(2, "quick"), headers=session)).status_code
                for session in (first, second, third)
            ]
            assert statuses == [200, 404, 200]
        # Nor is it opened again by a program that finds what this one has kept.
        async with serving(server, tmp_path) as (_, client):
            assert (await client.post("/mcp", json=call(3, "quick"), headers=second)).status_code == 404

    run(test)


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream", "text/html"])
def test_call_of_a_client_that_cannot_read_both_kinds_of_answers_is_refused(accept: str) -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            headers = {**(await initialize(client)), "accept": accept}
            assert (await client.post("/mcp", json=call(1, "quick"), headers=headers)).status_code == 406
            assert server.calls == []

    run(test)


def test_sessions_with_open_requests_are_not_evicted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions_module, "MAX_SESSIONS", 1)

    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session = await initialize(client)
            post = asyncio.create_task(client.post("/mcp", json=call(1, "slow"), headers=session))
            await until(lambda: server.calls)
            params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
            body = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
            assert (await client.post("/mcp", json=body)).status_code == 503
            assert not post.done()
            post.cancel()
            await asyncio.gather(post, return_exceptions=True)

    run(test)


def test_closing_answers_what_is_in_progress_and_leaves_no_task() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (endpoint, client):
            session = await initialize(client)
            post = asyncio.create_task(client.post("/mcp", json=call(1, "slow"), headers=session))
            await until(lambda: server.calls)
            await endpoint.close()
            error = message_of((await post).text)["error"]
            assert (error["code"], error["message"]) == (-32000, "The server is being stopped")
            assert not endpoint.is_open
        assert [task for task in asyncio.all_tasks() if "tool_api" in code_of(task)] == []

    run(test)


def code_of(task: asyncio.Task[Any]) -> str:
    """Path of the file that a task's code is in."""
    coroutine: Any = task.get_coro()
    path: str = coroutine.cr_code.co_filename
    return path


def test_closing_before_opening_frees_the_port(tmp_path: Path) -> None:
    async def test() -> None:
        bound = bind("127.0.0.1", 0)
        port = bound.getsockname()[1]
        row = ServerRow(ServerSpec("probe", "image"), "id", port, "kept", "running", "", "")
        store = Store(tmp_path)
        await Endpoint(row, Recorder(), bound, Limits(), store.sessions_of("probe")).close()
        store.close()
        bind("127.0.0.1", port).close()

    asyncio.run(test())


@pytest.mark.costly
def test_lines_of_background_work_do_not_bear_the_request_that_began_it() -> None:
    """The port goes on for days after the request that created it."""

    async def test(server: Recorder) -> None:
        with begun_by("the-create-request"):
            async with serving(server) as (_, client):
                session = await initialize(client)
                server.fails = True
                server.crash.set()
                await until(lambda: "server_unreachable" in written.getvalue())
                server.fails = False
                await client.post("/mcp", json=call(1, "quick"), headers=session)

    written = io.StringIO()
    logs.send_to(lambda line: print(line, file=written))
    try:
        run(test)
    finally:
        logs.send_to(logs.write_line)
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert {line["event"]: line.get("request_id") for line in lines} == {"server_unreachable": None}
