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
        ("tool build docs", "", "Of the pages"),
        ("tool show", "", "Show it"),
    ]


def test_program_without_any_help_is_refused() -> None:
    """Its first help decides; that of a subcommand may be empty."""
    found = collect_help(lambda words: "" if words else "Usage: tool\n\nCommands:\n  a  A\n", "tool")
    assert [(one.name, one.synopsis) for one in found] == [("tool", ""), ("tool a", "A")]
    with pytest.raises(UsageError, match="does not say which command"):
        parse_help("")


def test_parts_of_a_help_are_found() -> None:
    page = parse_help(BUILD)
    command = page.command
    assert (command.name, page.subcommands) == ("tool build", {"docs": "Of the pages"})
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


@pytest.mark.parametrize(
    ("text", "subcommands"),
    [
        # cobra's groups, and commander's entries with arguments and aliases
        ("Basic Commands (Beginner):\n  fire   Fire it\n\nOther Commands:\n  glaze [color]  Glaze it", ["fire", "glaze"]),
        ("Commands:\n  fire|f [options] <kiln>   Fire it\n  glaze", ["fire", "glaze"]),
        # npm's list
        ("All commands:\n\n    fire, glaze, load-all,\n    unload, watch\n", ["fire", "glaze", "load-all", "unload", "watch"]),
        # git's groups without colons
        ("These are common commands:\n\nload a kiln\n   add   Put in\n   rm    Take out\n\nfire it\n   fire  Fire", ["add", "rm", "fire"]),
        # gh's capitals
        ("CORE COMMANDS\n  fire:   Fire it\n\nFLAGS\n  --help   Show help", ["fire"]),
        # urfave/cli
        ("COMMANDS:\n   fire, f  Fire it\n   help, h  Shows a list", ["fire", "help"]),
        # argparse
        ("positional arguments:\n  {fire,glaze}\n    fire        Fire it\n    glaze", ["fire", "glaze"]),
        # sentences are not commands
        ("COMMON COMMANDS\n\n  tool\n  Fires what is in the kiln.\n\n  A longer text, in two parts\n", ["tool"]),
    ],
)  # fmt: skip
def test_commands_are_listed_in_many_ways(text: str, subcommands: list[str]) -> None:
    assert list(parse_help(text, name="tool").subcommands) == subcommands


@pytest.mark.parametrize(
    ("line", "names", "value", "usage"),
    [
        ("  -v, --verbose...   Say more", ["--verbose", "-v"], "bool", "Say more"),
        ("  --[no-]color[=<when>]  Use colors", ["--color", "--no-color"], "[when]", "Use colors"),
        ("  --glaze / --no-glaze   Glaze", ["--glaze", "--no-glaze"], "bool", "Glaze"),
        ("  -S|--save|--keep       Save", ["--save", "-S", "--keep"], "bool", "Save"),
        ("  -auto-fire             Fire", ["-auto-fire"], "bool", "Fire"),
        ("  --quit                --fire but slowly, and cool", ["--quit"], "bool", "--fire but slowly, and cool"),
        ("  --name  -n  TEXT  Its name", ["--name", "-n"], "TEXT", "Its name"),
        ("  -j <n>                 Jobs", ["-j"], "n", "Jobs"),
        ("  --config <KEY=VALUE|PATH>  Settings", ["--config"], "KEY=VALUE|PATH", "Settings"),
        ("  --jobs N               Jobs; with\n                         --all none", ["--jobs"], "N", "Jobs; with --all none"),
    ],
)  # fmt: skip
def test_spellings_of_an_option_are_all_kept(line: str, names: list[str], value: str, usage: str) -> None:
    [option] = parse_help(f"Usage: tool\n\nOptions:\n{line}\n").command.options
    assert (option.names, option.type, option.usage) == (names, value, usage)


@pytest.mark.parametrize(
    "text",
    [
        "Log levels:\n  -q, --quiet   Say nothing",
        "Log levels (of all kinds):\n\n  -q, --quiet   Say nothing",
        "Log levels\n==========\n-q, --quiet   Say nothing",
        "usage: tool [<options>]\n\n    -q, --quiet           Say nothing",
        "LOGGING FLAGS\n  -q, --quiet   Say nothing",
        "Options:\n[-q|--quiet] [--heat <low|high> [--heat <low|high> ...]]\n\n  -q|--quiet\n    Say nothing",
    ],
)
def test_options_are_found_under_any_heading(text: str) -> None:
    command = parse_help(text, name="tool").command
    assert [(one.names, one.usage) for one in command.options][:1] == [(["--quiet", "-q"], "Say nothing")]
    assert command.description == ""


def test_options_in_brackets_give_the_values_of_those_that_are_explained() -> None:
    text = "Options:\n[--heat <low|high> [--heat <low|high> ...]] [-k <kiln>] [--no-glaze|--glaze <color>]\n\n"
    text += "  --heat\n    How hot\n\n  --glaze\n    The color\n"
    assert [(one.name, one.allowed, one.type, one.usage) for one in parse_help(text, name="tool").command.options] == [
        ("heat", ["low", "high"], "", "How hot"),
        ("k", [], "kiln", ""),
        ("no-glaze", [], "color", "The color"),
    ]


def test_text_around_options_is_kept() -> None:
    text = (
        "Fires a kiln.\n\nUsage: tool\n\nConfig file:\n  Settings may be in a file.\n\n  --config FILE   The file\n\n"
        "  Without it, none is read.\n\nEnvironment:\n  KILN   Its name\n\nDescription:\n  Fires a kiln.\n\n  Slowly.\n"
    )
    command = parse_help(text).command
    assert command.notes == ["Config file: Settings may be in a file. Without it, none is read."]
    assert command.synopsis == "Fires a kiln."
    assert command.description == "Fires a kiln.\n\nSlowly.\n\nEnvironment:\n  KILN   Its name\n"


def test_sentence_that_introduces_a_list_is_no_summary() -> None:
    command = parse_help("usage: tool [-h]\n\nOne of these:\n  - first\n  - second\n").command
    assert (command.synopsis, command.description) == ("", "One of these:\n  - first\n  - second\n")


def test_summary_of_a_command_comes_from_the_list_of_commands_where_its_own_help_has_none() -> None:
    texts = {"": "Usage: tool\n\nCommands:\n  fire  Fire it\n", "fire": "usage: tool fire\n\n    --now   At once\n"}
    found = collect_help(lambda words: texts[" ".join(words)], "tool")
    assert [(one.name, one.synopsis) for one in found] == [("tool", ""), ("tool fire", "Fire it")]


def test_manual_pages_are_read_without_what_makes_letters_bold() -> None:
    assert parse_help("N\x08NA\x08AM\x08ME\x08E:\n   tool - fires\n\nUSAGE:\n   tool fire").command.synopsis == "fires"


def test_words_of_manual_pages_are_headings_in_capitals_only() -> None:
    text = "Fires a kiln.\n\nName: what the kiln is called.\n\nUsage: tool\n\nVERSION:\n   1.2\n"
    command = parse_help(text).command
    assert command.description == "Fires a kiln.\n\nName: what the kiln is called.\n"


def test_option_that_is_listed_twice_has_both_texts() -> None:
    text = (
        "Options:\n  --heat N   How hot (default 4)\n  --heat N   In degrees\n\nMore options:\n  --heat N   At once\n"
    )
    [option] = parse_help(text, name="tool").command.options
    assert (option.usage, option.default_value) == ("How hot In degrees At once", "4")
