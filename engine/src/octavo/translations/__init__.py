"""Translations: from which state of the original a page was translated, and what has changed since."""

from __future__ import annotations

from octavo.translations.paragraphs import Change, changed_paragraphs, split_paragraphs
from octavo.translations.revision import KEY, is_revision, revision_of, with_revision

__all__ = [
    "KEY",
    "Change",
    "changed_paragraphs",
    "is_revision",
    "revision_of",
    "split_paragraphs",
    "with_revision",
]
