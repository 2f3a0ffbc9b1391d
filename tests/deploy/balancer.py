"""Debian's nginx with the files of `deploy/`, in front of replicas of the real server."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx

from apis.tests.contract.tool.serving import wait_for
from tests.support import paths

DEPLOY = paths.DEPLOY
TRUST = ("--trusted-proxy", "127.0.0.1")
"""As `deploy/nginx.conf` says."""
START_S = 60
STOP_S = 60
WRAPPER = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
events {{ worker_connections 512; }}
http {{
    access_log off;
    types {{ text/html html; text/css css; text/javascript js; application/json json; }}
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {settings}
}}
"""
"""What a system's own nginx.conf says around a site."""


def find_nginx() -> str | None:
    """Find Debian's program, which is not in the path of everybody."""
    return shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Replica:
    """`octavo serve` on a port of its own: `--no-build` for a folder, `--replica` for an address."""

    def __init__(self, folder: Path, out: Path | str, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self._folder = folder
        served = (
            ["--replica", out, "--replica-seconds", "0.2"] if isinstance(out, str) else ["--no-build", "--out", out]
        )
        self._command = [sys.executable, "-m", "octavo", "serve", folder, *served, "--port", str(port), *TRUST]
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True)

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        wait_for(self.build, START_S)

    def build(self) -> str | None:
        """Ask which build is served; None while nobody answers."""
        try:
            answer = httpx.get(f"{self.address}/healthz", timeout=5)
        except httpx.HTTPError:
            return None
        return str(answer.json()["build"]) if answer.status_code == 200 else None

    def stop(self) -> None:
        """End it as an operator does; it must finish what is under way and end well."""
        assert self._process is not None
        self._process.terminate()
        code = self._process.wait(STOP_S)
        if code != 0:
            raise AssertionError(f"A replica ended with code {code}:\n{(self._folder / 'log').read_text()}")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@contextmanager
def hosted(out: Path) -> Iterator[str]:
    """Put a published folder behind an address, as object storage does."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(out))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def run_nginx(folder: Path, settings: str, port: int) -> Iterator[str]:
    """Run nginx with settings of the level of `http`; yields its address. It must have nothing to complain about."""
    program = find_nginx()
    assert program is not None
    folder.mkdir()
    # Workers of root become another user, who may not read the folders of a test run.
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(WRAPPER.format(user=user, folder=folder, settings=settings))
    command = [program, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: _listens(port) or process.poll() is not None, START_S)
        if process.poll() is not None:
            raise AssertionError(f"nginx ended at once:\n{(folder / 'error.log').read_text()}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(STOP_S)


@contextmanager
def balanced(folder: Path, out: Path | str, count: int = 2) -> Iterator[tuple[str, list[Replica]]]:
    """Run replicas behind `deploy/nginx.conf`, each on a free port; answers name their replica in a header."""
    settings = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    last = "    server 127.0.0.1:3002 max_fails=0;\n"
    more = [last.replace("3002", str(3001 + number)) for number in range(2, count)]
    settings = settings.replace(last, "".join([last, *more]))
    ports = {name: free_port() for name in re.findall(r"127\.0\.0\.1:(\d+)", settings)}
    for name, port in ports.items():
        settings = settings.replace(f"127.0.0.1:{name}", f"127.0.0.1:{port}")
    settings = settings.replace("location / {", "location / {\n        add_header X-Replica $upstream_addr always;")
    *servers, front = ports.values()
    with ExitStack() as stack:
        replicas = [Replica(folder / f"replica-{port}", out, port) for port in servers]
        for replica in replicas:
            replica.start()
            stack.callback(replica.stop)
        yield stack.enter_context(run_nginx(folder / "nginx", settings, front)), replicas


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
