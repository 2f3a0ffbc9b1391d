"""Names in expressions of pages."""

from __future__ import annotations

from octavo.lazy import regex as re

_STATEMENTS = re.compile(r"^(?:import|export)\s[^\n]*", re.MULTILINE)
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*")
_OF_PAGES = frozenset({"props", "frontMatter", "toc"})
"""Names that every page has."""


def has_known_name(expression: str, page: str) -> bool:
    """Return whether an expression names what a page imports or exports; else it is text to MDX 1."""
    known = _OF_PAGES.union(*map(_NAME.findall, _STATEMENTS.findall(page)))
    return not known.isdisjoint(_NAME.findall(expression))
