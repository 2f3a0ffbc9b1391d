"""Mistakes in a settings file: all of them collected, each with file, line, value, what was expected and the nearest guess."""

from __future__ import annotations

from octavo.config.mistakes.collect import SettingsRead, read_settings
from octavo.config.mistakes.explain import (
    UNSET,
    all_mistakes,
    explain,
    explain_syntax,
    line_of_key,
    line_of_text,
    line_of_value,
    show_value,
)

__all__ = [
    "UNSET",
    "SettingsRead",
    "all_mistakes",
    "explain",
    "explain_syntax",
    "line_of_key",
    "line_of_text",
    "line_of_value",
    "read_settings",
    "show_value",
]
