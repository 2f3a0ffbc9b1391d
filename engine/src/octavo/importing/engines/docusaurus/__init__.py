"""Docusaurus."""

from __future__ import annotations

from octavo.importing.engines.docusaurus.planner import plan

__all__ = ["plan"]
