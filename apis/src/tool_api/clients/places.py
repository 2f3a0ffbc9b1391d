"""Client programs: where they have their configuration, and which of them are on this machine."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

from tool_api.models import MCPClient, MCPClientStatus

# client → (place under the application data folder or under home, path). Settings of extensions are kept by the
# editor that hosts them.
_PLACES: Mapping[MCPClient, tuple[str, str]] = {
    MCPClient.ROO_CODE: ("app", "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings"),
    MCPClient.CLINE: ("app", "Code/User/globalStorage/saoudrizwan.claude-dev/settings"),
    MCPClient.VSCODE_INSIDER: ("app", "Code - Insiders/User"),
    MCPClient.VSCODE: ("app", "Code/User"),
    MCPClient.CURSOR: ("home", ".cursor"),
    MCPClient.CLAUDE_CODE: ("home", ".claude.json"),
}

_FILES: Mapping[MCPClient, tuple[str, tuple[str, ...]]] = {
    MCPClient.ROO_CODE: ("mcp_settings.json", ("mcpServers",)),
    MCPClient.CLINE: ("cline_mcp_settings.json", ("mcpServers",)),
    MCPClient.VSCODE_INSIDER: ("settings.json", ("mcp", "servers")),
    MCPClient.VSCODE: ("settings.json", ("mcp", "servers")),
    MCPClient.CURSOR: ("mcp.json", ("mcpServers",)),
    MCPClient.CLAUDE_CODE: ("", ("mcpServers",)),
}
"""Client → its file of servers in that place (empty where the place is the file), and where servers are in it."""

DASHED: Mapping[str, MCPClient] = {
    "roo-code": MCPClient.ROO_CODE,
    "cline": MCPClient.CLINE,
    "cursor": MCPClient.CURSOR,
    "vscode-insider": MCPClient.VSCODE_INSIDER,
    "vscode": MCPClient.VSCODE,
    "claude-code": MCPClient.CLAUDE_CODE,
}
"""Names as the command line takes them."""


def discover(
    registered: AbstractSet[str], *, platform: str = sys.platform, home: Path | None = None
) -> list[MCPClientStatus]:
    """State of the six clients, always in the same order.

    Args:
        registered: Names as on the wire.
        platform: As `sys.platform`.
        home: Home folder of the user; that of the process when left out.
    """
    home = home or Path.home()
    return [
        MCPClientStatus(
            client_type=client,
            installed=_exists(_path(place, path, platform, home)),
            registered=client.value in registered,
        )
        for client, (place, path) in _PLACES.items()
    ]


def servers_file(
    client: MCPClient, *, platform: str = sys.platform, home: Path | None = None
) -> tuple[Path, tuple[str, ...]]:
    """Where a client reads its servers: the file, and the keys that lead to the object of servers."""
    place, path = _PLACES[client]
    name, keys = _FILES[client]
    return _path(place, path, platform, home or Path.home()) / name, keys


def parse_client(name: str) -> MCPClient | None:
    """A client by either of its names: `RooCode` or `roo-code`."""
    if name in DASHED:
        return DASHED[name]
    return next((client for client in MCPClient if client.value == name), None)


def _path(place: str, path: str, platform: str, home: Path) -> Path:
    if place == "home":
        return home / path
    if platform == "darwin":
        return home / "Library" / "Application Support" / path
    if platform == "win32":
        return home / "AppData" / "Roaming" / path
    return home / ".config" / path


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        # A folder that may not be read holds no configuration this user could use.
        return False
