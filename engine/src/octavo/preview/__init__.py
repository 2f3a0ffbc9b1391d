"""A site in memory: the output of the pipeline while the site is written, as the published folder is that of a build."""

from __future__ import annotations

from octavo.preview.working_site import Patch, WorkingSite

__all__ = ["Patch", "WorkingSite"]
