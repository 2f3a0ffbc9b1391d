"""The options and variables that the pages list for the two local servers are those that the servers have."""

from __future__ import annotations

import re

import click
import pytest

from gateway_api.cli import gateway
from gateway_api.settings import load_settings
from octavo_sandbox.cli import main
from site_text.calls import SHELLS, commands
from site_text.texts import SITE, fences, sources
from tool_api.cli import tool
from tool_api.endpoint.port import FIRST_PORT, LAST_PORT
from tool_api.secret_store import VARIABLE_PREFIX
from tool_api.settings import SITE_ORIGINS

MANAGEMENT = SITE / "docs" / "codegate" / "sandbox" / "index.mdx"
API_SERVER = SITE / "docs" / "toolhive" / "sandbox" / "index.mdx"
OPTION = re.compile(r"`(--[a-z-]+)")
ROW = re.compile(r"^\| (\[?`--[^|]*)\|", re.MULTILINE)
UNLISTED = {"--help"}
SPAN = re.compile(r"(?<!`)`(octavo-sandbox(?: [^`]*)?)`(?!`)")
FEWEST_SHOWN = 12


def shown() -> list[list[str]]:
    """List the command lines of the sandbox servers that pages show, without the name of the program."""
    found = []
    for path in sources():
        for fence in fences(path):
            if fence.language in SHELLS:
                found += [words[1:] for words in commands(fence) if words[0] == "octavo-sandbox"]
        found += [match.split()[1:] for match in SPAN.findall(path.read_text(encoding="utf-8"))]
    return found


def unknown(words: list[str]) -> str:
    """Say what of a command line the program does not know; nothing when it knows all of it."""
    command: click.Command = main
    context = click.Context(command)
    rest = list(words)
    while rest:
        word = rest.pop(0)
        option = next(
            (item for item in command.params if word.partition("=")[0] in (*item.opts, *item.secondary_opts)), None
        )
        if word.startswith("--") and word != "--help":
            if option is None:
                return f"{command.name} has no option {word}"
            if "=" not in word and not getattr(option, "is_flag", False):
                rest[:1] = []
        elif isinstance(command, click.Group):
            found = command.get_command(context, word)
            if found is None:
                return f"{command.name} has no command {word}"
            command = found
    return ""


def test_shown_commands_are_known_to_the_program() -> None:
    assert len(shown()) >= FEWEST_SHOWN
    assert [problem for words in shown() if (problem := unknown(words))] == []


@pytest.mark.parametrize("line", ["gatewayy", "gateway --demos", "gateway imports x", "tool --runtimes simulated"])
def test_slip_in_a_command_is_noticed(line: str) -> None:
    assert unknown(line.split())


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
