"""Commands that contradict each other are findings at the place of the command."""

from __future__ import annotations

from octavo.reference.command_line import check_commands, read_commands
from tests.support.each import each

COMMANDS = """\
name: pot
see_also: ["pot fire - Fires.", "[a guide](./guide.md)", "git add"]
options: [{name: verbose, shorthand: v}, {name: quiet}]
---
name: pot fire
see_also: [pot]
"""
# What is added → (line, message, hint).
SLIPS = {
    "---\nname: pot glaze\noptions: [{name: all}, {name: all}]\n": (
        8,
        '"pot glaze" has the option "--all" twice.',
        "Join the two, or rename one.",
    ),
    "---\nname: pot glaze\noptions: [{name: a, shorthand: x}, {name: b, shorthand: x}]\n": (
        8,
        '"pot glaze" has the option "-x" twice.',
        "Join the two, or rename one.",
    ),
    "---\nname: pot glaze\nsee_also: [pot fir]\n": (
        8,
        '"pot glaze" refers to "pot fir", which is not described: its name is shown without a link.',
        'Did you mean "pot fire"?',
    ),
}


@each("added", SLIPS)
def test_commands_that_contradict_each_other(added: str) -> None:
    entries, problems = read_commands([("pot.yaml", COMMANDS + added)])
    assert problems == []
    [found] = check_commands(entries)
    assert (found.span.line, found.message, found.suggestion) == SLIPS[added]
    assert (found.code, found.level) == ("commands", "warn")


def test_commands_that_agree_have_no_finding() -> None:
    entries, _ = read_commands([("pot.yaml", COMMANDS)])
    assert list(check_commands(entries)) == []


MISTAKEN = """\
name: pot
options:
  - {name: verbose, tpye: bool}
  - {usage: No name.}
  - {name: --quiet}
  - {name: size, shorthand: 3}
synopsys: Throw.
---
name: pot fire
"""


def test_mistake_in_a_command_leaves_out_that_part_alone() -> None:
    """The whole command was left out, with the first of its mistakes."""
    entries, problems = read_commands([("pot.yaml", MISTAKEN)])
    assert [one.command.name for one in entries] == ["pot", "pot fire"]
    assert [one.name for one in entries[0].command.options] == ["verbose", "size"]
    assert [(one.span.line, one.span.column, one.message) for one in problems] == [
        (3, 21, '"tpye" is not a setting in options. Did you mean "type"?'),
        (4, 5, "options.name is missing; it must be given."),
        (6, 18, "options.shorthand is 3; expected text in quotes."),
        (7, 1, '"synopsys" is not a setting. Did you mean "synopsis"?'),
        (5, 12, '"--quiet" is not a name of an option; write it without dashes.'),
    ]


def test_name_that_is_not_known_may_have_no_value() -> None:
    """An empty value passed for a key that was not there: the whole command was left out."""
    entries, problems = read_commands([("pot.yaml", "name: pot\nsynopsys:\noptions: [{name: all, tpye: ~}]\n")])
    assert [one.name for one in entries[0].command.options] == ["all"]
    assert sorted((one.span.line, one.span.column) for one in problems) == [(2, 1), (3, 23)]


def test_document_that_is_no_command_is_left_out() -> None:
    entries, problems = read_commands([("pot.yaml", "- a\n---\nname: pot\n---\nsynopsis: x\n---\nname: 3\n")])
    assert [one.command.name for one in entries] == ["pot"]
    assert [(one.span.line, one.message) for one in problems] == [
        (1, "This is a list; expected a command: a table with its `name`."),
        (5, "name is missing; it must be given."),
        (7, "name is 3; expected text in quotes."),
    ]
