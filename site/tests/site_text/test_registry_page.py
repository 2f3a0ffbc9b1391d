"""The page of the registry's servers is the registry that the sandbox server ships."""

from __future__ import annotations

import re

from site_text.registry_page import PAGE, page, servers

FEWEST = 29


def test_page_is_made_from_the_registry() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m site_text.registry_page"


def test_each_server_has_its_command_tools_and_access() -> None:
    sections = dict(section.partition("\n")[::2] for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:])
    entries = servers()
    assert len(entries) >= FEWEST
    for name, entry in entries.items():
        assert re.search(rf"thv run\b[^`]*\b{re.escape(name)}\n```", sections[name]), name
        missing = [tool for tool in entry["tools"] if f"`{tool}`" not in sections[name]]
        assert missing == []
        assert all(variable["name"] in sections[name] for variable in entry["env_vars"])
        assert "| Network | " in sections[name]
