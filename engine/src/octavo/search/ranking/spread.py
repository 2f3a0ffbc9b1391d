"""The order of hits that match equally well: no page, no generated reference and no code takes all places.

A reference names the same words on every line, so its hits would fill the first screen before the one guide that
explains them. Only the order changes: nothing is left out, and hits that match better stay above.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from octavo.search.ranking.rank import FIRST_TEXT, Rank

MOST_OF_PAGE = 4
"""Hits of one page after which its others follow those of other pages."""

MOST_GENERATED = 3
"""Hits of generated reference or of code in a row while a guide waits."""


class HitPlace(NamedTuple):
    """What decides about the place of a hit."""

    rank: Rank
    page: str
    """Address without its anchor."""
    is_detail: bool
    """It is a block of code, or part of a page generated from a description of an API or of commands."""


def spread(places: Sequence[HitPlace]) -> list[int]:
    """Give the order of ranked hits, as indexes of these."""
    order: list[int] = []
    for _, tier in groupby(range(len(places)), key=lambda index: places[index].rank[:6]):
        order += _mixed(places, _behind(places, tier))
    return order


def _behind(places: Sequence[HitPlace], tier: Iterable[int]) -> list[int]:
    counts: dict[str, int] = {}
    first: list[int] = []
    later: list[int] = []
    for index in tier:
        page = places[index].page
        count = counts[page] = counts.get(page, 0) + 1
        (first if count <= MOST_OF_PAGE else later).append(index)
    return first + later


def _mixed(places: Sequence[HitPlace], tier: list[int]) -> list[int]:
    generated = deque([index for index in tier if places[index].is_detail])
    if len(generated) in (0, len(tier)):
        return tier
    place_of = {index: number for number, index in enumerate(tier)}
    written = deque([index for index in tier if not places[index].is_detail])
    order: list[int] = []
    best, other = places[written[0]].rank, places[generated[0]].rank
    if other.attribute > 0 and best.attribute < FIRST_TEXT and best.proximity <= other.proximity:
        order.append(written.popleft())  # a guide whose heading answers leads, unless a title is the query itself
    row = 0
    while generated and written:
        is_next = place_of[generated[0]] < place_of[written[0]]
        row = row + 1 if is_next and row < MOST_GENERATED else 0
        order.append((generated if row else written).popleft())
    return [*order, *generated, *written]
