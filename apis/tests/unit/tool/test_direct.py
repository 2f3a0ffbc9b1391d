"""Requests that are answered without an application: which they are, and that each is answered once, whatever happens."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from tests.support.each import each
from tool_api import guard
from tool_api.endpoint import direct, gathering
from tool_api.endpoint.direct import DirectRequest, Handler, TakeRequest, Waiting, written_head
from tool_api.endpoint.gathering import told_when_gone
from tool_api.endpoint.guard import LocalOnly, for_local_hosts
from tool_api.endpoint.port import Port, bind
from tool_api.guard import BodyLimit

POST = b"POST /x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\n\r\nbody"
GET = b"GET /x HTTP/1.1\r\nhost: localhost\r\n\r\n"


Application = Callable[[Scope, Receive, Send], Awaitable[None]]


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(60):
            await work()

    asyncio.run(limited())


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    body = await BodyLimit(1_000_000).read(scope, receive, send)
    if body is not None:
        await _say(b"application %d" % len(body), send)


async def _say(text: bytes, send: Send) -> None:
    headers = [(b"content-length", b"%d" % len(text))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": text, "more_body": False})


def answering(request: DirectRequest) -> bool:
    request.answer(200, [], b"direct " + request.body)
    return True


def served(
    take: TakeRequest, app: Application = application
) -> AbstractAsyncContextManager[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    return served_after(lambda _: take, app)


@asynccontextmanager
async def served_after(
    handler: Handler, app: Application = application
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    bound = bind("127.0.0.1", 0)
    port = Port(bound)
    address = bound.getsockname()
    await port.open(app, handler)
    try:
        reader, writer = await asyncio.open_connection(*address)
        yield reader, writer
        writer.close()
    finally:
        await port.close()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
    return int(head.split(b" ", 2)[1]), await reader.readexactly(length)


def test_small_request_is_answered_and_its_connection_used_again() -> None:
    async def work() -> None:
        async with served(answering) as (reader, writer):
            for piece in (POST, POST, POST + POST):
                writer.write(piece)
                assert await _answer(reader) == (200, b"direct body")
            # Of two that come together, the second waits, and is the application's.
            assert await _answer(reader) == (200, b"application 4")

    run(work)


@pytest.mark.parametrize("cut", [10, len(POST) - 4, len(POST) - 1])
def test_request_may_come_in_pieces(cut: int) -> None:
    async def work() -> None:
        async with served(answering) as (reader, writer):
            writer.write(POST[:cut])
            await writer.drain()
            await asyncio.sleep(0)
            writer.write(POST[cut:])
            status, text = await _answer(reader)
            assert status == 200
            assert text in {b"direct body", b"application 4"}

    run(work)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (b"GET / HTTP/1.1\r\nhost: x\r\n\r\n", b"application 0"),
        (b"DELETE / HTTP/1.1\r\nhost: x\r\n\r\n", b"application 0"),
        (b"POST / HTTP/1.1\r\nhost: x\r\n\r\n", b"application 0"),
        (b"POST / HTTP/1.0\r\nhost: x\r\ncontent-length: 1\r\n\r\nb", b"application 1"),
        (b"POST / HTTP/1.1\r\nhost: x\r\norigin: http://localhost\r\ncontent-length: 1\r\n\r\nb", b"application 1"),
        (b"POST / HTTP/1.1\r\nhost: x\r\nOrigin:\r\ncontent-length: 1\r\n\r\nb", b"application 1"),
        (b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\nb\r\n0\r\n\r\n", b"application 1"),
        (
            b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % (direct.MOST_BODY_BYTES + 1)
            + b"b" * (direct.MOST_BODY_BYTES + 1),
            b"application %d" % (direct.MOST_BODY_BYTES + 1),
        ),
        (
            b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % direct.MOST_BODY_BYTES
            + b"b" * direct.MOST_BODY_BYTES,
            b"direct " + b"b" * direct.MOST_BODY_BYTES,
        ),
    ],
)
def test_what_is_not_plain_is_the_applications(request_: bytes, expected: bytes) -> None:
    async def work() -> None:
        async with served(answering) as (reader, writer):
            writer.write(request_)
            assert await _answer(reader) == (200, expected)

    run(work)


def test_body_that_is_expected_to_be_asked_for_is_asked_for() -> None:
    async def work() -> None:
        async with served(answering) as (reader, writer):
            writer.write(b"POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 1\r\n\r\n")
            assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
            writer.write(b"b")
            assert await _answer(reader) == (200, b"application 1")

    run(work)


def test_body_that_does_not_come_is_refused_by_the_application(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_S", 0.05)
    monkeypatch.setattr(gathering, "BODY_S", 0.01)

    async def work() -> None:
        async with served(answering) as (reader, writer):
            writer.write(POST[:-1])
            assert (await reader.read()).startswith(b"HTTP/1.1 408 ")

    run(work)


def test_request_that_is_not_taken_is_the_applications_with_its_body() -> None:
    async def work() -> None:
        async with served(lambda _: False) as (reader, writer):
            for _ in range(2):
                writer.write(POST)
                assert await _answer(reader) == (200, b"application 4")

    run(work)


SAME = b"POST /x?q HTTP/1.1\r\nHost: localhost\r\nContent-Length: %b\r\nx-name: a\r\n\r\n%b"


class _Kept(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed


def _connect(take: TakeRequest, app: Application = application) -> tuple[gathering.PortHttp, _Kept]:
    return _connect_after(lambda _: take, app)


def _connect_after(handler: Handler, app: Application = application) -> tuple[gathering.PortHttp, _Kept]:
    """The protocol of a port, on a connection that has just been made."""
    config = uvicorn.Config(app, lifespan="off", log_config=None, access_log=False, ws="none")
    protocol = gathering.PortHttp(config=config, server_state=ServerState(), app_state={"a": 1}, handler=handler)
    transport = _Kept()
    protocol.connection_made(transport)
    return protocol, transport


async def _answers(*pieces: bytes, is_repeated: bool, is_split: bool = False) -> object:
    """What comes of pieces on one connection, after a request that it may know the next one by."""
    seen: list[object] = []

    def noting(request: DirectRequest) -> bool:
        scope = request.make_cycle().scope
        seen.append([scope[key] for key in ("method", "path", "query_string", "headers", "http_version", "scheme")])
        return b"no" not in request.body and answering(request)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append((scope["method"], scope["path"], list(scope["headers"]), dict(scope["state"])))
        scope["state"]["seen"] = True
        await application(scope, receive, send)

    protocol, transport = _connect(noting, app)
    name = b"x-name" if is_repeated else b"y-name"
    first = SAME.replace(b"x-name", name) % (b"2", b"no")
    for piece in (first[:-2], first[-2:]) if is_split else (first,):
        protocol.data_received(piece)
    await asyncio.gather(*protocol.tasks)
    await asyncio.sleep(0)
    transport.written = b""
    seen.clear()
    for piece in pieces:
        protocol.data_received(piece)
        while protocol.tasks:
            await asyncio.gather(*protocol.tasks)
        await asyncio.sleep(0)
    protocol.connection_lost(None)
    return seen, transport.written, transport.is_closed


REPEATED = [
    [SAME % (b"4", b"body")],
    [SAME % (b"11", b"longer body"), SAME % (b"1", b"x")],
    [SAME % (b"2", b"no"), SAME % (b"4", b"body")],
    [SAME % (b"0", b""), SAME % (b"4", b"body")],
    [SAME % (b"04", b"body")],
    [SAME % (b"4", b"body") * 2],
    [SAME % (b"4", b"bod"), b"y"],
    [SAME % (b"4", b"body") + b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    [(SAME % (b"4", b"body"))[:-9], (SAME % (b"4", b"body"))[-9:]],
    [b"\r\n" + SAME % (b"4", b"body")],
    [b"\r\n", SAME % (b"4", b"body")],
    [SAME % (b"+4", b"body")],
    [SAME % (b"4_0", b"body")],
    [SAME % (b" 4 ", b"body")],
    [SAME % (b"4, 4", b"body")],
    [SAME % (b"", b"body")],
    [SAME % ("\u0664".encode(), b"body")],
    [SAME % (b"4\r\nContent-Length: 4", b"body")],
    [SAME % (b"4\r\nTransfer-Encoding: chunked", b"body")],
    [SAME % (b"4\r\nConnection: close", b"body"), SAME % (b"4", b"body")],
    [(SAME % (b"4", b"body")).replace(b"1.1", b"1.0"), SAME % (b"4", b"body")],
    [(SAME % (b"4", b"body")).replace(b"POST", b"PUT")],
    [(SAME % (b"4", b"body")).replace(b": a", b": b")],
    [(SAME % (b"4", b"body")).replace(b"\r\n", b"\n")],
    [SAME % (b"%d" % (direct.MOST_BODY_BYTES + 1), b"b" * (direct.MOST_BODY_BYTES + 1))],
    [b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n", SAME % (b"4", b"body")],
    [b"no request\r\n\r\n", SAME % (b"4", b"body")],
    [b"POST /y HTTP/1.1\r\nx-name: ", SAME % (b"4", b"body")],
    [b"POST /y HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n", SAME % (b"4", b"body")],
]


@each("is_split", [True, False])
@each("pieces", REPEATED)
def test_request_that_is_known_by_its_head_is_what_the_parser_reads(pieces: list[bytes], is_split: bool) -> None:
    async def both() -> tuple[object, object]:
        known = await _answers(*pieces, is_repeated=True, is_split=is_split)
        return known, await _answers(*pieces, is_repeated=False)

    known, parsed = asyncio.run(both())
    assert known == parsed


@pytest.mark.parametrize("cut", [[], [-4], [-4, -2], [-4, -3, -2, -1]])
def test_head_is_known_also_where_its_body_came_after_it(cut: list[int]) -> None:
    async def work() -> None:
        asked: list[object] = []

        def looking(scope: Scope) -> TakeRequest:
            asked.append(scope)
            return answering

        protocol, transport = _connect_after(looking)
        request = SAME % (b"4", b"body")
        for _ in range(3):
            for start, end in itertools.pairwise([0, *(len(request) + place for place in cut), len(request)]):
                protocol.data_received(request[start:end])
        assert transport.written.count(b"direct body") == 3
        assert len(asked) == 1

    run(work)


def test_answers_of_a_request_whose_body_does_not_come_soon_belong_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was seen of it does not become the head of another one."""
    monkeypatch.setattr(gathering, "BODY_S", 0)

    async def work() -> None:
        protocol, transport = _connect(answering)
        request = SAME % (b"4", b"body")
        protocol.data_received(request[:-2])
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # one turn more: the timer is due at once
        for _ in range(2):
            protocol.data_received(request[-2:])
            await asyncio.gather(*protocol.tasks)
            await asyncio.sleep(0)
        assert transport.written.endswith(b"Invalid HTTP request received.")
        assert transport.written.count(b"application 4") == 1

    run(work)


def test_second_half_of_a_request_is_no_request() -> None:
    """Not even where it looks like a head with its body, and has been read as a part of one before."""
    half = b"x-name: a\r\nContent-Length: 4\r\n\r\nbody"

    async def work() -> None:
        protocol, transport = _connect(answering)
        for piece in (b"POST /x HTTP/1.1\r\nhost: localhost\r\n", half, half):
            protocol.data_received(piece)
        assert transport.written.count(b"HTTP/1.1 200 ") == 1
        assert b"HTTP/1.1 400 " in transport.written

    run(work)


def test_request_with_a_known_head_waits_for_the_answer_before_it() -> None:
    async def work() -> None:
        asked: list[DirectRequest] = []

        def keeping(request: DirectRequest) -> bool:
            asked.append(request)
            return True

        protocol, transport = _connect(keeping)
        for _ in range(2):
            protocol.data_received(SAME % (b"4", b"body"))
        assert len(asked) == 1
        asked[0].answer(200, [], b"first")
        while protocol.tasks:
            await asyncio.gather(*protocol.tasks)
        await asyncio.sleep(0)
        assert transport.written.index(b"first") < transport.written.index(b"application 4")

    run(work)


@pytest.mark.parametrize("following", [SAME % (b"4", b"body"), POST, SAME % (b"4", b"bo")])
def test_request_waits_for_one_before_it_that_has_no_state_of_the_http_server(following: bytes) -> None:
    async def work() -> None:
        asked: list[DirectRequest] = []

        def keeping(request: DirectRequest) -> bool:
            asked.append(request)
            return request.body == b"keep" or answering(request)

        protocol, transport = _connect(keeping)
        for body in (b"body", b"keep"):
            protocol.data_received(SAME % (b"4", body))
        transport.written = b""
        protocol.data_received(following)
        assert [request.body for request in asked] == [b"body", b"keep"]
        assert transport.written == b""
        asked[1].answer(200, [], b"first")
        if following.endswith(b"bo"):
            protocol.data_received(b"dy")
        while protocol.tasks:
            await asyncio.gather(*protocol.tasks)
        await asyncio.sleep(0)
        # A body that comes after that is asked the handler about again.
        expected = b"direct body" if following.endswith(b"bo") else b"application 4"
        assert transport.written.index(b"first") < transport.written.index(expected)

    run(work)


def test_handler_looks_at_a_head_once() -> None:
    looked: list[object] = []

    def looking(scope: Scope) -> TakeRequest:
        looked.append(scope["path"])
        return answering

    async def work() -> None:
        async with served_after(looking) as (reader, writer):
            for length in (4, 5, 5, 4):
                writer.write(SAME % (b"%d" % length, b"b" * length))
                assert await _answer(reader) == (200, b"direct " + b"b" * length)
            writer.write(POST)
            assert await _answer(reader) == (200, b"direct body")

    run(work)
    assert looked == ["/x", "/x"]


@pytest.mark.parametrize("takes", [True, False])
def test_body_that_comes_after_a_known_head_is_waited_for(takes: bool) -> None:
    """As clients send them that write the two apart."""

    async def work() -> None:
        protocol, transport = _connect(lambda request: request.body != b"other" and answering(request))
        protocol.data_received(SAME % (b"4", b"body"))
        body = b"again" if takes else b"other"
        for piece in (SAME % (b"5", b""), body[:2], body[2:]):
            transport.written = b""
            protocol.data_received(piece)
        await asyncio.gather(*protocol.tasks)
        await asyncio.sleep(0)
        assert transport.written.endswith(b"direct again" if takes else b"application 5")

    run(work)


def test_body_that_does_not_come_after_a_known_head_is_refused_by_the_application(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "BODY_S", 0.05)
    monkeypatch.setattr(gathering, "BODY_S", 0.01)

    async def work() -> None:
        async with served(answering) as (reader, writer):
            writer.write(POST)
            assert await _answer(reader) == (200, b"direct body")
            writer.write(POST[:-1])
            assert (await reader.read()).startswith(b"HTTP/1.1 408 ")

    run(work)


@pytest.mark.parametrize("then", ["shutdown", "connection_lost"])
def test_part_of_a_request_with_a_known_head_is_not_forgotten_at_the_end(then: str) -> None:
    async def work() -> None:
        protocol, transport = _connect(answering)
        protocol.data_received(SAME % (b"4", b"body"))
        protocol.data_received(SAME % (b"4", b"bo"))
        transport.written = b""
        if then == "connection_lost":
            protocol.connection_lost(None)
            await asyncio.sleep(0)
            assert transport.written == b""
            return
        protocol.shutdown()
        protocol.data_received(b"dy")
        await asyncio.gather(*protocol.tasks)
        await asyncio.sleep(0)
        assert b"connection: close\r\n" in transport.written
        assert transport.written.endswith(b"direct body")
        assert transport.is_closed

    run(work)


def test_connection_that_is_used_is_kept_and_an_idle_one_is_closed() -> None:
    async def work() -> None:
        protocol, transport = _connect(answering)
        protocol.timeout_keep_alive = 1000
        for _ in range(3):
            protocol.data_received(SAME % (b"4", b"body"))
        armed = protocol.timeout_keep_alive_task
        assert armed is not None
        protocol.timeout_keep_alive_handler()  # as the timer does that the first request has started
        assert not transport.is_closed
        assert protocol.timeout_keep_alive_task is not None
        assert protocol.timeout_keep_alive_task.when() > armed.when()
        protocol.data_received(SAME % (b"4", b"bo"))
        protocol.timeout_keep_alive = 0
        protocol.timeout_keep_alive_handler()
        assert not transport.is_closed, "a request is on its way"
        protocol.data_received(b"dy")
        protocol.timeout_keep_alive_handler()
        assert transport.is_closed

    run(work)


def test_connection_is_kept_while_an_application_answers_a_request_with_a_known_head() -> None:
    async def work() -> None:
        protocol, transport = _connect(lambda request: request.body != b"slow" and answering(request))
        for _ in range(2):
            protocol.data_received(SAME % (b"4", b"body"))
        assert protocol.timeout_keep_alive_task is not None
        protocol.data_received(SAME % (b"4", b"slow"))
        assert protocol.timeout_keep_alive_task is None
        await asyncio.gather(*protocol.tasks)
        await asyncio.sleep(0)
        assert transport.written.endswith(b"application 4")
        assert protocol.timeout_keep_alive_task is not None

    run(work)


def test_answer_that_has_begun_goes_on_in_pieces_here_or_in_an_application() -> None:
    async def rest(_: Scope, receive: Receive, send: Send) -> None:
        del receive
        await send({"type": "http.response.body", "body": b"by the application", "more_body": False})

    async def work() -> None:
        def taking(request: DirectRequest) -> bool:
            request.begin(written_head(200, [(b"x-name", b"a")]), b"", is_last=False)
            request.begin(written_head(200, []), b"not again", is_last=False)
            request.answer(200, [], b"nor whole")
            return True

        def beginning(request: DirectRequest) -> bool:
            request.begin(written_head(200, [(b"x-name", b"a")]), b"first ", is_last=False)
            request.go_on(b"", is_last=False)
            if request.body == b"over":
                request.hand_over(rest)
            request.go_on(b"last", is_last=True)
            request.go_on(b"late", is_last=True)
            return True

        for body, expected in ((b"here", b"4\r\nlast\r\n"), (b"over", b"12\r\nby the application\r\n")):
            protocol, transport = _connect(beginning)
            for _ in range(2):  # the second one has no state of uvicorn's
                transport.written = b""
                protocol.data_received(SAME % (b"4", body))
                await asyncio.gather(*protocol.tasks)
                await asyncio.sleep(0)
                head = b"HTTP/1.1 200 OK\r\nx-name: a\r\ntransfer-encoding: chunked\r\n\r\n"
                assert transport.written == head + b"6\r\nfirst \r\n" + expected + b"0\r\n\r\n"
        protocol, transport = _connect(taking)
        protocol.data_received(POST)
        assert transport.written.count(b"HTTP/1.1 ") == 1

    run(work)


def test_request_that_is_answered_first_is_sent_before_what_follows_it() -> None:
    """Also when the answer to the one before it is still to be written."""

    async def work() -> None:
        protocol, transport = _connect(answering)
        protocol.transport.write(b"before it ")
        protocol.data_received(POST)
        assert transport.written.startswith(b"before it HTTP/1.1 200 ")

    run(work)


def test_handler_that_fails_is_answered_500_and_nobody_else_suffers() -> None:
    def failing(request: DirectRequest) -> bool:
        if request.body == b"take":
            raise ValueError
        return answering(request)

    def looking(scope: Scope) -> TakeRequest:
        if scope["path"] == "/look":
            raise ValueError
        return failing

    async def work() -> None:
        async with served_after(looking) as (reader, writer):
            for request, status in (
                (POST.replace(b"/x", b"/look"), 500),
                (POST, 200),
                (POST.replace(b"body", b"take"), 500),
                (POST, 200),
            ):
                writer.write(request)
                assert (await _answer(reader))[0] == status

    run(work)


def test_request_that_something_else_follows_is_not_made() -> None:
    made: list[bytes] = []

    def noting(request: DirectRequest) -> bool:
        made.append(request.body)
        return answering(request)

    async def work() -> None:
        async with served(noting) as (reader, writer):
            writer.write(POST + b"\0\0\0\0 no request\r\n\r\n")
            assert (await reader.read()).startswith(b"HTTP/1.1 400 ")
            assert made == []

    run(work)


@pytest.mark.parametrize("is_handed_over", [False, True])
def test_end_is_told_once_when_the_client_goes(is_handed_over: bool) -> None:
    async def work() -> None:
        begun, ended = asyncio.Event(), asyncio.Event()
        ends: list[str] = []

        async def waiting(scope: Scope, receive: Receive, send: Send) -> None:
            gone = asyncio.Event()
            with told_when_gone(scope, receive, gone.set):
                begun.set()
                await gone.wait()
            await _say(b"nobody reads this", send)

        def keeping(request: DirectRequest) -> bool:
            request.when_done(lambda: ends.append("end"))
            request.when_done(ended.set)
            if is_handed_over:
                request.hand_over(waiting)
            else:
                begun.set()
            return True

        async with served(keeping) as (_, writer):
            writer.write(POST)
            await begun.wait()
            writer.close()
            await ended.wait()
        assert ends == ["end"]

    run(work)


def test_answer_after_a_hand_over_or_a_second_one_is_not_sent() -> None:
    async def work() -> None:
        def twice(request: DirectRequest) -> bool:
            request.answer(200, [], b"first")
            request.answer(200, [], b"second")
            request.hand_over(application)
            return True

        def late(request: DirectRequest) -> bool:
            request.hand_over(application)
            request.answer(200, [], b"late")
            return True

        for handler, expected in ((twice, b"first"), (late, b"application 4")):
            async with served(handler) as (reader, writer):
                writer.write(POST)
                assert await _answer(reader) == (200, expected)
                writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
                assert await _answer(reader) == (200, b"application 0")

    run(work)


def test_late_answer_comes_from_the_application() -> None:
    async def work() -> None:
        waiting = Waiting()
        asked: list[DirectRequest] = []

        def keeping(request: DirectRequest) -> bool:
            asked.append(request)
            waiting.add(request, application)
            if request.body == b"soon":
                request.answer(200, [], b"answered")
            return True

        async with served(keeping) as (reader, writer):
            for request, expected in (
                (POST, b"application 4"),
                (POST.replace(b"body", b"soon"), b"answered"),
                (POST, b"application 4"),
            ):
                writer.write(request)
                assert await _answer(reader) == (200, expected)
            waiting.close()

    run(work)


def test_answer_of_a_port_that_closes_ends_the_connection() -> None:
    async def work() -> None:
        requests: asyncio.Queue[DirectRequest] = asyncio.Queue()
        bound = bind("127.0.0.1", 0)
        port, address = Port(bound), bound.getsockname()

        def keeping(request: DirectRequest) -> bool:
            requests.put_nowait(request)
            return True

        await port.open(application, lambda _: keeping)
        reader, writer = await asyncio.open_connection(*address)
        writer.write(POST)
        request = await requests.get()
        port.stop_listening()
        request.answer(200, [], b"last")
        answer = await reader.read()
        assert answer.endswith(b"connection: close\r\n\r\nlast")
        writer.close()
        await port.close()

    run(work)


@pytest.mark.parametrize("request_", [POST, GET], ids=["handler", "application"])
def test_connection_of_a_port_that_closes_has_one_more_answer(request_: bytes) -> None:
    """A request that was on its way was broken off, and its client could not tell whether it counted."""

    async def work() -> None:
        bound = bind("127.0.0.1", 0)
        port, address = Port(bound), bound.getsockname()
        await port.open(application, lambda _: answering)
        reader, writer = await asyncio.open_connection(*address)
        writer.write(request_)
        status, _ = await _answer(reader)
        port.stop_listening()
        writer.write(request_)
        answer = await reader.read()
        assert (status, answer[:13]) == (200, b"HTTP/1.1 200 ")
        assert b"connection: close\r\n" in answer
        writer.close()
        await port.close()

    run(work)


def test_answer_that_has_begun_when_its_port_closes_leaves_one_more() -> None:
    """Its head has not said that the connection ends, so the client goes on with it."""

    async def work() -> None:
        goes_on = asyncio.Event()

        async def in_pieces(scope: Scope, receive: Receive, send: Send) -> None:
            del scope, receive
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"begun", "more_body": True})
            await goes_on.wait()
            await send({"type": "http.response.body", "body": b"", "more_body": False})

        bound = bind("127.0.0.1", 0)
        port, address = Port(bound), bound.getsockname()
        await port.open(in_pieces)
        reader, writer = await asyncio.open_connection(*address)
        writer.write(GET)
        head = await reader.readuntil(b"begun\r\n")
        port.stop_listening()
        goes_on.set()
        await reader.readuntil(b"0\r\n\r\n")
        writer.write(GET)
        answer = await reader.read()
        assert b"connection: close" not in head
        assert b"connection: close\r\n" in answer
        assert answer.endswith(b"0\r\n\r\n")
        writer.close()
        await port.close()

    run(work)


def test_request_that_is_not_answered_when_its_port_closes_is_refused() -> None:
    async def work() -> None:
        asked: asyncio.Queue[DirectRequest] = asyncio.Queue()
        ends: list[str] = []
        bound = bind("127.0.0.1", 0)
        port, address = Port(bound), bound.getsockname()

        def keeping(request: DirectRequest) -> bool:
            request.when_done(lambda: ends.append("end"))
            asked.put_nowait(request)
            return True

        await port.open(application, lambda _: keeping)
        reader, writer = await asyncio.open_connection(*address)
        writer.write(POST)
        await asked.get()
        await port.close()
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert answer.endswith(b"connection: close\r\n\r\nThe server is being stopped")
        assert ends == ["end"]
        writer.close()

    # On the loop of the ports, which writes at the end of a turn.
    with asyncio.Runner(loop_factory=uvicorn.Config(application).get_loop_factory()) as runner:
        runner.run(asyncio.wait_for(work(), 60))


@pytest.mark.parametrize("status", [204, 304, 600, 200])
def test_statuses_have_their_bodies_only(status: int) -> None:
    def empty(request: DirectRequest) -> bool:
        request.answer(status, [], b"")
        return True

    async def work() -> None:
        async with served(empty) as (reader, writer):
            writer.write(POST)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 %d" % status)
            assert (b"content-length: 0" in head) is (status not in {204, 304})

    run(work)


@pytest.mark.parametrize(
    ("hosts", "expected"),
    [
        ([b"localhost:1"], b"direct body"),
        ([b"127.0.0.1"], b"direct body"),
        ([b"evil.example"], b"Host not allowed"),
        ([b"localhost", b"evil.example"], b"Host not allowed"),
        ([], b"Host not allowed"),
    ],
)
def test_handler_of_a_local_port_is_asked_about_local_hosts_only(hosts: list[bytes], expected: bytes) -> None:
    async def work() -> None:
        async with served_after(for_local_hosts(lambda _: answering), LocalOnly(application)) as (reader, writer):
            lines = b"".join(b"host: " + host + b"\r\n" for host in hosts)
            writer.write(b"POST / HTTP/1.1\r\n" + lines + b"content-length: 4\r\n\r\nbody")
            assert (await _answer(reader))[1] == expected

    run(work)
