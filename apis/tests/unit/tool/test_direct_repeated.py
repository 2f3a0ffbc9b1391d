"""Requests whose head is that of one before them are answered as the parser would have them answered."""

from __future__ import annotations

import asyncio
import itertools

import pytest
from starlette.types import Receive, Scope, Send

from apis.tests.unit.tool.direct_port import (
    POST,
    SAME,
    answering,
    application,
    connect,
    connect_after,
    read_answer,
    run,
    served,
    served_after,
)
from tests.support.each import each
from tool_api import guard
from tool_api.endpoint import direct, gathering
from tool_api.endpoint.direct import DirectRequest, TakeRequest


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

    protocol, transport = connect(noting, app)
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

        protocol, transport = connect_after(looking)
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
        protocol, transport = connect(answering)
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
        protocol, transport = connect(answering)
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

        protocol, transport = connect(keeping)
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

        protocol, transport = connect(keeping)
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
                assert await read_answer(reader) == (200, b"direct " + b"b" * length)
            writer.write(POST)
            assert await read_answer(reader) == (200, b"direct body")

    run(work)
    assert looked == ["/x", "/x"]


@pytest.mark.parametrize("takes", [True, False])
def test_body_that_comes_after_a_known_head_is_waited_for(takes: bool) -> None:
    """As clients send them that write the two apart."""

    async def work() -> None:
        protocol, transport = connect(lambda request: request.body != b"other" and answering(request))
        protocol.data_received(SAME % (b"4", b"body"))
        body = b"again" if takes else b"other"
        for piece in (SAME % (b"5", b""), body[:2], body[2:]):
            transport.written = b""
            protocol.data_received(piece)
        await asyncio.gather(*protocol.tasks)
        await asyncio.sleep(0)
        assert transport.written.endswith(b"direct again" if takes else b"application 5")

    run(work)


@pytest.mark.costly
def test_body_that_does_not_come_after_a_known_head_is_refused_by_the_application(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guard, "BODY_S", 0.05)
    monkeypatch.setattr(gathering, "BODY_S", 0.01)

    async def work() -> None:
        async with served(answering) as (reader, writer):
            writer.write(POST)
            assert await read_answer(reader) == (200, b"direct body")
            writer.write(POST[:-1])
            assert (await reader.read()).startswith(b"HTTP/1.1 408 ")

    run(work)


@pytest.mark.parametrize("then", ["shutdown", "connection_lost"])
def test_part_of_a_request_with_a_known_head_is_not_forgotten_at_the_end(then: str) -> None:
    async def work() -> None:
        protocol, transport = connect(answering)
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
        protocol, transport = connect(answering)
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
        protocol, transport = connect(lambda request: request.body != b"slow" and answering(request))
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


def test_request_with_an_offer_of_another_protocol_goes_to_the_application_whole() -> None:
    async def work() -> None:
        async with served(answering) as (reader, writer):
            offering = POST.replace(b"host:", b"connection: upgrade\r\nupgrade: h2c\r\nhost:")
            writer.write(offering)
            assert await read_answer(reader) == (200, b"application 4")
            writer.write(POST)
            assert await read_answer(reader) == (200, b"direct body")

    run(work)
