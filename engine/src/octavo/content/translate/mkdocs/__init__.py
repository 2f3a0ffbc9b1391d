"""Syntax that plug-ins of MkDocs bring: templates, the files that they include, and tables from files."""

from __future__ import annotations

from octavo.content.translate.mkdocs.includes import take_in_files
from octavo.content.translate.mkdocs.macros import is_template, translate_macros
from octavo.content.translate.mkdocs.tables import translate_tables
from octavo.content.translate.mkdocs.versions import translate_versions

__all__ = ["is_template", "take_in_files", "translate_macros", "translate_tables", "translate_versions"]
