"""The sections of a `--help` output: which heading has which lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from octavo.lazy import regex as re

Kind = Literal["", "usage", "options", "commands", "arguments", "example", "aliases", "description", "name", "other"]

_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|.\x08")
"""Colors, and what terminals print over: manual pages write each bold letter twice."""
_KNOWN = re.compile(
    r"(?:[\w ()-]* )?(?:usage|options|flags|commands|arguments|examples?|aliases|description)(?: \([^)]*\))?|(?-i:SYNOPSIS|NAME|VERSION)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"(?P<title>\S[^:]{0,80}?):(?P<rest>.*)")
_UNDERLINE = re.compile(r"={3,}|-{3,}")
_CAPITALS = re.compile(r"[A-Z][A-Z ]{2,40}")
_OPTION = re.compile(r"\s*-{1,2}[\w\[?@]")
"""A line of an option: without a space behind its dashes, which would be an item of a list."""
_ENTRY = re.compile(r"\s+[a-z0-9][\w.+-]*(?:[ ,|]\S+)* {2,}\S")
"""A line of a command: indented, its name, and behind two spaces what it does."""
_LISTED = re.compile(r"\s+(?:[a-z0-9][\w.+-]*, )+[a-z0-9][\w.+-]*,?")
"""A line of a list of nothing but commands, as npm's."""


_AHEAD = 100
"""Lines that are looked at to know what a line is a heading of."""


class HelpSection(msgspec.Struct):
    """A heading and what is below it."""

    title: str
    """As written, without its colon; empty for text under no heading."""
    kind: Kind
    """`other` is known and shown nowhere, such as the version."""
    rest: str
    """Text on the heading's own line."""
    lines: list[str]

    @property
    def is_inherited(self) -> bool:
        """Its options are those of all commands."""
        return self.title.lower().startswith(("global", "general", "inherited", "options inherited"))


def split_sections(text: str) -> list[HelpSection]:
    """Split a help text, as the program prints it; colors and frames are taken off."""
    found: list[HelpSection] = []
    lines = _bare(text)
    section = HelpSection("", "", "", [])
    for place, line in enumerate(lines):
        is_option = bool(_OPTION.match(line))
        is_outside = bool(line[:1].strip()) and not is_option
        below = lines[place + 1 : place + 1 + _AHEAD] if is_outside else []
        heading = _heading(line, below, section) if is_outside else None
        if heading is not None:
            found.append(section)
            section = heading
        elif is_outside and _ends_section(section, line, below):
            found.append(section)
            section = HelpSection("", "", "", [line])
        elif is_option and section.kind in ("", "usage", "description") and _begins(lines, place):
            # Options without a heading, as of `git clone -h`.
            found.append(section)
            section = HelpSection("", "options", "", [line])
        elif not (section.kind == "commands" and line[:1].strip()):  # within commands, a heading of some of them
            section.lines.append(line)
    return [*found, section]


def _bare(text: str) -> list[str]:
    """Take colors and frames off; a frame's title becomes a heading, and so does an underlined one, as optparse writes it."""
    lines = _ESCAPE.sub("", text).expandtabs(4).splitlines()
    is_framed = any(line.startswith("╭─") for line in lines)
    bare = [one for line in lines for one in _unframe(line.rstrip(), is_framed=is_framed)]
    found: list[str] = []
    for line in bare:
        if found and _UNDERLINE.fullmatch(line) and len(line) == len(found[-1]):
            found[-1] += ":"
        else:
            found.append(line)
    return found


def _unframe(line: str, *, is_framed: bool) -> Iterator[str]:
    if line.startswith("╭─"):
        yield line.strip("╭─╮ ") + ":"
    elif line.startswith("│"):
        yield "  " + line[1:].removesuffix("│").rstrip()[1:]
    elif not line.startswith("╰─"):
        yield line.removeprefix(" ") if is_framed else line


def _heading(line: str, below: list[str], section: HelpSection) -> HelpSection | None:
    match = _HEADING.fullmatch(line)
    title, rest = (match["title"], match["rest"].strip()) if match else (line, "")
    if match and _KNOWN.fullmatch(title):
        return HelpSection(title, _kind(title), rest, [])
    if rest:
        return None
    following = next((one for one in below if one.strip()), "")
    if not match:
        # Without a colon: capitals as gh writes them, or a line directly above options, as git does.
        if _CAPITALS.fullmatch(line) and following[:1] == " " and _KNOWN.fullmatch(title):
            return HelpSection(title, _kind(title), "", [])
        is_head = bool(below) and _OPTION.match(below[0]) and section.kind == "options"
        return HelpSection(title, "options", "", []) if is_head else None
    if _holds_options(below):
        return HelpSection(title, "options", "", [])
    if re.search(r"\bcommands?\b", title, re.IGNORECASE) and _holds_commands(below):
        return HelpSection(title, "commands", "", [])
    return None


def _kind(title: str) -> Kind:
    words = title.lower().partition(" (")[0].split()
    last = words[-1]
    if last in ("options", "flags"):
        return "options"
    kinds: dict[str, Kind] = {
        "usage": "usage", "synopsis": "usage", "commands": "commands", "arguments": "arguments", "example": "example",
        "examples": "example", "aliases": "aliases", "description": "description", "name": "name",
    }  # fmt: skip
    return kinds.get(last, "other")


def _holds_options(below: list[str]) -> bool:
    """Whether the indented lines below a heading have options; a sentence may come first."""
    for line in below:
        if _OPTION.match(line):
            return True
        if line[:1].strip():
            return False
    return False


def _holds_commands(below: list[str]) -> bool:
    """Whether the first lines below a heading are commands, or the heading of some with commands below it."""
    lines = [line for line in below[:6] if line.strip()][:2]
    return any(_ENTRY.match(line) or _LISTED.fullmatch(line) for line in lines)


def _ends_section(section: HelpSection, line: str, below: list[str]) -> bool:
    """Whether a line that is not indented belongs to no heading."""
    if section.kind == "usage":
        return False  # npm's usage is not indented, and click and argparse describe the command behind it
    if section.kind == "options":
        return not line.startswith("[-")  # npm's options are not indented
    if section.kind == "commands":
        return not (below and _ENTRY.match(below[0]))
    return bool(section.title)


def _begins(lines: list[str], place: int) -> bool:
    """Whether a line of an option begins a list of them: it is behind a blank line, or the first one."""
    return place == 0 or not lines[place - 1].strip()
