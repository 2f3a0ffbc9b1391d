"""Style sheets that authors write: what is wrong in them, and which files and hosts they name."""

from __future__ import annotations

from octavo.stylesheets.addresses import with_addresses, with_base
from octavo.stylesheets.scoping import MODULE_ENDING, Composition, ScopedSheet, scope_sheet
from octavo.stylesheets.sheet import Reference, Sheet, SheetProblem, read_sheet

__all__ = [
    "MODULE_ENDING",
    "Composition",
    "Reference",
    "ScopedSheet",
    "Sheet",
    "SheetProblem",
    "read_sheet",
    "scope_sheet",
    "with_addresses",
    "with_base",
]
