"""`build_site`: the pipeline with a published folder as its output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.lazy import export_lazily

if TYPE_CHECKING:
    from octavo.publish.build import Build, build_site
    from octavo.publish.offline import OfflineCopy, offline_folder, write_offline
    from octavo.publish.static import read_static_folder
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "build": ("Build", "build_site"),
            "offline": ("OfflineCopy", "offline_folder", "write_offline"),
            "static": ("read_static_folder",),
        },
    )

__all__ = ["Build", "OfflineCopy", "build_site", "offline_folder", "read_static_folder", "write_offline"]
