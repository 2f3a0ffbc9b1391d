"""Addresses of containers: used while their process exists, and only where they are addresses of this network."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tool_api.runtime.place import AskedPlace, ProcessPlace, open_process, reaches

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
