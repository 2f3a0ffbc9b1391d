"""Sources to compiled documents."""

from __future__ import annotations

from octavo.documents.body import Body, BodySource
from octavo.documents.compiler import Compiler
from octavo.documents.library import Library
from octavo.documents.sources import SiteSources, gather_sources
from octavo.documents.stubs import stub_text

__all__ = ["Body", "BodySource", "Compiler", "Library", "SiteSources", "gather_sources", "stub_text"]
