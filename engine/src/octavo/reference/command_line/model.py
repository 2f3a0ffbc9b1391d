"""`Command`: what a data file says about one command of a program.

The shape is that of the YAML generator of cobra (`doc.GenYamlTree`), with what its own help shows besides: arguments,
aliases, types and allowed values of options, and notes. So the generator's files are read as they are.

Source:
    cobra `doc/yaml_docs.go`, `cmdDoc` and `cmdOption`, read on 2026-11-20.
"""

from __future__ import annotations

import msgspec

from octavo.lazy import regex as re

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*(?: [A-Za-z0-9][A-Za-z0-9_.+-]*)*")
"""Names of commands: words by single spaces. Each word is also a part of a file name, so it can't lead out of a folder."""
OPTION_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Base of everything in a data file: unknown keys are refused, and defaults are not written."""


class Argument(_Entry, frozen=True, kw_only=True):
    """A value that a command takes by its place."""

    name: str
    usage: str = ""
    required: bool = True


class Option(_Entry, frozen=True, kw_only=True):
    """An option, under the names that cobra's files give its properties."""

    name: str
    """Long name without dashes."""
    shorthand: str = ""
    """One letter without its dash; empty where there is none."""
    prefix: str = ""
    """Dashes of the long name, where these are not two: `-` for `-auto-approve`."""
    others: list[str] = []
    """Further spellings with their dashes, such as `--no-color`."""
    type: str = ""
    """What follows the option, such as `string`; empty where nothing does or it is not known."""
    default_value: str | int | float | bool | list[str] | None = ""
    """Value where the option is not given; empty where there is none."""
    usage: str = ""
    """Plain text, with code between backticks."""
    allowed: list[str] = []
    """The values that are accepted, where they can be listed."""
    required: bool = False
    deprecated: str = ""
    """What to use instead; empty for options that may be used."""

    @property
    def anchor(self) -> str:
        """Anchor of the option in the page of its command."""
        return f"option-{self.name}"

    @property
    def names(self) -> list[str]:
        """Its spellings with dashes, the long one first; a name of one letter has one dash."""
        dashes = self.prefix or ("--" if len(self.name) > 1 else "-")
        short = [f"-{self.shorthand}"] if self.shorthand else []
        return [dashes + self.name, *short, *self.others]

    @property
    def default(self) -> str:
        """The default as readers would type it; empty where there is none."""
        value = self.default_value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, list):
            return ",".join(value)
        text = "" if value is None else str(value)
        # The library prints lists in brackets; what is typed has none.
        return text[1:-1] if text.startswith("[") and text.endswith("]") else text


class Command(_Entry, frozen=True, kw_only=True):
    """One command."""

    name: str
    """The whole of it, such as `git remote add`."""
    synopsis: str = ""
    """One sentence; it is the page's description too."""
    description: str = ""
    """Markdown without HTML; the synopsis where it is empty."""
    usage: str = ""
    """Line of usage."""
    aliases: list[str] = []
    """Other names of its last word."""
    arguments: list[Argument] = []
    options: list[Option] = []
    inherited_options: list[Option] = []
    """Options of commands above it that it takes as well."""
    notes: list[str] = []
    """Markdown without HTML."""
    example: str = ""
    """Lines for a shell."""
    output: str = ""
    """A terminal session that shows what the command prints: commands after `$ `, each followed by its output."""
    see_also: list[str] = []
    """`name`, or `name - synopsis` as cobra writes them; or Markdown links."""

    @property
    def file_name(self) -> str:
        """Name of its page, without extension."""
        return self.name.replace(" ", "_")


class CommandTree(msgspec.Struct, frozen=True):
    """All commands of a program, for looking up who belongs to whom."""

    synopses: dict[str, str]
    """Name → synopsis, in order of names."""

    @staticmethod
    def of(commands: list[Command]) -> CommandTree:
        return CommandTree({command.name: command.synopsis for command in sorted(commands, key=lambda one: one.name)})

    def parent(self, name: str) -> str | None:
        """Find the nearest command above one."""
        words = name.split(" ")
        above = (" ".join(words[:count]) for count in range(len(words) - 1, 0, -1))
        return next((other for other in above if other in self.synopses), None)

    def children(self, name: str) -> list[str]:
        """List the commands directly below one."""
        return [other for other in self.synopses if self.parent(other) == name]
