"""What a site publishes, known before any page is rendered."""

from __future__ import annotations

from octavo.pipeline.arrangement import Arrangement, arrange
from octavo.pipeline.index_changes import IndexChanges, IndexState, compare_index
from octavo.pipeline.inputs import SiteInputs, assemble, list_problems, read_inputs
from octavo.pipeline.pictures import Pictures
from octavo.pipeline.print_pages import PrintPage, take_unused
from octavo.pipeline.site_files import SiteFiles

__all__ = [
    "Arrangement",
    "IndexChanges",
    "IndexState",
    "Pictures",
    "PrintPage",
    "SiteFiles",
    "SiteInputs",
    "arrange",
    "assemble",
    "compare_index",
    "list_problems",
    "read_inputs",
    "take_unused",
]
