"""Bare addresses in text: `https://…`, `www.…` and e-mail addresses become links, as on GitHub."""

from __future__ import annotations

import re

_ADDRESS = re.compile(
    r"(?<![\w/.@:~-])(?:https?://|www\.)[^\s<\x00]+"
    r"|(?<![\w.+-])[A-Za-z0-9][\w.+-]*@[A-Za-z0-9][\w-]*(?:\.[\w-]+)+",
    re.IGNORECASE | re.ASCII,
)
_DOMAIN = re.compile(r"(?:https?://)?[\w-]+(?:\.[\w-]+)*(?![^\s/?#:])", re.IGNORECASE)
_ENTITY_TAIL = re.compile(r"&[A-Za-z0-9]+;\Z")
_TRAILING = "?!.,:*_~'\""


def find_addresses(text: str) -> list[tuple[int, int, str]]:
    """Find bare addresses; not worth calling unless the text holds `://`, `@` or `www.`.

    Returns:
        list of (start, end, href) in characters, end exclusive, in order.

    Source:
        GFM 6.9, extended autolinks.
    """
    found = []
    for match in _ADDRESS.finditer(text):
        start, end = match.start(), match.start() + len(_trim(match[0]))
        address = text[start:end]
        if "://" in address[:8]:
            href = address
        elif address[:4].lower() == "www.":
            href = f"http://{address}"
        else:
            # A version (`npm@5.2.0`, `vue@3.x`) is no host: the last part of a name has two letters or more.
            last = address.rpartition(".")[2]
            if not address[-1:].isalnum() or not last[:1].isalpha() or len(last) == 1:
                continue
            href = f"mailto:{address}"
        if href.startswith("mailto:") or _has_domain(address):
            found.append((start, end, href))
    return found


def _has_domain(address: str) -> bool:
    host = address.partition("://")[2] if "://" in address[:8] else address
    return _DOMAIN.match(host) is not None


def _trim(address: str) -> str:
    """Take off the punctuation that belongs to the sentence, not to the address."""
    closing, opening = address.count(")"), address.count("(")
    end = len(address)
    while end:
        last = address[end - 1]
        if last in _TRAILING:
            end -= 1
        elif last == ")" and closing > opening:
            closing -= 1
            end -= 1
        elif last == ";" and (entity := _ENTITY_TAIL.search(address, max(0, end - 40), end)):
            end = entity.start()
        else:
            break
    return address[:end]
