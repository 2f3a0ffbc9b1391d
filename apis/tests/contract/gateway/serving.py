"""The gateway's command as a process, as users start it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

COMMAND = [sys.executable, "-m", "octavo_sandbox", "gateway"]
START_S = 60


@contextmanager
def started(folder: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run the command on a free port; all of its files are in the folder."""
    environment = {**os.environ, "GATEWAY_DATA_DIR": str(folder), "TMPDIR": str(folder)}
    command = [*COMMAND, "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


def first_lines(process: subprocess.Popen[str], count: int) -> list[str]:
    """Read the first lines that a server writes; one that writes too few in time is ended, and the missing lines are empty."""
    assert process.stderr
    timer = threading.Timer(START_S, process.kill)
    timer.start()
    try:
        return [process.stderr.readline() for _ in range(count)]
    finally:
        timer.cancel()


@contextmanager
def running(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the command, and give its address once it has said it."""
    with started(folder, *options) as process:
        (said,) = first_lines(process, 1)
        assert '"event": "listening"' in said, said
        yield process, json.loads(said)["address"]
