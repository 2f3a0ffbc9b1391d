"""Commands taken from real programs: click, typer, argparse and cobra, by their files, their objects and their help."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from openapi_python_client.cli import app as typer_app

from octavo.cli.main import octavo
from octavo.errors import UsageError
from octavo.reference.command_line import (
    Command,
    Option,
    collect_help,
    parse_help,
    read_application,
    read_commands,
    write_commands,
)

COBRA_HELP = """\
Create a new content file and automatically set the date and title.
It will guess which kind of file to create based on the path provided.

You can also specify the kind with `-k KIND`.

Usage:
  hugo new content [path] [flags]

Aliases:
  content, post

Examples:
  hugo new content posts/a.md

Flags:
  -b, --baseURL string           hostname (and path) to the root, e.g. https://spf13.com/
      --configDir string         config dir (default "config")
  -f, --force                    overwrite file if it already exists
  -h, --help                     help for content

Global Flags:
      --config string              config file (default is hugo.yaml|json|toml)
  -M, --renderToMemory             render to memory (mostly useful when running the server)

Use "hugo new content [command] --help" for more information about a command.
"""
TYPER_HELP = """\

 Usage: app build [OPTIONS] COMMAND [ARGS]...

 Build what is there.

╭─ Arguments ──────────────────────────────────────────────╮
│ *    site      TEXT  Folder of the site [required]       │
╰──────────────────────────────────────────────────────────╯
╭─ Options ────────────────────────────────────────────────╮
│ --meta        <none|poetry>  Kind of package             │
│                              [default: poetry]           │
│ --jobs  -j    INTEGER        How many [required]         │
│ --fast        --no-fast      Be quick                    │
╰──────────────────────────────────────────────────────────╯
╭─ Commands ───────────────────────────────────────────────╮
│ docs  Only the documents                                 │
╰──────────────────────────────────────────────────────────╯
"""


def ask(*program: str, words: list[str]) -> str:
    """Ask a real program for its help."""
    done = subprocess.run([*program, *words, "--help"], capture_output=True, text=True, check=False)
    return done.stdout


def named(options: list[Option]) -> dict[str, Option]:
    return {option.name: option for option in options}


def test_help_of_cobra_is_understood() -> None:
    command = parse_help(COBRA_HELP).command
    options = named(command.options)
    assert (command.name, command.usage) == ("hugo new content", "hugo new content [path] [flags]")
    assert command.synopsis.endswith("based on the path provided.")
    assert "Use " not in command.description
    assert command.aliases == ["post"]
    assert command.example == "hugo new content posts/a.md\n"
    assert (options["baseURL"].shorthand, options["baseURL"].type) == ("b", "string")
    assert (options["configDir"].default, options["configDir"].usage) == ("config", "config dir")
    assert options["force"].type == "bool"
    inherited = named(command.inherited_options)
    assert (inherited["config"].default, inherited["renderToMemory"].shorthand) == ("", "M")


def test_help_in_frames_is_understood() -> None:
    page = parse_help(TYPER_HELP)
    options = named(page.command.options)
    assert (page.command.name, page.command.synopsis, page.subcommands) == (
        "app build",
        "Build what is there.",
        {"docs": "Only the documents"},
    )
    assert [(one.name, one.usage, one.required) for one in page.command.arguments] == [
        ("site", "Folder of the site", True)
    ]
    assert (options["meta"].allowed, options["meta"].default) == (["none", "poetry"], "poetry")
    assert (options["jobs"].shorthand, options["jobs"].required) == ("j", True)
    assert options["fast"].usage == "Be quick"


def test_help_of_argparse_is_understood() -> None:
    command = parse_help(ask(sys.executable, "-m", "json.tool", words=[]), name="json.tool").command
    options = named(command.options)
    assert [(one.name, one.required) for one in command.arguments] == [("infile", False), ("outfile", False)]
    assert {"help", "sort-keys", "json-lines", "indent"} <= options.keys()
    assert (options["indent"].type, options["help"].shorthand) == ("INDENT", "h")


def test_help_without_a_usage_is_refused() -> None:
    with pytest.raises(UsageError, match="does not say which command"):
        parse_help("Nothing of use.")


def test_program_that_always_says_the_same_ends() -> None:
    text = "Usage: echo [x]\n\nCommands:\n  again  Say it\n  more   Say it\n"
    assert [command.name for command in collect_help(lambda _: text, "echo")] == ["echo", "echo again", "echo more"]


def test_our_own_program_says_the_same_by_help_and_by_import() -> None:
    by_import = {command.name: command for command in read_application(octavo, name="octavo")}
    by_help = collect_help(lambda words: ask(sys.executable, "-m", "octavo", words=words), "octavo")
    assert [command.name for command in by_help] == sorted(by_import)
    for command in by_help:
        twin = by_import[command.name]
        assert (command.usage, named(command.options).keys()) == (twin.usage, named(twin.options).keys())
    serve = named(by_import["octavo serve"].options)
    assert (serve["port"].default, serve["host"].default) == ("3000", "127.0.0.1")


def test_typer_application_is_read() -> None:
    commands = {command.name: command for command in read_application(typer_app, name="client")}
    options = named(commands["client generate"].options)
    assert options["meta"].default in options["meta"].allowed
    assert options["overwrite"].usage.endswith("Off: `--no-overwrite`.")


def test_hidden_commands_and_options_stay_hidden() -> None:
    @click.group()
    @click.option("--secret", hidden=True)
    @click.option("--color", type=click.Choice(["red", "blue"]), default="red", help="Paint")
    def paint(secret: str, color: str) -> None:
        """Paint things."""

    @paint.command(hidden=True)
    def ghost() -> None:
        """Be unseen."""

    @paint.command(deprecated=True)
    @click.argument("wall", nargs=-1)
    def wall(wall: str) -> None:
        """Paint a wall.\fNot for readers."""  # noqa: D301 - click's own mark

    found = {command.name: command for command in read_application(paint)}
    assert sorted(found) == ["paint", "paint wall"]
    assert named(found["paint"].options).keys() == {"color", "help"}
    assert found["paint wall"].arguments[0].name == "WALL..."
    assert "Not for readers" not in found["paint wall"].description + found["paint wall"].synopsis


def test_what_is_no_application_is_refused() -> None:
    with pytest.raises(UsageError, match="neither a click command nor a typer application"):
        read_application(print, name="print")


def test_what_is_written_reads_as_it_was() -> None:
    commands = [
        Command(
            name="pot fire",
            synopsis="yes: no # 'x'",
            description="Two\n\nparagraphs\n",
            options=[Option(name="heat", shorthand="H", default_value=900, allowed=["off", "1"], required=True)],
            example="pot \\\n  fire\n",
        ),
        Command(name="pot"),
    ]
    entries, problems = read_commands([("a.yaml", write_commands(commands))])
    assert problems == []
    assert [entry.command for entry in entries] == commands
