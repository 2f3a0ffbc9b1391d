"""Commands of click applications, read from their objects."""

from __future__ import annotations

import enum
from pathlib import Path

import click
import msgspec
import pytest

from octavo.errors import UsageError
from octavo.reference.command_line import Argument, Command, Option, read_application, read_commands, write_commands
from tests.support.each import each


class Heat(enum.Enum):
    LOW = "low"
    HIGH = "high"


class Odd(enum.Enum):
    NONE = None


def option_of(*names: str, **settings: object) -> Option:
    """Read the only option of a command."""
    command = click.Command("kiln", params=[click.Option(list(names), **settings)], add_help_option=False)  # type: ignore[arg-type]  # settings of any kind
    (found,) = read_application(command)
    (option,) = found.options
    return option


@each(
    "names, settings, expected",
    [
        (["--heat"], {}, Option(name="heat", type="text")),
        (["-h", "--heat", "--hot"], {"type": int}, Option(name="heat", shorthand="h", type="integer")),
        (["-a", "-b"], {}, Option(name="a", shorthand="b", type="text")),
        (["-a"], {"required": True}, Option(name="a", type="text", required=True)),
        (["--all"], {"is_flag": True}, Option(name="all", type="bool", default_value="false")),
        (["--all"], {"is_flag": True, "default": True}, Option(name="all", type="bool", default_value="true")),
        (["-v", "--verbose"], {"count": True}, Option(name="verbose", shorthand="v", type="bool", default_value="0")),
        (
            ["--color"],
            {"type": click.Choice(["red", "blue"]), "default": "red"},
            Option(name="color", allowed=["red", "blue"], default_value="red"),
        ),
        (["--dry/--no-dry"], {}, Option(name="dry", type="bool", default_value="false", usage="Off: `--no-dry`.")),
        (
            ["--dry/--wet"],
            {"help": "Dry  it\n first.", "default": True},
            Option(name="dry", type="bool", default_value="true", usage="Dry it first. Off: `--wet`."),
        ),
        (["--at"], {"default": lambda: "now"}, Option(name="at", type="text")),
        (["--at"], {"multiple": True, "default": ["a", "b"]}, Option(name="at", type="text", default_value="a,b")),
        (["--at"], {"default": Path("a/b"), "type": click.Path()}, Option(name="at", type="path", default_value="a/b")),
        (["--old"], {"deprecated": True}, Option(name="old", type="text", deprecated="Do not use it any more.")),
        (["--old"], {"deprecated": "Use it not."}, Option(name="old", type="text", deprecated="Use it not.")),
    ],
)
def test_option_is_read(names: list[str], settings: dict[str, object], expected: Option) -> None:
    found = option_of(*names, **settings)
    # What click appends to the help of deprecated options is its own.
    assert (msgspec.structs.replace(found, usage="") if expected.deprecated else found) == expected


@each("default, text", [(Heat.HIGH, "high"), (Odd.NONE, ""), (1.5, "1.5"), (object(), "")])
def test_default_is_written_as_it_is_typed(default: object, text: str) -> None:
    assert option_of("--x", default=default, type=click.UNPROCESSED).default_value == text


def test_option_that_is_hidden_or_has_no_name_is_left_out() -> None:
    params: list[click.Parameter] = [
        click.Option(["--shown"]),
        click.Option(["--hidden"], hidden=True),
        click.Option(["odd", "--?"]),
    ]
    (found,) = read_application(click.Command("kiln", params=params, add_help_option=False))
    assert [option.name for option in found.options] == ["shown"]


def test_arguments_are_read() -> None:
    params: list[click.Parameter] = [
        click.Argument(["piece"]),
        click.Argument(["shelf"], required=False),
        click.Argument(["more"], nargs=-1),
        click.Argument(["rest"], nargs=2, metavar="REST..."),
    ]
    (found,) = read_application(click.Command("fire", params=params, add_help_option=False), name="kiln fire")
    assert found.name == "kiln fire"
    assert found.arguments == [
        Argument(name="PIECE"),
        Argument(name="SHELF", required=False),
        Argument(name="MORE...", required=False),
        Argument(name="REST..."),
    ]
    assert found.usage == "kiln fire [OPTIONS] PIECE [SHELF] [MORE]... REST..."


@each(
    "settings, synopsis, description",
    [
        ({}, "", ""),
        ({"help": "Fires it."}, "Fires it.", ""),
        ({"help": "Fires\n  it."}, "Fires it.", "Fires\nit.\n"),
        ({"help": "Fires it.\n\n  Slowly.\n"}, "Fires it.", "Fires it.\n\nSlowly.\n"),
        ({"help": "Fires it.\n\n\b\nA\nB"}, "Fires it.", "Fires it.\n\nA\nB\n"),
        ({"help": "Fires it.\fNot for readers."}, "Fires it.", ""),
        ({"help": "Fires it.", "short_help": "Fire"}, "Fire", "Fires it.\n"),
        ({"help": "Fire", "short_help": "Fire"}, "Fire", ""),
    ],
)
def test_texts_of_a_command_are_read(settings: dict[str, str], synopsis: str, description: str) -> None:
    (found,) = read_application(click.Command("kiln", **settings))  # type: ignore[arg-type]  # texts only
    assert (found.synopsis, found.description, found.notes) == (synopsis, description, [])


@each("deprecated, note", [(True, "**Deprecated.**"), ("Use an oven.", "**Deprecated.** Use an oven.")])
def test_deprecated_command_has_a_note(deprecated: bool | str, note: str) -> None:
    (found,) = read_application(click.Command("kiln", help="Fires.", deprecated=deprecated))  # type: ignore[arg-type]  # texts since click 8.2
    assert found.notes == [note]


def test_commands_below_are_read_with_their_whole_names() -> None:
    inner = click.Group("glaze", commands=[click.Command("mix"), click.Command("old", hidden=True)])
    group = click.Group("kiln", commands=[inner, click.Command("fire")])
    assert [command.name for command in read_application(group)] == [
        "kiln",
        "kiln fire",
        "kiln glaze",
        "kiln glaze mix",
    ]
    assert [one.usage for one in read_application(group, name="oven")][-1] == "oven glaze mix [OPTIONS]"


@each("application", [object(), "kiln", type("Half", (), {"get_params": len})()])
def test_what_is_no_application_is_refused(application: object) -> None:
    with pytest.raises(UsageError, match="is neither a click command nor a typer application"):
        read_application(application)


@each("name", [None, "", "-x", "a/b"])
def test_application_without_a_usable_name_is_refused(name: str | None) -> None:
    with pytest.raises(UsageError, match="give the name with --name"):
        read_application(click.Command(name), name=name)


def test_written_commands_are_read_as_they_were() -> None:
    heat = Option(name="heat", type="int", default_value=900, usage="Degrees", allowed=["1", "2"])
    commands = [
        Command(name="kiln", synopsis="Fires: all", description="One\n\ntwo…\n", options=[heat], inherited_options=[heat]),
        Command(name="kiln fire", aliases=["a", "b"], see_also=["kiln"]),
    ]  # fmt: skip
    text = write_commands(commands)
    entries, problems = read_commands([("commands.yaml", text)])
    assert ([entry.command for entry in entries], problems) == (commands, [])
    assert text == WRITTEN


WRITTEN = """\
name: kiln
synopsis: 'Fires: all'
description: |
  One

  two…
options:
  - name: heat
    type: int
    default_value: 900
    usage: Degrees
    allowed:
      - '1'
      - '2'
inherited_options:
  - name: heat
    type: int
    default_value: 900
    usage: Degrees
    allowed:
      - '1'
      - '2'
---
name: kiln fire
aliases:
  - a
  - b
see_also:
  - kiln
"""
