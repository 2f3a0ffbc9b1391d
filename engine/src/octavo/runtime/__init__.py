"""What every step runs on: the cache of earlier work, processes, progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.lazy import export_lazily

if TYPE_CHECKING:
    from octavo.runtime.cache import Cache, PackPlace, digest, load_checked, open_cache, save_checked, write_whole
    from octavo.runtime.folders import WORK_DIR, work_folder
    from octavo.runtime.helper_process import HelperAnswer, HelperProcess
    from octavo.runtime.liveness import is_running
    from octavo.runtime.memory import before_exit, begin_start, end_start, paused_collector, settle_memory
    from octavo.runtime.processes import count_cores, map_chunks
    from octavo.runtime.progress import Report, say_nothing
    from octavo.runtime.toolchain import documents_key, index_key, pages_key, tool_versions
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "cache": ("Cache", "PackPlace", "digest", "load_checked", "open_cache", "save_checked", "write_whole"),
            "folders": ("WORK_DIR", "work_folder"),
            "helper_process": ("HelperAnswer", "HelperProcess"),
            "liveness": ("is_running",),
            "memory": ("before_exit", "begin_start", "end_start", "paused_collector", "settle_memory"),
            "processes": ("count_cores", "map_chunks"),
            "progress": ("Report", "say_nothing"),
            "toolchain": ("documents_key", "index_key", "pages_key", "tool_versions"),
        },
    )

__all__ = [
    "WORK_DIR",
    "Cache",
    "HelperAnswer",
    "HelperProcess",
    "PackPlace",
    "Report",
    "before_exit",
    "begin_start",
    "count_cores",
    "digest",
    "documents_key",
    "end_start",
    "index_key",
    "is_running",
    "load_checked",
    "map_chunks",
    "open_cache",
    "pages_key",
    "paused_collector",
    "save_checked",
    "say_nothing",
    "settle_memory",
    "tool_versions",
    "work_folder",
    "write_whole",
]
