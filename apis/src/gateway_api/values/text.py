"""Text as it is stored, and keys by which names are found."""

from __future__ import annotations

import hashlib

from sqlalchemy import Dialect, types

MARK = "\uffff"
"""A noncharacter: no keyboard makes it, and it is valid in UTF-8."""


def escape(text: str, character: str) -> str:
    """Write a text without one character, so that `unescape` can bring it back."""
    if character not in text and MARK not in text:
        return text
    return text.replace(MARK, f"{MARK}1").replace(character, f"{MARK}0")


def unescape(text: str, character: str) -> str:
    """Undo `escape`."""
    if MARK not in text:
        return text
    return text.replace(f"{MARK}0", character).replace(f"{MARK}1", MARK)


def key_of(name: str) -> str:
    """Make the key of a name: 64 hex digits; names of any length stay unique where an index has a limit."""
    return hashlib.sha256(name.encode()).hexdigest()


class StoredText(types.TypeDecorator[str]):
    """Text that may hold NUL, which JSON allows and PostgreSQL does not."""

    impl = types.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's own signature
        return None if value is None else escape(value, "\0")

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - as above
        return None if value is None else unescape(value, "\0")
