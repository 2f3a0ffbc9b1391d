"""The processes that hold the ports: they outlive the API, are replaced when they have to be, and leave nothing behind."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from apis.tests.contract.tool.serving import ToolServer, tool_server, wait_for
from tool_api.workers import is_available
from tool_api.workers.processes import ProcessId, identify

pytestmark = pytest.mark.skipif(not is_available(), reason="the API itself holds the ports here")

URL = "/api/v1beta/servers"
HEADERS = {"accept": "application/json, text/event-stream"}


class Client:
    """A client of one server, on connections that it keeps."""

    def __init__(self, port: int) -> None:
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=HEADERS, timeout=60, trust_env=False)
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
        answer = self.http.post("/mcp", json={"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        self.session = {"mcp-session-id": answer.headers["mcp-session-id"]}

    def list_tools(self) -> Any:
        answer = self.http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=self.session)
        (line,) = [line for line in answer.text.splitlines() if line.startswith("data: {")]
        return json.loads(line.removeprefix("data: "))["result"]["tools"]


@pytest.fixture
def sleeping() -> Iterator[subprocess.Popen[bytes]]:
    """A process that has nothing to do with the API."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    yield process
    process.kill()
    process.wait()


def create(server: ToolServer, name: str) -> int:
    port: int = server.client.post(URL, json={"name": name, "image": "mcp/time:latest"}).json()["port"]
    return port


def test_clients_notice_neither_the_end_of_the_api_nor_its_next_start(tmp_path: Path) -> None:
    first = ToolServer(tmp_path, "--runtime", "simulated")
    port = create(first, "probe")
    (worker,) = first.workers()
    folder = tmp_path / "workers"
    modes = {path.suffix: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}
    assert modes == {"": 0o700, ".sock": 0o600, ".json": 0o600, ".log": 0o600}
    client = Client(port)
    with closing(client.http), client.http.stream("GET", "/mcp", headers=client.session) as events:
        first.kill()
        assert client.list_tools()
        with tool_server(tmp_path) as second:
            assert second.workers() == [worker]
            assert [event["servers"] for event in second.events("worker_adopted")] == [1]
            assert client.list_tools()
            assert "not open" not in second.client.get(f"{URL}/probe").json()["status"]
            assert not events.is_closed
            _assert_refused(tmp_path)
            # Deleted by the API that adopted it.
            assert second.client.delete(f"{URL}/probe").status_code == 204
            # Nobody waits for the end of a worker without ports.
            wait_for(lambda: not worker.is_running, 60)
            assert [*folder.glob("*.json"), *folder.glob("*.sock")] == []


def _assert_refused(state_dir: Path) -> None:
    """Another API on the folder of one that runs would control the same servers."""
    command = [sys.executable, "-m", "tool_api", "--port", "0", "--state-dir", str(state_dir), "--runtime", "simulated"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert f"another tool API uses the state folder {state_dir}" in done.stderr
    assert '"listening"' not in done.stderr


def test_worker_is_replaced_when_its_settings_change_and_when_it_ends(
    tmp_path: Path, sleeping: subprocess.Popen[bytes]
) -> None:
    first = ToolServer(tmp_path, "--runtime", "simulated")
    port = create(first, "probe")
    (worker,) = first.workers()
    client = Client(port)
    first.kill()
    folder = tmp_path / "workers"
    # The number was that of a worker once, and is that of another process now.
    record = {"pid": sleeping.pid, "started": "1@another-boot", "socket": "1.sock"}
    (folder / "probe.1.json").write_text(json.dumps(record))
    (folder / "broken.2.json").write_text("{")
    with closing(client.http), tool_server(tmp_path, "--ready-timeout", "60") as second:
        assert sleeping.poll() is None
        (successor,) = second.workers()
        assert successor != worker
        assert not worker.is_running
        assert second.events("worker_replaced")
        assert len([*folder.glob("*.json")]) == 1
        # The session goes on, without a new handshake.
        assert client.list_tools()

        os.kill(successor.pid, signal.SIGKILL)
        wait_for(lambda: second.workers() not in ([], [successor]))
        wait_for(lambda: "not open" not in second.client.get(f"{URL}/probe").json()["status"])
        assert client.list_tools()
        assert [event["server"] for event in second.events("port_lost")] == ["probe"]


def test_process_is_known_by_its_number_and_start(sleeping: subprocess.Popen[bytes]) -> None:
    known = identify(sleeping.pid)
    assert known is not None
    assert known.is_running
    another = ProcessId(known.pid, "0" + known.started)
    another.kill()
    assert known.is_running
    known.kill()
    sleeping.wait()
    assert not known.is_running
    known.kill()
    assert identify(2**22 + 1) is None
