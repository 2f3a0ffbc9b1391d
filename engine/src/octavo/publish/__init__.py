"""`build_site`: the pipeline with a published folder as its output."""

from __future__ import annotations

from octavo.publish.build import Build, build_site
from octavo.publish.static import static_files

__all__ = ["Build", "build_site", "static_files"]
