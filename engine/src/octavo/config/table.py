"""`Table`: what all tables of the settings have in common."""

from __future__ import annotations

import msgspec


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of every table of `octavo.toml` and `search.toml`: unknown keys are refused."""
