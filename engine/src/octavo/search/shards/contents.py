"""`ShardContent`: pages that say the same under the same path of several versions or languages, as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class IndexedPage(NamedTuple):
    """A page of the index, without what it says."""

    address: str
    """Absolute, without an anchor."""
    language: str
    version: str | None
    tag: str
    section: str
    group: str | None
    """`lvl0`."""
    kind: str


Edition = tuple[str, str | None]
"""Language and version."""


class ShardContent(NamedTuple):
    """What one page says, or several of different editions."""

    name: str
    """Address of one of its pages: the shortest, so that it stays when a version is added."""
    rest: str
    """Address of each, behind the beginning that all pages of its edition share."""
    digest: bytes
    """Hash of what it says."""
    pages: list[int]
    """Places of its pages, by their addresses."""


def starts_of_editions(pages: Sequence[IndexedPage]) -> Mapping[Edition, str]:
    """Find how the addresses of all pages of an edition begin, up to a slash that is left out."""
    addresses: dict[Edition, list[str]] = {}
    for page in pages:
        addresses.setdefault((page.language, page.version), []).append(page.address.rstrip("/") + "/")
    return {edition: _common_start(found).rpartition("/")[0] for edition, found in addresses.items()}


def _common_start(texts: Sequence[str]) -> str:
    first, last = min(texts), max(texts)
    size = next(
        (place for place, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first)
    )
    return first[:size]


def gather_contents(
    pages: Sequence[IndexedPage], digests: Sequence[bytes], starts: Mapping[Edition, str]
) -> list[ShardContent]:
    """Gather pages of equal content, in the order of their paths.

    Args:
        pages: All pages.
        digests: Hash of what each says.
        starts: As `starts_of_editions` gives them.
    """
    found: dict[tuple[str, bytes], list[int]] = {}
    for place, (page, digest) in enumerate(zip(pages, digests, strict=True)):
        rest = page.address[len(starts[page.language, page.version]) :]
        found.setdefault((rest, digest), []).append(place)
    contents = []
    for (rest, digest), places in found.items():
        places.sort(key=lambda place: pages[place].address)
        name = min((pages[place].address for place in places), key=lambda address: (len(address), address))
        contents.append(ShardContent(name, rest, digest, places))
    return sorted(contents, key=lambda content: (content.rest, content.name))
