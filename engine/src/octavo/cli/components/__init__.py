"""`octavo types` and `octavo bundle`: what authors of components use."""

from __future__ import annotations

from octavo.cli.components.bundle import bundle
from octavo.cli.components.types import types

__all__ = ["bundle", "types"]
