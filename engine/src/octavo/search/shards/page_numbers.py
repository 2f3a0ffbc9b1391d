"""Numbers of pages that a new page elsewhere does not change: the postings of all words name pages by them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from zlib import crc32

GROUP = 64
"""Numbers of a group of neighbouring pages."""

_USUAL, _MOST = 16, 48
"""Pages of a group, usually and at most; free numbers keep those of the others when a page is added."""


def number_pages(addresses: Sequence[str]) -> list[tuple[int, list[int]]]:
    """Give each page a number, made of its own address and that of the page that begins its group.

    Pages in the order of their addresses were numbered before: one more in front of them changed the numbers of all
    others, and with these nearly all files of an index.

    Args:
        addresses: Of the pages, sorted.

    Returns:
        Number of each group, and in it of each of its pages; groups and pages in the order given. The number of a page is
        `GROUP` times that of its group, and its own.
    """
    groups: list[list[str]] = []
    for address in addresses:
        if not groups or len(groups[-1]) >= _MOST or crc32(address.encode()) % _USUAL == 0:
            groups.append([])
        groups[-1].append(address)
    room = 4
    while room < 4 * len(groups):
        room *= 2
    # The first group has a page in front of it as soon as one is added there: it is not named by that.
    names = [members[0] if index else "" for index, members in enumerate(groups)]
    numbers = _numbers(names, room)
    return [(number, _numbers(members, GROUP)) for number, members in zip(numbers, groups, strict=True)]


def _numbers(names: Collection[str], room: int) -> list[int]:
    """Give names different numbers below a limit; one that is taken makes the later name in the alphabet take the next."""
    taken: set[int] = set()
    found = {}
    for name in sorted(names):
        number = crc32(name.encode()[::-1]) % room
        while number in taken:
            number = (number + 1) % room
        taken.add(number)
        found[name] = number
    return [found[name] for name in names]
