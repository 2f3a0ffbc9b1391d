"""A PostgreSQL of our own: a fresh cluster on a free port, gone when the tests are."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

_DEBIAN = Path("/usr/lib/postgresql")
_FAST = ["fsync=off", "unix_socket_directories=", "max_connections=60", "listen_addresses=127.0.0.1"]


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
        with psycopg.connect(self.url("postgres").replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def url(self, name: str) -> str:
        return f"postgresql://gateway@127.0.0.1:{self.port}/{name}"


@contextmanager
def run_cluster(programs: Path) -> Iterator[Cluster]:
    """Start a server, and stop it whatever happens."""
    folder = Path(tempfile.mkdtemp(prefix="gateway-postgres-"))
    data, port = folder / "data", free_port()
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    settings = [part for setting in _FAST for part in ("-c", setting)]
    try:
        _run(programs / "initdb", "-D", data, "-U", "gateway", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        server = subprocess.Popen(
            [str(programs / "postgres"), "-D", str(data), "-p", str(port), *settings],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **_user(),
        )
        try:
            _run(programs / "pg_isready", "-h", "127.0.0.1", "-p", port, "-t", "0", until=server)
            yield Cluster(port)
        finally:
            server.send_signal(2)  # fast shutdown: connections are cut
            server.wait(20)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(program: Path, *arguments: object, until: subprocess.Popen[bytes] | None = None) -> None:
    """Run a program; with a server, repeat it until it succeeds or the server has ended."""
    while True:
        done = subprocess.run(
            [str(program), *map(str, arguments)], capture_output=True, text=True, check=False, cwd="/", **_user()
        )
        if done.returncode == 0:
            return
        if until is None or until.poll() is not None:
            raise RuntimeError(f"{program.name}: {done.stderr}")
