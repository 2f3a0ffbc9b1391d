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


@pytest.mark.skipif(os.name != "posix", reason="the folder is removed by a shell")
def test_folder_and_server_of_killed_tests_go(tmp_path: Path) -> None:
    server = ["sh", "-c", "trap 'rm -f \"$0\"/*/data/postmaster.pid; exit 7' INT; while :; do sleep 0.05; done"]
    with subprocess.Popen([*server, str(tmp_path)], start_new_session=True) as process:
        environment = {**os.environ, "TMPDIR": str(tmp_path), "SERVER": str(process.pid)}
        command = [sys.executable, "-c", _KILLED]
        done = subprocess.run(command, env=environment, check=False, start_new_session=True)
        assert done.returncode == -9
        wait_for(lambda: list(tmp_path.iterdir()) == [])
        assert process.wait(10) == 7
