"""`llms-full.txt`: the Markdown of all pages in one file, or in several of a bounded size."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.config import Config

FULL_TEXT_PATH = "llms-full.txt"

_LONGEST_HEAD = 400
"""Bytes kept free for what is written above the pages of a part, its title apart."""
_BETWEEN = b"\n"


def has_full_text(config: Config) -> bool:
    """Return whether the site publishes it."""
    programs = config.programs
    return programs.markdown and programs.lists and programs.full_text_size > 0 and not config.not_indexed


def part_path(number: int) -> str:
    """Name a part, from 1: `llms-full.txt`, then `llms-full-2.txt` and so on."""
    return FULL_TEXT_PATH if number == 1 else f"llms-full-{number}.txt"


def write_full_text(title: str, url: str, texts: Iterable[bytes], size: int) -> dict[str, bytes]:
    """Write all parts.

    Args:
        title: Title of the site.
        url: Address of the folder that they are published in, with a slash at its end.
        texts: The Markdown of the pages, in order, each with a line break at its end.
        size: Largest size of a part in bytes. A page that is longer by itself is a part of its own.

    Returns:
        Path in the published folder → content.
    """
    room = size - len(title.encode()) - len(url.encode()) * 2 - _LONGEST_HEAD
    parts: list[list[bytes]] = [[]]
    used = 0
    for text in texts:
        if parts[-1] and used + len(_BETWEEN) + len(text) > room:
            parts.append([])
            used = 0
        parts[-1].append(text)
        used += len(_BETWEEN) + len(text)
    return {
        part_path(number): _BETWEEN.join([_head(title, url, number, len(parts)), *part])
        for number, part in enumerate(parts, 1)
    }


def _head(title: str, url: str, number: int, count: int) -> bytes:
    if count == 1:
        return f"# {title}\n\n> All pages as Markdown, each after front matter that names its address.\n".encode()
    places = [f"This is part {number} of {count}."]
    if number == 1:
        places.append(f"The others are {url}{part_path(2)}" + (f" to {url}{part_path(count)}." if count > 2 else "."))
    elif number < count:
        places.append(f"The next is {url}{part_path(number + 1)}.")
    about = "All pages as Markdown, each after front matter that names its address."
    return f"# {title}\n\n> {about} {' '.join(places)}\n".encode()
