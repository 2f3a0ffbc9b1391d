"""What directives of Sphinx and MyST are, and those that draw tables and take in files."""

from __future__ import annotations

from octavo.content.translate.sphinx.directive import (
    CARDS,
    PART_OF_CARD,
    Directive,
    Draw,
    Report,
    Rewritten,
    Translate,
    manual_page,
    without_number,
)
from octavo.content.translate.sphinx.files import cut_lines, include, info_of
from octavo.content.translate.sphinx.options import Options, no_effect, options_in, without_effect
from octavo.content.translate.sphinx.tables import csv_table, list_table

__all__ = [
    "CARDS",
    "PART_OF_CARD",
    "Directive",
    "Draw",
    "Options",
    "Report",
    "Rewritten",
    "Translate",
    "csv_table",
    "cut_lines",
    "include",
    "info_of",
    "list_table",
    "manual_page",
    "no_effect",
    "options_in",
    "without_effect",
    "without_number",
]
