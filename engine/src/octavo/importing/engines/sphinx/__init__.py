"""Sphinx, Jupyter Book and projects of MyST."""

from __future__ import annotations

from octavo.importing.engines.sphinx.planner import plan

__all__ = ["plan"]
