"""Texts of a description: drawn as HTML of our own, or as plain words."""

from __future__ import annotations

from octavo.reference.openapi.text.render import (
    SectionedText,
    TextSection,
    code_block,
    plain_text,
    render_sections,
    render_text,
)

__all__ = ["SectionedText", "TextSection", "code_block", "plain_text", "render_sections", "render_text"]
