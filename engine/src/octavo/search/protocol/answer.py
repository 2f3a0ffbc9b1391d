"""The wire's shapes: hits and answers, as the clients of the hosted service expect them.

Source:
    REST API of the hosted service, "Search" (version 1), read 2026-11-20.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec

from octavo.search.engines.interface import Hit, IndexEngine, Results
from octavo.search.fields import COUNTED, FACET_NAMES, NUMBER_OF
from octavo.search.index.record import Record
from octavo.search.index.record_text import CONTENT, Sighting
from octavo.search.index.settings import IndexSettings
from octavo.search.protocol.highlight import Highlighter, MarkedText, Marks
from octavo.search.protocol.replicas import ReplicaOrder
from octavo.search.query.parameters import ALL_ATTRIBUTES, MOST_HITS, Parameters, covers, parse_parameters
from octavo.search.query.query import LONGEST_QUERY, QueryPlan
from octavo.search.query.values import Raw
from octavo.search.ranking.curation import PINNED
from octavo.search.ranking.facet_counts import Counts, Stats
from octavo.search.ranking.rank import Rank
from octavo.search.ranking.rules import redirect_of

Answer = dict[str, Any]

_LEVELS = ("lvl0", "lvl1", "lvl2", "lvl3", "lvl4", "lvl5", "lvl6")


def make_answer(
    engine: IndexEngine, index: str, parameters: Parameters, raw: Raw, replica: ReplicaOrder | None = None
) -> Answer:
    """Search, and write the answer; the hits of a replica in its order."""
    started = time.perf_counter()
    found = engine.results(parameters, None if replica is None else replica.order)
    hits = found.hits(parameters.offset, parameters.length)
    writer = HitWriter(parameters, found.plan)
    answer: Answer = {
        "hits": [writer.write(hit) for hit in hits],
        "nbHits": found.count,
        **_paging(parameters, found.reachable),
        "exhaustiveNbHits": found.is_exact,
        "exhaustive": {"nbHits": found.is_exact},
        "query": parameters.query,
        "params": "&".join([_encoded(name, value) for name, value in raw.items()]),
        "index": index,
    }
    rules = engine.rules_for(parameters)
    if rules:
        answer["appliedRules"] = [{"objectID": rule.id} for rule in rules]
        first = found.hits(0, 1)
        redirect = redirect_of(rules, first[0].record.url if first else "")
        if redirect:
            answer["renderingContent"] = {"redirect": {"url": redirect}}
    messages = [f"The query was cut to {LONGEST_QUERY} characters."] if parameters.is_cut else []
    if messages := [*messages, *filter(None, [found.message])]:
        answer["message"] = " ".join(messages)
    if parameters.facets:
        answer["facets"], stats = _facets(found, parameters)
        if stats:
            answer["facets_stats"] = stats
        answer["exhaustiveFacetsCount"] = answer["exhaustive"]["facetsCount"] = found.is_exact
    if parameters.click_analytics:
        answer["queryID"] = secrets.token_hex(16)
    elapsed_ms = (time.perf_counter() - started) * 1000
    answer["processingTimeMS"] = round(elapsed_ms)
    answer["processingTimingsMS"] = {"total": round(elapsed_ms, 2)}
    return chosen_fields(answer, parameters.response_fields)


def answer_search(engine: IndexEngine, settings: IndexSettings, raw: Raw) -> Answer:
    """Answer one search as the protocol does, for callers in the same process.

    Raises:
        ProtocolError: a parameter cannot be used.
    """
    return make_answer(engine, settings.index_name, parse_parameters(raw), raw)


def chosen_fields(answer: Answer, fields: Sequence[str]) -> Answer:
    """Leave the fields that were asked for; those that tell an error or belong to analytics stay."""
    if "*" in fields:
        return answer
    return {name: value for name, value in answer.items() if name in fields or name in ("message", "queryID")}


def _paging(parameters: Parameters, reachable: int) -> Answer:
    if parameters.is_by_offset:
        return {"offset": parameters.offset, "length": parameters.length}
    size = parameters.hits_per_page
    pages = -(-min(reachable, MOST_HITS) // size) if size else 0
    return {"page": parameters.page, "nbPages": pages, "hitsPerPage": size}


def _facets(found: Results, parameters: Parameters) -> tuple[Counts, Stats]:
    """Count the values of the facets that were asked for; sum up those that are numbers."""
    names = FACET_NAMES if "*" in parameters.facets else parameters.facets
    texts = [COUNTED[name] for name in names if name in COUNTED]
    numbers = [NUMBER_OF[name] for name in names if name in NUMBER_OF]
    distinct = parameters.distinct if parameters.counts_distinct else 0
    counts = found.facets([*texts, *numbers], parameters.most_facet_values, distinct=distinct)
    if parameters.sorts_facets_by == "alpha":
        counts = {name: dict(sorted(values.items())) for name, values in counts.items()}
    return {name: values for name, values in counts.items() if values}, found.stats(numbers)


def _encoded(name: str, value: object) -> str:
    return _pair(name, value if isinstance(value, str) else msgspec.json.encode(value).decode())


@lru_cache(maxsize=256)
def _pair(name: str, value: str) -> str:
    """Encode a parameter; most are the same in all searches of a client."""
    return urlencode({name: value})


_FIELDS: Mapping[str, str] = {
    "url": "url",
    "url_without_anchor": "url_without_anchor",
    "anchor": "anchor",
    "type": "type",
    "content": "content",
    "hierarchy": "hierarchy",
    "language": "language",
    "lang": "language",
    "version": "version",
    "docusaurus_tag": "tag",
    "kind": "kind",
    "section": "section",
    "weight": "weight",
    "objectID": "object_id",
}
"""What a hit has, by its name on the wire: attribute of the record."""

_SHAPES: Mapping[str, Callable[[Any], Any]] = {
    "anchor": lambda anchor: anchor or None,
    "hierarchy": lambda titles: dict(zip(_LEVELS, titles, strict=True)),
    "weight": lambda weight: {"pageRank": weight.page_rank, "level": weight.level, "position": weight.position},
}
"""Fields that look otherwise on the wire."""

_INNER: Mapping[str, Sequence[str]] = {"hierarchy": _LEVELS, "weight": ("pageRank", "level", "position")}


class FieldSelection:
    """The requested fields; `hierarchy.lvl1` keeps a part of an object, `-content` leaves one out."""

    def __init__(self, wanted: Sequence[str]) -> None:
        unwanted = {name[1:] for name in wanted if name.startswith("-")}
        whole = _FIELDS.keys() - unwanted if "*" in wanted else {*wanted, "objectID"}
        self._parts: dict[str, list[str]] = {}
        for outer, inner in _INNER.items():
            parts = [name for name in inner if f"{outer}.{name}" in wanted]
            if len(parts) == len(inner):
                whole.add(outer)
            elif parts and outer not in whole:
                self._parts[outer] = parts
        self._names = [name for name in _FIELDS if name in whole or name in self._parts]
        self._read = attrgetter(*[_FIELDS[name] for name in self._names], "object_id")  # two at least: a tuple
        self._shapes = [(name, _SHAPES[name]) for name in self._names if name in _SHAPES]

    def of(self, record: Record) -> Answer:
        """Keep these fields of a record."""
        fields = dict(zip(self._names, self._read(record), strict=False))  # the last is not a field
        for name, shape in self._shapes:
            fields[name] = shape(fields[name])
        for name, parts in self._parts.items():
            fields[name] = {part: fields[name][part] for part in parts}
        return fields


class _Shape(NamedTuple):
    """Which fields a hit has, and which of them are marked."""

    selection: FieldSelection
    marks: Sequence[tuple[bool, int | None]]
    """For each attribute: it is marked as a whole; words of its snippet, None: it has none."""
    has_highlights: bool
    has_snippets: bool


@lru_cache(maxsize=64)
def _shape(retrieve: Sequence[str], highlight: Sequence[str], snippet: Sequence[tuple[str, int]]) -> _Shape:
    """Parse the requested fields; cached, because a client requests the same each time."""
    highlights = [any(covers(wanted, name) for wanted in highlight) for name in ALL_ATTRIBUTES]
    snippets = [_words(dict(snippet), name) for name in ALL_ATTRIBUTES]
    has_snippets = any(words is not None for words in snippets)
    marks = list(zip(highlights, snippets, strict=True))
    return _Shape(FieldSelection(retrieve), marks, any(highlights), has_snippets)


class HitWriter:
    """Writes the hits of one search."""

    def __init__(self, parameters: Parameters, plan: QueryPlan) -> None:
        self._parameters = parameters
        self._highlighter = Highlighter(plan, Marks(parameters.pre_tag, parameters.post_tag, parameters.ellipsis))
        self._made: list[dict[str, MarkedText]] = [{} for _ in ALL_ATTRIBUTES]
        self._shape = _shape(tuple(parameters.retrieve), tuple(parameters.highlight), tuple(parameters.snippet.items()))

    def write(self, hit: Hit) -> Answer:
        """Write a hit."""
        record = hit.record
        fields = self._shape.selection.of(record)
        if self._shape.has_highlights or self._shape.has_snippets:
            highlights, snippets = self._marked(record, hit.sightings)
            if self._shape.has_snippets:
                fields["_snippetResult"] = snippets
                words = self._shape.marks[CONTENT][1]
                if words is not None and record.content is None and (below := hit.text_below):
                    snippets["content"] = self._highlighter.beginning(below, words)
            if self._shape.has_highlights:
                fields["_highlightResult"] = highlights
        if self._parameters.ranking_info:
            fields["_rankingInfo"] = _ranking_info(hit.rank)
        if self._parameters.distinct:
            fields["_distinctSeqID"] = 0
        return fields

    def _marked(self, record: Record, sightings: Sequence[Sighting]) -> tuple[Answer, Answer]:
        """Mark the texts of a record; (`_highlightResult`, `_snippetResult`)."""
        highlights: Answer = {}
        snippets: Answer = {}
        levels: Answer = {}
        short_levels: Answer = {}
        tokens: dict[int, set[str]] = {}
        for place, _, token in sightings:
            tokens.setdefault(place, set()).add(token)
        for attribute, text in enumerate(record.hierarchy):
            if text:
                whole, snippet = self._made[attribute].get(text) or self._mark(text, attribute, tokens)
                if whole is not None:
                    levels[_LEVELS[attribute]] = whole
                if snippet is not None:
                    short_levels[_LEVELS[attribute]] = snippet
        if levels:
            highlights["hierarchy"] = levels
        if short_levels:
            snippets["hierarchy"] = short_levels
        if record.content:
            whole, snippet = self._mark(record.content, CONTENT, tokens)
            if whole is not None:
                highlights["content"] = whole
            if snippet is not None:
                snippets["content"] = snippet
        return highlights, snippets

    def _mark(self, text: str, attribute: int, tokens: Mapping[int, Collection[str]]) -> MarkedText:
        """Highlight a text. Headings are cached, because many hits share them."""
        is_whole, words = self._shape.marks[attribute]
        whole, snippet = self._highlighter.mark(text, tokens.get(attribute, ()), is_whole=is_whole, words=words)
        if whole is not None and self._parameters.restrict_highlights and not whole.matched_words:
            whole = None
        made = self._made[attribute][text] = whole, snippet
        return made


def _words(snippet: Mapping[str, int], name: str) -> int | None:
    """Find the requested number of words of an attribute; the most exact name decides."""
    wanted = [key for key in snippet if covers(key, name)]
    return snippet[max(wanted, key=len)] if wanted else None


def _ranking_info(rank: Rank) -> Answer:
    return {
        "nbTypos": rank.typo,
        "words": -rank.words,
        "filters": -rank.filters,
        "proximityDistance": rank.adjacency,
        "firstMatchedWord": rank.attribute,
        "nbExactWords": -rank.exact,
        "userScore": -rank.custom[0],
        "geoDistance": 0,
        "promoted": rank is PINNED,
    }
