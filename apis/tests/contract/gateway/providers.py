"""Model providers on loopback: real HTTP servers that list models as each kind does."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

KEY = "sk-test-1234567890-very-secret"
MODELS = ["model-a", "model-b"]


class QuietServer(ThreadingHTTPServer):
    """Says nothing when a client hangs up."""

    def handle_error(self, *_: Any) -> None:
        """Leave it."""


class FakeProvider:
    """A server whose first path segment says how it behaves: `/openai`, `/anthropic`, `/ollama`, `/broken`."""

    def __init__(self) -> None:
        self.models = list(MODELS)
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.release = threading.Event()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                provider.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                provider.answer(self)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = QuietServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]

    def url(self, kind: str) -> str:
        return f"http://127.0.0.1:{self.port}/{kind}"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        kind, _, path = handler.path.removeprefix("/").partition("/")
        key = handler.headers.get("authorization", "").removeprefix("Bearer ") or handler.headers.get("x-api-key")
        listed = {"data": [{"id": name} for name in self.models]}
        if kind == "openai" and path == "v1/models":
            send(handler, 200 if key == KEY else 401, listed)
        elif kind == "open" and path == "v1/models":
            send(handler, 200, listed)
        elif kind == "anthropic" and path == "v1/models" and handler.headers.get("anthropic-version"):
            send(handler, 200 if handler.headers.get("x-api-key") == KEY else 401, listed)
        elif kind == "ollama" and path == "api/tags":
            send(handler, 200, {"models": [{"name": name} for name in self.models]})
        elif kind == "moved":
            send(handler, 302, {}, location=f"/open/{path}")
        elif kind == "elsewhere":
            send(handler, 302, {}, location=f"http://localhost:{self.port}/open/{path}")
        elif kind == "circle":
            send(handler, 302, {}, location=handler.path)
        elif kind == "broken":
            send(handler, 200, ["not", "models"])
        elif kind == "huge":
            send(handler, 200, {"data": [{"id": "x" * 9_000_000}]})
        elif kind == "slow":
            self.release.wait(30)
            send(handler, 200, listed)
        else:
            send(handler, 404, {})


def send(handler: BaseHTTPRequestHandler, status: int, body: Any, location: str | None = None) -> None:
    data = json.dumps(body).encode()
    try:
        handler.send_response(status)
        if location:
            handler.send_header("location", location)
        handler.send_header("content-length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)
    except (BrokenPipeError, ConnectionResetError):
        handler.close_connection = True  # the gateway has hung up, as it should on answers too large or late


@contextmanager
def run_provider() -> Iterator[FakeProvider]:
    provider = FakeProvider()
    poll = {"poll_interval": 0.02}
    thread = threading.Thread(target=provider.server.serve_forever, kwargs=poll, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.release.set()
        provider.server.shutdown()
        thread.join(60)
        provider.server.server_close()
        assert not thread.is_alive()


class LoopbackOnly(httpx.AsyncHTTPTransport):
    """Connections as ever to this machine; none to anywhere else, whatever a test asks for."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.host not in ("127.0.0.1", "localhost"):
            raise httpx.ConnectError("no network in tests", request=request)
        return await super().handle_async_request(request)
