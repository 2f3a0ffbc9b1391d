"""Servers for the time of a measurement: Octavo's own, and for the peers a plain one with brotli."""

from __future__ import annotations

import contextlib
import functools
import http.client
import mimetypes
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import brotli

from bench import paths
from bench.errors import BenchError
from bench.processes import run_measured, stop, tail

HOST = "127.0.0.1"
START_TIMEOUT_S = 30
STOP_TIMEOUT_S = 15
LARGE_BYTES = 1_000_000


@contextlib.contextmanager
def serve_octavo(site: Path, out: Path) -> Iterator[str]:
    """Serve a built site with `octavo serve`; gives its address without a slash at the end.

    Raises:
        BenchError: the server ended or did not answer in time.
    """
    port = free_port()
    log = paths.WORK / "logs" / "serve.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    command: list[str | Path] = [
        paths.VENV_BIN / "octavo",
        "serve",
        site,
        "--no-build",
        "--out",
        out,
        "--host",
        HOST,
        "--port",
        str(port),
    ]
    with log.open("wb") as stream:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.STDOUT)
    try:
        _wait_until_healthy(process, port, log)
        yield f"http://{HOST}:{port}"
    finally:
        stop(process, STOP_TIMEOUT_S)


@contextlib.contextmanager
def serve_site(folder: Path = paths.SITE) -> Iterator[str]:
    """Build a site of the project, by default that of the two products, and serve it; gives the address.

    Compressed beforehand: the server answers the first requests with a quick form while it makes the small one.

    Raises:
        BenchError: it cannot be built or served.
    """
    out = paths.SITES / folder.name
    out.parent.mkdir(parents=True, exist_ok=True)
    command: list[str | Path] = [paths.VENV_BIN / "octavo", "build", folder, "--out", out, "--precompress"]
    run_measured(command, cwd=paths.ROOT, log=paths.WORK / "logs" / "site.log")
    with serve_octavo(folder, out) as address:
        yield address


@contextlib.contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve static files, compressed with brotli where that helps; gives the address."""
    server = ThreadingHTTPServer((HOST, 0), functools.partial(_Handler, folder.resolve()))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def free_port() -> int:
    """Ask the kernel for a port that is free now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_open(process: subprocess.Popen[bytes], port: int) -> None:
    """Wait until a server takes connections.

    Raises:
        BenchError: it ended, or did not in time.
    """
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), timeout=5):
            return
        time.sleep(0.05)
    raise BenchError(f"{process.args!r} does not answer.")


def _wait_until_healthy(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if _status("/healthz", port) == 200:
                return
        time.sleep(0.05)
    raise BenchError(f"`octavo serve` does not answer.\n{tail(log)}")


def _status(path: str, port: int) -> int:
    with contextlib.closing(http.client.HTTPConnection(HOST, port, timeout=5)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


class _Handler(BaseHTTPRequestHandler):
    """GET and nothing else; only ever asked by the browser of the measurement."""

    protocol_version = "HTTP/1.1"

    def __init__(self, folder: Path, *arguments: object) -> None:
        self.folder = folder
        super().__init__(*arguments)  # type: ignore[arg-type]  # the server hands request, address and itself

    def do_GET(self) -> None:
        """Answer with the file, the folder's index page, or 404."""
        file = resolve_file(self.folder, self.path)
        if file is None:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        body, encoding = _encoded(file, is_text=_is_text(media_type))
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


def resolve_file(folder: Path, target: str) -> Path | None:
    """Find the file of a request target; None where there is none inside the folder."""
    path = (folder / target.partition("?")[0].lstrip("/")).resolve()
    if path.is_dir():
        path = path / "index.html"
    return path if path.is_file() and path.is_relative_to(folder) else None


def _is_text(media_type: str) -> bool:
    return media_type.startswith("text/") or media_type.partition("/")[2] in {"javascript", "json", "xml", "svg+xml"}


@functools.cache
def _encoded(file: Path, *, is_text: bool) -> tuple[bytes, str]:
    content = file.read_bytes()
    if not is_text:
        return content, ""
    # The best quality takes half a minute for the search index of a peer; hosts do not do that either.
    return brotli.compress(content, quality=11 if len(content) < LARGE_BYTES else 5), "br"
