"""Components of the old site that only place their properties and their content are taken over as Markdown."""

from __future__ import annotations

from octavo.importing.components.sources import ComponentSources
from octavo.importing.components.templates import TooComplexError, read_component

__all__ = ["ComponentSources", "TooComplexError", "read_component"]
