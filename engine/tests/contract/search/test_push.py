"""`octavo search push` against a server of the test's own that records what the official client sends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from engine.tests.contract.search.conftest import INDEX, Served
from octavo.search.protocol.push import HOSTED_SETTINGS, LARGEST_RECORD

Call = tuple[str, str, Any]


class _Recorder(BaseHTTPRequestHandler):
    """Answers as the hosted service does: every task is done at once."""

    calls: list[Call]

    def _answer(self) -> None:
        size = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(size) or b"null")
        self.calls.append((self.command, self.path, body))
        answer = {
            "taskID": 1,
            "status": "published",
            "pendingTask": False,
            "objectIDs": [],
            "updatedAt": "2026-11-20T00:00:00Z",
        }
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815 - the names that the base class looks for

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture
def recorder() -> Iterator[tuple[str, list[Call]]]:
    calls: list[Call] = []
    handler = type("Recorder", (_Recorder,), {"calls": calls})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", calls
    server.shutdown()
    thread.join()
    server.server_close()


def push(served: Served, host: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "octavo",
        "search",
        "push",
        str(served.site),
        "--out",
        str(served.out),
        "--host",
        host,
    ]
    environment = {name: value for name, value in os.environ.items() if name != "OCTAVO_SEARCH_WRITE_KEY"} | env
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_records_and_settings_are_sent(served: Served, recorder: tuple[str, list[Call]]) -> None:
    host, calls = recorder
    done = push(served, host, OCTAVO_SEARCH_WRITE_KEY="write")
    assert done.returncode == 0, done.stderr
    settings = [body for method, path, body in calls if method == "PUT" and path == f"/1/indexes/{INDEX}/settings"]
    assert settings == [HOSTED_SETTINGS]
    synonyms = [body for _, path, body in calls if path.endswith(f"/{INDEX}/synonyms/batch")]
    assert {"faq", "frequently asked questions"} in [set(entry["synonyms"]) for body in synonyms for entry in body]
    batches = [body["requests"] for _, path, body in calls if path.endswith("/batch") and "/synonyms/" not in path]
    records = [request["body"] for batch in batches for request in batch]
    assert done.stdout == f"Sent {len(records)} records to the index {INDEX}.\n"
    assert {"Model muxing", "Run MCP servers"} <= {record["hierarchy"]["lvl1"] for record in records}
    assert len({record["objectID"] for record in records}) == len(records)
    assert max(len(json.dumps(record, ensure_ascii=False).encode()) for record in records) <= LARGEST_RECORD


def test_key_that_may_write_is_asked_for(served: Served) -> None:
    done = push(served, "http://127.0.0.1:9")
    assert done.returncode == 2
    assert "OCTAVO_SEARCH_WRITE_KEY" in done.stderr
