"""Write commands as a file that `read.py` reads: YAML, one document for each command."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import yaml

from octavo.reference.command_line.model import Command


class _Dumper(yaml.SafeDumper):
    """Writes lists under their key and texts of several lines as they are read."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - the base's own
        return super().increase_indent(flow, False)

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - the base's own
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _represent_text)


def write_commands(commands: Iterable[Command]) -> str:
    """Write commands, in the order given. Defaults are left out; reading the text gives the same commands."""
    documents = [msgspec.to_builtins(command) for command in commands]
    return yaml.dump_all(documents, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
