"""Writing at once: nothing is lost and nothing overtaken, however little fits."""

from __future__ import annotations

import asyncio
import os
import random
import socket
from collections.abc import Awaitable, Callable

import pytest
import uvicorn

from tool_api.runtime.writing import AtOnce


@pytest.fixture(params=["the ports' loop", "any other"])
def run(request: pytest.FixtureRequest) -> Callable[[Callable[[], Awaitable[None]]], None]:
    """Run something in both loops: that of the ports, and that of systems which do not have it."""
    factory = uvicorn.Config("none").get_loop_factory() if request.param == "the ports' loop" else None

    def in_loop(work: Callable[[], Awaitable[None]]) -> None:
        async def limited() -> None:
            async with asyncio.timeout(60):
                await work()

        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(limited())

    return in_loop


Run = Callable[[Callable[[], Awaitable[None]]], None]


def test_it_is_there_before_the_turn_of_the_loop_ends(run: Run) -> None:
    async def work() -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            transport, _ = await asyncio.get_running_loop().create_connection(asyncio.Protocol, sock=ours)
            AtOnce(transport).write(b"now")
            assert theirs.recv(100) == b"now"
            transport.close()

    run(work)


@pytest.mark.costly
@pytest.mark.parametrize("is_pipe", [True, False])
def test_order_is_kept_however_much_is_written(run: Run, is_pipe: bool) -> None:
    async def work() -> None:
        loop, order = asyncio.get_running_loop(), random.Random(7)
        if is_pipe:
            output, descriptor = os.pipe()
            made = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(descriptor, "wb", buffering=0))
            reader = os.fdopen(output, "rb", buffering=0)
        else:
            ours, theirs = socket.socketpair()
            made = await loop.create_connection(asyncio.Protocol, sock=ours)
            reader = theirs.makefile("rb", buffering=0)
            theirs.close()
        writer = AtOnce(made[0])
        pieces = [bytes([number % 251]) * order.choice([1, 50, 5_000, 300_000]) for number in range(200)]
        expected = b"".join(pieces)

        def read() -> bytes:
            found = b""
            while len(found) < len(expected) and (piece := reader.read(100_000)):
                found += piece
            return found

        reading = asyncio.create_task(asyncio.to_thread(read))
        for piece in pieces:
            writer.write(piece)
            if order.random() < 0.3:
                await asyncio.sleep(0)
        assert await reading == expected
        made[0].close()
        reader.close()

    run(work)


def test_what_nobody_reads_any_more_is_no_error(run: Run) -> None:
    async def work() -> None:
        ours, theirs = socket.socketpair()
        ended = asyncio.Event()

        class Protocol(asyncio.Protocol):
            def connection_lost(self, exc: Exception | None) -> None:
                del exc
                ended.set()

        transport, _ = await asyncio.get_running_loop().create_connection(Protocol, sock=ours)
        writer = AtOnce(transport)
        theirs.close()
        writer.write(b"a")
        await ended.wait()
        # Its descriptor is closed, and the next file has the same number.
        output, descriptor = os.pipe()
        writer.write(b"b")
        os.set_blocking(output, False)
        with pytest.raises(BlockingIOError):
            os.read(output, 1)
        os.close(output)
        os.close(descriptor)

    run(work)
