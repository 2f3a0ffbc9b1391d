"""Texts of a description: drawn as HTML of our own, or as plain words."""

from __future__ import annotations

from octavo.reference.openapi.text.render import code_block, plain_text, render_text

__all__ = ["code_block", "plain_text", "render_text"]
