"""Style sheets that authors write: what is wrong in them, and which files and hosts they name."""

from __future__ import annotations

from octavo.stylesheets.addresses import with_addresses, with_base
from octavo.stylesheets.sheet import Reference, Sheet, SheetProblem, read_sheet

__all__ = ["Reference", "Sheet", "SheetProblem", "read_sheet", "with_addresses", "with_base"]
