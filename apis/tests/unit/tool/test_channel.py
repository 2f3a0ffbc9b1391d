"""Messages between processes arrive whole, in order, and each with its own files."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import sys
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tool_api.workers.channel import MAX_FILES, PIECE_BYTES, Channel, NamedSocket, peer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files are handed over as Linux does it")
LIMIT_S = 60


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, LIMIT_S))


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    yield pair
    for end in pair:
        end.close()


class Pipes:
    """Pipes with different contents, so that a test can see which of them it has received."""

    def __init__(self, count: int) -> None:
        self.reads: list[int] = []
        for number in range(count):
            read, write = os.pipe()
            os.write(write, f"{number}".encode())
            os.close(write)
            self.reads.append(read)

    def close(self) -> None:
        for read in self.reads:
            os.close(read)


def content(files: list[int]) -> list[str]:
    """Read what is in pipes, and close them."""
    found = []
    for file in files:
        found.append(os.read(file, 100).decode())
        os.close(file)
    return found


def count_open() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_messages_of_any_size_arrive_whole_and_in_order(ends: tuple[socket.socket, socket.socket]) -> None:
    sizes = (0, 1, PIECE_BYTES - 1, PIECE_BYTES, 5 * PIECE_BYTES, 3)

    async def work() -> None:
        ours, theirs = map(Channel, ends)
        sending = [asyncio.create_task(ours.send({"number": n, "text": "é" * size})) for n, size in enumerate(sizes)]
        for number, size in enumerate(sizes):
            assert await theirs.receive() == ({"number": number, "text": "é" * size}, [])
        await asyncio.gather(*sending)
        await theirs.send({"back": [1, None]})
        assert await ours.receive() == ({"back": [1, None]}, [])

    run(work())


@pytest.mark.parametrize("counts", [(1,), (2, 0, 3), (MAX_FILES,), (MAX_FILES + 1, 1), (3 * MAX_FILES + 2, 2)])
def test_each_message_has_its_own_files(ends: tuple[socket.socket, socket.socket], counts: tuple[int, ...]) -> None:
    async def work() -> None:
        ours, theirs = map(Channel, ends)
        pipes = [Pipes(count) for count in counts]
        for number, one in enumerate(pipes):
            await ours.send({"number": number}, one.reads)
            one.close()  # the receiver has them
        for number, count in enumerate(counts):
            received = await theirs.receive()
            assert received is not None
            message, files = received
            assert message == {"number": number}
            assert content(files) == [f"{n}" for n in range(count)]

    run(work())


def test_files_stay_open_at_their_sender(ends: tuple[socket.socket, socket.socket]) -> None:
    async def work() -> None:
        ours, _ = map(Channel, ends)
        pipes = Pipes(MAX_FILES + 1)
        await ours.send({}, pipes.reads)
        assert content(pipes.reads) == [f"{n}" for n in range(MAX_FILES + 1)]

    run(work())


def test_files_that_nobody_has_taken_are_closed_with_the_channel(ends: tuple[socket.socket, socket.socket]) -> None:
    async def work() -> None:
        ours, theirs = map(Channel, ends)
        read, write = os.pipe()
        await ours.send({"number": 1})
        await ours.send({"number": 2}, [write])
        assert await theirs.receive() == ({"number": 1}, [])
        with suppress(TimeoutError):
            await asyncio.wait_for(theirs._read(), 0.001)  # a piece that is not a message yet may have files
        os.close(write)
        theirs.close()
        assert os.read(read, 1) == b"", "nobody has the other end any more"
        os.close(read)

    run(work())


@pytest.mark.parametrize("rest", [b"", b'{"half": '])
def test_end_of_the_other_side_is_none(ends: tuple[socket.socket, socket.socket], rest: bytes) -> None:
    async def work() -> None:
        ours = Channel(ends[0])
        ends[1].sendall(b'{"files": 0}\n' + rest)
        ends[1].close()
        assert await ours.receive() == ({}, [])
        assert await ours.receive() is None
        with pytest.raises(OSError, match="Broken pipe"):
            await ours.send({})
        ours.close()
        assert await ours.receive() is None

    run(work())


def test_files_wait_while_the_receiver_is_slow(ends: tuple[socket.socket, socket.socket]) -> None:
    async def work() -> None:
        ours, theirs = map(Channel, ends)
        filling = asyncio.create_task(ours.send({"text": "x" * 4_000_000}))
        pipes = Pipes(1)
        sending = asyncio.create_task(ours.send({"number": 2}, pipes.reads))
        await asyncio.sleep(0)
        assert not sending.done()
        received = await theirs.receive()
        assert received is not None
        assert len(received[0]["text"]) == 4_000_000
        received = await theirs.receive()
        assert received is not None
        assert content(received[1]) == ["0"]
        await asyncio.gather(filling, sending)
        pipes.close()

    run(work())


def test_wait_that_is_cancelled_leaves_the_next_message_readable(ends: tuple[socket.socket, socket.socket]) -> None:
    async def work() -> None:
        ours, theirs = map(Channel, ends)
        waiting = asyncio.create_task(theirs.receive())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await ours.send({"number": 1})
        assert await theirs.receive() == ({"number": 1}, [])

    run(work())


def test_kernel_says_who_is_at_the_other_end(ends: tuple[socket.socket, socket.socket]) -> None:
    assert peer(ends[0]) == (os.getpid(), os.geteuid())


def test_named_socket_may_have_a_long_path_and_is_its_users_own(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 50)
    folder.mkdir()
    before, mask = count_open(), os.umask(0o022)
    try:
        with NamedSocket(folder / "1.sock").listen() as listener:
            assert stat.S_IMODE((folder / "1.sock").stat().st_mode) == 0o600
            clients = [NamedSocket(folder / "1.sock").connect() for _ in range(8)]
            accepted, _ = listener.accept()
            clients[0].sendall(b"hello")
            assert accepted.recv(5) == b"hello"
            assert count_open() == before + 10
            for one in (accepted, *clients):
                one.close()
        assert os.umask(0o022) == 0o022, "the process makes other files as before"
        with pytest.raises(OSError, match="Address already in use"):
            NamedSocket(folder / "1.sock").listen()
        assert os.umask(0o022) == 0o022
        with pytest.raises(ConnectionRefusedError):
            NamedSocket(folder / "1.sock").connect()
        with pytest.raises(FileNotFoundError):
            NamedSocket(folder / "2.sock").connect()
        with pytest.raises(FileNotFoundError):
            NamedSocket(tmp_path / "missing" / "1.sock").connect()
        assert count_open() == before
    finally:
        os.umask(mask)
