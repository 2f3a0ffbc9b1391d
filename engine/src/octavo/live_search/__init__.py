"""The search index of a site that changes: updated by a process of its own, and answered from meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.lazy import export_lazily
from octavo.live_search.index_process import IndexProcess
from octavo.live_search.updates import SearchUpdates

if TYPE_CHECKING:
    from octavo.live_search.late_search import LateSearch

__all__ = ["IndexProcess", "LateSearch", "SearchUpdates"]

# The first page must not wait for the import of the server.
__getattr__ = export_lazily(__name__, {"late_search": ("LateSearch",)})
