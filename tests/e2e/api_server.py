"""A small API on loopback, as a reader's own machine would run it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EVENTS = 3


class Api(ThreadingHTTPServer):
    """Keeps what it was asked; `allows_origins` says whether pages of other origins may read its answers."""

    daemon_threads = True
    allows_origins = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []
        self.goes_on = threading.Event()
        """When set, the event stream continues after its first event."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Api

    def do_OPTIONS(self) -> None:
        self._answer(204, None)

    def do_GET(self) -> None:
        self._note()
        if self.path.endswith("/alerts_notification"):
            self._stream()
        else:
            self._answer(200, {"workspaces": [{"name": "kiln", "is_active": True}]})

    def do_POST(self) -> None:
        self._note()
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if body["name"] == "taken-by-a-rule":
            self._answer(422, {"detail": [{"loc": ["body", "name"], "msg": "no", "type": "value_error"}]})
        else:
            self._answer(201, body)

    def _note(self) -> None:
        self.server.asked.append(f"{self.command} {self.path} cookie={self.headers['Cookie']}")

    def _head(self, status: int, media_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        if self.server.allows_origins:
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Access-Control-Allow-Headers", "*")
            self.send_header("Access-Control-Allow-Methods", "*")

    def _answer(self, status: int, value: object) -> None:
        body = b"" if value is None else json.dumps(value).encode()
        self._head(status, "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self._head(200, "text/event-stream")
        self.end_headers()
        for number in range(EVENTS):
            if number == 1:
                self.server.goes_on.wait(30)
            self.wfile.write(f"data: event {number}\n\n".encode())
            self.wfile.flush()
        self.close_connection = True

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def serve_api() -> Iterator[Api]:
    """Run the API until the block ends."""
    api = Api()
    thread = threading.Thread(target=api.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield api
    finally:
        api.goes_on.set()
        api.shutdown()
        api.server_close()
        thread.join()
