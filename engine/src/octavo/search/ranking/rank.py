"""The order of hits: one criterion after the other, each only where all before it are equal.

0. identifiers — records that hold every identifier of the query exactly; of one that no record holds and that may be unfinished, such as
   `~/.kiln` where paths are `~/.kiln/plans`, one that begins with it
1. typo — fewer mistakes
2. words — more words of the query
3. filters — more of the optional filters
4. proximity — words of one identifier, then words of one text, then words far apart or in different attributes; in code a step counts double, for there syntax puts words together; two steps
   more on pages that list the data types of an API, that are news, or that list the changes of many releases (unless a number is asked for); one step
   more on pages that as a whole have little to do with the query, unless their title or a heading of one word is the query
5. attribute — in a better attribute: the title of a page, another heading, then text, on pages that answer the query
   better first, then the headings above it; a text that begins with an identifier of the query defines it, and counts as a heading, after headings that
   begin with it; a heading that is the query, of two words or more, is as good as a title where its page as a whole has to do with the query
6. exact — more words as they were typed, rather than beginnings or other forms
7. adjacency — words nearer to each other, word for word, in the order in which they were typed
8. custom — page rank, shorter heading, level, position in the page

Source:
    The tie-breaking order of the hosted service ("Ranking criteria", read 2026-11-20). It ranks by the best attribute
    alone; here the attributes of all words are added up, so that one word in a heading does not outweigh the rest. It
    compares distances word for word before attributes; here a sentence that has all words comes after the heading
    that has them, though one word more lies between these.
"""

# ruff: noqa: PLR1730, FURB136 - calls of min() would cost a fifth of a search: these lines run thousands of times for one.
from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from octavo.search.index.facts import CHANGES_RANK, DATA_RANK
from octavo.search.index.record_text import CONTENT, TITLE, Sighting, Text
from octavo.search.query.query import QueryPlan
from octavo.search.query.vocabulary import EXACT, FORM, TYPO

FARTHEST = 8
"""Distance of words that are further apart, or in different attributes."""

TITLE_AND_TEXT = 4
"""Distance of a word in a text from one in the title of its page: such a text says of the page's subject what is asked for."""

STEPS = (0, 1, 1, 1, 1, 1, 1, 1, 2)
"""Proximity by distance: 0 for parts of one identifier, 2 for words that are far apart or in different attributes, 1 for all else.
Where words are is more telling than how near they are: with more steps a sentence that names all words in passing precedes the heading
under which they are explained."""

RELATED = 0.4
"""Share of the best page's score below which a page has little to do with the query: its texts and headings count as a
step of proximity farther, unless its title holds all words, or a heading is the one word of the query. Fitted on the tuning
queries of bench/relevance; half a step or two steps are worse."""

LIST_STEPS = 2
"""Steps of proximity farther that the texts and headings of news and lists count (`Ranker.is_list`): the guides that explain what these name
may have little to do with the query as a whole, and count a step farther for that."""

UNRELATED, UNRELATED_STEPS = 25, 4
"""Weight of a text for each quarter of the best page's score that its page lacks: of all four as much as between a text
and code. It decides between texts in which the words are equally near. Sums of 50 to 400 give nearly the same on all
queries of bench/relevance. Steps, because two implementations give scores that differ in their last digits."""

WORD_FOR_WORD = 4
"""Words, small ones among them, from which a heading that is the query counts as a title whatever its page is about. What Japanese writes with
kana are small words, and so a page is compared by a part of the query: `ページの重さ` by `ページ`."""

OWN_TITLE, OWN_HEADING = 0, 1
"""Weights of a word in the title of a page, and in another heading."""

FIRST_TEXT, OTHER_TEXT, OTHER_CODE = 50, 100, 200
"""Weights of a word that begins the text after the page's title, another text, code; one more for each word before it."""

ABOVE_HEADING, ABOVE_TEXT, ABOVE_TEXT_FAR = 40, 400, 500
"""Weights of the headings above a heading, above a text, and of the section above a text; smaller is better."""

TITLED = 30
"""Taken from the weight of a word of a text that is in the title of its page too: the page is about it."""

MOST_OCCURRENCES = 24
"""Occurrences of one word in one record that are looked at."""


class Rank(NamedTuple):
    """Place of a record in the order; smaller is better, field by field."""

    missing: int
    """0 for a record that holds all words of the query; a partial match has more the less it holds."""
    identifiers: int
    typo: int
    words: int
    filters: int
    is_last: int
    """1 for pages that `[search] page_ranks` gives 0."""
    proximity: int
    attribute: int
    exact: int
    adjacency: int
    custom: tuple[int, int, int, int]


TITLE_QUALITIES = (EXACT, FORM, TYPO + FORM)
"""Matches of the words of a title that is the query."""

_ATTRIBUTE = 20
"""Bits of a place below its attribute: words in different attributes are far from each other."""

_TITLE_PLACES = range(TITLE << _ATTRIBUTE, (TITLE + 1) << _ATTRIBUTE)
_TEXT_PLACES = range(CONTENT << _ATTRIBUTE, (CONTENT + 1) << _ATTRIBUTE)

_UNMATCHED = 1 << 20
"""Quality and weight of a word that has not been found."""

_ABOVE_HEADING = tuple(ABOVE_HEADING - attribute for attribute in range(CONTENT + 1))
_ABOVE_TEXT = (ABOVE_TEXT_FAR, *(ABOVE_TEXT - attribute for attribute in range(1, CONTENT + 1)))
FARTHEST_WORD = 50
"""Words at the beginning of a text of which the place counts."""

_MOST_PAIRS = 16
"""Pairs of occurrences up to which each is looked at."""

Words = tuple[list[int], list[int], list[list[int]]]
"""What has been found in one record, for each term of the query: best quality of a match; weight of the best place;
`attribute << _ATTRIBUTE | position` of each place, in the order of the attributes."""


class Ranker:
    """Ranks records for one query."""

    def __init__(self, plan: QueryPlan, attributes: frozenset[int] | None = None, *, needs_all: bool = False) -> None:
        """Begin a ranking.

        Args:
            plan: The query.
            attributes: Indexes of the attributes to search; None: all.
            needs_all: A record must hold all needed words in these attributes, of which the index knows nothing.
        """
        self._plan = plan
        self._attributes = attributes
        self._needed = (
            () if attributes is None or not needs_all else [one for one in plan.core if one not in plan.wished]
        )
        self._held = plan.held
        """For each identifier of the query, the tokens that hold it."""
        self._identifiers = frozenset(token for tokens in self._held for token in tokens)
        self._is_name = len(self._held) == 1 and all(term.names for term in plan.query.terms)
        # Numbers may be versions, which readers look for in lists of changes.
        self._has_number = any(character.isdigit() for term in plan.query.terms for character in term.form)
        self._unmatched = [_UNMATCHED] * len(plan.query.terms)

    def rank(
        self,
        text: Text,
        sightings: Sequence[Sighting],
        *,
        filters: int = 0,
        page: float = 1.0,
        is_generated: bool = False,
    ) -> Rank | None:
        """Rank one record.

        Args:
            text: The record's tokens.
            sightings: Those that have a meaning in the query, in the order of the text.
            filters: Number of optional filters that it meets.
            page: How well its page as a whole answers the query, beside the best page: 0 to 1.
            is_generated: It is part of a reference that was made from a description.

        Returns:
            Its place; None when it matches no word, or breaks a quoted phrase.
        """
        return self.rank_words(text, sightings, filters=filters, page=page, is_generated=is_generated)[0]

    def rank_words(
        self,
        text: Text,
        sightings: Sequence[Sighting],
        *,
        filters: int = 0,
        page: float = 1.0,
        is_generated: bool = False,
    ) -> tuple[Rank | None, Words]:
        """Rank one record, as `rank` does, and give the positions of the query's words in it."""
        identifiers = self._identifiers
        if self._attributes is not None:
            sightings = [sighting for sighting in sightings if sighting[0] in self._attributes]
        defines = bool(identifiers) and text.own == CONTENT and _defines(text, sightings, identifiers)
        is_heading = text.own != CONTENT or defines
        words = self._note(text, sightings, is_heading=is_heading)
        rank = self._rank(text, sightings, words, filters, page, is_heading=is_heading)
        if rank is not None and defines and is_generated and self._is_name:
            rank = rank._replace(attribute=0)  # tables of guides name flags as well; the reference explains each
        return rank, words

    def _rank(
        self, text: Text, sightings: Sequence[Sighting], words: Words, filters: int, page: float, *, is_heading: bool
    ) -> Rank | None:
        plan, own, size, identifiers = self._plan, text.own, text.size, self._identifiers
        qualities, weights, places = words
        matched = [index for index in plan.core if qualities[index] != _UNMATCHED]
        page_rank, level, position = text.custom
        if not matched:
            custom = (-page_rank, 0, -level, position)
            return Rank(0, 0, 0, 0, -filters, int(page_rank <= 0), 0, 0, 0, 0, custom) if not plan.query.terms else None
        if self._needed and any(qualities[index] == _UNMATCHED for index in self._needed):
            return None
        for first, count in plan.query.phrases:
            if not _holds_phrase(places[first : first + count]):
                return None
        typos = weight = steps = distance = 0
        before: list[int] = []
        for index in matched:
            typos += qualities[index] // TYPO
            weight += weights[index]
            after = places[index]
            if before:
                apart = _distance(before, after, own if is_heading else -1)
                if apart == FARTHEST and not is_heading and _are_title_and_text(before, after):
                    apart = TITLE_AND_TEXT
                steps += STEPS[apart]
                distance += apart
            before = after
        exact = [qualities[index] for index in matched].count(EXACT)
        is_whole = self._is_whole(text)
        if not is_heading:
            weight += int((1 - page) * UNRELATED_STEPS) * UNRELATED
        elif identifiers and own != TITLE and (own == CONTENT or not _begins(own, sightings, identifiers)):
            weight += 1
        is_list, is_related = self.is_list(page_rank), page >= RELATED
        is_word_for_word = is_whole and size > len(plan.core)  # its small words are in the heading as well
        is_subject = is_whole and size > 1 and (own == TITLE or is_related or self.is_the_query(text))
        attribute = 0 if is_subject else weight
        far = 0
        if attribute > 0:
            far = (not is_related and not (is_whole and size == 1)) + LIST_STEPS * is_list
        return Rank(
            0,
            int(not self._held or not self._holds_all(sightings)),
            typos,
            -len(matched),
            -filters,
            int(page_rank <= 0),
            (steps * 2 if text.is_code else steps) + far,
            attribute,
            -exact - is_whole - is_word_for_word,
            distance,
            (-page_rank, size if own != CONTENT or _names_page(sightings) else 0, -level, position),
        )

    def is_list(self, page_rank: int) -> bool:
        """Return whether a page of this rank names the words of all guides and explains none: data types, news, changes of many releases."""
        return page_rank <= DATA_RANK or (page_rank == CHANGES_RANK and not self._has_number)

    def _holds_all(self, sightings: Sequence[Sighting]) -> bool:
        """Return whether a record holds each identifier of the query."""
        tokens = {token for _, _, token in sightings}
        return not any(tokens.isdisjoint(held) for held in self._held)

    def _note(self, text: Text, sightings: Sequence[Sighting], *, is_heading: bool) -> Words:
        """Note the position of a match."""
        senses, own = self._plan.senses, text.own
        qualities, weights = self._unmatched[:], self._unmatched[:]
        places: list[list[int]] = [[] for _ in qualities]
        above = _ABOVE_HEADING if is_heading else _ABOVE_TEXT
        begins = OTHER_CODE if text.is_code else FIRST_TEXT if text.custom[2] == 1 else OTHER_TEXT
        titled: set[int] = set()
        for attribute, position, token in sightings:
            if attribute != own:
                weight = above[attribute]
                if attribute == TITLE and not is_heading:
                    titled.update([term for term, _, _ in senses[token]])
            elif attribute == TITLE:
                weight = OWN_TITLE
            elif is_heading and (attribute != CONTENT or not position):
                weight = OWN_HEADING  # at any position in it
            else:  # the first words of a text say what it is about
                weight = begins + (position if position < FARTHEST_WORD else FARTHEST_WORD)
            place = attribute << _ATTRIBUTE | position
            for term, offset, quality in senses[token]:
                if quality < qualities[term]:
                    qualities[term] = quality
                if weight < weights[term]:
                    weights[term] = weight
                found = places[term]
                if len(found) < MOST_OCCURRENCES:
                    found.append(place + offset)
        for term in titled:
            if weights[term] < ABOVE_TEXT - CONTENT:  # it is in the text as well
                weights[term] -= TITLED
        return qualities, weights, places

    def is_the_query(self, text: Text) -> bool:
        """Return whether the record's heading is a query of several words, small ones among them, word for word."""
        return text.size >= max(WORD_FOR_WORD, len(self._plan.core) + 1) and self._is_whole(text)

    def _is_whole(self, text: Text) -> bool:
        """Return whether the record's heading is the query word for word, with or without the small words of the query.

        With them, the order does not matter: "what is a kiln" names the page "What a kiln is".

        The title of a page may have other forms of these: `workspace` names the page "Workspaces".
        """
        own = text.own
        if own == CONTENT:
            return False
        every = range(len(self._unmatched))
        terms: Sequence[int] = every if text.size == len(every) else self._plan.core
        if text.size != len(terms) or (self._attributes is not None and own not in self._attributes):
            return False
        senses = self._plan.senses
        allowed = TITLE_QUALITIES if own == TITLE else (EXACT,)
        has_small = len(terms) > len(self._plan.core)
        missing = list(terms)
        for part in text.parts(own):
            named = {index for index, offset, quality in senses.get(part, ()) if not offset and quality in allowed}
            index = next(filter(named.__contains__, missing if has_small else missing[:1]), None)
            if index is None:
                return False
            missing.remove(index)
        return True


def _defines(text: Text, sightings: Sequence[Sighting], identifiers: Collection[str]) -> bool:
    """Return whether a text starts with an identifier, as the definitions in references do."""
    return not text.is_code and _begins(CONTENT, sightings, identifiers)


def _begins(attribute: int, sightings: Sequence[Sighting], identifiers: Collection[str]) -> bool:
    """Return whether an attribute begins with an identifier."""
    return any(one == attribute and not position and token in identifiers for one, position, token in sightings)


def _names_page(sightings: Sequence[Sighting]) -> bool:
    """Return whether a word is in the title of the page."""
    for attribute, _, _ in sightings:
        if attribute >= TITLE:
            return attribute == TITLE
    return False


def _distance(before: Sequence[int], after: Sequence[int], heading: int) -> int:
    """Find how far a word is from the one before it: 1 where it follows at once, 2 where it comes before.

    A heading and the headings above it count as one: `install gateway` is answered by `Install`, under `Gateway`.

    Args:
        before: Places of the one word.
        after: Places of the other.
        heading: Attribute of the heading in which these are, of which none are in later ones; -1: it is a text.
    """
    if heading >= 0:
        start = heading << _ATTRIBUTE
        if (before[-1] >= start or after[-1] >= start) and (before[0] < start or after[0] < start):
            return 1
    if len(before) * len(after) > _MOST_PAIRS:
        places = set(after)
        for distance in range(1, FARTHEST):
            for position in before:
                if position + distance in places or position + 1 - distance in places:
                    return distance
        return FARTHEST
    nearest = FARTHEST
    for place in before:
        for other in after:
            distance = other - place if other > place else place - other + 1
            if distance < nearest:
                nearest = distance
    return nearest


def terms_in(attribute: int, terms: Iterable[int], places: Sequence[Sequence[int]]) -> list[int]:
    """Keep the terms of which a place is in an attribute; `places` as in `Words`."""
    start, end = attribute << _ATTRIBUTE, (attribute + 1) << _ATTRIBUTE
    return [term for term in terms if any(start <= place < end for place in places[term])]


def _are_title_and_text(before: Sequence[int], after: Sequence[int]) -> bool:
    """Return whether one of two words is in the title of a page, and the other in a text of it."""
    return (after[-1] in _TEXT_PLACES and any(place in _TITLE_PLACES for place in before)) or (
        before[-1] in _TEXT_PLACES and any(place in _TITLE_PLACES for place in after)
    )


def _holds_phrase(words: Sequence[Sequence[int]]) -> bool:
    ends = set(words[0])
    for places in words[1:]:
        ends = {place + 1 for place in ends}.intersection(places)
    return bool(ends)
