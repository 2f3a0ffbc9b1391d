"""The command reference of the site in this repository: each command, each option, and prose that stands alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.config import load_config
from octavo.content import FrontMatter
from octavo.documents.change_pages import ChangeReader
from octavo.documents.command_pages import add_command_pages
from octavo.reference.command_line import Command, CommandTree, Option, read_commands
from octavo.runtime import open_cache
from octavo.site import document_route
from tests.support import paths

SITE = paths.SITE
TABLE = Path(__file__).with_name("thv_options.txt")
"""What the released program prints of itself: `name | usage`, then its options."""

NAMES = """
thv thv_config thv_config_auto-discovery thv_config_get-ca-cert thv_config_get-registry-url
thv_config_list-registered-clients thv_config_register-client thv_config_remove-client thv_config_secrets-provider
thv_config_set-ca-cert thv_config_set-registry-url thv_config_unset-ca-cert thv_config_unset-registry-url thv_inspector
thv_list thv_logs thv_logs_prune thv_proxy thv_registry thv_registry_info thv_registry_list thv_restart thv_rm thv_run
thv_search thv_secret thv_secret_delete thv_secret_get thv_secret_list thv_secret_provider thv_secret_reset-keyring
thv_secret_set thv_serve thv_stop thv_version
"""
"""Last parts of the routes under the reference."""


@pytest.fixture(scope="module")
def commands() -> list[Command]:
    entries, problems = read_commands([("thv.yaml", (SITE / "commands" / "thv.yaml").read_text(encoding="utf-8"))])
    assert problems == []
    return [entry.command for entry in entries]


def test_there_is_a_page_at_each_of_35_routes(tmp_path: Path) -> None:
    config = load_config(SITE)
    sources, problems = add_command_pages([], SITE, config, ChangeReader(SITE, config, tmp_path), open_cache(tmp_path))
    routes = [document_route(source.relative, FrontMatter(), "") for source in sources]
    assert problems == []
    assert sorted(routes) == [f"/toolhive/reference/cli/{name}" for name in NAMES.split()]
    assert len(routes) == 35


def test_usage_and_options_are_those_of_the_program(commands: list[Command]) -> None:
    lines = []
    for command in sorted(commands, key=lambda command: command.name):
        lines.append(f"{command.name} | {command.usage}")
        lines += [f"  {row(option)}" for option in sorted(command.options, key=lambda option: option.name)]
    assert lines == TABLE.read_text(encoding="utf-8").splitlines()


def row(option: Option) -> str:
    default = "" if option.default == "false" else option.default
    parts = [
        *option.names,
        option.type,
        f"={default}" if default else "",
        "|".join(option.allowed),
        "required" if option.required else "",
        "deprecated" if option.deprecated else "",
    ]
    return " ".join(part for part in parts if part)


def test_only_the_program_itself_has_no_parent_and_no_inherited_option(commands: list[Command]) -> None:
    program = CommandTree.of(commands)
    orphans = [command.name for command in commands if program.parent(command.name) is None]
    free = [command.name for command in commands if [one.name for one in command.inherited_options] != ["debug"]]
    assert orphans == free == ["thv"]


def test_everything_is_explained(commands: list[Command]) -> None:
    missing = [command.name for command in commands if not command.synopsis or not command.description]
    missing += [
        f"{command.name} {part.name}"
        for command in commands
        for part in (*command.options, *command.inherited_options, *command.arguments)
        if not part.usage
    ]
    assert missing == []


def test_commands_that_are_named_exist(commands: list[Command]) -> None:
    names = {command.name for command in commands}
    named = {entry for command in commands for entry in command.see_also if not entry.startswith("[")}
    assert named - names == set()


def test_each_example_begins_with_its_own_command(commands: list[Command]) -> None:
    lines = [
        (command.name, line)
        for command in commands
        for line in command.example.replace("\\\n", " ").splitlines()
        if f"{command.name} " not in f"{line} "
    ]
    assert lines == []
