"""Notes of versions, as the extension markdown-version-annotations of MkDocs has them: `+++ 2.0 "Title"` and an indented body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.content.translate.output import CodeRanges, replaced
from octavo.lazy import regex as re

if TYPE_CHECKING:
    from octavo.content.source import Fragment

_NOTE = re.compile(
    r"""^(?P<indent>[ \t]*)(?P<mark>\+\+\+|\+/-|---)[ \t]+(?P<version>[0-9.]+)[ \t]*(?:"(?P<title>[^\n]*)")?[ \t]*$""",
    re.MULTILINE,
)
_KINDS = {"+++": ("new", "Added"), "+/-": ("info", "Changed"), "---": ("warning", "Removed")}
"""Mark → kind of admonition, and what has happened."""


def translate_versions(fragment: Fragment) -> Fragment:
    """Rewrite notes of versions as admonitions."""
    text = fragment.text
    if not any(mark in text for mark in _KINDS):
        return fragment
    code = CodeRanges(text)
    return replaced(
        fragment, ((*one.span(), _written(one)) for one in _NOTE.finditer(text) if not code.holds(one.start()))
    )


def _written(match: re.Match[str]) -> str:
    kind, what = _KINDS[match["mark"]]
    title = f" — {match['title']}" if match["title"] else ""
    return f'{match["indent"]}!!! {kind} "{what} in version {match["version"]}{title}"'
