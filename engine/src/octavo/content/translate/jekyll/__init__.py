"""Pages of Jekyll."""

from __future__ import annotations

from octavo.content.translate.jekyll.pages import translate_jekyll

__all__ = ["translate_jekyll"]
