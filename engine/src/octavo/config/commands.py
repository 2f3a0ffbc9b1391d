"""What `octavo.toml` may say about the commands of a program: the tables `[[commands]]`."""

from __future__ import annotations

import posixpath

import msgspec


class CommandReference(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A program whose commands have a page each, made from data."""

    source: str
    """File or folder with the descriptions of the commands, in the YAML format of cobra."""
    docs: str
    """Folder in the docs folder for the pages."""
    changes: bool = False
    """Compare the commands with those of the versions from tags or branches. A page `changes` lists what each version
    has added, changed, and removed, and commands and options show the versions that brought and changed them."""


def tidy_commands(reference: CommandReference) -> CommandReference:
    """Write its folders in one form."""
    normal = posixpath.normpath
    return msgspec.structs.replace(reference, source=normal(reference.source), docs=normal(reference.docs))
