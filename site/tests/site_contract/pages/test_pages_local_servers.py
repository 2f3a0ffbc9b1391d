"""The options and variables that the pages list for the two local servers are those that the servers have."""

from __future__ import annotations

import re

import click
import pytest

from gateway_api.cli import gateway
from gateway_api.settings import load_settings
from site_text.texts import SITE
from tool_api.cli import tool
from tool_api.endpoint.port import FIRST_PORT, LAST_PORT
from tool_api.secret_store import VARIABLE_PREFIX
from tool_api.settings import SITE_ORIGINS

MANAGEMENT = SITE / "docs" / "codegate" / "sandbox" / "index.mdx"
API_SERVER = SITE / "docs" / "toolhive" / "sandbox" / "index.mdx"
OPTION = re.compile(r"`(--[a-z-]+)")
ROW = re.compile(r"^\| (\[?`--[^|]*)\|", re.MULTILINE)
UNLISTED = {"--help"}


def options_of(command: click.Command) -> set[str]:
    names = (name for item in command.params for name in [*item.opts, *item.secondary_opts])
    return {name for name in names if name.startswith("--")}


def section(text: str, heading: str) -> str:
    return text.partition(f"## {heading}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (section(MANAGEMENT.read_text(encoding="utf-8"), "Options"), gateway),
        (section(API_SERVER.read_text(encoding="utf-8"), "Options"), tool),
    ],
    ids=["gateway", "tool"],
)
def test_listed_options_are_those_of_the_command(text: str, command: click.Command) -> None:
    listed = {option for row in ROW.findall(text) for option in OPTION.findall(row)}
    assert listed - options_of(command) == set()
    assert options_of(command) - listed - UNLISTED == set()


def test_listed_variables_change_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = re.findall(r"^\| `(GATEWAY_[A-Z_]+)`", MANAGEMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(listed) >= 4
    for variable in listed:
        before, changed = load_settings(), []
        for value in ("sqlite:////somewhere.example", "0", "1"):
            with monkeypatch.context() as patch:
                patch.setenv(variable, value)
                changed.append(load_settings() != before)
        assert any(changed), variable


def test_figures_of_the_tool_server_are_told() -> None:
    text = API_SERVER.read_text(encoding="utf-8")
    assert f"from {FIRST_PORT} to {LAST_PORT}" in text
    assert f"`{VARIABLE_PREFIX}`" in text
    assert all(f"`{origin}`" in text for origin in SITE_ORIGINS)
