"""The folder of a PostgreSQL for tests goes with the tests, also when they are killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.waiting import wait_for

_KILLED = """
import os, signal
from pathlib import Path
from apis.tests.contract.gateway.postgres import _folder
with _folder() as folder:
    data = folder / "data"
    data.mkdir()
    (data / "postmaster.pid").write_text(os.environ["SERVER"] + "\\nmore")
    os.killpg(0, signal.SIGKILL)
"""


# In place of PostgreSQL. Not a shell: that cannot catch a signal which was ignored when it started, as in background jobs.
_SERVER = """
import signal, sys
from pathlib import Path
def stop(*_):
    for file in Path(sys.argv[1]).glob("*/data/postmaster.pid"):
        file.unlink()
    sys.exit(7)
signal.signal(signal.SIGINT, stop)
print("ready", flush=True)
signal.pause()
"""


@pytest.mark.skipif(os.name != "posix", reason="the folder is removed by a shell")
def test_folder_and_server_of_killed_tests_go(tmp_path: Path) -> None:
    server = [sys.executable, "-c", _SERVER, str(tmp_path)]
    with subprocess.Popen(server, stdout=subprocess.PIPE, start_new_session=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            environment = {**os.environ, "TMPDIR": str(tmp_path), "SERVER": str(process.pid)}
            command = [sys.executable, "-c", _KILLED]
            done = subprocess.run(command, env=environment, check=False, start_new_session=True)
            assert done.returncode == -9
            wait_for(lambda: list(tmp_path.iterdir()) == [])
            assert process.wait(10) == 7
        finally:
            process.kill()
