"""A server in a process of its own, killed at random moments while clients write; what it had acknowledged stays.

`python -m apis.tests.contract.gateway.killing --kills 50` is the long run.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx

from apis.tests.contract.gateway.postgres import find_programs, free_port, run_cluster
from apis.tests.contract.gateway.providers import MODELS, run_provider

WRITERS = 4
LONGEST_LIFE_S = 0.6
"""A server is killed at a random moment within this time of its first write."""

START_S, ANSWER_S, END_S = 600, 60, 60
"""Longest wait for a server that starts, for an answer, and for a process or a thread to end."""

REPORTED = 20
"""Kills between two lines of the long run."""


class Server:
    """`python -m gateway_api` on one database, again and again."""

    def __init__(self, folder: Path, url: str) -> None:
        self.address = f"http://127.0.0.1:{free_port()}"
        self._url = url
        self._environment = {**os.environ, "GATEWAY_DATA_DIR": str(folder)}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        port = self.address.rpartition(":")[2]
        command = [sys.executable, "-m", "gateway_api", "--port", port, "--database-url", self._url]
        self._process = subprocess.Popen(command, env=self._environment, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            assert self._process.poll() is None, "the server did not start"
            with suppress(httpx.TransportError):
                if httpx.get(f"{self.address}/health", trust_env=False, timeout=ANSWER_S).status_code == 200:
                    return
            time.sleep(0.02)
        raise TimeoutError

    @property
    def pid(self) -> int:
        """Number of the running process."""
        assert self._process
        return self._process.pid

    def kill(self) -> None:
        """Kill it as the kernel would."""
        assert self._process
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(END_S)

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Send one request."""
        return httpx.request(method, f"{self.address}{path}", json=body, trust_env=False, timeout=ANSWER_S)


class Writer:
    """One client that writes to a workspace of its own, and remembers what was acknowledged."""

    def __init__(self, number: int, server: Server) -> None:
        self.name = f"w{number}"
        self._server = server
        self.acknowledged = 0
        self.attempted = 0
        self.activated = 0

    def rules(self, version: int) -> list[dict[str, Any]]:
        """Make the list of a version: as many rules as its last digit says, each with the version in it."""
        rule = {"provider_name": "local", "provider_type": "vllm", "matcher_type": "filename_match"}
        return [
            rule | {"model": MODELS[place % 2], "matcher": f"{version}-{place}"} for place in range(2 + version % 10)
        ]

    def write(self) -> None:
        """Write one version after the other until the server is gone."""
        with (
            httpx.Client(base_url=self._server.address, trust_env=False, timeout=10) as client,
            suppress(httpx.TransportError),
        ):
            while True:
                self.attempted = self.acknowledged + 1
                body = self.rules(self.attempted)
                answer = client.put(f"/api/v1/workspaces/{self.name}/muxes", json=body)
                assert answer.status_code == 204, answer.text
                self.acknowledged = self.attempted
                answer = client.post("/api/v1/workspaces/active", json={"name": self.name})
                assert answer.status_code in (204, 409), answer.text
                self.activated += 1

    def check(self) -> None:
        """Find the acknowledged version, or the one that was on its way, whole."""
        found = self._server.ask("GET", f"/api/v1/workspaces/{self.name}/muxes").json()
        wanted = [self.rules(version) if version else [] for version in {self.acknowledged, self.attempted}]
        assert found in wanted, f"{self.name}: acknowledged {self.acknowledged}, found {found}"
        self.acknowledged = self.attempted = int(found[0]["matcher"].partition("-")[0]) if found else 0


def run_kills(
    folder: Path, url: str, *, kills: int, seed: int = 8989, report: Callable[[int], None] = lambda _: None
) -> int:
    """Kill a server so many times under load, checking after each restart.

    Args:
        folder: Where the servers' files go.
        url: An empty database.
        kills: How often.
        seed: Of the moments of death.
        report: Called after each checked restart, with the number of kills so far.

    Returns:
        How many writes were acknowledged.

    Raises:
        AssertionError: Something acknowledged is missing, or something is there by half.
    """
    random = Random(seed)
    server = Server(folder, url)
    with run_provider() as provider:
        server.start()
        writers = [Writer(number, server) for number in range(WRITERS)]
        body = {"name": "local", "provider_type": "vllm", "endpoint": provider.url("open")}
        assert server.ask("POST", "/api/v1/provider-endpoints", body).status_code == 201
        for writer in writers:
            assert server.ask("POST", "/api/v1/workspaces", {"name": writer.name}).status_code == 201
        try:
            for number in range(kills):
                _one_life(server, writers, random, is_known_to_write=number % 2 == 0)
                report(number + 1)
        finally:
            server.kill()
    return sum(writer.acknowledged + writer.activated for writer in writers)


def _one_life(server: Server, writers: list[Writer], random: Random, *, is_known_to_write: bool) -> None:
    """Start writers and kill the server, in every other life only after it has acknowledged something."""
    before = sum(writer.acknowledged for writer in writers)
    threads = [threading.Thread(target=writer.write, daemon=True) for writer in writers]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + ANSWER_S
    while is_known_to_write and sum(writer.acknowledged for writer in writers) == before:
        assert time.monotonic() < deadline, "no write was acknowledged"
        time.sleep(0.005)
    time.sleep(random.uniform(0.01, LONGEST_LIFE_S))  # the moment of death, not a wait for anything
    server.kill()
    for thread in threads:
        thread.join(END_S)
        assert not thread.is_alive()
    server.start()
    for writer in writers:
        writer.check()
    listed = server.ask("GET", "/api/v1/workspaces").json()["workspaces"]
    assert sum(entry["is_active"] for entry in listed) == 1, listed
    assert len(listed) == 1 + len(writers)


def main() -> None:
    """Run many kills on both databases."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=8989)
    options = parser.parse_args()
    kills, seed = options.kills, options.seed

    def report(count: int) -> None:
        if count % REPORTED == 0:
            print(f"{count} of {kills} kills", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        writes = run_kills(Path(folder), f"sqlite:///{folder}/gateway.sqlite", kills=kills, seed=seed, report=report)
        print(f"SQLite: {kills} kills, seed {seed}, {writes} acknowledged writes, all there", flush=True)
        programs = find_programs()
        if programs is None:
            print("PostgreSQL is not installed: SKIPPED")
            return
        with run_cluster(programs) as cluster:
            writes = run_kills(Path(folder), cluster.fresh_database(), kills=kills, seed=seed, report=report)
        print(f"PostgreSQL: {kills} kills, seed {seed}, {writes} acknowledged writes, all there", flush=True)


if __name__ == "__main__":
    main()
