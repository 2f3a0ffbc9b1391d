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
