"""`tool-servers`: latency of calls to real servers through the tool API, each beside what it is compared with, in turn."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import docker

from apis.tests.contract.tool import engine
from apis.tests.contract.tool.serving import ToolServer
from bench import install
from bench.errors import BenchError, Unavailable
from bench.figures import Bound
from bench.report import Report
from bench.serving import free_port

URL = "/api/v1beta/servers"
ROUNDS = 16
CALLS = 40
"""Calls in each round, one after the other."""

PAIRS = 1000
"""Calls of each of two that are compared; the 99th percentile is the tenth longest of them."""

FLOOD_BYTES = 6_000_000
LEDGER = "LEDGER=/tmp/ledger"
START_S = 60
VERSION = "2025-11-25"
HEADERS = {
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": VERSION,
}


class Caller:
    """A client of one server, on a connection that it keeps.

    It takes little time itself: that would be added to both sides of a comparison, and hide what is between them.
    """

    def __init__(self, address: str, tool: str, argument: str) -> None:
        self._connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=120)
        self._tool, self._argument = tool, argument
        self._session: dict[str, str] = {}
        params = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        answer, _ = self._post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        if answer.status != 200:
            raise BenchError(f"{address} answered {answer.status} to initialize")
        self._session = {"mcp-session-id": answer.getheader("mcp-session-id", "")}
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self._number = 0

    def call(self) -> float:
        """Milliseconds to the whole answer of one call."""
        self._number += 1
        params = {"name": self._tool, "arguments": {self._argument: "x"}}
        message = {"jsonrpc": "2.0", "id": self._number, "method": "tools/call", "params": params}
        started = time.perf_counter()
        answer, text = self._post(message)
        took = (time.perf_counter() - started) * 1000
        if answer.status != 200 or b'"result"' not in text:
            raise BenchError(f"a call was answered {answer.status}: {text[:200]!r}")
        return took

    def _post(self, message: object) -> tuple[http.client.HTTPResponse, bytes]:
        self._connection.request("POST", "/mcp", json.dumps(message).encode(), HEADERS | self._session)
        answer = self._connection.getresponse()
        return answer, answer.read()


def run(report: Report) -> None:
    """Measure all three; each needs an engine, which is started for it."""
    report.head("Tool servers: latency, in turn")
    if reason := engine.missing():
        raise Unavailable(reason)
    peer, unavailable = _supergateway()
    with tempfile.TemporaryDirectory(prefix="bench-tool-") as name:
        folder = Path(name)
        (folder / "engine").mkdir()
        with engine.engine(folder / "engine") as running:
            engine.make_image(running.path)
            with _serve(folder, running.path) as server:
                _beside_neighbour(report, server, running.path)
                _beside_direct(report, server, running.path)
                if peer is None:
                    report.say(f"SKIPPED supergateway: {unavailable}")
                else:
                    _beside_supergateway(report, server, running.path, *peer)


def _supergateway() -> tuple[tuple[Path, str] | None, str]:
    """Install the peer; before the engine starts, in whose network nothing can be downloaded.

    Returns:
        (its command and version, None where it cannot be had; why not).
    """
    if shutil.which("docker") is None:
        return None, "not installed: the command docker"
    try:
        return install.supergateway(), ""
    except Unavailable as error:
        return None, str(error)


def _beside_neighbour(report: Report, server: ToolServer, path: Path) -> None:
    """The flood beside a quiet server, and as a control the same without this API: what the machine itself costs."""
    quiet = Caller(_create(server, "quiet"), "record", "tag")
    busy = _create(server, "busy", env_vars=[LEDGER, f"LARGE={FLOOD_BYTES}"])
    client = docker.DockerClient(base_url=f"unix://{path}")
    try:
        apart = client.containers.run(
            engine.IMAGE,
            "ledger",
            environment=[LEDGER, f"LARGE={FLOOD_BYTES}"],
            detach=True,
            stdin_open=True,
            init=True,
            network_mode="none",
            log_config=docker.types.LogConfig(type="json-file", config={"max-size": "5m", "max-file": "2"}),
        )
    finally:
        client.close()
    alone, beside, control = [], [], []
    for _ in range(ROUNDS):
        alone += _times(quiet)
        with _flood(busy):
            beside += _times(quiet)
        with _flood(str(path), str(apart.id)):
            control += _times(quiet)
    _compare(report, "quiet server beside a flood", beside, "alone", alone, {"p95": 1.3})
    # Where the cores are busy with the flood itself, this is what our part in it adds.
    _compare(report, "quiet server beside a flood", beside, "the same flood past our ports", control, {"p95": 1.3})
    _compare(report, "quiet server beside a flood past our ports", control, "alone", alone, {})


@contextlib.contextmanager
def _flood(*source: str) -> Iterator[None]:
    """Have a server send large answers, to a client in a process of its own: one in this would slow the clock.

    Args:
        source: Address of a port, or path of an engine and identifier of a container on it.
    """
    command = [sys.executable, "-m", "bench.commands.tool_servers", *source]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            if process.stdout is None or not process.stdout.readline():
                raise BenchError("the flood has ended")
            yield
        finally:
            process.terminate()


def _beside_direct(report: Report, server: ToolServer, path: Path) -> None:
    address = _create(
        server, "web", transport="streamable-http", permission_profile="network", cmd_arguments=["streamable-http"]
    )
    client = docker.DockerClient(base_url=f"unix://{path}")
    try:
        ports = client.containers.get("web").attrs["NetworkSettings"]["Ports"]
    finally:
        client.close()
    (published,) = next(iter(ports.values()))
    forwarded = _ready(lambda: Caller(address, "variable", "name"))
    direct = Caller(f"http://127.0.0.1:{published['HostPort']}", "variable", "name")
    ours, theirs = _in_turn(forwarded, direct)
    _compare(report, "forward", ours, "direct", theirs, {"p50": 1.1, "p99": 1.1})


def _beside_supergateway(report: Report, server: ToolServer, path: Path, command: Path, version: str) -> None:
    """Both talk to the same program in a container: a child without one answers sooner whoever is in front of it."""
    report.say(f"supergateway {version}, its child in a container")
    bridge = Caller(
        f"http://127.0.0.1:{server.client.get(f'{URL}/quiet').json()['labels']['toolhive-port']}", "record", "tag"
    )
    port = free_port()
    program = f"docker run -i --rm --init --network none -e {LEDGER} {engine.IMAGE} ledger"
    arguments = ["--stdio", program, "--outputTransport", "streamableHttp", "--stateful", "--port", str(port)]
    environment = {**os.environ, "DOCKER_HOST": f"unix://{path}"}
    with subprocess.Popen(
        [command, *arguments, "--logLevel", "none"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as process:
        try:
            peer = _ready(lambda: Caller(f"http://127.0.0.1:{port}", "record", "tag"))
            ours, theirs = _in_turn(bridge, peer)
        finally:
            process.terminate()
    _compare(report, "bridge", ours, "supergateway", theirs, {"p50": 0.5, "p99": 0.5})


def _in_turn(one: Caller, other: Caller) -> tuple[list[float], list[float]]:
    """Call both after each other, and each first as often: what else the machine does then meets both alike."""
    ones: list[float] = []
    others: list[float] = []
    sides = [(one, ones), (other, others)]
    for _ in range(PAIRS):
        for caller, times in sides:
            times.append(caller.call())
        sides.reverse()
    return ones, others


def _times(caller: Caller) -> list[float]:
    return [caller.call() for _ in range(CALLS)]


def _compare(
    report: Report, name: str, ours: list[float], other: str, theirs: list[float], limits: dict[str, float]
) -> None:
    rows = [
        [title, *(f"{_percentile(times, key):.1f}" for key in ("p50", "p95", "p99"))]
        for title, times in ((name, ours), (other, theirs))
    ]
    report.table(["call, ms", "p50", "p95", "p99"], rows)
    for key, limit in limits.items():
        report.bound(
            Bound(f"{name} beside {other}, {key}", _percentile(ours, key) / _percentile(theirs, key), limit, "times")
        )


def _percentile(times: list[float], name: str) -> float:
    return statistics.quantiles(times, n=100)[int(name.removeprefix("p")) - 1]


def _create(server: ToolServer, name: str, **fields: object) -> str:
    """Create a server; returns its address."""
    defaults = {"cmd_arguments": ["ledger"], "env_vars": [LEDGER]}
    answer = server.client.post(URL, json={"name": name, "image": engine.IMAGE, **defaults, **fields})
    if answer.status_code != 201:
        raise BenchError(f"{name} was not created: {answer.text}")
    return f"http://127.0.0.1:{json.loads(answer.text)['port']}"


def _ready(make: Callable[[], Caller]) -> Caller:
    deadline = time.monotonic() + START_S
    while True:
        try:
            return make()
        except (OSError, http.client.HTTPException, BenchError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


@contextlib.contextmanager
def _serve(folder: Path, path: Path) -> Iterator[ToolServer]:
    environment = {"TOOLHIVE_DOCKER_SOCKET": str(path), "TOOLHIVE_PODMAN_SOCKET": ""}
    server = ToolServer(folder / "state", "--runtime", "docker", env=environment)
    try:
        yield server
    finally:
        server.stop()


def _call_for_ever(call: Callable[[], object]) -> None:
    while True:
        call()
        print("called", flush=True)


def _caller_apart(path: str, container: str) -> Callable[[], object]:
    """Calls by the attach stream of a container, without anything in between."""
    client = docker.DockerClient(base_url=f"unix://{path}")
    attached: Any = client.containers.get(container).attach_socket(params={"stdin": 1, "stdout": 1, "stream": 1})
    stream = socket.socket(fileno=os.dup(attached.fileno()))
    stream.setblocking(True)
    params = {"name": "large", "arguments": {"tag": "x"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

    def call() -> None:
        stream.sendall(json.dumps(message).encode() + b"\n")
        while not stream.recv(256 * 1024).endswith(b"\n"):
            pass

    return call


if __name__ == "__main__":
    _call_for_ever(_caller_apart(*sys.argv[1:3]) if len(sys.argv) > 2 else Caller(sys.argv[1], "large", "tag").call)
