"""The command: starts, says where it is, stops when asked, and tells in one line why it cannot start."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

COMMAND = [sys.executable, "-m", "recto", "api", "gateway"]


@contextmanager
def running(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run the command on a free port, and give its address once it has said it."""
    environment = {**os.environ, "GATEWAY_DATA_DIR": str(folder)}
    command = [*COMMAND, "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr
        said = process.stderr.readline()
        assert said.startswith("The gateway API is on http://127.0.0.1:"), said
        try:
            yield process, said.split()[5]
        finally:
            process.kill()


def test_demo_starts_with_seven_workspaces_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with running(tmp_path, "--demo") as (process, address):
        live = httpx.get(f"{address}/api/v1/workspaces", trust_env=False).json()["workspaces"]
        archived = httpx.get(f"{address}/api/v1/workspaces/archive", trust_env=False).json()["workspaces"]
        assert (len(live), len(archived)) == (6, 1)
        process.send_signal(signal.SIGTERM)
        process.wait(20)
    assert list(tmp_path.iterdir()) == []


def test_server_stops_while_somebody_listens(tmp_path: Path) -> None:
    with running(tmp_path) as (process, address):
        stream = httpx.stream("GET", f"{address}/api/v1/alerts_notification", trust_env=False, timeout=20)
        with stream as response:
            lines = response.iter_lines()
            assert next(lines) == ": listening"
            process.send_signal(signal.SIGTERM)
            assert [line for line in lines if line] == []
        process.wait(20)
    assert (tmp_path / "gateway.sqlite").exists()


def test_taken_port_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        environment = {**os.environ, "GATEWAY_DATA_DIR": str(tmp_path)}
        done = subprocess.run(
            [*COMMAND, "--port", str(port)], capture_output=True, text=True, env=environment, check=False
        )
    assert done.returncode == 2
    assert done.stderr == f"Error: Port {port} on 127.0.0.1 is taken; choose another with --port.\n"


def test_bad_file_is_told_with_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text("{}\n", encoding="utf-8")
    environment = {**os.environ, "GATEWAY_DATA_DIR": str(tmp_path)}
    done = subprocess.run([*COMMAND, "import", str(file)], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 2
    assert "line 1: type: Field required" in done.stderr
