"""Translations: from which state of the original a page was translated, what has changed since, and files for translators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.lazy import export_lazily
from octavo.translations.revision import (
    KEY,
    is_revision,
    revision_in_text,
    revision_of,
    short_revision,
    with_revision,
)

if TYPE_CHECKING:
    from octavo.translations.exchange import Exchanged, ExchangeError
    from octavo.translations.notebooks import head_of_notebook, is_notebook
    from octavo.translations.paragraphs import ParagraphChange, changed_paragraphs, split_paragraphs
    from octavo.translations.po import CatalogEntry, read_messages, read_po, write_po
    from octavo.translations.units import Unit, count_untranslated, units_of, with_translations, write_translation
    from octavo.translations.xliff import read_xliff, write_xliff
else:
    # A build asks for the states of originals alone.
    __getattr__ = export_lazily(
        __name__,
        {
            "exchange": ("Exchanged", "ExchangeError"),
            "notebooks": ("head_of_notebook", "is_notebook"),
            "paragraphs": ("ParagraphChange", "changed_paragraphs", "split_paragraphs"),
            "po": ("CatalogEntry", "read_messages", "read_po", "write_po"),
            "units": ("Unit", "count_untranslated", "units_of", "with_translations", "write_translation"),
            "xliff": ("read_xliff", "write_xliff"),
        },
    )

__all__ = [
    "KEY",
    "CatalogEntry",
    "ExchangeError",
    "Exchanged",
    "ParagraphChange",
    "Unit",
    "changed_paragraphs",
    "count_untranslated",
    "head_of_notebook",
    "is_notebook",
    "is_revision",
    "read_messages",
    "read_po",
    "read_xliff",
    "revision_in_text",
    "revision_of",
    "short_revision",
    "split_paragraphs",
    "units_of",
    "with_revision",
    "with_translations",
    "write_po",
    "write_translation",
    "write_xliff",
]
