"""A PostgreSQL of our own: a fresh cluster on a free port, gone when the tests are."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

START_S, STOP_S = 120, 60
ATTEMPTS = 3
PROGRAM_S = 60
CONNECT_S = 60
"""Longest run of one of the programs."""

_DEBIAN = Path("/usr/lib/postgresql")

_TIDY_UP = """
cat >/dev/null
if [ -e "$1/data/postmaster.pid" ]; then kill -INT "$(head -n 1 "$1/data/postmaster.pid")"; fi
for _ in $(seq 300); do [ -e "$1/data/postmaster.pid" ] || break; sleep 0.2; done
rm -rf "$1"
"""
"""Reads until the program that has started it ends, however that happens, and removes what it has left."""

_SETTINGS = ["unix_socket_directories=", "max_connections=60", "listen_addresses=127.0.0.1"]


def find_programs() -> Path | None:
    """Find the folder of `initdb`: on the PATH, or where Debian puts it."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else sorted(_DEBIAN.glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "pg_isready").exists()), None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _user() -> dict[str, Any]:
    """PostgreSQL refuses to run as root; Debian's package brings a user for it."""
    return {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}


class Cluster:
    """A running server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._count = 0

    def fresh_database(self) -> str:
        """Make an empty database and give its URL."""
        self._count += 1
        name = f"gateway_{self._count}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def connect(self, name: str = "postgres") -> psycopg.Connection[Any]:
        """Connect beside the gateway; no statement waits for ever, and each is a transaction of its own."""
        options = "-c lock_timeout=20s -c statement_timeout=30s"
        return psycopg.connect(self.url(name), autocommit=True, connect_timeout=10, options=options)

    def url(self, name: str) -> str:
        # The gateway's own limit is 5 s, which a machine with much else to do exceeds.
        return f"postgresql://gateway@127.0.0.1:{self.port}/{name}?connect_timeout={CONNECT_S}"


def database_of(url: str) -> str:
    """Take the name of the database out of its URL."""
    return urlsplit(url).path.removeprefix("/")


@contextmanager
def run_cluster(programs: Path, *, is_durable: bool = False) -> Iterator[Cluster]:
    """Start a server, and stop it whatever happens.

    Args:
        programs: See `find_programs`.
        is_durable: Let it wait for the disk, as measurements need and tests do not.
    """
    with _folder() as folder:
        data = folder / "data"
        _run(programs / "initdb", "-D", data, "-U", "gateway", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        server, port = _start(programs, data, _SETTINGS if is_durable else ["fsync=off", *_SETTINGS])
        try:
            yield Cluster(port)
        finally:
            _stop(server)


@contextmanager
def _folder() -> Iterator[Path]:
    """Make a folder that goes with this process, also when it is killed; nobody but its owner may enter pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="gateway-postgres-"))
    command = ["/bin/sh", "-c", _TIDY_UP, "sh", str(folder)]
    # In a session of its own: what ends the tests by a signal to their group must not end it.
    with subprocess.Popen(command, stdin=subprocess.PIPE, cwd="/", start_new_session=True):
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        yield folder


def _start(programs: Path, data: Path, chosen: Sequence[str]) -> tuple[subprocess.Popen[bytes], int]:
    """Start a server on a free port; somebody else may take the port first, so there is more than one attempt."""
    settings = [part for setting in chosen for part in ("-c", setting)]
    for attempt in range(ATTEMPTS):
        port = free_port()
        command = [str(programs / "postgres"), "-D", str(data), "-p", str(port), *settings]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        server = subprocess.Popen(command, cwd=data.parent, **quiet, **_user())
        try:
            _wait_until_ready(programs, port, server)
        except RuntimeError:
            _stop(server)
            if attempt == ATTEMPTS - 1:
                raise
        else:
            return server, port
    raise AssertionError


def _wait_until_ready(programs: Path, port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S
    while True:
        try:
            # A program that has taken the port in between may accept and never answer: no question without a limit.
            _run(programs / "pg_isready", "-h", "127.0.0.1", "-p", port, "-t", 3)
        except RuntimeError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise
        else:
            if server.poll() is not None:
                raise RuntimeError("another server has the port")
            return


def _stop(server: subprocess.Popen[bytes]) -> None:
    """Ask for a fast shutdown, which cuts connections; kill what does not follow."""
    server.send_signal(signal.SIGINT)
    try:
        server.wait(STOP_S)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait(STOP_S)
        raise


def _run(program: Path, *arguments: object) -> None:
    command = [str(program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=PROGRAM_S, **_user())
    if done.returncode:
        raise RuntimeError(f"{program.name}: {done.stderr}")
