"""The state of a file: the id that git gives its content, so that the content can be asked for again.

Source:
    "Git Internals - Git Objects", object storage, read 2026-11-23.
"""

from __future__ import annotations

import hashlib

from octavo.lazy import regex as re
from octavo.translations.notebooks import head_of_notebook, with_head
from octavo.translations.rst import revision_in_fields, with_field

KEY = "translated_from"
"""Key of the front matter of a translation that holds the state of its original."""

_SHORTEST = 7
_LENGTH = 12
_ID = re.compile(r"[0-9a-f]{7,40}")
_ASSIGN = {"---": ": ", "+++": " = "}
"""Line around front matter → what is between a key and its value: YAML, TOML."""


def revision_of(content: bytes) -> str:
    """Name the state of a file: the first letters of the id of its content in git, line ends as in a repository."""
    text = content.replace(b"\r\n", b"\n")
    return hashlib.sha1(b"blob %d\0" % len(text) + text, usedforsecurity=False).hexdigest()[:_LENGTH]


def short_revision(name: str) -> str:
    """Cut the id of a content in git to the letters that `revision_of` gives."""
    return name[:_LENGTH]


def is_revision(given: str, content: bytes) -> bool:
    """Return whether a state that a translation names is that of this content; shorter and longer ids are compared as far as both go."""
    known = revision_of(content)
    shared = min(len(given), len(known))
    return shared >= _SHORTEST and _ID.fullmatch(given) is not None and given[:shared] == known[:shared]


def with_revision(text: str, revision: str, path: str = "") -> str:
    """Write the state of its original into the front matter of a translation, in YAML or TOML as it is.

    Front matter is made where there is none. In reStructuredText it is a field at the head of the file, in a notebook the
    front matter of its first cell.

    Args:
        text: The translation.
        revision: The state.
        path: Its file, whose ending says how it is written; Markdown by default.
    """
    text = text.replace("\r\n", "\n")
    if path.endswith(".rst"):
        return with_field(text, KEY, revision)
    if path.endswith(".ipynb"):
        head = head_of_notebook(text)
        is_new = re.match(r"---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|\Z)", head) is None
        return with_head(text, with_revision("" if is_new else head, revision).rstrip("\n"), is_new=is_new)
    mark = next((mark for mark in _ASSIGN if text.startswith(f"{mark}\n")), "---")
    line = f'{KEY}{_ASSIGN[mark]}"{revision}"\n'
    start = len(mark) + 1
    end = re.compile(rf"^{re.escape(mark)}[ \t]*$", re.MULTILINE).search(text, start)
    if not text.startswith(f"{mark}\n") or end is None:
        return f"{mark}\n{line}{mark}\n\n{text}"
    head, rest = text[: end.start()], text[end.start() :]
    changed, count = re.subn(rf"^{KEY}[ \t]*[:=].*\n", line, head, count=1, flags=re.MULTILINE)
    if not count and mark == "+++":
        # Behind a table it would be a key of that table.
        return f"{mark}\n{line}{head[start:]}{rest}"
    return (changed if count else head + line) + rest


def revision_in_text(text: str, path: str) -> str | None:
    """Give the state that a translation names where it is not front matter of Markdown: in reStructuredText; None elsewhere."""
    return revision_in_fields(text.replace("\r\n", "\n"), KEY) if path.endswith(".rst") else None
