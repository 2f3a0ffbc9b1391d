"""The server in the test image: tools that tell what a container may do."""

import os
import sys
import time
import urllib.request
from pathlib import Path

if sys.argv[1:] == ["ledger"]:
    # Before the SDK is imported, which takes seconds.
    import ledger

    ledger.run()
    sys.exit()

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import BaseModel

server = MCPServer("probe")


@server.tool()
def variable(name: str) -> str:
    """Value of an environment variable."""
    return os.environ.get(name, "")


@server.tool()
def read(path: str) -> str:
    """Text of a file."""
    return Path(path).read_text()


@server.tool()
def write(path: str, text: str) -> str:
    """Write a file; says what went wrong."""
    try:
        Path(path).write_text(text)
    except OSError as error:
        return type(error).__name__ + " " + os.strerror(error.errno or 0)
    return "written"


@server.tool()
def fetch(url: str, direct: bool = False) -> str:
    """Status of a web address; directly, or through the proxy of the environment."""
    handlers = [urllib.request.ProxyHandler({})] if direct else []
    try:
        with urllib.request.build_opener(*handlers).open(url, timeout=5) as response:
            return str(response.status)
    except OSError as error:
        return f"failed: {error}"


@server.tool()
def interfaces() -> list[str]:
    """Names of the network interfaces."""
    return sorted(path.name for path in Path("/sys/class/net").iterdir())


@server.tool()
def status() -> str:
    """What the kernel says about this process."""
    return Path("/proc/self/status").read_text()


class Secret(BaseModel):
    """What a client is asked for."""

    secret: str


@server.tool()
async def ask(ctx: Context, marker: str = "") -> str:
    """Ask the client for its secret, and leave a file before."""
    if marker:
        Path(marker).touch()  # noqa: ASYNC240 - nothing else runs in this loop
    answer = await ctx.elicit("Secret?", Secret)
    return f"{answer.action} {answer.data.secret}" if answer.action == "accept" else answer.action


@server.tool()
def wait(path: str) -> str:
    """Wait until a file exists, and leave another one before."""
    Path(path + ".awaited").touch()
    while not Path(path).exists():
        time.sleep(0.05)
    return "found"


@server.tool()
def large(size: int) -> str:
    """Return a text of many characters."""
    return "x" * size


@server.tool()
def end() -> str:
    """End the process at once."""
    os._exit(3)


if os.environ.get("MCP_TRANSPORT"):
    kind = sys.argv[1] if len(sys.argv) > 1 else os.environ["MCP_TRANSPORT"]
    # Only clients that call the server by its own name and port, as the SDKs can be told.
    own = f"localhost:{os.environ['MCP_PORT']}"
    guard = TransportSecuritySettings(allowed_hosts=[own]) if os.environ.get("GUARDED") else None
    server.run(kind, host="0.0.0.0", port=int(os.environ["MCP_PORT"]), transport_security=guard)
else:
    server.run("stdio")
