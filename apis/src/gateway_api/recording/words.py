"""The user's words in a request, and what a chat is known by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from json.encoder import encode_basestring_ascii

_ENVIRONMENT = re.compile(r"<environment_details>.*?</environment_details>", re.DOTALL)
_TASK = re.compile(r"\s*<task>(.*?)</task>", re.DOTALL)
_PREFACE = re.compile(r"\s*Context: .*?\n[^\S\n]*\n\s*Query: ?", re.DOTALL)
_MARKER = re.compile(r"REDACTED<[^>]*>")


def clean_text(message: str) -> str:
    """Take from a message what tools have added around the user's words.

    Editor extensions wrap the words in tags. The gateway itself puts what it knows about risky packages in front of
    them: `Context: …`, an empty line, `Query: …`.
    """
    if "<" not in message and "Context: " not in message:
        return message
    text = _ENVIRONMENT.sub("", message)
    task = _TASK.match(text)
    words = task.group(1) if task else text
    preface = _PREFACE.match(words)
    if preface:
        words = words[preface.end() :]
    return words if words == message else words.strip()


def equal_markers(message: str) -> str:
    """Make the markers of redacted secrets equal: each request gets new ones for the same secret."""
    return _MARKER.sub("REDACTED<>", message) if "REDACTED<" in message else message


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
