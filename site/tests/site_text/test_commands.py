"""Every command line of the tool that a page shows is one that the tool has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from site_text.calls import SHELLS, commands
from site_text.counting import Count
from site_text.texts import SITE, Fence, fences, sources
from tests.support.each import each

COMMANDS: dict[str, dict[str, Any]] = {
    entry["name"]: entry for entry in yaml.safe_load_all((SITE / "commands" / "thv.yaml").read_text(encoding="utf-8"))
}
PROGRAM = "thv"
WITHOUT_PAGE = {"completion", "help"}
"""Made by the framework that the program is written with."""
WITHOUT_OUTPUT = {
    **dict.fromkeys(("thv", "thv config", "thv registry", "thv secret"), "prints its help, which the page itself is"),
    "thv logs": "prints what the server writes",
}
"""Commands without a sample of their output, and why."""
SPAN = re.compile(r"(?<!`)`(?P<words>thv(?: [^`]*)?)`(?!`)")


def shown() -> Iterator[tuple[str, list[str]]]:
    """List the command lines of the pages: in blocks and in running text."""
    for path in sources():
        name = path.relative_to(SITE).as_posix()
        for fence in fences(path):
            if fence.language in SHELLS | {"powershell"}:
                yield from ((fence.place, words) for words in commands(as_shell(fence)) if PROGRAM in words[:2])
        for match in SPAN.finditer(path.read_text(encoding="utf-8")):
            yield name, match["words"].split()
    for name, entry in COMMANDS.items():
        for words in commands(Fence("console", entry.get("output", ""), name)):
            yield f"output of {name}", words


def as_shell(fence: Fence) -> Fence:
    return Fence("bash" if fence.language == "powershell" else fence.language, fence.code, fence.place)


def options(entry: dict[str, Any]) -> dict[str, bool]:
    """Map the names of a command's options to whether they take a value."""
    found = {}
    for option in [*entry.get("options", []), *entry.get("inherited_options", [])]:
        takes_value = option.get("type") != "bool"
        found[f"--{option['name']}"] = takes_value
        if "shorthand" in option:
            found[f"-{option['shorthand']}"] = takes_value
    return found


def problem(words: list[str]) -> str:
    """Say what is wrong with a command line; nothing when it is right."""
    rest = words[words.index(PROGRAM) + 1 :]
    if rest and rest[0] in WITHOUT_PAGE:
        return ""
    name = PROGRAM
    while rest and f"{name} {rest[0]}" in COMMANDS:
        name = f"{name} {rest.pop(0)}"
    has_children = any(other.startswith(f"{name} ") for other in COMMANDS)
    takes_arguments = bool(COMMANDS[name].get("arguments")) or name == PROGRAM
    known, plain, words_left = options(COMMANDS[name]), [], iter(rest)
    for word in words_left:
        if word == "--":
            break
        if not word.startswith("-") or word == "-":
            plain.append(word)
            continue
        option, equals, _ = word.partition("=")
        if option not in known:
            return f"{name} has no option {option}"
        if known[option] and not equals:
            next(words_left, None)
    if plain and has_children and not COMMANDS[name].get("arguments") and plain[0].islower() and plain[0].isalpha():
        return f"{name} has no subcommand {plain[0]}"
    if plain and not has_children and not takes_arguments:
        return f"{name} takes no argument {plain[0]}"
    return ""


SHOWN = list(shown())


def test_pages_show_commands() -> None:
    assert len(SHOWN) >= 150


def test_every_command_that_prints_something_of_its_own_shows_a_sample() -> None:
    without = {name for name, entry in COMMANDS.items() if not entry.get("output")}
    assert without == WITHOUT_OUTPUT.keys()
    for name in COMMANDS.keys() - without:
        first, *rest = COMMANDS[name]["output"].splitlines()
        assert first == f"$ {name}" or first.startswith(f"$ {name} ")
        assert any(not line.startswith("$ ") for line in rest)


@pytest.mark.parametrize(
    "words", ["thv restore fetch", "thv run --permision-profile none fetch", "thv secret sett a", "thv version now"]
)
def test_slip_is_noticed(words: str) -> None:
    assert problem(words.split())


@each(("place", "words"), SHOWN, ids=lambda value: value if isinstance(value, str) else value[0])
def test_command_exists(place: str, words: list[str], count: Count) -> None:
    count("command lines parsed", 1)
    assert problem(words) == "", f"{place}: {' '.join(words)}"
