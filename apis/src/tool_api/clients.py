"""Discovery: which client programs have a configuration on this machine, and which are registered."""

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
