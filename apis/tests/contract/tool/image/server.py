"""The server in the test image: tools that tell what a container may do."""

import os
import signal
import sys
import threading
import urllib.request
from pathlib import Path


def end_when_told() -> None:
    """End on SIGTERM: the first process of a container has no default actions, and each stop would take 10 s."""
    signal.sigwait({signal.SIGTERM})
    os._exit(0)


signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
threading.Thread(target=end_when_told, daemon=True).start()

from mcp.server.mcpserver import MCPServer  # noqa: E402 - its import takes seconds, and a stop may come before

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


@server.tool()
def end() -> str:
    """End the process at once."""
    os._exit(3)


if os.environ.get("MCP_TRANSPORT") == "sse":
    kind = sys.argv[1] if len(sys.argv) > 1 else "sse"
    server.run(kind, host="0.0.0.0", port=int(os.environ["MCP_PORT"]))
else:
    server.run("stdio")
