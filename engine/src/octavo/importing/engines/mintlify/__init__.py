"""Mintlify."""

from __future__ import annotations

from octavo.importing.engines.mintlify.planner import plan

__all__ = ["plan"]
