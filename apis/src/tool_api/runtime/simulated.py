"""Servers without a container engine: the same states, and an endpoint that speaks the protocol; nothing is executed.

Every server answers with the tools that a registry lists for its image, and each call of a tool with a canned result
that says so.
"""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from typing import Any

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage

from tool_api.runtime.base import ContainerState, LinkSpec, Wire
from tool_api.runtime.place import Place
from tool_api.runtime.streams import StreamWire
from tool_api.store import ServerRow


class SimulatedRuntime:
    """Keeps nothing of its own: the database is the state."""

    name = "simulated"
    place = ""
    outlives = False

    def __init__(self, tools_of: Callable[[str], list[str]]) -> None:
        """Args: tools_of: Names of the tools of an image."""
        self._tools_of = tools_of

    async def create(self, row: ServerRow, secrets: Mapping[str, str]) -> ServerRow:
        del secrets
        return row

    async def start(self, row: ServerRow) -> None:
        del row

    async def adopt(self, row: ServerRow) -> None:
        del row

    async def stop(self, row: ServerRow, timeout_s: int) -> None:
        del row, timeout_s

    async def remove(self, row: ServerRow, *, force: bool) -> None:
        del row, force

    async def states(self) -> dict[str, ContainerState] | None:
        return None

    async def egress(self, row: ServerRow) -> socket.socket | None:
        del row
        return None

    def link(self, row: ServerRow) -> LinkSpec:
        return {"kind": self.name, "tools": self._tools_of(row.spec.image)}

    async def aclose(self) -> None:
        return


class SimulatedLink:
    """Plays a server for each connection."""

    def __init__(self, tools: list[str]) -> None:
        """Args: tools: Names of the tools that the server has."""
        self._tools = tools

    @asynccontextmanager
    async def connect(self, row: ServerRow) -> AsyncIterator[Wire]:
        server = make_server(row.name, self._tools)
        to_server_in, to_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        from_server, from_server_in = anyio.create_memory_object_stream[SessionMessage](0)
        said_in, said = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        told_in, told = anyio.create_memory_object_stream[SessionMessage](0)
        async with AsyncExitStack() as ends:
            # Tasks that are cancelled before their first step close nothing.
            for end in (to_server_in, to_server, from_server, from_server_in, said_in, said, told_in, told):
                ends.callback(end.close)
            tasks = await ends.enter_async_context(anyio.create_task_group())
            tasks.start_soon(server.run, to_server, from_server, server.create_initialization_options())
            tasks.start_soon(_pump, from_server_in, said_in)
            tasks.start_soon(_pump, told, to_server_in)
            yield StreamWire(said, told_in)
            tasks.cancel_scope.cancel()

    async def address(self, row: ServerRow) -> Place | None:
        del row
        return None

    async def aclose(self) -> None:
        return


def make_server(name: str, tools: list[str]) -> Server[Any]:
    """A protocol server that lists tools and answers calls with canned results."""

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool,
                    description=f"Simulated: answers with a canned result instead of running {tool}.",
                    input_schema={"type": "object"},
                )
                for tool in tools
            ]
        )

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in tools:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
        text = f'Simulated result of "{params.name}" on server "{name}". Nothing was executed.'
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    return Server(
        name,
        version=version("octavo-sandbox"),
        instructions="A simulated server: it lists its tools, but calls have canned results.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _pump(source: Any, target: Any) -> None:
    async with source, target:
        async for message in source:
            await target.send(message)
