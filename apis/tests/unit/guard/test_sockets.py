"""What the servers listen on: connections that send small pieces at once, whatever event loop accepts them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import pytest

from gateway_api.running import open_socket
from tool_api.cli import _bind_tcp
from tool_api.endpoint.port import bind
from tool_api.runtime.egress import bind_listener


@pytest.mark.parametrize("listen", [open_socket, _bind_tcp, bind, bind_listener])
def test_connections_do_not_wait_for_acknowledgements(listen: Callable[[str, int], socket.socket]) -> None:
    async def accept() -> int:
        accepted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def take(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            found = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            writer.close()
            await writer.wait_closed()
            accepted.set_result(found)

        listener = listen("127.0.0.1", 0)
        async with await asyncio.start_server(take, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            found = await accepted
            writer.close()
            await writer.wait_closed()
            return found

    # The loop of Python itself: uvloop switches the delay off for every socket.
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        assert runner.run(accept())
