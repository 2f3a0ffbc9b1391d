"""Where the six clients keep their configuration, on each platform."""

from __future__ import annotations

from pathlib import Path

import pytest

from tool_api.clients import discover

APPLICATION_DATA = {"linux": ".config", "darwin": "Library/Application Support", "win32": "AppData/Roaming"}
IN_APPLICATION_DATA = {
    "RooCode": "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings",
    "Cline": "Code/User/globalStorage/saoudrizwan.claude-dev/settings",
    "VSCodeInsider": "Code - Insiders/User",
    "VSCode": "Code/User",
}
IN_HOME = {"Cursor": ".cursor", "ClaudeCode": ".claude.json"}
PLACES = [
    *(
        (platform, client, f"{folder}/{path}")
        for platform, folder in APPLICATION_DATA.items()
        for client, path in IN_APPLICATION_DATA.items()
    ),
    *((platform, client, path) for platform in APPLICATION_DATA for client, path in IN_HOME.items()),
]


@pytest.mark.parametrize(("platform", "client", "path"), PLACES)
def test_client_is_found_where_its_platform_has_it(platform: str, client: str, path: str, tmp_path: Path) -> None:
    found = discover(set(), platform=platform, home=tmp_path)
    assert [entry.client_type for entry in found if entry.installed] == []
    (tmp_path / path).mkdir(parents=True)
    # Settings of an extension lie within those of the editor that hosts it.
    expected = {client, "VSCode"} if client in ("RooCode", "Cline") else {client}
    found = discover({client}, platform=platform, home=tmp_path)
    assert {entry.client_type for entry in found if entry.installed} == expected
    assert [entry.client_type for entry in found if entry.registered] == [client]
