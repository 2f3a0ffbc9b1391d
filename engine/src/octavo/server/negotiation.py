"""What a request's headers ask for: an encoding, only what has changed, a part. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from octavo.lazy import regex as re

Encoding = Literal["br", "gzip", "identity"]
"""A content coding that we can send."""

PREFERENCE: tuple[Encoding, ...] = ("br", "gzip", "identity")
"""Best first, where the client has no preference of its own."""

_LONGEST_HEADER = 256
"""Characters of an Accept-Encoding that are read. Browsers send 30; the cache below must stay small."""

_QUALITY = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE)
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.IGNORECASE)


def choose_encoding(accept_encoding: str) -> Encoding:
    """Choose the encoding that a client likes best; ties go to the smaller one.

    Source:
        RFC 9110 section 12.5.3. A client that refuses everything gets the plain file, as the section allows.
    """
    return _choose_encoding(accept_encoding[:_LONGEST_HEADER])


@lru_cache(maxsize=256)
def _choose_encoding(accept_encoding: str) -> Encoding:
    qualities = _qualities(accept_encoding)
    rest = qualities.get("*")
    best: Encoding = "identity"
    best_quality = 0.0
    for encoding in PREFERENCE:
        quality = qualities.get(encoding, rest)
        if quality is None:
            # What is not named is refused, but for the plain form, which is merely liked least.
            quality = 0.0001 if encoding == "identity" else 0.0
        if quality > best_quality:
            best, best_quality = encoding, quality
    return best


def prefers_markdown(accept: str) -> bool:
    """Return whether a client would rather read a page as Markdown: browsers and `*/*` would not.

    Args:
        accept: The header; empty where there is none. Of two types liked equally, the one named first counts.

    Source:
        RFC 9110 section 12.5.1.
    """
    return "text/markdown" in accept.lower() and _prefers_markdown(accept[:_LONGEST_HEADER])


@lru_cache(maxsize=256)
def _prefers_markdown(accept: str) -> bool:
    qualities = _qualities(accept)
    names = list(qualities)
    markdown = qualities.get("text/markdown", 0.0)
    if "text/html" not in qualities:
        return markdown > 0 and markdown >= qualities.get("text/*", qualities.get("*/*", 0.0))
    html = qualities["text/html"]
    return markdown > html or (markdown == html > 0 and names.index("text/markdown") < names.index("text/html"))


def _qualities(header: str) -> dict[str, float]:
    qualities: dict[str, float] = {}
    for item in header.lower().split(","):
        coding, *parameters = (part.strip() for part in item.split(";"))
        if not coding:
            continue
        quality = 1.0
        for parameter in parameters:
            if not parameter.startswith("q"):
                continue  # of a media type, such as its character set
            match = _QUALITY.fullmatch(parameter)
            quality = float(match[1]) if match else 0.0
        qualities["gzip" if coding == "x-gzip" else coding] = quality
    return qualities


def matching_tag(if_none_match: str, tags: Sequence[str]) -> str | None:
    """Find the tag of ours that a client has already, in the order of `tags`.

    Args:
        if_none_match: The header; empty where there is none.
        tags: Entity tags with their quotes, any of which names the content as it is now.

    Source:
        RFC 9110 section 13.1.2: the comparison is weak, and `*` means anything.
    """
    if if_none_match.strip() == "*":
        return tags[0]
    held = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return next((tag for tag in tags if tag in held), None)


class UnsatisfiableRangeError(ValueError):
    """The part asked for lies behind the end of the file."""


def parse_range(header: str, size: int) -> tuple[int, int] | None:
    """Read a Range header of one part.

    Args:
        header: The header; empty where there is none.
        size: Size of the file, in bytes.

    Returns:
        (start, end) in bytes, end exclusive; None when the whole file is to be sent: several parts,
        another unit, or a header that can't be understood.

    Raises:
        UnsatisfiableRangeError: no byte of it exists.

    Source:
        RFC 9110 section 14.2, which lets a server ignore any Range header.
    """
    match = _RANGE.fullmatch(header.strip())
    if match is None or match[1] == match[2] == "":
        return None
    if match[1] == "":
        start, end = max(0, size - int(match[2])), size
    else:
        start = int(match[1])
        end = min(size, int(match[2]) + 1) if match[2] else size
        if match[2] and int(match[2]) < start:
            return None
    if start >= size or start >= end:
        raise UnsatisfiableRangeError
    return start, end


def header_values(headers: Iterable[tuple[bytes, bytes]], *names: bytes) -> list[str]:
    """Values of the named headers (lower case), in that order; repeated ones joined, missing ones empty."""
    found: dict[bytes, str] = {}
    for name, value in headers:
        if name in names:
            text = value.decode("latin-1")
            found[name] = f"{found[name]},{text}" if name in found else text
    return [found.get(name, "") for name in names]
