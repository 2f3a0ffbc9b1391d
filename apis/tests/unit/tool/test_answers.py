"""The event stream that answers a call: whole events in small pieces, and no more of them than a client reads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mcp.types import JSONRPCMessage, JSONRPCNotification, JSONRPCResponse
from starlette.types import ASGIApp, Message, Scope
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from apis.tests.unit.tool.worker_house import until
from tool_api.endpoint.answers import MOST_WAITING_BYTES, PIECE_BYTES, CallAnswer, KeptStream
from tool_api.endpoint.direct import DirectRequest, Waiting
from tool_api.endpoint.events import EventLog, SessionEvents, event_id, request_of
from tool_api.runtime.reading import WrittenResponse, parse, written

SESSION = "5f" * 16


class Client:
    """Receives what is sent; it reads only while it is let."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.has_head = self.has_ended = False
        self.reads = asyncio.Event()
        self.reads.set()

    async def receive(self) -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(self, message: Message) -> None:
        self.has_head = True
        if message["type"] == "http.response.body":
            await self.reads.wait()
            self.pieces.append(message["body"])
            self.has_ended = not message["more_body"]

    def events(self) -> list[dict[str, Any]]:
        lines = b"".join(self.pieces).decode().splitlines()
        return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


def said(text: str) -> JSONRPCNotification:
    return JSONRPCNotification(jsonrpc="2.0", method="notifications/message", params={"data": text})


def with_client(
    work: Callable[[CallAnswer, Client, asyncio.Task[None]], Awaitable[None]],
) -> list[JSONRPCMessage | None]:
    """Run something beside a stream that is being sent; returns what was kept."""
    log = EventLog()

    async def run() -> None:
        async with asyncio.timeout(60):
            answer, client = CallAnswer(KeptStream(log, SESSION, "7")), Client()
            sending = asyncio.create_task(answer.send({"type": "http"}, client.receive, client.send))
            await work(answer, client, sending)

    asyncio.run(run())
    return [event.message for event in log.events(SESSION)]


@pytest.mark.parametrize("text", ["x", "é\u2028", "\U0001f600"])
@pytest.mark.parametrize("size", [1, 16 * 1024, 3 * PIECE_BYTES])
def test_answer_leaves_in_pieces_that_are_joined_again(text: str, size: int) -> None:
    result = {"text": text * size}

    async def work(answer: CallAnswer, client: Client, sending: asyncio.Task[None]) -> None:
        line = json.dumps({"jsonrpc": "2.0", "id": 7, "result": result}, ensure_ascii=False)
        (found,) = parse(line.encode())
        assert not isinstance(found, Exception)
        answer.add(said("before"))
        answer.add(found.model_copy(update={"id": "one"}))
        await sending
        assert client.events() == [
            {"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "before"}},
            {"jsonrpc": "2.0", "id": "one", "result": result},
        ]
        assert client.has_ended
        assert max(map(len, client.pieces)) <= PIECE_BYTES

    with_client(work)


def test_small_answer_is_sent_at_once() -> None:
    async def work(answer: CallAnswer, client: Client, sending: asyncio.Task[None]) -> None:
        answer.add(JSONRPCResponse(jsonrpc="2.0", id=1, result={}))
        await sending
        assert len(client.pieces) == 1

    with_client(work)


@pytest.mark.parametrize(("version", "is_begun"), [("2025-06-18", False), ("2025-11-25", True)])
def test_answer_without_an_id_to_come_back_with_begins_with_its_first_event(
    version: str, *, is_begun: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client sees a connection that breaks before the answer begins, and would wait for the rest of one that has begun."""
    monkeypatch.setattr("tool_api.endpoint.answers.BRIEFLY_S", 0)

    async def run() -> None:
        answer, client = CallAnswer(KeptStream(EventLog(), SESSION, "7", 7)), Client()
        answer.begin(version)
        sending = asyncio.create_task(answer.send({"type": "http"}, client.receive, client.send))
        for _ in range(50):
            await asyncio.sleep(0)
        assert client.has_head is is_begun
        answer.add(said("first"))
        await until(client.events)
        assert client.has_head
        assert not sending.done()
        answer.close()
        await sending

    asyncio.run(run())


def test_ping_begins_an_answer_that_takes_long_and_has_an_id_to_come_back_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tool_api.endpoint.answers.PING_S", 0.01)

    async def run() -> None:
        log, client = EventLog(run="a"), Client()
        answer = CallAnswer(KeptStream(log, SESSION, "7", 7))
        answer.begin("2025-06-18")
        sending = asyncio.create_task(answer.send({"type": "http"}, client.receive, client.send))
        await until(lambda: len(client.pieces) > 2)
        named, *pings = client.pieces
        # Clients of that version read each event as a message; one that cancels what nobody asked for is ignored.
        assert client.events()[0]["method"] == "notifications/cancelled"
        assert all(ping == b": ping\r\n\r\n" for ping in pings)
        answer.add(JSONRPCResponse(jsonrpc="2.0", id=7, result={}))
        await sending
        first = named.partition(b"\r\n")[0].removeprefix(b"id: ").decode()
        assert request_of(first) == 7
        assert [event.message for event in SessionEvents(log, SESSION).after(first)] == [
            JSONRPCResponse(jsonrpc="2.0", id=7, result={})
        ]

    asyncio.run(run())


def test_ping_after_an_event_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tool_api.endpoint.answers.PING_S", 0.01)

    async def run() -> None:
        answer, client = CallAnswer(KeptStream(EventLog(), SESSION, "7", 7)), Client()
        answer.begin("2025-06-18")
        answer.add(said("first"))
        sending = asyncio.create_task(answer.send({"type": "http"}, client.receive, client.send))
        await until(lambda: len(client.pieces) > 2)
        assert client.pieces[1] == b": ping\r\n\r\n"
        answer.close()
        await sending

    asyncio.run(run())


def test_stream_of_a_client_that_does_not_read_ends_and_its_events_are_kept() -> None:
    """Otherwise a server that goes on would fill the memory. The client comes back to what it missed."""
    size = 1_000_000

    async def work(answer: CallAnswer, client: Client, sending: asyncio.Task[None]) -> None:
        client.reads.clear()
        answer.add(said("first"))
        await asyncio.sleep(0)
        for _ in range(2 * MOST_WAITING_BYTES // size):
            answer.add(said("x" * size))
            assert answer.waiting_bytes <= MOST_WAITING_BYTES + size + 100
        assert answer.waiting_bytes == 0
        answer.add(JSONRPCResponse(jsonrpc="2.0", id=1, result={}))
        client.reads.set()
        await sending
        assert client.has_ended
        assert not any("result" in event for event in client.events())

    kept = with_client(work)
    assert len(kept) == 2 * MOST_WAITING_BYTES // size + 2


@pytest.mark.costly
def test_one_answer_may_be_larger_than_what_may_wait() -> None:
    async def work(answer: CallAnswer, client: Client, sending: asyncio.Task[None]) -> None:
        text = b'{"text":"' + b"x" * (MOST_WAITING_BYTES + 1) + b'"}'
        answer.add(WrittenResponse(7, text))
        await sending
        assert len(client.events()[0]["result"]["text"]) == MOST_WAITING_BYTES + 1

    with_client(work)


class Line:
    """The connection of a request; keeps what is sent."""

    def __init__(self) -> None:
        self.sent = b""
        self.is_complete = False

    def send(self, data: bytes) -> None:
        self.sent += data

    def is_congested(self) -> bool:
        return False

    def make_cycle(self, scope: Scope, body: bytes) -> RequestResponseCycle:
        raise AssertionError("a request that is answered at once has no state of the HTTP server")

    def start_application(self, cycle: RequestResponseCycle, app: ASGIApp) -> asyncio.Task[None]:
        raise AssertionError("nor has it an application")

    def complete(self) -> None:
        self.is_complete = True

    def leave(self, request: DirectRequest) -> None: ...


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18", "2025-11-25"])
@pytest.mark.parametrize("request_id", [7, "a\u2028b"])
def test_result_that_is_the_first_event_is_what_any_other_answer_is(version: str, request_id: int | str) -> None:
    async def answered(give: Callable[[CallAnswer], None]) -> tuple[bytes, list[Any]]:
        log, line, waiting = EventLog(), Line(), Waiting()
        answer = CallAnswer(KeptStream(log, SESSION, str(request_id), request_id))
        answer.begin(version)
        answer.send_soon(DirectRequest(line, b"", dict), waiting, answer.send)
        give(answer)
        waiting.close()
        assert line.is_complete
        first, events = event_id(1, str(request_id)), SessionEvents(log, SESSION)
        return line.sent, events.after(first) if version == "2025-11-25" else log.events(SESSION)

    async def both() -> None:
        data = b'{"content":[]}'
        at_once = await answered(lambda answer: answer.answer(request_id, data))
        usual = await answered(lambda answer: answer.add(WrittenResponse(request_id, data)))
        (event,), (other,) = at_once[1], usual[1]
        assert written(event.message) == written(other.message)
        if version == "2025-11-25":
            assert at_once[0] == usual[0]
            assert event.number == other.number
        else:
            assert at_once[0] == usual[0].replace(b"id: 1-", b"id: 2-")

    asyncio.run(both())
