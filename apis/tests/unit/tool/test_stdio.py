"""Lines of a server's standard output, and what is known of those that are too long."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import anyio
import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import JSONRPCNotification, JSONRPCRequest

from tests.support.each import each
from tool_api.runtime.base import OversizedMessageError, UnreadAnswer
from tool_api.runtime.reading import WrittenCall, written_call
from tool_api.runtime.stdio import HEADER_BYTES, AttachedWire, Lines, take_frames, talk
from tool_api.runtime.streams import StreamWire

LONG = "x" * 5000
LIMIT_S = 60


def run(work: Callable[[], Awaitable[None]]) -> None:
    """Run something in both loops: that of the ports, and that of systems which do not have it."""

    async def limited() -> None:
        async with asyncio.timeout(LIMIT_S):
            await work()

    for factory in (None, uvicorn.Config("none").get_loop_factory()):
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(limited())


def feed(lines: Lines, data: bytes, size: int) -> list[Any]:
    return [line for start in range(0, len(data), size) for line in lines.feed(data[start : start + size])]


@given(st.lists(st.binary(max_size=20).filter(lambda line: b"\n" not in line)), st.integers(1, 50))
def test_lines_are_found_however_they_arrive(texts: list[bytes], size: int) -> None:
    found = feed(Lines(20), b"".join(text + b"\n" for text in texts), size)
    assert found == [text.strip() for text in texts if text.strip()]


@each("size", [1, 7, 1000, 100_000])
@each(
    ("message", "answers", "asks"),
    [
        ({"jsonrpc": "2.0", "id": 7, "result": {"text": LONG}}, 7, None),
        ({"id": 7, "jsonrpc": "2.0", "result": {"id": 8, "text": LONG}}, 7, None),
        ({"result": {"text": LONG, "more": {"id": 8}}, "jsonrpc": "2.0", "id": 7}, 7, None),
        ({"jsonrpc": "2.0", "result": {"text": LONG, "id": 8}, "id": 7}, 7, None),
        ({"error": {"message": LONG}, "id": 7, "jsonrpc": "2.0"}, 7, None),
        ({"jsonrpc": "2.0", "id": 7, "error": {"code": 1, "message": LONG}}, 7, None),
        ({"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage", "params": {"text": LONG}}, None, "s1"),
        ({"method": "sampling/createMessage", "params": {"text": LONG}, "jsonrpc": "2.0", "id": 7}, None, 7),
        ({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": LONG, "id": 7}}, None, None),
        ({"result": {"text": LONG, "id": 7}}, None, None),
        ({"jsonrpc": "2.0", "id": "7", "result": {"text": LONG}}, 7, None),
        ({"text": LONG}, None, None),
    ],
)
def test_line_that_is_too_long_is_discarded_and_its_id_found(
    message: dict[str, object], answers: int | None, asks: int | str | None, size: int
) -> None:
    lines = Lines(4000)
    for separators in ((",", ":"), (", ", ": ")):
        text = json.dumps(message, separators=separators).encode()
        oversized, following = feed(lines, text + b"\n{}\n", size)
        assert isinstance(oversized, OversizedMessageError)
        assert (oversized.answers, oversized.asks, oversized.limit) == (answers, asks, 4000)
        assert following == b"{}"


def test_line_of_exactly_the_limit_is_kept() -> None:
    assert list(Lines(4).feed(b"1234\n")) == [b"1234"]
    (refused,) = Lines(4).feed(b"12345\n")
    assert isinstance(refused, OversizedMessageError)


def frame(stream: int, payload: bytes) -> bytes:
    return bytes([stream, 0, 0, 0]) + len(payload).to_bytes(4, "big") + payload


@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=300))), st.integers(1, 40))
def test_frames_are_found_however_they_arrive(frames: list[tuple[int, bytes]], size: int) -> None:
    data = b"".join(frame(*found) for found in frames)
    buffer, taken = bytearray(), []
    for start in range(0, len(data), size):
        buffer += data[start : start + size]
        taken += take_frames(buffer)
    assert taken == [payload for stream, payload in frames if stream == 1]
    assert buffer == b""


def test_incomplete_frame_is_left_in_the_buffer() -> None:
    buffer = bytearray(frame(1, b"abc")[: HEADER_BYTES + 2])
    assert take_frames(buffer) == []
    buffer += b"c"
    assert take_frames(buffer) == [b"abc"]


@given(
    st.lists(
        st.sampled_from(
            [b"", b" ", b"a", b'{"jsonrpc":"2.0","id":7,"result":{}}', b'{"jsonrpc":"2.0","method":"a"}', b"x" * 60]
        )
    ),
    st.lists(st.sampled_from([1, 2])),
    st.booleans(),
)
def test_lines_in_frames_of_their_own_are_read_as_any_others(
    texts: list[bytes], streams: list[int], is_whole: bool
) -> None:
    frames = [frame(stream, text + b"\n") for stream, text in zip(streams, texts, strict=False)]

    async def read(pieces: list[bytes]) -> list[str]:
        wire, said = AttachedWire(50), []
        carrying = asyncio.create_task(wire.carry(lambda message: said.append(repr(message))))
        await asyncio.sleep(0)
        for piece in pieces:
            wire.data_received(piece)
        wire.connection_lost(None)
        await carrying
        return said

    pieces = frames if is_whole else [piece for found in frames for piece in (found[:9], found[9:])]
    assert asyncio.run(read(pieces)) == asyncio.run(read([b"".join(frames)]))


def test_half_a_line_goes_on_in_the_next_frame() -> None:
    async def work() -> None:
        wire, said = AttachedWire(100), []
        carrying = asyncio.create_task(wire.carry(said.append))
        await asyncio.sleep(0)
        for piece in (b'{"jsonrpc":"2.0",', b'"id":7,"result":{}}\n', b'{"jsonrpc":"2.0","id":8,"result":{"a":1}}\n'):
            wire.data_received(frame(1, piece))
        wire.connection_lost(None)
        await carrying
        assert said == [UnreadAnswer(7, b"{}"), UnreadAnswer(8, b'{"a":1}')]

    run(work)


def test_pipe_that_leads_to_standard_input_is_closed_where_there_is_no_connection() -> None:
    async def work() -> None:
        ours, theirs = socket.socketpair()
        output, direct = os.pipe()
        os.close(output)
        ours.close()
        theirs.close()
        with pytest.raises((OSError, ValueError)):
            async with talk(ours, 100, direct):
                raise AssertionError("there is no connection")
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(direct)

    run(work)


def test_call_goes_to_a_server_in_this_process_with_its_parameters() -> None:
    async def work() -> None:
        said_in, said = anyio.create_memory_object_stream[Any](1)
        told_in, told = anyio.create_memory_object_stream[Any](9)
        with said_in, said, told_in, told:
            wire = StreamWire(said, told_in)
            carrying = asyncio.create_task(wire.carry(print))
            wire.send(WrittenCall(1, b'{"name":"a"}'))
            wire.send_line(written_call(2, b'{"name":"b"}'))
            for number, name in ((1, "a"), (2, "b")):
                call = (await told.receive()).message
                assert type(call) is JSONRPCRequest
                assert (call.id, call.params) == (number, {"name": name})
            carrying.cancel()

    run(work)


def test_what_a_server_says_before_somebody_takes_it_is_not_lost() -> None:
    async def work() -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            theirs.sendall(frame(1, b'{"jsonrpc":"2.0","method":"a"}\n'))
            async with talk(ours, 100) as wire:
                # Two turns of the loop, in which it reads: nothing shows from outside that it has.
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                said: asyncio.Queue[Any] = asyncio.Queue()
                carrying = asyncio.create_task(wire.carry(said.put_nowait))
                assert (await said.get()).method == "a"
                wire.send(JSONRPCNotification(jsonrpc="2.0", method="b\u2028"))
                theirs.setblocking(False)
                heard = await asyncio.get_running_loop().sock_recv(theirs, 1000)
                assert heard == b'{"jsonrpc":"2.0","method":"b\\u2028"}\n'
                theirs.shutdown(socket.SHUT_WR)
                await carrying
            wire.send(JSONRPCNotification(jsonrpc="2.0", method="c"))
            assert await asyncio.get_running_loop().sock_recv(theirs, 1000) == b""
        assert ours.fileno() == -1

    run(work)


def test_standard_input_itself_is_written_to_while_somebody_reads_it() -> None:
    async def work() -> None:
        loop = asyncio.get_running_loop()
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        output, direct = os.pipe()
        os.set_blocking(direct, False)
        text = "x" * 300_000  # more than fits into a pipe
        with theirs, os.fdopen(output, "rb", buffering=0) as reading:
            async with talk(ours, 100, direct) as wire:
                wire.send(JSONRPCNotification(jsonrpc="2.0", method=text))
                wire.send(JSONRPCNotification(jsonrpc="2.0", method="b"))
                lines = await asyncio.to_thread(_read_lines, reading, 2)
                assert [json.loads(line)["method"] for line in lines] == [text, "b"]
                reading.close()
                wire.send(JSONRPCNotification(jsonrpc="2.0", method="c"))  # finds that nobody reads
                received = b""
                while not received:
                    await asyncio.sleep(0)
                    wire.send(JSONRPCNotification(jsonrpc="2.0", method="d"))
                    with suppress(BlockingIOError):
                        received = theirs.recv(1000)
            # It waits for nothing, and is closed with the connection.
            while piece := await loop.sock_recv(theirs, 1000):
                received += piece
            # Several may have been sent before the first was received.
            assert set(received.splitlines()) == {b'{"jsonrpc":"2.0","method":"d"}'}
            with pytest.raises(OSError, match="Bad file descriptor"):
                os.fstat(direct)

    run(work)


def test_pipe_that_leads_to_standard_input_is_closed_with_the_connection() -> None:
    async def work() -> None:
        ours, theirs = socket.socketpair()
        output, direct = os.pipe()
        os.set_blocking(direct, False)
        with theirs, os.fdopen(output, "rb", buffering=0) as reading:
            ended = asyncio.Event()
            async with talk(ours, 100, direct):
                asyncio.get_running_loop().add_reader(output, ended.set)
            await ended.wait()
            assert reading.read() == b"", "its end is read"
            asyncio.get_running_loop().remove_reader(output)

    run(work)


def _read_lines(file: Any, count: int) -> list[bytes]:
    data = b""
    while data.count(b"\n") < count:
        data += file.read(100_000)
    return data.splitlines()


def test_what_a_server_said_before_it_ended_is_not_lost_either() -> None:
    async def work() -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            theirs.sendall(frame(1, b'{"jsonrpc":"2.0","method":"a"}\n{"jsonrpc":"2.0","method":"b"}\n'))
        async with talk(ours, 100) as wire:
            while ours.fileno() >= 0:  # noqa: ASYNC110 - the loop itself notices the end, in one of its turns
                await asyncio.sleep(0)
            said: list[Any] = []
            await wire.carry(said.append)
            assert [message.method for message in said] == ["a", "b"]

    run(work)


def test_error_of_who_takes_messages_ends_the_connection_with_it() -> None:
    def refuse(message: object) -> None:
        raise ZeroDivisionError

    async def work() -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            async with talk(ours, 100) as wire:
                theirs.sendall(frame(1, b'{"jsonrpc":"2.0","method":"a"}\n{"jsonrpc":"2.0","method":"b"}\n'))
                with pytest.raises(ZeroDivisionError):
                    await wire.carry(refuse)

    run(work)
