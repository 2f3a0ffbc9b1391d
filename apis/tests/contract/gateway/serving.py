"""The gateway's command as a process, as users start it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

COMMAND = [sys.executable, "-m", "octavo_sandbox", "gateway"]
START_S = 60


@contextmanager
def running(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the command on a free port, and give its address once it has said it; all of its files are in the folder."""
    environment = {**os.environ, "GATEWAY_DATA_DIR": str(folder), "TMPDIR": str(folder)}
    command = [*COMMAND, "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr
        try:
            has_spoken, _, _ = select.select([process.stderr], [], [], START_S)
            said = process.stderr.readline() if has_spoken else ""
            assert '"event": "listening"' in said, said
            yield process, json.loads(said)["address"]
        finally:
            process.kill()
