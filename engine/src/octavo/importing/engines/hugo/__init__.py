"""Hugo."""

from __future__ import annotations

from octavo.importing.engines.hugo.planner import HugoPlanner, plan

__all__ = ["HugoPlanner", "plan"]
