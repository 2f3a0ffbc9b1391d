"""Pages of Jekyll and Eleventy, whose templates are Liquid."""

from __future__ import annotations

from octavo.content.translate.jekyll.eleventy import translate_eleventy
from octavo.content.translate.jekyll.pages import translate_jekyll

__all__ = ["translate_eleventy", "translate_jekyll"]
