"""The server as a process of its own, and bytes sent to it as they are."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

_SERVE = """
import sys
from pathlib import Path
from octavo.errors import ServeError
from octavo.server.access import LimitedHttp
from octavo.server.run import serve
LimitedHttp.head_timeout_s = float(sys.argv[4])
try:
    serve(Path(sys.argv[1]), host=sys.argv[2], port=int(sys.argv[3]))
except ServeError as error:
    sys.exit(f"{error}")
"""


def start(
    out: Path, host: str = "127.0.0.1", port: int = 0, head_timeout_s: float = 10
) -> tuple[subprocess.Popen[str], int]:
    """Start `serve` and wait for its line, as (process, port); port 0 when it has refused."""
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE, str(out), host, str(port), str(head_timeout_s)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    return process, int(line.rstrip("/\n").rpartition(":")[2]) if line else 0


def stop(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def request(target: bytes, method: bytes = b"GET") -> bytes:
    return method + b" " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def send(port: int, data: bytes) -> bytes:
    """Send bytes and read until the server closes."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(data)
        while chunk := connection.recv(65536):
            received += chunk
    return received


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])
