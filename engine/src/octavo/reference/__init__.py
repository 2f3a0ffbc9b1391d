"""References from data: descriptions of HTTP APIs and of command lines become documents.

The packages `openapi` and `command_line` are interfaces of their own: importing them loads parsers, which a build of a
site without such data does without. The views of API pages are defined here, because they are part of the contract with the theme.
"""

from __future__ import annotations

from octavo.reference.api_views import OperationView, OverviewView, SchemaCard, SchemaNames, TagView

__all__ = ["OperationView", "OverviewView", "SchemaCard", "SchemaNames", "TagView"]
