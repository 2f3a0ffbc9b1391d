"""Sites of other engines: recognized, their settings carried over, and what is lost counted."""

from __future__ import annotations

from octavo.importing.model import ENGINE_NAMES, EngineName, Note, Plan
from octavo.importing.report import REPORT_NAME, Report, to_json, write_markdown
from octavo.importing.run import Imported, compare_with_built, examine_site, import_site
from octavo.importing.verify import Difference

__all__ = [
    "ENGINE_NAMES",
    "REPORT_NAME",
    "Difference",
    "EngineName",
    "Imported",
    "Note",
    "Plan",
    "Report",
    "compare_with_built",
    "examine_site",
    "import_site",
    "to_json",
    "write_markdown",
]
