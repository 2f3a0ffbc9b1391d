"""What the users of a command depend on: its options and arguments."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.reference.command_line.model import Command, Option
from octavo.reference.comparing import Member, Surface


def command_surface(commands: Iterable[Command]) -> Surface:
    """Describe commands."""
    return {
        command.name: Member(
            ({"aliases": ", ".join(sorted(command.aliases))} if command.aliases else {})
            | {one.name: "required" if one.required else "optional" for one in command.arguments}
            | {one.names[0]: _settled(one) for one in command.options}
        )
        for command in commands
    }


def _settled(option: Option) -> str:
    parts = [*option.names[1:], option.type if option.type != "bool" else ""]
    parts.append(f"one of {', '.join(option.allowed)}" if option.allowed else "")
    parts.append(f"default {option.default}" if option.default not in ("", "false") else "")
    parts.append("required" if option.required else "")
    parts.append("deprecated" if option.deprecated else "")
    return ", ".join(part for part in parts if part)
