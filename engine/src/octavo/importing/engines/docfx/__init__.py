"""DocFX: `docfx.json`, tables of contents in `toc.yml`.

`plan` is the interface.
"""

from __future__ import annotations

from octavo.importing.engines.docfx.planner import plan

__all__ = ["plan"]
