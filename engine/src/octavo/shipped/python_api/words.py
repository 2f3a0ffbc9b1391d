"""Words of the theme, which the compiler writes in the language of the page: an extension does not know it."""

from __future__ import annotations

_ADMONITIONS = frozenset({"caution", "danger", "important", "info", "note", "tip", "warning"})
"""Kinds of which the theme has titles."""


def word(name: str, **values: object) -> str:
    """Mark the word `directive.NAME` of the theme; `octavo.content` puts it there, with values in its braces."""
    return _mark(f"directive.{name}", values)


def admonition_title(kind: str, written: str | None = None) -> str:
    """Give the title of an admonition: what its author has written, where that is more than its kind."""
    name = kind.lower().replace("-", " ")
    if written is not None and written.lower() not in (name, name.replace(" ", "")):
        return written
    if name in ("see also", "seealso"):
        return word("see-also")
    return _mark(f"admonition.{name}", {}) if name in _ADMONITIONS else written or name.capitalize()


def _mark(key: str, values: dict[str, object]) -> str:
    given = "".join(f"\ue011{name}={value}" for name, value in values.items())
    return f"\ue010{key}{given}\ue012"
