"""Clients that come and go while the server, the API and the engine die; a ledger in the server counts what it was asked.

`python -m apis.tests.contract.tool.soak` is the long run: 10,000 sessions, 200 ends of the server, 50 of the API, 3 restarts of
the engine. Every call gets exactly one answer, a result or an error, is executed at most once, and is answered to nobody else.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import docker
import httpx

from apis.tests.contract.tool import engine
from apis.tests.contract.tool.serving import ToolServer

URL = "/api/v1beta/servers"
HEADERS = {"accept": "application/json, text/event-stream"}
CLIENTS = 8
ANSWER_S = 180.0
"""Longest wait for an answer: more than the API lets a call wait for a server that is starting."""

TOOLS = {"record": 14, "slow": 3, "large": 1, "leave": 2}
"""Tool → weight. `leave` is a call whose client goes before it is answered."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much happens."""

    sessions: int
    crashes: int = 0
    kills: int = 0
    restarts: int = 0


@dataclass(slots=True)
class Figures:
    """What happened."""

    sessions: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    """`result`, `error` (an answer as well) or `left`."""

    faults: list[str] = field(default_factory=list)
    """What must not happen."""

    memory: list[int] = field(default_factory=list)
    """Resident kB of the worker, after each tenth of the sessions."""


class Soak:
    """One run against one server that is in a container already."""

    def __init__(self, port: int, plan: Plan, events: dict[str, Callable[[], None]], memory: Callable[[], int]) -> None:
        """Args: events: What to do for `crashes`, `kills` and `restarts`, each in a thread. memory: Of the worker, kB."""
        self.figures = Figures()
        self._port = port
        self._plan = plan
        self._events = events
        self._memory = memory
        self._tags = count(1)
        self._answered: set[str] = set()
        self._order = random.Random(8080)

    async def run(self) -> None:
        await asyncio.gather(self._disturb(), *(self._live() for _ in range(CLIENTS)))

    def audit(self, ledger: list[str]) -> None:
        """Compare what the server has executed with what clients were told."""
        executed = Counter(ledger)
        faults = self.figures.faults
        faults += [f"{tag} was executed {number} times" for tag, number in executed.items() if number > 1]
        faults += [f"{tag} has a result and was not executed" for tag in self._answered if tag not in executed]

    async def _live(self) -> None:
        while self.figures.sessions < self._plan.sessions:
            self.figures.sessions += 1
            if self.figures.sessions % max(self._plan.sessions // 10, 1) == 0:
                self.figures.memory.append(self._memory())
                figures = (
                    f"{self.figures.sessions} sessions, {dict(self.figures.calls)}, {len(self.figures.faults)} faults"
                )
                print(f"{figures}, worker {self.figures.memory[-1]} kB", file=sys.stderr, flush=True)
            async with httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{self._port}", headers=HEADERS, timeout=ANSWER_S, trust_env=False
            ) as client:
                try:
                    await self._visit(client)
                except httpx.HTTPError as error:
                    self._note(f"a connection broke: {error!r}")

    async def _visit(self, client: httpx.AsyncClient) -> None:
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}
        opening = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
        answer = await client.post("/mcp", json=opening)
        session = answer.headers.get("mcp-session-id")
        if answer.status_code != 200 or not session:
            self._note(f"initialize: {answer.status_code} {answer.text[:200]}")
            return
        headers = {"mcp-session-id": session}
        await client.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=headers)
        for number in range(1, self._order.randint(2, 4)):
            await self._call(client, headers, number)
        if self._order.random() < 0.5:
            await client.delete("/mcp", headers=headers)

    async def _call(self, client: httpx.AsyncClient, headers: dict[str, str], number: int) -> None:
        tool = self._order.choices([*TOOLS], [*TOOLS.values()])[0]
        tag = f"{tool}-{next(self._tags)}"
        params = {"name": tool, "arguments": {"tag": tag}}
        # Every client uses the same numbers.
        post = client.post(
            "/mcp", json={"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}, headers=headers
        )
        if tool == "leave":
            task = asyncio.ensure_future(post)
            await asyncio.wait([task], timeout=self._order.random() / 50)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            self.figures.calls["left"] += 1
            return
        answers = [message for message in _messages(await post) if "id" in message and "method" not in message]
        if len(answers) != 1 or answers[0]["id"] != number:
            self._note(f"{tag} was answered {len(answers)} times: {answers}"[:300])
        elif "error" in answers[0]:
            self.figures.calls["error"] += 1
        else:
            self.figures.calls["result"] += 1
            self._answered.add(tag)
            text = answers[0]["result"]["content"][0]["text"].strip()
            if text != tag:
                self._note(f"{tag} was given the answer to {text}")

    def _note(self, fault: str) -> None:
        self.figures.faults.append(fault)
        print(f"{datetime.now(UTC):%H:%M:%S} FAULT {fault}", file=sys.stderr, flush=True)

    async def _disturb(self) -> None:
        """Spread the events over the sessions, in an order of their own."""
        names = [name for name in self._events for _ in range(getattr(self._plan, name))]
        self._order.shuffle(names)
        for index, name in enumerate(names):
            while self.figures.sessions < self._plan.sessions * (index + 0.5) / len(names):  # noqa: ASYNC110 - clients count
                await asyncio.sleep(0.02)
            await asyncio.to_thread(self._events[name])


def soak(state: Path, running: engine.Engine, arguments: tuple[str, ...], plan: Plan) -> Figures:
    """Make a server, disturb it and everything under it, and audit its ledger.

    Args:
        state: Folder of the API's state; the ledger goes into its folder `data`.
        running: The engine; its image must have been made.
        arguments: Of the API.
        plan: How much happens.
    """
    environment = {"TOOLHIVE_DOCKER_SOCKET": str(running.path), "TOOLHIVE_PODMAN_SOCKET": ""}

    def start() -> ToolServer:
        return ToolServer(state, "--runtime", "docker", *arguments, env=environment)

    data = state / "data"
    data.mkdir(mode=0o777)
    data.chmod(0o777)
    servers = [start()]
    request = {"name": "ledger", "image": engine.IMAGE, "cmd_arguments": ["ledger"], "volumes": [f"{data}:/data"]}
    created = servers[0].client.post(URL, json=request)
    assert created.status_code == 201, created.text
    (worker,) = servers[0].workers()
    client = docker.DockerClient(base_url=f"unix://{running.path}", timeout=120)

    def crash() -> None:
        # By the engine, which starts a container again at once only if it was not told to end.
        client.containers.get("ledger").restart(timeout=0)

    def kill() -> None:
        servers[0].kill()
        servers[0] = start()

    def restart() -> None:
        running.stop()
        running.start()

    run = Soak(
        created.json()["port"],
        plan,
        {"crashes": crash, "kills": kill, "restarts": restart},
        lambda: _resident_kb(worker.pid),
    )
    try:
        asyncio.run(run.run())
        run.audit((data / "ledger").read_text().split())
        if servers[0].workers() != [worker]:
            run.figures.faults.append("the worker was replaced")
        servers[0].client.delete(f"{URL}/ledger", params={"force": "true"})
    finally:
        client.close()
        servers[0].stop()
    return run.figures


def _messages(answer: httpx.Response) -> list[dict[str, Any]]:
    if answer.headers.get("content-type", "").startswith("application/json"):
        return [answer.json()]
    lines = (line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {"))
    return [json.loads(line) for line in lines]


def _resident_kb(pid: int) -> int:
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, number in (("sessions", 10_000), ("crashes", 200), ("kills", 50), ("restarts", 3)):
        parser.add_argument(f"--{name}", type=int, default=number)
    plan = Plan(**vars(parser.parse_args()))
    if reason := engine.missing():
        sys.exit(f"soak: {reason}")
    with tempfile.TemporaryDirectory(prefix="tool-soak-") as folder:
        (Path(folder) / "engine").mkdir()
        with engine.engine(Path(folder) / "engine") as running:
            engine.make_image(running.path)
            state = Path(folder) / "state"
            state.mkdir()
            figures = soak(state, running, ("--mount-root", folder), plan)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{plan}\nsessions {figures.sessions}, calls {dict(figures.calls)}, load {load}")
    print(f"worker, kB after each tenth: {figures.memory}")
    for fault in figures.faults:
        print(f"FAULT {fault}")
    sys.exit(bool(figures.faults))


if __name__ == "__main__":
    main()
