"""The state of a file: the id that git gives its content, so that the content can be asked for again.

Source:
    "Git Internals - Git Objects", object storage, read 2026-11-23.
"""

from __future__ import annotations

import hashlib
import re

KEY = "translated_from"
"""Key of the front matter of a translation that holds the state of its original."""

_SHORTEST = 7
_LENGTH = 12
_ID = re.compile(r"[0-9a-f]{7,40}")
_FENCE = "---\n"


def revision_of(content: bytes) -> str:
    """Name the state of a file: the first letters of the id of its content in git, line ends as in a repository."""
    text = content.replace(b"\r\n", b"\n")
    return hashlib.sha1(b"blob %d\0" % len(text) + text, usedforsecurity=False).hexdigest()[:_LENGTH]


def is_revision(given: str, content: bytes) -> bool:
    """Tell whether a state that a translation names is that of this content; shorter and longer ids are compared as far as both go."""
    known = revision_of(content)
    shared = min(len(given), len(known))
    return shared >= _SHORTEST and _ID.fullmatch(given) is not None and given[:shared] == known[:shared]


def with_revision(text: str, revision: str) -> str:
    """Write the state of its original into the front matter of a translation, which is made where there is none."""
    line = f'{KEY}: "{revision}"\n'
    text = text.replace("\r\n", "\n")
    if not text.startswith(_FENCE):
        return f"{_FENCE}{line}{_FENCE}\n{text}"
    end = text.find(f"\n{_FENCE}", len(_FENCE) - 1)
    if end < 0:
        return f"{_FENCE}{line}{_FENCE}\n{text}"
    head, rest = text[: end + 1], text[end + 1 :]
    changed, count = re.subn(rf"^{KEY}:.*\n", line, head, count=1, flags=re.MULTILINE)
    return (changed if count else head + line) + rest
