"""A running tool API in a process of its own, as users start it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import anyio
import httpx

from tool_api.workers.processes import ProcessId

START_S = 120
TALK_S = 60

T = TypeVar("T")


class ToolServer:
    """One process; its log is kept in memory."""

    def __init__(self, state_dir: Path, *arguments: str, env: dict[str, str] | None = None) -> None:
        command = [sys.executable, "-m", "tool_api", "--port", "0", "--state-dir", str(state_dir), *arguments]
        self.state_dir = state_dir
        self.lines: list[str] = []
        self._process = subprocess.Popen(
            command,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **(env or {})},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.address = ""
        try:
            wait_for(lambda: self._find_address() or self._process.poll() is not None, START_S)
            assert self.address, self.log
        except BaseException:
            self.kill()
            raise
        self.client = httpx.Client(base_url=self.address, timeout=60)

    @property
    def log(self) -> str:
        return "\n".join(self.lines)

    def events(self, name: str) -> list[dict[str, object]]:
        entries = (json.loads(line) for line in list(self.lines) if line.startswith("{"))
        return [entry for entry in entries if entry["event"] == name]

    def kill(self) -> None:
        """End the process without warning."""
        self._process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self) -> None:
        """End the process as a supervisor does, and then the workers that it leaves."""
        self._process.terminate()
        try:
            self._end()
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        finally:
            for worker in self.workers():
                worker.kill()

    def workers(self) -> list[ProcessId]:
        """Processes that hold the ports of servers."""
        records = [json.loads(record.read_text()) for record in (self.state_dir / "workers").glob("*.json")]
        found = [ProcessId(record["pid"], record["started"]) for record in records]
        return [process for process in found if process.is_running]

    def _end(self) -> None:
        self._process.wait(START_S)
        self._reader.join(START_S)
        # Closing a file that a thread still reads from would wait for that thread.
        if self._process.stderr and not self._reader.is_alive():
            self._process.stderr.close()
        if hasattr(self, "client"):
            self.client.close()

    def _read(self) -> None:
        assert self._process.stderr
        for line in self._process.stderr:
            self.lines.append(line.rstrip("\n"))

    def _find_address(self) -> bool:
        chosen = self.events("runtime_chosen")
        for entry in self.events("listening"):
            self.address = str(entry["address"])
        return bool(chosen and self.address and self._answers())

    def _answers(self) -> bool:
        if not self.address.startswith("http"):
            return True
        try:
            return httpx.get(f"{self.address}/health", timeout=20).status_code == 204
        except httpx.HTTPError:
            return False


@contextmanager
def tool_server(state_dir: Path, *arguments: str, env: dict[str, str] | None = None) -> Iterator[ToolServer]:
    """A server on the simulated runtime unless the arguments say otherwise; ended with the block."""
    chosen = () if "--runtime" in arguments else ("--runtime", "simulated")
    server = ToolServer(state_dir, *chosen, *arguments, env=env)
    try:
        yield server
    finally:
        server.stop()


def talk_to(talk: Callable[..., Awaitable[T]], *arguments: object) -> T:
    """Run a conversation of the protocol's client, which by itself would wait for an answer for ever."""

    async def limited() -> T:
        with anyio.fail_after(TALK_S):
            return await talk(*arguments)

    return anyio.run(limited)


def wait_for(condition: Callable[[], object], timeout_s: float = 20) -> None:
    """Wait until a condition holds.

    Raises:
        TimeoutError: It did not.
    """
    end = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("the condition did not come true")
        time.sleep(0.02)
