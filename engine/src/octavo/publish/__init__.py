"""`build_site`: the pipeline with a published folder as its output."""

from __future__ import annotations

from octavo.publish.build import build_site
from octavo.publish.static import static_files

__all__ = ["build_site", "static_files"]
