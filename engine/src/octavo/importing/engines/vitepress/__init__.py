"""VitePress."""

from __future__ import annotations

from octavo.importing.engines.vitepress.planner import plan

__all__ = ["plan"]
