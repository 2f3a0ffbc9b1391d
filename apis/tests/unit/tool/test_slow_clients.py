"""Messages for a client that does not read: there is an end to how many are kept."""

from __future__ import annotations

import asyncio

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCNotification

from tool_api.endpoint.bridge import Bridge, BridgeSession
from tool_api.endpoint.bridge.bridge import OUTBOX_BYTES, OUTBOX_MESSAGES
from tool_api.runtime.simulated import SimulatedLink
from tool_api.store import ServerRow, ServerSpec

ROW = ServerRow(ServerSpec("probe", "image"), "id", 1, "kept", "running", "", "")


class Output:
    """Takes nothing until it is let."""

    def __init__(self) -> None:
        self.reads = asyncio.Event()
        self.taken: list[SessionMessage] = []

    async def send(self, item: SessionMessage, /) -> None:
        await self.reads.wait()
        self.taken.append(item)


def said(size: int) -> JSONRPCNotification:
    return JSONRPCNotification(jsonrpc="2.0", method="notifications/message", params={"data": "x" * size})


async def serve(session: BridgeSession, output: Output) -> None:
    sender, receiver = anyio.create_memory_object_stream[SessionMessage | Exception]()
    with sender, receiver:
        await session.serve(receiver, output)


@pytest.mark.parametrize(("size", "number"), [(1, OUTBOX_MESSAGES + 10), (OUTBOX_BYTES // 4, 10)])
def test_session_of_a_client_that_does_not_read_ends(size: int, number: int) -> None:
    async def work() -> None:
        bridge = Bridge("probe", lambda: SimulatedLink([]).connect(ROW), ready_timeout_s=60)
        session, output = bridge.open(), Output()
        serving = asyncio.create_task(serve(session, output))
        await asyncio.sleep(0)
        for _ in range(number):
            session.send(said(size), None)
        await asyncio.wait_for(serving, 60)
        assert output.taken == []

    asyncio.run(work())


def test_client_that_reads_again_in_time_gets_everything() -> None:
    async def work() -> None:
        bridge = Bridge("probe", lambda: SimulatedLink([]).connect(ROW), ready_timeout_s=60)
        session, output = bridge.open(), Output()
        serving = asyncio.create_task(serve(session, output))
        for _ in range(4):
            session.send(said(OUTBOX_BYTES // 5), None)
        output.reads.set()
        await asyncio.wait_for(session.mail.until_none(), 60)
        for _ in range(4):
            session.send(said(OUTBOX_BYTES // 5), None)
        await asyncio.wait_for(session.mail.until_none(), 60)
        assert len(output.taken) == 8
        assert not serving.done()
        serving.cancel()

    asyncio.run(work())
