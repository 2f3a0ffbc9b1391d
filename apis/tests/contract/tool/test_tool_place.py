"""Addresses of containers: used while their process exists, and only where they are addresses of this network."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tool_api.runtime.place import AskedPlace, ProcessPlace, open_input, open_process, reaches

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="descriptors of processes are a feature of Linux")


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as started:
        yield started
        started.kill()


def group(number: int) -> str:
    """What the control group of a process is named after, as a container's is after its identifier."""
    return Path(f"/proc/{number}/cgroup").read_text().strip().rpartition("\n")[2]


def test_place_is_current_until_the_process_ends(process: subprocess.Popen[bytes]) -> None:
    async def test() -> None:
        descriptor = open_process(group(process.pid), process.pid)
        assert descriptor is not None
        place = ProcessPlace("http://127.0.0.1:1", descriptor)
        assert await place.is_current()
        process.kill()
        process.wait()
        assert not await place.is_current()
        place.close()
        place.close()
        assert not await place.is_current()

    asyncio.run(test())


def test_process_of_another_container_is_not_taken(process: subprocess.Popen[bytes]) -> None:
    assert open_process("another", process.pid) is None
    assert open_process(group(process.pid), 0) is None
    process.kill()
    process.wait()
    assert open_process("", process.pid) is None


def test_standard_input_of_a_process_is_written_to() -> None:
    command = [sys.executable, "-c", "print(input() + input(), flush=True)"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        assert started.stdin is not None
        assert started.stdout is not None
        opened = open_input(group(started.pid), started.pid)
        assert opened is not None
        assert not os.get_blocking(opened)
        os.write(opened, b"a\n")
        os.close(opened)
        started.stdin.write(b"b\n")
        started.stdin.flush()
        assert started.stdout.readline() == b"ab\n"
        assert open_input("another", started.pid) is None
    assert open_input(group(os.getpid()), started.pid) is None


@pytest.mark.parametrize(
    "replaced",
    [
        "os.open(sys.argv[1], os.O_RDONLY)",  # what it may read only
        "os.open(sys.argv[2], os.O_RDWR)",  # a pipe with a name, which others may read
        "os.pipe()[0]",  # a pipe to itself, as in front of a program that filters what comes
        "1",  # the pipe that it writes to, whose other end its parent has as well
        "os.open('/dev/null', os.O_RDWR)",
    ],
)
def test_what_a_process_has_put_in_place_of_its_standard_input_is_left_alone(replaced: str, tmp_path: Path) -> None:
    file, named = tmp_path / "file", tmp_path / "named"
    file.touch()
    os.mkfifo(named)
    program = f"import os, sys; kept = {replaced}; os.dup2(kept, 0); print(0, flush=True); __import__('signal').pause()"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(file), str(named)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as started:
        assert started.stdout is not None
        started.stdout.readline()
        assert open_input(group(started.pid), started.pid) is None
        started.kill()
    assert file.read_bytes() == b""


def test_standard_input_is_not_that_of_a_process_which_has_ended_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its number may be another process's by then."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as started:
        name, open_ = group(started.pid), os.open
        opened: list[int] = []

        def end_first(path: str, flags: int) -> int:
            descriptor = open_(path, flags)
            opened.append(descriptor)
            if flags & os.O_WRONLY:
                started.kill()
                started.wait()
            return descriptor

        monkeypatch.setattr(os, "open", end_first)
        assert open_input(name, started.pid) is None
        monkeypatch.undo()
    assert len(opened) == 2
    for descriptor in opened:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(descriptor)


def test_own_address_is_used_only_in_the_network_of_the_engine() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        published = f"http://127.0.0.1:{server.getsockname()[1]}"
        assert reaches("127.0.0.1", "127.0.0.1", published)
        assert not reaches("127.0.0.1", "127.0.0.2", published), "this machine is another one on the engine's network"
        assert not reaches("127.0.0.1", "", published)
    assert not reaches("127.0.0.1", "127.0.0.1", published), "the engine's ports are not this machine's"


def test_closed_place_that_the_engine_is_asked_about() -> None:
    async def test() -> None:
        answers = iter((True, False))

        async def is_same() -> bool:
            return next(answers)

        place = AskedPlace("http://127.0.0.1:1", is_same)
        assert [await place.is_current(), await place.is_current()] == [True, False]

    asyncio.run(test())
