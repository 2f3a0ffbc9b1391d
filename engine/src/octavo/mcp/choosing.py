"""Choose the sections that answer a question, among those of the pages that the search has found.

The dialog's order is made for readers who type a few words and look at a list. A program asks in whole sentences, whose words no
record has all together, and takes the first answers. So all sections of the first pages are compared with the question:
BM25 on titles, on the titles above them, on their texts, and on whole pages, together with the places that the search gave them.

Source:
    A linear model of these features, fitted on 400 questions of bench/relevance and rounded. Tried there, each set held out in turn,
    and of no use: the best paragraph, bold words and first cells as titles, words next to each other, the kind of question (how,
    which, why) with code, tables, and lists of mistakes, and vectors of English words.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import NamedTuple

from octavo.lazy import regex as re
from octavo.mcp.sections import Section
from octavo.page_list import PageEntry
from octavo.search import text_stems

MOST_PAGES = 12
"""Pages of which all sections are compared."""
_MOST_OF_PAGE = 200
"""Sections of a page that are compared."""
_MOST_KEPT = 64
"""Pages whose words are kept."""

_TITLE, _ABOVE, _ABOUT, _TEXT = 1.3, 0.3, 0.5, 0.8
"""Weights of a question's words in a section's title, in the titles above it and the page's address, in the page's
description, and in the section's text."""
_HIT, _PAGE = 0.65, 0.4
"""Weights of the places of a section and of its page in the hits."""
_WHOLE_PAGE = 0.4
"""Weight of a question's words in the page as a whole, beside the page that has most of them: a long question has its words all over
the page that answers it, and a page on which one section has them in passing lacks the others."""
_BELOW = 0.3
"""Part of the weight of a page's description that sections below its beginning get."""
_RANK = 0.5
"""Weight of the rank that the site gives to pages of a folder."""
_PLACES = 5
"""A hit at this place, from 0, counts half of the first one."""
_BEGINNING = 0.4
"""What is taken from the beginning of a page: it says what the page is about, and a section below answers."""
_REPEATED = 0.18
"""What is taken for each natural logarithm of the number of sections with the same title, such as "Before you start"."""
_LIST = 0.5
"""Part of its weight that a section gets which only says what other pages contain."""
_LINK = re.compile(r"(!?\[[^\]\n]*\])\([^)\n]*\)")
_LIST_OF_LINKS = re.compile(r"(?:\s*[-*] \[[^\n]*(?:\n[ \t]+[^\n]*)*)+\s*")


class SectionChoice(NamedTuple):
    """A section that may answer."""

    route: str
    section: int
    """Number of the section in its page."""


class PlacedHit(NamedTuple):
    """A hit of the search, at its place in the pages."""

    page: PageEntry
    section: int | None
    """Number of its section; None where the page has none for it."""
    rank: float
    """What the site says of its folder, from 0 for the last pages to 1."""


class _Words(NamedTuple):
    """Stems of a section."""

    name: str
    """Its title as it is written."""
    title: frozenset[str]
    title_length: int
    above: frozenset[str]
    counts: Counter[str]
    length: int
    is_list: bool
    """It holds links to other pages, with what these contain."""
    is_beginning: bool
    """It is the text of its page before the first heading below the title."""


class _PageWords(NamedTuple):
    about: frozenset[str]
    sections: list[_Words]
    counts: Counter[str]
    """Of all its sections, each title once."""
    length: int


class Chooser:
    """Compares questions with sections. Several threads may use it at once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], _PageWords] = OrderedDict()
        self._lock = Lock()

    def choose(
        self,
        asked: Mapping[str, float],
        language: str,
        lists: Sequence[Sequence[PlacedHit]],
        sections: Mapping[str, list[Section]],
    ) -> list[SectionChoice]:
        """Order sections, those first that answer best.

        Args:
            asked: Stem of the question → its part of a word.
            language: Tag of the language of the pages.
            lists: Hits of searches, each list best first.
            sections: Route → sections of the pages in `lists`.
        """
        places, of_pages, pages = _places(lists)
        ranks = {hit.page.route: hit.rank for hits in lists for hit in hits}
        first = sorted(pages, key=lambda route: -_weight(of_pages[route]))[:MOST_PAGES]
        for route in first:
            for index in range(min(len(sections[route]), _MOST_OF_PAGE)):
                places.setdefault(SectionChoice(route, index), [])
        words = {route: self._words(pages[route], sections[route], language) for route in {one.route for one in places}}
        compared = {one: words[one.route].sections[one.section] for one in places}
        worth = _worth(asked, compared.values())
        whole = sum(worth.values()) or 1.0
        named = Counter(one.name for one in compared.values())
        titles = sum(one.title_length for one in compared.values()) / len(compared) if compared else 0
        lengths = sum(one.length for one in compared.values()) / len(compared) if compared else 0
        shares = _page_shares(asked, worth, words)

        def score(choice: SectionChoice) -> float:
            own = compared[choice]
            about = sum(worth[word] for word in asked if word in words[choice.route].about)
            text = (
                _TITLE * _of_title(asked, worth, own, titles or 1)
                + _ABOVE * sum(worth[word] for word in asked if word in own.above and word not in own.title)
                + _ABOUT * about * (1 if choice.section <= 1 else _BELOW)
                + _TEXT * _of_text(asked, worth, own.counts, own.length / (lengths or 1))
            )
            found = _HIT * _weight(places[choice]) + _PAGE * _weight(of_pages[choice.route])
            found += _WHOLE_PAGE * shares[choice.route]
            part = _LIST if own.is_list else 1.0
            less = _BEGINNING * own.is_beginning + _REPEATED * math.log(named[own.name])
            return part * (text / whole + found) + _RANK * ranks[choice.route] - less

        return sorted(places, key=lambda choice: -score(choice))

    def _words(self, page: PageEntry, sections: list[Section], language: str) -> _PageWords:
        # The hash changes with the text.
        key = (page.route, page.hash)
        with self._lock:
            if (found := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return found
        of_sections = [_section_words(page, one, index, language) for index, one in enumerate(sections)]
        counts = Counter[str]()
        for one in of_sections:
            counts.update(one.counts)
            counts.update(one.title)
        about = frozenset(text_stems(page.description, language))
        found = _PageWords(about, of_sections, counts, sum(one.length for one in of_sections))
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return found


def _places(
    lists: Sequence[Sequence[PlacedHit]],
) -> tuple[dict[SectionChoice, list[int]], dict[str, list[int]], dict[str, PageEntry]]:
    """Give the places of each section and of each page in the lists."""
    places: dict[SectionChoice, list[int]] = {}
    of_pages: dict[str, list[int]] = {}
    pages: dict[str, PageEntry] = {}
    for hits in lists:
        seen: set[SectionChoice] = set()
        known: dict[str, int] = {}
        for place, hit in enumerate(hits):
            pages[hit.page.route] = hit.page
            if hit.page.route not in known:
                known[hit.page.route] = len(known)
                of_pages.setdefault(hit.page.route, []).append(known[hit.page.route])
            if hit.section is not None and (choice := SectionChoice(hit.page.route, hit.section)) not in seen:
                seen.add(choice)
                places.setdefault(choice, []).append(place)
    return places, of_pages, pages


def _weight(places: Iterable[int]) -> float:
    return sum(_PLACES / (place + _PLACES) for place in places) / 2


def _section_words(page: PageEntry, section: Section, index: int, language: str) -> _Words:
    name = section.title or page.title
    title = text_stems(name, language)
    address = page.route.rstrip("/").rpartition("/")[2].replace("-", " ")
    above = text_stems(" ".join([*section.path[:-1], page.title, address]), language)
    body = section.text.partition("\n")[2] if section.level else section.text
    counts = Counter(text_stems(_LINK.sub(r"\1", body), language))  # an address has the words of another page
    return _Words(
        name,
        frozenset(title),
        len(title),
        frozenset(above),
        counts,
        counts.total(),
        section.level > 1 and _LIST_OF_LINKS.fullmatch(body) is not None,
        index == 0 or (index == 1 and section.level == 1),
    )


def _worth(asked: Mapping[str, float], compared: Iterable[_Words]) -> dict[str, float]:
    """Weigh the words of a question: the fewer sections have one, the more it tells."""
    having = Counter[str]()
    count = 0
    for one in compared:
        count += 1
        having.update(word for word in asked if word in one.counts or word in one.title)
    return {
        word: share * math.log(1 + (count - having[word] + 0.5) / (having[word] + 0.5)) for word, share in asked.items()
    }


def _of_title(asked: Iterable[str], worth: Mapping[str, float], own: _Words, average: float) -> float:
    """A short title of the asked words tells more than a long one that has them, too."""
    return sum(worth[word] for word in asked if word in own.title) / (0.4 + 0.6 * own.title_length / average)


def _of_text(asked: Iterable[str], worth: Mapping[str, float], counts: Mapping[str, int], length: float) -> float:
    """Value the words of a text; `length` is beside the average."""
    rest = 1.2 * (0.4 + 0.6 * length)
    return sum(worth[word] * counts[word] / (counts[word] + rest) for word in asked if counts.get(word))


def _page_shares(asked: Iterable[str], worth: Mapping[str, float], words: Mapping[str, _PageWords]) -> dict[str, float]:
    """Value the words of whole pages beside the best of them: route → 0 to 1."""
    average = sum(page.length for page in words.values()) / len(words) if words else 0
    values = {route: _of_text(asked, worth, page.counts, page.length / (average or 1)) for route, page in words.items()}
    best = max(values.values(), default=0.0) or 1.0
    return {route: value / best for route, value in values.items()}
