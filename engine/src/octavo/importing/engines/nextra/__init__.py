"""Nextra and Fumadocs."""

from __future__ import annotations

from octavo.importing.engines.nextra.planner import plan

__all__ = ["plan"]
