"""`llms-full.txt`: the Markdown of all pages in one file, or in several of a bounded size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

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


class FullTextPart(msgspec.Struct, frozen=True):
    """A part of the text: known without the content of the pages in it."""

    path: str
    """In the published folder."""
    head: bytes
    """What is written above its pages."""
    pages: list[str]
    """Paths of the Markdown files in it, in order."""

    def write(self, texts: Iterable[bytes]) -> bytes:
        """Write it, with the content of its pages, each of which has a line break at its end."""
        return _BETWEEN.join([self.head, *texts])


def divide_full_text(title: str, url: str, pages: Sequence[tuple[str, int]], size: int) -> list[FullTextPart]:
    """Divide the text into parts.

    Args:
        title: Title of the site.
        url: Address of the folder that they are published in, with a slash at its end.
        pages: (path of its Markdown file, size of that in bytes) of each page, in order.
        size: Largest size of a part in bytes. A page that is longer by itself is a part of its own.
    """
    room = size - len(title.encode()) - len(url.encode()) * 2 - _LONGEST_HEAD
    parts: list[list[str]] = [[]]
    used = 0
    for path, length in pages:
        if parts[-1] and used + len(_BETWEEN) + length > room:
            parts.append([])
            used = 0
        parts[-1].append(path)
        used += len(_BETWEEN) + length
    return [
        FullTextPart(part_path(number), _head(title, url, number, len(parts)), part)
        for number, part in enumerate(parts, 1)
    ]


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
