"""`Engine`: answers searches from one index."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec
import tantivy

from octavo.search.index.record import Record
from octavo.search.index.records_file import Candidate
from octavo.search.index.tantivy_index import IndexReader
from octavo.search.query.clauses import Clauses
from octavo.search.query.filters import Filter
from octavo.search.query.parameters import MOST_HITS, Parameters
from octavo.search.query.query import Plan, Query, Typos, make_plan, parse_query
from octavo.search.query.synonyms import Synonyms
from octavo.search.query.vocabulary import Vocabulary
from octavo.search.ranking.finder import Finder
from octavo.search.ranking.meets import count_met
from octavo.search.ranking.rank import Rank, Ranker
from octavo.search.ranking.spread import Place, spread
from octavo.search.text.stop_words import STOP_WORDS
from octavo.search.text.tokens import make_stream

DEPTHS = (40, 160, MOST_HITS)
"""Records that are ranked: more where fewer do not hold the hits that are asked for.

On the 600 known items of bench/relevance, 40 to 1,000 candidates give the same order (MRR 0.987 to 0.989); 32 lose 0.003.
"""

ENOUGH = 50
"""Records without a typing mistake from which those with one are not looked for: they would stand after all others."""

_MOST_KEPT = 20_000
"""Records and tokens of the last searches, together: some 10 MB."""

_MUST, _SHOULD = tantivy.Occur.Must, tantivy.Occur.Should


class Ranked(NamedTuple):
    """A record at its place."""

    rank: Rank
    candidate: Candidate

    @property
    def record(self) -> Record:
        """The whole record, loaded at each call."""
        return self.candidate.record


class Found(msgspec.Struct, frozen=True):
    """What a search has found, before it is cut into pages."""

    plan: Plan
    ranked: Sequence[Ranked]
    """Best first."""
    count: int
    """Hits in all."""
    is_exact: bool
    """The count is the number of hits, not an estimate."""
    is_narrowed: bool
    """Not all matching records are hits: a phrase, chosen attributes or fewer mistakes are asked for. Only ranking tells."""
    matching: tantivy.Query
    """Matches all records that were found."""


class Engine:
    """Searches one index; knows nothing of the wire."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader
        self._searcher = reader.searcher
        self._vocabulary = Vocabulary(reader.frequencies())
        self._clauses = Clauses(reader.schema, self._vocabulary, reader.size)
        self._synonyms = Synonyms(reader.settings.synonyms) if reader.settings.synonyms else None
        self._kept: OrderedDict[object, Found] = OrderedDict()
        self._kept_size = 0

    def search(self, parameters: Parameters) -> Found:
        """Find and rank records. The last searches are kept: paging and facets ask for the same again."""
        for depth in DEPTHS:
            found = self._search_kept(parameters, depth)
            holds_enough = len(found.ranked) >= parameters.offset + parameters.length
            if found.is_exact or (holds_enough and not found.is_narrowed):
                break
        return found

    def _search_kept(self, parameters: Parameters, depth: int) -> Found:
        key = (
            depth, parameters.query, msgspec.json.encode(parameters.filter), msgspec.json.encode(parameters.reading),
            msgspec.json.encode(parameters.optional_filters), parameters.attributes, parameters.distinct,
            parameters.typos, parameters.remove_words, tuple(parameters.optional_words),
        )  # fmt: skip
        found = self._kept.get(key)
        if found is None:
            found = self._search(parameters, depth)
            self._kept[key] = found
            self._kept_size += _size(found)
            while self._kept_size > _MOST_KEPT:
                self._kept_size -= _size(self._kept.popitem(last=False)[1])
        return found

    def record(self, object_id: str) -> Record | None:
        """Load a record by its id."""
        query = tantivy.Query.term_query(self._reader.schema, "object_id", object_id, "basic")
        hits = self._searcher.search(query, 1, count=False).hits
        return self._reader.candidates([hits[0][1]])[0].record if hits else None

    def page_of(self, record: Record) -> Record | None:
        """Load the record of the page that a record belongs to."""
        if record.type == "lvl1":
            return record
        query = tantivy.Query.boolean_query(
            [
                (
                    _MUST,
                    tantivy.Query.term_query(
                        self._reader.schema, "url_without_anchor", record.url_without_anchor, "basic"
                    ),
                ),
                (_MUST, tantivy.Query.term_query(self._reader.schema, "type", "lvl1", "basic")),
            ]
        )
        hits = self._searcher.search(query, 1, count=False).hits
        return self._reader.candidates([hits[0][1]])[0].record if hits else None

    def facets(self, matching: tantivy.Query, fields: Iterable[str], most: int) -> dict[str, dict[str, int]]:
        """Count the records for each value of some fields, in one pass over them; of each field most frequent first."""
        wanted = {field: {"terms": {"field": field, "size": most}} for field in fields}
        if most == 0 or not wanted:
            return {field: {} for field in wanted}
        answer = self._searcher.aggregate(matching, wanted)
        return {
            field: {str(bucket["key"]): int(bucket["doc_count"]) for bucket in answer[field]["buckets"]}
            for field in wanted
        }

    def _search(self, parameters: Parameters, depth: int) -> Found:
        query = parse_query(parameters.query, parameters.reading)
        if not query.terms:
            return self._browse(parameters, query, depth)
        reading = parameters.reading
        small = _small_words(query)
        wished = _named_words(query, parameters.optional_words) - small
        steps: tuple[Typos, ...] = ("none",) if parameters.typos == "false" else ("none", "unknown", "all")
        for typos in steps:
            plan = make_plan(
                query, self._vocabulary, reading, typos=typos, small=small, wished=wished, synonyms=self._synonyms
            )
            found = self._candidates(plan, parameters, depth)
            is_known = all(meanings.is_known for meanings in plan.meanings)
            if found.count >= (1 if typos != "none" or is_known else ENOUGH):
                break
        if parameters.typos in ("min", "strict"):
            found = _with_few_typos(found, extra=int(parameters.typos == "strict"))
        return found if found.count else self._with_fewer_words(plan, found, parameters, depth)

    def _with_fewer_words(self, plan: Plan, nothing: Found, parameters: Parameters, depth: int) -> Found:
        """Leave out words until something is found."""
        core = plan.core
        for count in range(len(core) - 1, 0, -1):
            match parameters.remove_words:
                case "none":
                    break
                case "lastWords":
                    shorter = msgspec.structs.replace(plan, core=core[:count])
                case "firstWords":
                    shorter = msgspec.structs.replace(plan, core=core[-count:])
                case _:
                    shorter = plan
            found = self._candidates(shorter, parameters, depth, least=count)
            if found.count:
                return found
        return nothing

    def _browse(self, parameters: Parameters, query: Query, depth: int) -> Found:
        """Without a query: everything, the best pages first."""
        plan = Plan(query, {}, [])
        excluded = self._clauses.excluding(plan)
        matching = self._filtered([(_MUST, tantivy.Query.all_query()), *excluded], parameters.filter)
        answer = self._searcher.search(matching, depth, order_by_field="boost")
        return self._found(plan, matching, answer, parameters)

    def _candidates(self, plan: Plan, parameters: Parameters, depth: int, *, least: int | None = None) -> Found:
        """Take the best records by score, and rank them.

        Args:
            plan: The query.
            parameters: Filters, and what else decides.
            depth: Records to rank.
            least: Words of the core that a record must hold, whichever; None: all that are not only wished for.
        """
        words = self._words(plan, least)
        if words is None:
            return Found(plan, [], 0, is_exact=True, is_narrowed=False, matching=tantivy.Query.empty_query())
        small = [index for index in range(len(plan.query.terms)) if index not in plan.core]
        clauses = [*words, *self._wishes(plan, small), *self._clauses.excluding(plan)]
        matching = self._filtered(clauses, parameters.filter)
        answer = self._searcher.search(matching, depth, weight_by_field="boost")
        return self._found(plan, matching, answer, parameters)

    def _words(self, plan: Plan, least: int | None) -> list[tuple[tantivy.Occur, tantivy.Query]] | None:
        """Make the clauses of the core; None where no record can meet them."""
        needed = [index for index in plan.core if index not in plan.wished]
        if least is None and needed:
            clauses = [self._clauses.term(plan, index) for index in needed]
            given = [(_MUST, clause) for clause in clauses if clause is not None]
            wishes = self._wishes(plan, [index for index in plan.core if index in plan.wished])
            return [*given, *wishes] if len(given) == len(clauses) else None
        some = self._wishes(plan, plan.core)
        least = least or 1
        return [(_MUST, tantivy.Query.boolean_query(some, least))] if len(some) >= least else None

    def _wishes(self, plan: Plan, indexes: Sequence[int]) -> list[tuple[tantivy.Occur, tantivy.Query]]:
        clauses = [self._clauses.term(plan, index) for index in indexes]
        return [(_SHOULD, clause) for clause in clauses if clause is not None]

    def _filtered(self, clauses: list[tuple[tantivy.Occur, tantivy.Query]], filter_: Filter | None) -> tantivy.Query:
        if filter_ is not None:
            clauses.append((_MUST, tantivy.Query.const_score_query(self._clauses.filter(filter_), 0.0)))
        return tantivy.Query.boolean_query(clauses)

    def _found(self, plan: Plan, matching: tantivy.Query, answer: object, parameters: Parameters) -> Found:
        hits = answer.hits  # type: ignore[attr-defined]
        finder = Finder(plan)
        candidates = self._reader.candidates([address for _, address in hits])
        for candidate in candidates:
            candidate.sightings = finder.find(candidate.text)
        shown = self._in_order(plan, candidates, parameters)
        total = int(answer.count)  # type: ignore[attr-defined]
        is_exact = total <= len(hits)
        has_few_typos = parameters.typos in ("min", "strict")
        is_narrowed = bool(plan.query.phrases) or parameters.attributes is not None or has_few_typos
        count = len(shown) if is_exact else _estimate(total, shown, hits) if is_narrowed else total
        return Found(plan, shown, count, is_exact=is_exact, is_narrowed=is_narrowed, matching=matching)

    def _in_order(self, plan: Plan, candidates: Sequence[Candidate], parameters: Parameters) -> list[Ranked]:
        """Rank candidates, those of each depth by themselves: so a page of hits stays as it is when a later one is read."""
        wishes = parameters.optional_filters
        rank_of = Ranker(plan, parameters.attributes).rank
        counts: dict[str, int] = {}
        shown: list[Ranked] = []
        for start, end in pairwise((0, *DEPTHS)):
            order: list[tuple[Rank, str, int, Candidate]] = []
            for number, candidate in enumerate(candidates[start:end]):
                met = count_met(candidate.record, wishes) if wishes is not None else 0
                rank = rank_of(candidate.text, candidate.sightings, filters=met)
                if rank is not None:
                    order.append((rank, candidate.url, number, candidate))
            order.sort()
            ranked = _distinct(
                [Ranked(rank, candidate) for rank, _, _, candidate in order], parameters.distinct, counts
            )
            places = [Place(rank, candidate.page, candidate.is_generated) for rank, candidate in ranked]
            shown += [ranked[index] for index in spread(places)]
        return shown


def _size(found: Found) -> int:
    return 1 + len(found.ranked) + len(found.plan.senses)


def _small_words(query: Query) -> frozenset[int]:
    """Find small words beside others: a record need not hold them."""
    quoted = {index for first, count in query.phrases for index in range(first, first + count)}
    small = frozenset(
        index
        for index, term in enumerate(query.terms)
        if term.form in STOP_WORDS and not term.names and index not in quoted
    )
    return small if len(small) < len(query.terms) else frozenset()


def _named_words(query: Query, phrases: Sequence[str]) -> frozenset[int]:
    """Find the words that a request names as optional."""
    named = {part for phrase in phrases for part in make_stream(phrase).parts}
    return frozenset(index for index, term in enumerate(query.terms) if term.form in named)


def _distinct(ranked: list[Ranked], most: int, counts: dict[str, int]) -> list[Ranked]:
    """Keep the best records of each address; `counts` tells how many there are already."""
    if most == 0:
        return ranked
    kept = []
    for item in ranked:
        url = item.candidate.url
        count = counts[url] = counts.get(url, 0) + 1
        if count <= most:
            kept.append(item)
    return kept


def _with_few_typos(found: Found, *, extra: int) -> Found:
    """Keep what has the fewest typing mistakes, and with `extra` what has one more."""
    least = min((item.rank.typo for item in found.ranked), default=0)
    kept = [item for item in found.ranked if item.rank.typo <= least + extra]
    count = len(kept) if found.is_exact else _estimate(found.count, kept, found.ranked)
    return msgspec.structs.replace(found, ranked=kept, count=count)


def _estimate(total: int, kept: Sequence[object], seen: Sequence[object]) -> int:
    """Take what has been seen for a sample of all."""
    return max(len(kept), round(total * len(kept) / len(seen))) if seen else 0
