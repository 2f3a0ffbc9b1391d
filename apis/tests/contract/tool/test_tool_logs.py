"""A log that cannot be written is no reason to answer less."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FULL = Path("/dev/full")
TO_STANDARD_ERROR = "from tool_api.logs import log"
TO_A_FILE = f"""
from pathlib import Path
from tool_api import logs
from tool_api.logs import log
from tool_api.workers.worker import WorkerLog
logs.send_to(WorkerLog(Path("{FULL}")).write)
"""


@pytest.mark.skipif(not FULL.exists(), reason="/dev/full exists on Linux")
@pytest.mark.parametrize("script", [TO_STANDARD_ERROR, TO_A_FILE])
def test_log_on_a_full_disk_stops_nothing(script: str) -> None:
    script += "\nfor number in range(1000): log('event', text='x' * 1000)\nprint('still here', flush=True)"
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=full, text=True, check=False
        )
    assert done.stdout == "still here\n"


def test_log_that_nobody_reads_any_more_stops_nothing() -> None:
    script = f"import os, sys\n{TO_STANDARD_ERROR}\nsys.stdin.read()\nlog('event')\nprint('still here', flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        process.stderr.close()
        process.stderr = None
        assert process.communicate("")[0] == "still here\n"
