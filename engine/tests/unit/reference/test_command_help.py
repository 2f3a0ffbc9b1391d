"""Help texts of programs, read as commands."""

from __future__ import annotations

import pytest

from octavo.errors import UsageError
from octavo.reference.command_line import collect_help, parse_help

TOOL = """\
Does things.

Usage: tool [command] [flags]
       tool --version

Commands:
  build   Build it
  show    Show it
  help    Help about a command

Global flags:
  -q, --quiet   Say nothing
"""
BUILD = """\
Usage: tool build [flags] <path>

Builds what is there.
In two lines.

And with more text.

Commands:
  docs, d   Of the pages

Flags:
  -j, --jobs int     How many (default 4)
      --kind [a|b]   Of what

Arguments:
  path   Where it is
"""


def test_commands_are_collected_with_their_usages() -> None:
    texts = {"": TOOL, "build": BUILD, "show": TOOL, "build docs": "  \n"}
    asked: list[str] = []

    def read(words: list[str]) -> str:
        asked.append(" ".join(words))
        return texts[asked[-1]]

    found = collect_help(read, "tool")
    assert asked == ["", "build", "show", "build docs"]
    assert [(one.name, one.usage, one.synopsis) for one in found] == [
        ("tool", "tool [command] [flags]\ntool --version", "Does things."),
        ("tool build", "tool build [flags] <path>", "Builds what is there. In two lines."),
    ]


def test_program_without_any_help_is_refused() -> None:
    """Its first help decides; that of a subcommand may be empty."""
    assert [
        one.name for one in collect_help(lambda words: "" if words else "Usage: tool\n\nCommands:\n  a  A\n", "tool")
    ] == ["tool"]
    with pytest.raises(UsageError, match="does not say which command"):
        parse_help("")


def test_parts_of_a_help_are_found() -> None:
    page = parse_help(BUILD)
    command = page.command
    assert (command.name, page.subcommands) == ("tool build", ["docs"])
    assert command.description == "Builds what is there.\nIn two lines.\n\nAnd with more text.\n"
    assert [
        (one.name, one.shorthand, one.type, one.default_value, one.usage, one.allowed) for one in command.options
    ] == [
        ("jobs", "j", "int", "4", "How many", []),
        ("kind", "", "", "", "Of what", ["a", "b"]),
    ]
    assert [(one.name, one.usage) for one in command.arguments] == [("path", "Where it is")]
    assert [one.name for one in parse_help(TOOL).command.inherited_options] == ["quiet"]
    assert parse_help(TOOL).command.options == []


def test_arguments_in_brackets_are_optional() -> None:
    text = "Usage: tool [left] right [third...]\n\nArguments:\n  left     One\n  right    Two\n  [third]  Three\n  {a,b}    Choices\n"
    assert [(one.name, one.usage, one.required) for one in parse_help(text).command.arguments] == [
        ("left", "One", False),
        ("right", "Two", True),
        ("third", "Three", False),
    ]
