"""`--help` output → `Command`, as far as it follows the habits of cobra, click, typer, argparse, clap, commander, npm or git."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator

import msgspec

from octavo.errors import UsageError
from octavo.lazy import regex as re
from octavo.reference.command_line.help_options import (
    PLACEHOLDER,
    HelpEntry,
    add_option,
    choices,
    items_of,
    read_options,
    without_required,
)
from octavo.reference.command_line.help_sections import HelpSection, split_sections
from octavo.reference.command_line.model import NAME, Argument, Command, Option

_POINTER = re.compile(r"(?:Use|Run|See|Type) [\"'`]|(?:Use|Run|See|Type) [\w -]*--?h(?:elp)?\b")
"""How a sentence begins that is about the help itself."""
_DEEPEST = 5
_MOST = 1000
"""Commands of one program; more are taken for a program that answers everything."""


class HelpPage(msgspec.Struct, frozen=True):
    """What one help text says."""

    command: Command
    subcommands: dict[str, str]
    """Last words of their names → what the help says of each."""


def collect_help(read: Callable[[list[str]], str], name: str) -> list[Command]:
    """Follow a program's subcommands and read the help of each.

    Args:
        read: Words after the program's name → its help for them; empty where it has none.
        name: The program's name.

    Raises:
        UsageError: its first help cannot be understood.
    """
    found: dict[str, Command] = {}
    seen: set[str] = set()
    queue: list[tuple[list[str], str]] = [([], "")]
    while queue and len(found) < _MOST:
        words, synopsis = queue.pop(0)
        text = read(words)
        whole = " ".join([name, *words])
        if text in seen or (words and not text.strip()):
            # It has no help of its own, or the program shows the same one for everything.
            found[whole] = Command(name=whole, synopsis=synopsis)
            continue
        seen.add(text)
        page = parse_help(text, name=whole)
        own = page.command.synopsis
        found[whole] = page.command if own else msgspec.structs.replace(page.command, synopsis=synopsis)
        if len(words) < _DEEPEST:
            queue += [
                ([*words, word], says)
                for word, says in page.subcommands.items()
                if word not in ("help", whole.rpartition(" ")[2])
            ]
    return [found[key] for key in sorted(found)]


def parse_help(text: str, *, name: str | None = None) -> HelpPage:
    """Read one help text.

    Args:
        text: As the program prints it; colors and frames are taken off.
        name: The whole name of the command; by default the first words of its usage.

    Raises:
        UsageError: there is neither a name nor a usage to take it from.
    """
    sections = split_sections(text)
    usage, below = _usage(sections)
    name = name or _name_in(usage)
    if name is None or not NAME.fullmatch(name):
        raise UsageError("This help does not say which command it is about: it has no line that begins with `Usage:`.")
    paragraphs = list(_described(sections, below))
    # What ends in a colon introduces a list.
    is_sentence = bool(paragraphs) and not paragraphs[0].partition("\n")[0].endswith(":")
    own, inherited, notes = _options(sections)
    command = Command(
        name=name,
        synopsis=" ".join(paragraphs[0].split()) if is_sentence else "",
        description="\n\n".join(paragraphs) + "\n" if len(paragraphs) > is_sentence else "",
        usage=usage,
        aliases=_aliases(sections, name),
        arguments=list(_arguments(sections, usage)),
        options=own,
        inherited_options=inherited,
        notes=notes,
        example=_example(sections),
    )
    return HelpPage(command, {word: says for word, says in _subcommands(sections).items() if NAME.fullmatch(word)})


def _usage(sections: list[HelpSection]) -> tuple[str, list[str]]:
    """Find the usage.

    Returns:
        (its lines, what follows them before the next heading: where click and argparse describe the command).
    """
    section = next((one for one in sections if one.kind == "usage"), None)
    if section is None:
        return "", []
    # The usage is on the line of its heading, or on the first lines below that have a text.
    start = 0 if section.rest else next((at for at, line in enumerate(section.lines) if line.strip()), 0)
    lines = section.lines[start:]
    end = next((index for index, line in enumerate(lines) if not line.strip()), len(lines))
    first = [section.rest] if section.rest else []
    more = textwrap.dedent("\n".join(lines[:end])).split("\n") if end else []
    return "\n".join([*first, *more]), lines[end:]


def _name_in(usage: str) -> str | None:
    words = []
    for word in usage.partition("\n")[0].split():
        if not re.fullmatch(r"[a-z0-9][\w.+-]*", word):
            break
        words.append(word)
    return " ".join(words) or None


def _described(sections: list[HelpSection], below: list[str]) -> Iterator[str]:
    """List the paragraphs of the description, each once: what is in no other section, what is headed as description first."""
    headed: list[str] = []
    lines: list[str] = []
    for section in sections:
        if section.kind == "name":
            headed += [" ".join([section.rest, *section.lines]).partition(" - ")[2].strip(), ""]
        elif section.kind == "description":
            headed += [section.rest, *_dedented(section.lines), ""]
        elif not section.kind:
            # What is before the usage comes before a headed description, as with podman.
            first = headed if section is sections[0] else lines
            first += [*_dedented(section.lines), ""]
        elif section.kind == "usage":
            lines += ["", *_dedented(below), ""]
    seen = set()
    for paragraph in _paragraphs([*headed, *lines]):
        words = " ".join(paragraph.split()).rstrip(".")
        if words not in seen and not _POINTER.match(paragraph):
            seen.add(words)
            yield paragraph


def _dedented(lines: list[str]) -> list[str]:
    return textwrap.dedent("\n".join(lines)).split("\n")


def _paragraphs(lines: list[str]) -> list[str]:
    return [part.strip("\n") for part in re.split(r"\n\s*\n", "\n".join(lines)) if part.strip()]


def _options(sections: list[HelpSection]) -> tuple[list[Option], list[Option], list[str]]:
    """Read the options of all sections: (own ones, those of commands above, what sections say in front of their options)."""
    own: dict[str, Option] = {}
    inherited: dict[str, Option] = {}
    notes = []
    for section in sections:
        if section.kind == "options":
            intro, options = read_options(section.lines)
            known = inherited if section.is_inherited else own
            for option in options:
                add_option(known, option, option.name)
            if intro:
                notes.append(f"{section.title}: {intro}")
    return list(own.values()), list(inherited.values()), notes


def _subcommands(sections: list[HelpSection]) -> dict[str, str]:
    """Give the last words of their names → what the help says of each."""
    found: dict[str, str] = {}
    for section in sections:
        if section.kind not in ("commands", "arguments"):
            continue
        for item in items_of(section.lines):
            if section.kind == "arguments":
                # What argparse prints of subparsers: `{build,serve}`, then an entry for each.
                listed = choices(item.columns[0])
                found |= {word: found.get(word, "") for word in listed}
                if not listed and item.columns[0] in found:
                    found[item.columns[0]] = item.usage
                continue
            for name in _commands_of(item):
                found.setdefault(name, "" if "," in item.usage and len(item.columns) == 1 else item.usage)
    return found


def _commands_of(item: HelpEntry) -> list[str]:
    """Read the commands of an entry: one, with its aliases behind commas; or a list of nothing but commands, as npm's."""
    names = [name.rstrip(",") for text in [item.columns[0], *item.more] for name in text.split(", ")]
    if (
        len(item.columns) == 1
        and "," in item.columns[0]
        and all(NAME.fullmatch(name) and " " not in name for name in names)
    ):
        return names
    name = re.split(r"[,| ]", item.columns[0])[0].rstrip("*:")
    # A line that is one column and begins with a capital is a sentence.
    is_sentence = len(item.columns) == 1 and name[:1].isupper()
    return [] if is_sentence else [name]


def _arguments(sections: list[HelpSection], usage: str) -> Iterator[Argument]:
    for section in sections:
        if section.kind != "arguments":
            continue
        for item in items_of(section.lines):
            name = item.columns[0]
            if not name.startswith("{"):
                is_optional = name.startswith("[") or f"[{name}" in usage
                texts = [text for text in item.columns[1:] if not PLACEHOLDER.fullmatch(text)]
                meaning = without_required(" ".join([*texts, *item.more]))
                yield Argument(name=name.strip("[]"), usage=meaning, required=not is_optional)


def _aliases(sections: list[HelpSection], name: str) -> list[str]:
    last = name.rpartition(" ")[2]
    found = next((section for section in sections if section.kind == "aliases"), None)
    listed = "\n".join(line.strip() for line in [found.rest, *found.lines]) if found else ""
    words = [alias.split(" ")[-1] for alias in listed.replace("\n", ",").split(",") if alias]
    return [word for word in dict.fromkeys(words) if word and word != last]


def _example(sections: list[HelpSection]) -> str:
    texts = (
        "\n".join([*([section.rest] if section.rest else []), *_dedented(section.lines)]).strip("\n")
        for section in sections
        if section.kind == "example"
    )
    text = "\n\n".join(text for text in texts if text)
    return f"{text}\n" if text else ""
