"""What both test servers can do: tools that tell what a container may do. Only the standard library: it starts in a moment."""

import os
import time
import urllib.request
from pathlib import Path


def variable(name: str) -> str:
    """Value of an environment variable."""
    return os.environ.get(name, "")


def read(path: str) -> str:
    """Text of a file."""
    return Path(path).read_text()


def write(path: str, text: str) -> str:
    """Write a file; says what went wrong."""
    try:
        Path(path).write_text(text)
    except OSError as error:
        return type(error).__name__ + " " + os.strerror(error.errno or 0)
    return "written"


def fetch(url: str, direct: bool = False) -> str:
    """Status of a web address; directly, or through the proxy of the environment."""
    handlers = [urllib.request.ProxyHandler({})] if direct else []
    try:
        with urllib.request.build_opener(*handlers).open(url, timeout=5) as response:
            return str(response.status)
    except OSError as error:
        return f"failed: {error}"


def interfaces() -> str:
    """Names of the network interfaces, one a line."""
    return "\n".join(sorted(path.name for path in Path("/sys/class/net").iterdir()))


def status() -> str:
    """What the kernel says about this process."""
    return Path("/proc/self/status").read_text()


def wait(path: str) -> str:
    """Wait until a file exists, and leave another one before."""
    Path(path + ".awaited").touch()
    while not Path(path).exists():
        time.sleep(0.05)
    return "found"


def large(size: int) -> str:
    """Return a text of many characters."""
    return "x" * size


def end() -> str:
    """End the process at once."""
    os._exit(3)


TOOLS = (variable, read, write, fetch, interfaces, status, wait, large, end)
