"""`recto dev` as a process of its own, on a site that is edited."""

from __future__ import annotations

import re
import select
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

START_S = 60
FOLLOW_S = 30
_ADDRESS = re.compile(r"http://[^/\s]+")


class Dev:
    """A running server, and the folder that it follows."""

    def __init__(self, root: Path, origin: str) -> None:
        self.root = root
        self.origin = origin

    def get(self, path: str) -> tuple[int, bytes]:
        """Ask for a path; gives (status, content)."""
        try:
            with urllib.request.urlopen(self.origin + path, timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, which an edit brings about."""
        deadline = time.monotonic() + FOLLOW_S
        while not holds():
            assert time.monotonic() < deadline, "the server did not follow the edit"
            time.sleep(0.02)


@pytest.fixture
def start_dev() -> Iterator[Callable[[Path], Dev]]:
    processes: list[subprocess.Popen[str]] = []

    def start(root: Path) -> Dev:
        command = [sys.executable, "-m", "recto", "dev", str(root), "--port", "0"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        processes.append(process)
        assert process.stdout is not None
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            ready, _, _ = select.select([process.stdout], [], [], deadline - time.monotonic())
            line = process.stdout.readline() if ready else ""
            if found := _ADDRESS.search(line):
                return Dev(root, found[0])
            assert process.poll() is None, "the server ended at once"
        raise AssertionError("the server did not start")

    yield start
    for process in processes:
        process.terminate()
        assert process.wait(20) == 0
        if process.stdout is not None:
            process.stdout.close()
