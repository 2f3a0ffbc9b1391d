"""A program of the same process that is asked over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec

Answer = tuple[int, Any]


class Elsewhere:
    """A program that keeps what it was sent: (method, path, body), and answers from a table."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Any]] = []
        self.answer: Callable[[str, str, Any], Answer] = lambda method, path, body: (200, {})
        elsewhere = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1  # an answer is sent as a whole: the client would wait for the rest of a part

            def _act(self) -> None:
                content = self.rfile.read(int(self.headers.get("content-length") or 0))
                body = msgspec.json.decode(content) if content and b"\n{" not in content else None
                elsewhere.asked.append((self.command, self.path, body))
                status, answer = elsewhere.answer(self.command, self.path, body)
                written = answer if isinstance(answer, bytes) else msgspec.json.encode(answer)
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(written)))
                self.end_headers()
                self.wfile.write(written)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _act  # noqa: N815 - names of the base class

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - a name of the base class
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def bodies(self) -> list[Any]:
        return [body for _, _, body in self.asked]
