"""The command: starts, says where it is, stops when asked, and tells in one line why it cannot start."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from click.testing import CliRunner

from apis.tests.contract.gateway.exchanges import make_exchange
from apis.tests.contract.gateway.serving import COMMAND, START_S, first_lines, running, started
from gateway_api.cli import gateway
from gateway_api.importing.examining import BLOCK_LINES, FEWEST_BLOCKS

ANSWER_S = 60


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    environment = {**os.environ, "GATEWAY_DATA_DIR": str(folder)}
    command = [*COMMAND, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=START_S)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda end: end.name)
def test_demo_starts_with_seven_workspaces_and_leaves_nothing_behind(tmp_path: Path, end: signal.Signals) -> None:
    if signal.getsignal(end) == signal.SIG_IGN:
        pytest.skip(f"{end.name} is ignored by what runs the tests, as under nohup, and then by the demo as well")
    with running(tmp_path, "--demo") as (process, address):
        live = httpx.get(f"{address}/api/v1/workspaces", trust_env=False, timeout=ANSWER_S).json()["workspaces"]
        archived = httpx.get(f"{address}/api/v1/workspaces/archive", trust_env=False, timeout=ANSWER_S).json()[
            "workspaces"
        ]
        assert (len(live), len(archived)) == (6, 1)
        assert [path.name[:13] for path in tmp_path.iterdir()] == ["gateway-demo-"]
        process.send_signal(end)
        # As any program that is asked to end; click makes 1 of Ctrl+C.
        assert process.wait(60) == (1 if end is signal.SIGINT else -signal.SIGTERM)
    assert list(tmp_path.iterdir()) == []


def test_every_line_of_a_server_is_json(tmp_path: Path) -> None:
    """From the first one on, also where --demo finds a database that has been used."""
    file = tmp_path / "records.jsonl"
    file.write_text(make_exchange("default").model_dump_json(), encoding="utf-8")
    url = f"sqlite:///{tmp_path}/used.sqlite"
    assert run(tmp_path, "--database-url", url, "import", str(file)).returncode == 0
    with started(tmp_path, "--database-url", url, "--demo") as process:
        said = list(map(json.loads, first_lines(process, 2)))
    assert [line["event"] for line in said] == ["demo_left_out", "listening"]
    assert said[1]["address"].startswith("http://127.0.0.1:")


def test_server_stops_while_somebody_listens(tmp_path: Path) -> None:
    with running(tmp_path) as (process, address):
        stream = httpx.stream("GET", f"{address}/api/v1/alerts_notification", trust_env=False, timeout=60)
        with stream as response:
            lines = response.iter_lines()
            assert next(lines) == ": listening"
            process.send_signal(signal.SIGTERM)
            # A server that dies instead would leave out the last chunk, which httpx reports as an error.
            assert [line for line in lines if line] == []
        assert process.wait(60) == -signal.SIGTERM, "uvicorn raises the signal again after its shutdown"


def test_taken_port_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = run(tmp_path, "--port", str(port))
    assert done.returncode == 2
    assert done.stderr == f"Error: Port {port} on 127.0.0.1 is taken; choose another with --port.\n"


def test_bad_file_is_told_with_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text("{}\n", encoding="utf-8")
    done = run(tmp_path, "import", str(file))
    assert done.returncode == 2
    assert "line 1: type: Field required" in done.stderr


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgresql://reader:kiln-glaze@127.0.0.1:1/x", "Connection refused"),
        ("sqlite:///{folder}/other.sqlite", "file is not a database"),
    ],
)
def test_database_that_cannot_be_used_is_one_line_without_the_password(tmp_path: Path, url: str, reason: str) -> None:
    (tmp_path / "other.sqlite").write_text("Not a database, but a text that is long enough to look like one. " * 40)
    done = run(tmp_path, "--port", "0", "--database-url", url.format(folder=tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith("Error: The database cannot be used: ")
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert "kiln-glaze" not in done.stderr


@pytest.mark.parametrize("option", [["--demo"], ["--port", "1"], ["--forget-api-keys"], ["--no-dashboard"]])
def test_option_of_the_server_is_refused_before_another_command(tmp_path: Path, option: list[str]) -> None:
    file = tmp_path / "records.jsonl"
    file.touch()
    done = CliRunner().invoke(gateway, [*option, "import", str(file)])
    assert done.exit_code == 2
    assert f"{option[0].replace('no-', '')} is an option of the server, and `import` starts none" in done.stderr


def test_large_file_is_checked_by_several_processes(tmp_path: Path) -> None:
    """Numbers of lines, ids that come twice and the order are those of the file."""
    lines = [
        f'{{"type":"chat","provider":null,"timestamp":"2025-05-01T10:00:00Z","messages":["{number}"],"id":"{uuid4()}"}}'
        for number in range(FEWEST_BLOCKS * BLOCK_LINES + 1)
    ]
    file, database = tmp_path / "records.jsonl", tmp_path / "gateway.sqlite"
    wrong = [*lines, lines[0], "{"]
    file.write_text("\n".join(wrong), encoding="utf-8")
    done = run(tmp_path, "import", str(file))
    assert done.returncode != 0
    assert [said.partition(":")[0] for said in done.stderr.splitlines()[2:]] == [
        f"line {number}" for number in (len(lines) + 1, len(lines) + 2)
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    done = run(tmp_path, "import", str(file))
    assert done.stdout == f"Imported {len(lines):,} conversations.\n"
    with closing(sqlite3.connect(database)) as connection:
        stored = [int(words) for (words,) in connection.execute("SELECT last_message FROM prompts ORDER BY id")]
    assert stored == list(range(len(lines)))
