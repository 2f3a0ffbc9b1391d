"""References from data: descriptions of HTTP APIs and of command lines become documents.

The packages `openapi` and `command_line` are interfaces of their own: importing them loads parsers, which a build of a
site without such data does without. What compares versions is loaded at its first use, for the same reason. The views of
API pages are defined here, because they are part of the contract with the theme.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.lazy import export_lazily
from octavo.reference.api_views import OperationView, OverviewView, SchemaCard, SchemaNames, TagView

if TYPE_CHECKING:
    from octavo.reference.changes import (
        ChangesOf,
        Member,
        Since,
        Surface,
        api_surface,
        command_surface,
        compare,
        find_since,
        write_changes,
    )
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "changes": (
                "ChangesOf",
                "Member",
                "Since",
                "Surface",
                "api_surface",
                "command_surface",
                "compare",
                "find_since",
                "write_changes",
            )
        },
    )

__all__ = [
    "ChangesOf",
    "Member",
    "OperationView",
    "OverviewView",
    "SchemaCard",
    "SchemaNames",
    "Since",
    "Surface",
    "TagView",
    "api_surface",
    "command_surface",
    "compare",
    "find_since",
    "write_changes",
]
