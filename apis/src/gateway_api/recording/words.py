"""The user's words in a request, and what a chat is known by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from json.encoder import encode_basestring_ascii

_ENVIRONMENT, _ENVIRONMENT_END = "<environment_details>", "</environment_details>"
_TASK = re.compile(r"\s*<task>(.*?)</task>", re.DOTALL)
_CONTEXT = re.compile(r"\s*Context:")
_QUERY = re.compile(r"^[^\S\n]*Query: ?", re.MULTILINE)
_SECRET = re.compile(r"REDACTED<[^<>]*>")
_PERSONAL = re.compile(r"#[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}#")
"""Two expressions that each begin with fixed characters: an alternative of both is searched many times slower."""


def clean_text(message: str) -> str:
    """Take from a message what tools have added around the user's words.

    Editor extensions wrap the words in tags. The gateway itself puts what it knows about risky packages in front of
    them: `Context: …`, an empty line, `Query: …`; inside of a task without the empty line.
    """
    if "<" not in message and "Context:" not in message:
        return message
    text = _without_environment(message)
    words = _without_context(text)
    if task := _TASK.match(words):
        return _without_context(task.group(1), needs_empty_line=False).strip()
    # What follows `Query: ` is exactly what the client sent, and will send again with the next message.
    return words if text == message else words.strip()


def _without_environment(text: str) -> str:
    """Leave out what extensions tell about the editor."""
    if _ENVIRONMENT not in text:
        return text
    kept, place = [], 0
    while (start := text.find(_ENVIRONMENT, place)) >= 0:
        end = text.find(_ENVIRONMENT_END, start)
        if end < 0:
            break
        kept.append(text[place:start])
        place = end + len(_ENVIRONMENT_END)
    return "".join((*kept, text[place:]))


def _without_context(text: str, *, needs_empty_line: bool = True) -> str:
    """Leave out what the gateway has put in front of a question."""
    if context := _CONTEXT.match(text):
        for query in _QUERY.finditer(text, context.end()):
            if not needs_empty_line or _follows_empty_line(text, query.start()):
                return text[query.end() :]
    return text


def _follows_empty_line(text: str, start: int) -> bool:
    """Return whether the line before the one that starts at a position has nothing but spaces."""
    return not text[text.rfind("\n", 0, start - 1) + 1 : start - 1].strip()


def equal_markers(message: str) -> str:
    """Make the markers of redacted secrets and personal data equal: each request gets new ones for the same text."""
    if "REDACTED<" in message:
        message = _SECRET.sub("REDACTED<>", message)
    return _PERSONAL.sub("##", message) if "#" in message else message


def thread_keys(provider: str | None, words: Sequence[str]) -> tuple[str, ...]:
    """Hash the beginnings of a request: provider and first message, first two messages, and so on.

    A later request of the same chat repeats all messages of this one, so one of its keys is this one's last key. Markers
    that differ from request to request do not count.

    Args:
        provider: Who was asked.
        words: The messages as `clean_text` gives them.

    Returns:
        64 hex digits for each message.
    """
    name = "null" if provider is None else encode_basestring_ascii(provider)
    running = sha256(f"[{name}".encode())
    keys = []
    for message in words:
        running.update(f", {encode_basestring_ascii(equal_markers(message))}".encode())
        one = running.copy()
        one.update(b"]")
        keys.append(one.hexdigest())
    return tuple(keys)
