"""A server of the SDK, on any transport."""

import os
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import BaseModel
from tools import TOOLS

server = MCPServer("probe")
for tool in TOOLS:
    server.add_tool(tool)


class Secret(BaseModel):
    """What a client is asked for."""

    secret: str


@server.tool()
async def ask(ctx: Context) -> str:
    """Ask the client for its secret."""
    answer = await ctx.elicit("Secret?", Secret)
    return f"{answer.action} {answer.data.secret}" if answer.action == "accept" else answer.action


def run(transport: Any) -> None:
    if transport == "stdio":
        server.run("stdio")
        return
    # Only clients that call the server by its own name and port, as the SDKs can be told.
    own = f"localhost:{os.environ['MCP_PORT']}"
    guard = TransportSecuritySettings(allowed_hosts=[own]) if os.environ.get("GUARDED") else None
    server.run(transport, host="0.0.0.0", port=int(os.environ["MCP_PORT"]), transport_security=guard)
