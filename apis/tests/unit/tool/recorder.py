"""A stdio server that keeps a ledger, behind a port of this process, and clients of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import httpx
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from tool_api.endpoint.endpoint import Endpoint
from tool_api.endpoint.port import bind
from tool_api.runtime.base import Wire
from tool_api.runtime.simulated import SimulatedLink
from tool_api.runtime.streams import StreamWire
from tool_api.settings import Limits
from tool_api.store import ServerRow, ServerSpec, Store

HEADERS = {"accept": "application/json, text/event-stream"}


class Recorder(SimulatedLink):
    """A runtime whose server keeps a ledger and answers calls of the tool `quick` only."""

    def __init__(self) -> None:
        super().__init__([])
        self.calls: list[dict[str, Any]] = []
        self.cancelled: list[Any] = []
        self.replies: list[Any] = []
        """Answers of clients to what the tool `ask` makes the server ask."""
        self.crash = asyncio.Event()
        self.finish = asyncio.Event()
        self.announce = asyncio.Event()
        self.fails = False

    @asynccontextmanager
    async def connect(self, row: ServerRow) -> AsyncIterator[Wire]:
        if self.fails:
            raise ConnectionError
        said_in, said = anyio.create_memory_object_stream[SessionMessage | Exception](100)
        told_in, told = anyio.create_memory_object_stream[SessionMessage](100)
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            tasks.start_soon(self._serve, told, said_in)
            tasks.start_soon(self._end, said_in)
            tasks.start_soon(self._announce, said_in)
            yield StreamWire(said, told_in)
            tasks.cancel_scope.cancel()

    async def _end(self, said: Any) -> None:
        await self.crash.wait()
        self.crash.clear()
        said.close()

    async def _announce(self, said: Any) -> None:
        await self.announce.wait()
        await said.send(SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="notifications/tools/list_changed")))
        self.announce.clear()

    async def _finish(self, said: Any, request: JSONRPCRequest) -> None:
        await self.finish.wait()
        await said.send(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=request.id, result=request.params or {})))

    async def _serve(self, told: Any, said: Any) -> None:
        async for item in told:
            match item.message:
                case JSONRPCRequest(method="initialize"):
                    result: dict[str, Any] = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {}}
                    await said.send(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=item.message.id, result=result)))
                case JSONRPCRequest():
                    self.calls.append(item.message.params)
                    if item.message.params["name"] == "ask":
                        asked = JSONRPCRequest(jsonrpc="2.0", id="q", method="elicitation/create", params={})
                        await said.send(SessionMessage(asked))
                    if item.message.params["name"] == "quick":
                        answer = JSONRPCResponse(jsonrpc="2.0", id=item.message.id, result=item.message.params)
                        await said.send(SessionMessage(answer))
                    else:
                        self._tasks.start_soon(self._finish, said, item.message)
                case JSONRPCResponse() | JSONRPCError():
                    self.replies.append(item.message)
                case JSONRPCNotification(method="notifications/cancelled"):
                    self.cancelled.append(item.message.params["requestId"])


@asynccontextmanager
async def serving(
    runtime: SimulatedLink, folder: Path | None = None, port: int = 0
) -> AsyncIterator[tuple[Endpoint, httpx.AsyncClient]]:
    """Serve a server.

    Args:
        runtime: What it runs on.
        folder: Where the state is kept; nowhere when left out.
        port: 0 is any.
    """
    with TemporaryDirectory() as temporary:
        store = Store(folder or Path(temporary))
        try:
            async with serving_from(store, runtime, port) as served:
                yield served
        finally:
            store.close()


@asynccontextmanager
async def serving_from(
    store: Store, runtime: SimulatedLink, port: int
) -> AsyncIterator[tuple[Endpoint, httpx.AsyncClient]]:
    bound = bind("127.0.0.1", port)
    address = "http://{}:{}".format(*bound.getsockname())
    row = ServerRow(ServerSpec("probe", "image"), "id", 1, "kept", "running", "", "")
    if store.find("probe") is None:
        store.add(row)
    endpoint = Endpoint(row, runtime, bound, Limits(ready_timeout_s=10), store.sessions_of("probe"))
    await endpoint.open()
    try:
        async with httpx.AsyncClient(base_url=address, timeout=30, headers=HEADERS, trust_env=False) as client:
            yield endpoint, client
    finally:
        await endpoint.close()


async def initialize(client: httpx.AsyncClient, version: str = "2025-11-25", **features: object) -> dict[str, str]:
    """Open a session; returns the headers of its further requests."""
    params = {"protocolVersion": version, "capabilities": features, "clientInfo": {"name": "c", "version": "1"}}
    answer = await client.post("/mcp", json={"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
    assert answer.status_code == 200, answer.text
    return {"mcp-session-id": answer.headers["mcp-session-id"]}


def call(number: int | str, tool: str, **arguments: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, **arguments}}


def message_of(text: str) -> dict[str, Any]:
    (line,) = [line for line in text.splitlines() if line.startswith("data: {")]
    found: dict[str, Any] = json.loads(line.removeprefix("data: "))
    return found


async def until(condition: Callable[[], object]) -> None:
    with anyio.fail_after(30):
        while not condition():  # noqa: ASYNC110 - the server runs in the same loop
            await anyio.sleep(0.01)


def run(test: Callable[[Recorder], Awaitable[None]]) -> None:
    """Run a test. It also fails if a callback of the loop does, which nobody else would hear of."""
    failures: list[dict[str, Any]] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
        await test(Recorder())

    # In a thread of its own: the library of event streams keeps one watcher a thread, bound to the first loop.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, main()).result()
    assert failures == []
