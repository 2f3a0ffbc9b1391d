"""Escaping of text for HTML."""

from __future__ import annotations


def escape(text: str) -> str:
    """Escape text between tags."""
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    if ">" in text:
        text = text.replace(">", "&gt;")
    return text


def escape_attribute(text: str) -> str:
    """Escape text in a double-quoted attribute."""
    text = escape(text)
    return text.replace('"', "&quot;") if '"' in text else text
