"""Modules and patterns that are made when they are first used, so that a command does not wait for what it leaves out."""

from octavo.lazy import regex
from octavo.lazy.modules import export_lazily

__all__ = ["export_lazily", "regex"]
