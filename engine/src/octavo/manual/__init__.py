"""What Octavo says of itself: the catalogue of findings and errors, every setting, every key of front matter."""

from __future__ import annotations

from octavo.manual.catalogue import Entry, load_catalogue
from octavo.manual.contracts import page_list_schema
from octavo.manual.front_matter import KEYS as FRONT_MATTER_KEYS
from octavo.manual.front_matter import front_matter_schema
from octavo.manual.settings import (
    Setting,
    default_in_words,
    list_settings,
    search_rules_schema,
    settings_schema,
    to_toml,
)

__all__ = [
    "FRONT_MATTER_KEYS",
    "Entry",
    "Setting",
    "default_in_words",
    "front_matter_schema",
    "list_settings",
    "load_catalogue",
    "page_list_schema",
    "search_rules_schema",
    "settings_schema",
    "to_toml",
]
