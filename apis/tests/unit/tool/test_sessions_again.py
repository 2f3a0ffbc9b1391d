"""Clients that come back to their sessions: after a connection that broke, and after the program was started again."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.types import (
    CONNECTION_CLOSED,
)

from apis.tests.unit.tool.recorder import (
    Recorder,
    call,
    initialize,
    message_of,
    run,
    serving,
    serving_from,
    until,
)
from tool_api.endpoint import sessions as sessions_module
from tool_api.store import Store

# The SDK's transports leave the ends of streams to the collector.
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning")


@pytest.fixture(autouse=True)
def _collect() -> Iterator[None]:
    gc.freeze()  # what is there already is not part of the test, and most of what the collector would look at
    yield
    gc.collect()
    gc.unfreeze()


def event_ids(text: str) -> list[str]:
    return [line.removeprefix("id: ") for line in text.splitlines() if line.startswith("id: ")]


def test_answer_is_sent_again_to_a_client_whose_connection_broke_and_the_call_is_not_made_again() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session = await initialize(client) | {"mcp-protocol-version": "2025-11-25"}
            async with client.stream("POST", "/mcp", json=call(1, "slow"), headers=session) as answer:
                (first,) = event_ids(await anext(answer.aiter_text()))
            await until(lambda: server.calls)
            server.finish.set()
            async with client.stream("GET", "/mcp", headers={**session, "last-event-id": first}) as again:
                found = "".join([text async for text in again.aiter_text()])
            assert message_of(found)["result"] == {"name": "slow"}
            once_more = await client.get("/mcp", headers={**session, "last-event-id": first})
            assert message_of(once_more.text)["result"] == {"name": "slow"}
            assert len(server.calls) == 1
            assert server.cancelled == []

    run(test)


def test_client_that_comes_back_after_the_answer_is_told_that_there_is_no_more() -> None:
    """As the SDK for TypeScript does after each error. An empty stream would let it come back again and again."""

    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session = await initialize(client) | {"mcp-protocol-version": "2025-11-25"}
            async with client.stream("GET", "/mcp", headers=session):
                answer = await client.post("/mcp", json=call(1, "quick"), headers=session)
                no_more = await client.get("/mcp", headers={**session, "last-event-id": event_ids(answer.text)[-1]})
            assert (no_more.status_code, no_more.content) == (204, b"")

    run(test)


def test_answer_goes_to_the_connection_that_the_client_came_back_on() -> None:
    """Its first one may be dead without either end being told."""

    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session = await initialize(client) | {"mcp-protocol-version": "2025-11-25"}
            async with client.stream("POST", "/mcp", json=call(1, "slow"), headers=session) as first:
                parts = first.aiter_text()
                (event_id,) = event_ids(await anext(parts))
                await until(lambda: server.calls)
                async with client.stream("GET", "/mcp", headers={**session, "last-event-id": event_id}) as again:
                    assert [text async for text in parts] == [], "the first one ends without an answer"
                    server.finish.set()
                    found = "".join([text async for text in again.aiter_text()])
            assert message_of(found)["result"] == {"name": "slow"}
            assert (len(server.calls), server.cancelled) == (1, [])

    run(test)


def test_call_of_a_client_that_does_not_come_back_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions_module, "RESUME_S", 0.1)

    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session = await initialize(client) | {"mcp-protocol-version": "2025-11-25"}
            async with client.stream("POST", "/mcp", json=call(1, "slow"), headers=session) as answer:
                (first,) = event_ids(await anext(answer.aiter_text()))
                await until(lambda: server.calls)
            await until(lambda: server.cancelled)
            refused = await client.get("/mcp", headers={**session, "last-event-id": first})
            assert message_of(refused.text)["error"]["code"] == -32800

    run(test)


@pytest.mark.parametrize("request_id", [-5, 10**400, "9" * 5000, "\u0663", "\u2028"])
def test_call_with_any_id_is_cancelled_when_its_client_comes_back_and_leaves_again(
    request_id: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session = await initialize(client) | {"mcp-protocol-version": "2025-11-25"}
            body = call(1, "slow") | {"id": request_id}
            async with client.stream("POST", "/mcp", json=body, headers=session) as answer:
                parts = answer.aiter_text()
                (first,) = event_ids(await anext(parts))
                await until(lambda: server.calls)
                async with client.stream("GET", "/mcp", headers={**session, "last-event-id": first}) as again:
                    assert again.status_code == 200
                    assert [text async for text in parts] == [], "the first one ends without an answer"
                    monkeypatch.setattr(sessions_module, "RESUME_S", 0.1)
            await until(lambda: server.cancelled)

    run(test)


def test_what_the_server_said_before_its_client_listened_is_not_lost() -> None:
    async def test(server: Recorder) -> None:
        async with serving(server) as (_, client):
            session = await initialize(client)
            await client.post("/mcp", json=call(1, "quick"), headers=session)
            server.announce.set()
            await until(lambda: not server.announce.is_set())
            async with client.stream("GET", "/mcp", headers=session) as answer:
                text = await anext(answer.aiter_text())
            assert message_of(text)["method"] == "notifications/tools/list_changed"

    run(test)


def test_everything_is_answered_where_the_state_folder_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The disk is full, or mounted again for reading only: sessions end with this program then, and nothing else."""
    monkeypatch.setattr(sessions_module, "MAX_SESSIONS", 2)

    async def test(server: Recorder) -> None:
        store = Store(tmp_path)
        async with serving_from(store, server, 0) as (_, client):
            store.sessions_of("probe").database.execute("PRAGMA query_only = ON")
            sessions = [await initialize(client) for _ in range(3)]
            for number, session in enumerate(sessions[1:]):
                answer = await client.post("/mcp", json=call(number, "quick"), headers=session)
                assert message_of(answer.text)["result"] == {"name": "quick"}
            assert (await client.post("/mcp", json=call(1, "quick"), headers=sessions[0])).status_code == 404
            assert (await client.delete("/mcp", headers=sessions[1])).status_code == 200
            assert (await client.post("/mcp", json=call(1, "quick"), headers=sessions[1])).status_code == 404
        store.close()

    run(test)
    said = capfd.readouterr().err
    assert "Traceback" not in said
    assert '"sessions_not_kept"' in said


def test_session_goes_on_when_this_program_is_started_again(tmp_path: Path) -> None:
    async def test(server: Recorder) -> None:
        async with serving(server, tmp_path) as (_, client):
            session, ended = await initialize(client), await initialize(client)
            await client.delete("/mcp", headers=ended)
            port = client.base_url.port or 0
        async with serving(server, tmp_path, port) as (_, client):
            answer = await client.post("/mcp", json=call(1, "quick"), headers=session)
            assert message_of(answer.text)["result"] == {"name": "quick"}
            assert (await client.post("/mcp", json=call(1, "quick"), headers=ended)).status_code == 404
            assert (
                await client.post("/mcp", json=call(1, "quick"), headers={"mcp-session-id": "x"})
            ).status_code == 404

    run(test)


@pytest.mark.parametrize("request_id", [7, "7", -7, "lamp \u2603"])
def test_client_that_comes_back_to_a_call_from_before_is_told_that_its_answer_is_lost(
    request_id: int | str, tmp_path: Path
) -> None:
    """Its connection broke with the program that had the call; it would wait until its own time-out."""

    async def test(server: Recorder) -> None:
        async with serving(server, tmp_path) as (_, client):
            session = await initialize(client) | {"mcp-protocol-version": "2025-11-25"}
            body = call(1, "slow") | {"id": request_id}
            async with client.stream("POST", "/mcp", json=body, headers=session) as answer:
                (first,) = event_ids(await anext(answer.aiter_text()))
                await until(lambda: server.calls)
        async with (
            serving(server, tmp_path) as (_, client),
            client.stream("GET", "/mcp", headers=session) as listening,
        ):
            assert listening.status_code == 200
            for _ in range(2):
                again = await client.get("/mcp", headers={**session, "last-event-id": first})
                found = message_of(again.text)
                assert (found["id"], found["error"]["code"]) == (request_id, CONNECTION_CLOSED)
                assert "may have taken effect" in found["error"]["message"]
                (told,) = event_ids(again.text)
                # The SDK for TypeScript comes back after each error; this ends it.
                no_more = await client.get("/mcp", headers={**session, "last-event-id": told})
                assert (no_more.status_code, no_more.content) == (204, b"")
            assert len(server.calls) == 1

    run(test)


@pytest.mark.parametrize(
    ("asked", "said", "is_told"),
    [
        ("2025-11-25", "2025-11-25", True),
        ("2025-11-25", "2025-06-18", True),  # the server is older than the client
        ("2099-01-01", "2025-11-25", True),
        ("2025-06-18", "2025-06-18", False),
        ("2025-03-26", "2025-03-26", False),
    ],
)
def test_new_client_of_an_old_server_learns_that_its_answer_is_lost(
    asked: str, said: str, is_told: bool, tmp_path: Path
) -> None:
    """Clients that ask for an earlier version cannot read an event without data, and get no id to come back with."""

    async def test(server: Recorder) -> None:
        async with serving(server, tmp_path) as (_, client):
            session = await initialize(client, asked) | {"mcp-protocol-version": said}
        port = client.base_url.port or 0
        async with serving(server, tmp_path, port) as (_, client):  # the version asked for is kept as well
            asking = asyncio.create_task(client.post("/mcp", json=call(1, "slow"), headers=session))
            await until(lambda: server.calls)
            server.finish.set()
            text = (await asking).text
            assert text.startswith("id: ")
            assert ("data: \r\n\r\n" in text) is is_told

    run(test)


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
def test_client_that_comes_back_with_its_answer_is_told_nothing_more(version: str, tmp_path: Path) -> None:
    """It has been answered: an error for the same call would be a second answer."""

    async def test(server: Recorder) -> None:
        async with serving(server, tmp_path) as (_, client):
            session = await initialize(client) | {"mcp-protocol-version": version}
            answer = await client.post("/mcp", json=call(1, "quick"), headers=session)
            *_, last = event_ids(answer.text)
            none = await client.get("/mcp", headers={**session, "last-event-id": last})
            assert (none.status_code, none.content) == (204, b"")
        async with serving(server, tmp_path) as (_, client):
            none = await client.get("/mcp", headers={**session, "last-event-id": last})
            assert (none.status_code, none.content) == (204, b"")
            assert len(server.calls) == 1

    run(test)


def test_what_the_server_said_since_the_program_was_started_again_is_not_lost(tmp_path: Path) -> None:
    async def test(server: Recorder) -> None:
        async with serving(server, tmp_path) as (_, client):
            session = await initialize(client)
            for number in range(5):
                await client.post("/mcp", json=call(number, "quick"), headers=session)
            async with client.stream("GET", "/mcp", headers=session) as answer:
                server.announce.set()
                (last,) = event_ids(await anext(answer.aiter_text()))
        async with serving(server, tmp_path) as (_, client):
            await client.post("/mcp", json=call(6, "quick"), headers=session)
            server.announce.set()
            await until(lambda: not server.announce.is_set())
            async with client.stream("GET", "/mcp", headers={**session, "last-event-id": last}) as answer:
                text = await anext(answer.aiter_text())
            assert message_of(text)["method"] == "notifications/tools/list_changed"

    run(test)
