"""Changes of an API or of commands between versions: what each version describes, compared, and a page of it."""

from __future__ import annotations

from octavo.reference.changes.api import api_surface
from octavo.reference.changes.commands import command_surface
from octavo.reference.changes.page import ChangesOf, write_changes
from octavo.reference.comparing import Member, MemberChange, Since, Surface, compare, find_since

__all__ = [
    "ChangesOf",
    "Member",
    "MemberChange",
    "Since",
    "Surface",
    "api_surface",
    "command_surface",
    "compare",
    "find_since",
    "write_changes",
]
