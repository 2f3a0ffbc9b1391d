"""Requests that are answered without an application: which they are, and that each is answered once, whatever happens."""

from __future__ import annotations

import asyncio

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from apis.tests.unit.tool.direct_port import (
    GET,
    POST,
    SAME,
    answering,
    application,
    connect,
    read_answer,
    run,
    say,
    served,
    served_after,
)
from tool_api import guard
from tool_api.endpoint import direct, gathering
from tool_api.endpoint.direct import DirectRequest, TakeRequest, Waiting, written_head
from tool_api.endpoint.gathering import told_when_gone
from tool_api.endpoint.guard import LocalOnly, for_local_hosts
from tool_api.endpoint.port import Port, bind


def test_small_request_is_answered_and_its_connection_used_again() -> None:
    async def work() -> None:
        async with served(answering) as (reader, writer):
            for piece in (POST, POST, POST + POST):
                writer.write(piece)
                assert await read_answer(reader) == (200, b"direct body")
            # Of two that come together, the second waits, and is the application's.
            assert await read_answer(reader) == (200, b"application 4")

    run(work)


@pytest.mark.parametrize("cut", [10, len(POST) - 4, len(POST) - 1])
def test_request_may_come_in_pieces(cut: int) -> None:
    async def work() -> None:
        async with served(answering) as (reader, writer):
            writer.write(POST[:cut])
            await writer.drain()
            await asyncio.sleep(0)
            writer.write(POST[cut:])
            status, text = await read_answer(reader)
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
            assert await read_answer(reader) == (200, expected)

    run(work)


def test_body_that_is_expected_to_be_asked_for_is_asked_for() -> None:
    async def work() -> None:
        async with served(answering) as (reader, writer):
            writer.write(b"POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 1\r\n\r\n")
            assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
            writer.write(b"b")
            assert await read_answer(reader) == (200, b"application 1")

    run(work)


@pytest.mark.costly
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
                assert await read_answer(reader) == (200, b"application 4")

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
            protocol, transport = connect(beginning)
            for _ in range(2):  # the second one has no state of uvicorn's
                transport.written = b""
                protocol.data_received(SAME % (b"4", body))
                await asyncio.gather(*protocol.tasks)
                await asyncio.sleep(0)
                head = b"HTTP/1.1 200 OK\r\nx-name: a\r\ntransfer-encoding: chunked\r\n\r\n"
                assert transport.written == head + b"6\r\nfirst \r\n" + expected + b"0\r\n\r\n"
        protocol, transport = connect(taking)
        protocol.data_received(POST)
        assert transport.written.count(b"HTTP/1.1 ") == 1

    run(work)


def test_request_that_is_answered_first_is_sent_before_what_follows_it() -> None:
    """Also when the answer to the one before it is still to be written."""

    async def work() -> None:
        protocol, transport = connect(answering)
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
                assert (await read_answer(reader))[0] == status

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
            await say(b"nobody reads this", send)

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
                assert await read_answer(reader) == (200, expected)
                writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
                assert await read_answer(reader) == (200, b"application 0")

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
                assert await read_answer(reader) == (200, expected)
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
        status, _ = await read_answer(reader)
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
            assert (await read_answer(reader))[1] == expected

    run(work)
