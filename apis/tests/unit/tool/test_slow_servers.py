"""Messages for a server that does not read its input: there is an end to how many are kept, and each call is answered."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from tool_api.endpoint.bridge import Bridge, BridgeSession
from tool_api.endpoint.bridge import bridge as bridge_module
from tool_api.runtime.stdio import HEADER_BYTES, STDOUT, talk
from tool_api.store import Negotiated

LIMIT, SIZE, CALLS = 4_000_000, 500_000, 40
WAIT_S = 60


class Listener:
    """Who has called."""

    def __init__(self) -> None:
        self.messages: list[JSONRPCMessage | bytes] = []

    def add(self, message: JSONRPCMessage, /) -> None:
        self.messages.append(message)

    def answer(self, request_id: object, data: bytes, /) -> None:
        del request_id
        self.messages.append(data)

    def close(self) -> None:
        return


class Server:
    """The other end of the standard streams; it reads only when the test calls for it."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._loop = asyncio.get_running_loop()
        self._rest = b""

    async def read(self) -> dict[str, Any]:
        """The next message."""
        while b"\n" not in self._rest:
            self._rest += await self._loop.sock_recv(self._end, 1_000_000)
        line, _, self._rest = self._rest.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    async def answer(self, message: dict[str, Any], result: dict[str, Any]) -> None:
        line = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode() + b"\n"
        head = bytes([STDOUT]) + bytes(3) + len(line).to_bytes(4, "big")
        assert len(head) == HEADER_BYTES
        await self._loop.sock_sendall(self._end, head + line)


class Output:
    """Where what belongs to no call goes."""

    async def send(self, item: SessionMessage, /) -> None:
        del item


async def serve(session: BridgeSession) -> None:
    sender, receiver = anyio.create_memory_object_stream[SessionMessage | Exception]()
    with sender, receiver:
        await session.serve(receiver, Output())


@contextmanager
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setblocking(False)
        yield ours, theirs


def run(test: Callable[[Bridge, BridgeSession, Server], Awaitable[None]]) -> None:
    async def main() -> None:
        with pair() as (ours, theirs):
            bridge, server = Bridge("probe", lambda: talk(ours, 10**8), ready_timeout_s=WAIT_S), Server(theirs)
            running = asyncio.create_task(bridge.run())
            session = bridge.open(Negotiated("2025-11-25", {}))
            serving = asyncio.create_task(serve(session))
            first = Listener()
            session.call(JSONRPCRequest(jsonrpc="2.0", id="first", method="tools/list"), first)
            handshake = await server.read()
            await server.answer(handshake, {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {}})
            assert (await server.read())["method"] == "notifications/initialized"
            await server.answer(await server.read(), {})
            await bridge.calls.until_none()
            await test(bridge, session, server)
            for task in (serving, running):
                task.cancel()
            await asyncio.gather(serving, running, return_exceptions=True)

    async def limited() -> None:
        async with asyncio.timeout(WAIT_S):
            await main()

    asyncio.run(limited())


@pytest.fixture(autouse=True)
def _limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge_module, "UNSENT_BYTES", LIMIT)


def is_refused(listener: Listener) -> bool:
    return any(isinstance(message, JSONRPCError) for message in listener.messages)


@pytest.mark.parametrize("at_once", [False, True])
def test_call_of_a_server_that_does_not_read_is_refused_and_never_made(at_once: bool) -> None:
    async def test(bridge: Bridge, session: BridgeSession, server: Server) -> None:
        listeners = [Listener() for _ in range(CALLS)]
        for number, listener in enumerate(listeners):
            params = {"name": "t", "arguments": {"number": number, "text": "x" * SIZE}}
            if not (at_once and session.call_at_once(number, json.dumps(params).encode(), listener)):
                session.call(JSONRPCRequest(jsonrpc="2.0", id=number, method="tools/call", params=params), listener)
        refused = {number for number, listener in enumerate(listeners) if is_refused(listener)}
        assert len(refused) >= CALLS - (LIMIT // SIZE) - 4
        assert bridge.calls
        made = set()
        for _ in range(CALLS - len(refused)):
            message = await server.read()
            made.add(message["params"]["arguments"]["number"])
            await server.answer(message, {})
        assert made == set(range(CALLS)) - refused
        await asyncio.wait_for(bridge.calls.until_none(), WAIT_S)
        assert {len(listener.messages) for listener in listeners} == {1}
        last = Listener()
        session.call(JSONRPCRequest(jsonrpc="2.0", id=CALLS, method="tools/list"), last)
        await server.answer(await server.read(), {})
        await asyncio.wait_for(bridge.calls.until_none(), WAIT_S)
        assert not is_refused(last), "a server that reads again is called again"

    run(test)


def test_what_is_said_to_a_server_that_does_not_read_is_left_out_but_for_cancellations() -> None:
    async def test(bridge: Bridge, session: BridgeSession, server: Server) -> None:
        slow = Listener()
        session.call(JSONRPCRequest(jsonrpc="2.0", id="slow", method="tools/call", params={"name": "t"}), slow)
        for _ in range(CALLS):
            said = JSONRPCNotification(jsonrpc="2.0", method="notifications/other", params={"text": "x" * SIZE})
            bridge.apply(bridge.state.on_client(1, said))
        session.drop("slow")
        assert isinstance(slow.messages[0], JSONRPCError | JSONRPCResponse)
        methods = []
        while methods[-1:] != ["notifications/cancelled"]:
            methods.append((await server.read())["method"])
        assert methods[0] == "tools/call"
        assert 1 < methods.count("notifications/other") <= LIMIT // SIZE + 4

    run(test)
