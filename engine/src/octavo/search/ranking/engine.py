"""`Engine`: answers searches from one index."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import NamedTuple

import msgspec
import tantivy

from octavo.search.fields import Facet
from octavo.search.index.record import Record
from octavo.search.index.record_text import Sighting
from octavo.search.index.records_file import Candidate
from octavo.search.index.tantivy_index import IndexReader, address_number
from octavo.search.query.clauses import Clauses
from octavo.search.query.parameters import MOST_HITS, Parameters
from octavo.search.query.query import Plan, Query, Typos, make_plan, parse_query
from octavo.search.query.synonyms import Synonyms
from octavo.search.query.vocabulary import Vocabulary
from octavo.search.ranking.finder import Finder
from octavo.search.ranking.meets import count_met
from octavo.search.ranking.partial import PartialRanker
from octavo.search.ranking.rank import Rank, Ranker
from octavo.search.ranking.retrieval import Retrieval, Retrieved
from octavo.search.ranking.spread import Place, spread
from octavo.search.text.stop_words import STOP_WORDS
from octavo.search.text.tokens import make_stream

ENOUGH = 50
"""Records without a typing mistake from which those with one are not looked for: they would stand after all others."""

ENOUGH_PAGES = 10
"""Pages among the full matches from which no partial ones follow."""

RANKED_PAGES = 40
"""Pages of which is known how well they answer a query as a whole."""

PARTIAL_RECORDS, PARTIAL_PAGES = 60, 15
"""Records, and pages by all their words, that are valued as partial matches."""

MOST_PARTIAL, MOST_PARTIAL_OF_PAGE = 40, 2
"""Partial matches that are shown, in all and of one page."""

_MOST_KEPT = 20_000
"""Records and tokens of the last searches, together: some 10 MB."""


class Ranked(NamedTuple):
    """A record at its place."""

    rank: Rank
    candidate: Candidate
    sightings: Sequence[Sighting]
    """Tokens of the query for which it is a hit."""

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
    """Hits in all; an estimate unless `is_exact`."""
    reachable: int
    """Hits that paging can reach; never more than `MOST_HITS`."""
    is_exact: bool
    is_complete: bool
    """`ranked` holds all hits."""
    has_partial: bool
    """Partial matches follow the full ones; only `ranked` knows them."""
    is_narrowed: bool
    """Not all matching records are hits: a phrase, chosen attributes or fewer mistakes are asked for. Only ranking tells."""
    matching: tantivy.Query
    """Matches all records that were found."""


class Engine:
    """Searches one index; knows nothing of the protocol. Several threads may use it at once."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader
        self._searcher = reader.searcher
        self._vocabulary = Vocabulary(reader.frequencies())
        self._clauses = Clauses(reader.schema, self._vocabulary, reader.size)
        self._retrieval = Retrieval(reader, self._clauses)
        self._synonyms = Synonyms(reader.settings.synonyms) if reader.settings.synonyms else None
        self._kept: OrderedDict[object, Found] = OrderedDict()
        self._kept_size = 0
        self._lock = Lock()

    def search(self, parameters: Parameters) -> Found:
        """Find and rank records. The last searches are kept: paging and facets ask for the same again."""
        key = (
            parameters.query, msgspec.json.encode(parameters.filter), msgspec.json.encode(parameters.reading),
            msgspec.json.encode(parameters.optional_filters), parameters.attributes, parameters.distinct,
            parameters.typos, parameters.remove_words, tuple(parameters.optional_words),
        )  # fmt: skip
        found = self._kept.get(key)
        if found is not None and (found.is_complete or len(found.ranked) >= parameters.offset + parameters.length):
            return found
        found = self._search(parameters)
        with self._lock:
            before = self._kept.pop(key, None)
            self._kept_size += _size(found) - (_size(before) if before else 0)
            self._kept[key] = found
            while self._kept_size > _MOST_KEPT:
                self._kept_size -= _size(self._kept.popitem(last=False)[1])
        return found

    def record(self, object_id: str) -> Record | None:
        """Load a record by its id."""
        query = tantivy.Query.term_query(self._reader.schema, "object_id", object_id, "basic")
        return self._first(query)

    def page_of(self, record: Record) -> Record | None:
        """Load the record of the page that a record belongs to."""
        if record.type == "lvl1":
            return record
        schema = self._reader.schema
        clauses = [
            tantivy.Query.term_query(schema, "url_without_anchor", record.url_without_anchor, "basic"),
            tantivy.Query.term_query(schema, "type", "lvl1", "basic"),
        ]
        return self._first(tantivy.Query.boolean_query([(tantivy.Occur.Must, clause) for clause in clauses]))

    def facets(self, found: Found, facets: Sequence[Facet], most: int, *, distinct: int) -> dict[str, dict[str, int]]:
        """Count the hits for each value of some facets; of each facet most frequent first.

        Args:
            found: What was found.
            facets: The facets.
            most: Values of each facet that are given.
            distinct: As in `Parameters`; with it, records with one address and one value are counted once.

        Returns:
            Attribute → value → hits. Exact where the count of hits is; above that, records are counted.
        """
        if most == 0 or not facets:
            return {facet.attribute: {} for facet in facets}
        if found.has_partial or (found.is_narrowed and found.is_complete):
            return _count_values([hit.record for hit in found.ranked], facets, most)
        is_by_address = distinct > 0 and found.is_exact
        inner = {"hits": {"terms": {"field": "address", "size": MOST_HITS}}} if is_by_address else {}
        wanted = {
            facet.field: {"terms": {"field": facet.field, "size": most}} | ({"aggs": inner} if inner else {})
            for facet in facets
        }
        answer = self._searcher.aggregate(found.matching, wanted)
        return {
            facet.attribute: _sorted_counts(
                {
                    str(bucket["key"]): len(bucket["hits"]["buckets"]) if is_by_address else int(bucket["doc_count"])
                    for bucket in answer[facet.field]["buckets"]
                },
                most,
            )
            for facet in facets
        }

    def _first(self, query: tantivy.Query) -> Record | None:
        hits = self._searcher.search(query, 1, count=False).hits
        return self._reader.candidates([hits[0][1]])[0].record if hits else None

    def _search(self, parameters: Parameters) -> Found:
        query = parse_query(parameters.query, parameters.reading)
        if not query.terms:
            plan = Plan(query, {}, [])
            if parameters.query.strip() and not query.excluded:
                return _nothing(plan)  # only signs that no text is searched for
            return self._found(plan, self._retrieval.everything(plan, parameters.filter), parameters)
        small = _small_words(query)
        wished = _named_words(query, parameters.optional_words) - small
        steps: tuple[Typos, ...] = ("none",) if parameters.typos == "false" else ("none", "unknown", "all")
        for typos in steps:
            plan = make_plan(
                query,
                self._vocabulary,
                parameters.reading,
                typos=typos,
                small=small,
                wished=wished,
                synonyms=self._synonyms,
            )
            found = self._matches(plan, parameters)
            is_known = all(meanings.is_known for meanings in plan.meanings)
            if found.count >= (1 if typos != "none" or is_known else ENOUGH):
                break
        if parameters.typos in ("min", "strict"):
            found = _with_few_typos(found, extra=int(parameters.typos == "strict"))
        if parameters.remove_words == "allOptional":
            return self._filled_up(found, parameters)
        return found if found.count else self._with_fewer_words(found, parameters)

    def _filled_up(self, found: Found, parameters: Parameters) -> Found:
        """Let partial matches follow, where the full ones are few."""
        plan = found.plan
        pages = {hit.candidate.page for hit in found.ranked}
        if not found.is_complete or len(pages) >= ENOUGH_PAGES or len(plan.core) < 2:
            return found
        partial = self._partial(plan, parameters, seen={hit.candidate.url for hit in found.ranked})
        if not partial:
            return found
        ranked = [*found.ranked, *partial]
        return msgspec.structs.replace(found, ranked=ranked, count=len(ranked), reachable=len(ranked), has_partial=True)

    def _partial(self, plan: Plan, parameters: Parameters, seen: set[str]) -> list[Ranked]:
        """Find records that hold some of the words, and pages that do."""
        retrieved = self._retrieval.matches(plan, parameters.filter, least=1)
        if retrieved is None:
            return []
        titles = self._retrieval.pages(plan, parameters.filter, PARTIAL_PAGES)
        loaded = self._reader.candidates([address for _, address in titles])
        pages = self._page_shares(plan, parameters)
        weights = [self._clauses.weight(meanings.frequency) for meanings in plan.meanings]
        ranker = PartialRanker(Ranker(plan, parameters.attributes), weights, plan.core)
        finder = Finder(plan)
        addresses = [address for band in retrieved.bands for address in band][:PARTIAL_RECORDS]
        order = []
        for number, candidate in enumerate([*self._reader.candidates(addresses), *loaded]):
            if candidate.url not in seen:
                sightings = finder.find(candidate.text)
                met = count_met(candidate.record, parameters.optional_filters) if parameters.optional_filters else 0
                rank = ranker.rank(
                    candidate.text, sightings, pages.get(address_number(candidate.page), 0.0), filters=met
                )
                if rank is not None:
                    order.append((rank, candidate.url, number, Ranked(rank, candidate, sightings)))
        order.sort(key=lambda item: item[:3])
        return _first_of_pages([ranked for _, _, _, ranked in order], seen)[:MOST_PARTIAL]

    def _page_shares(self, plan: Plan, parameters: Parameters) -> dict[int, float]:
        """Say how well whole pages answer a query, beside the best: `address_number` of a page → 0 to 1."""
        titles = self._retrieval.pages(plan, parameters.filter, RANKED_PAGES)
        numbers = self._reader.address_numbers([address for _, address in titles])
        best = titles[0][0] if titles else 1.0
        return {number: score / best for number, (score, _) in zip(numbers, titles, strict=True)}

    def _with_fewer_words(self, nothing: Found, parameters: Parameters) -> Found:
        """Leave out words, the last or the first, until something is found."""
        core = nothing.plan.core
        for count in range(len(core) - 1, 0, -1):
            match parameters.remove_words:
                case "lastWords":
                    shorter = msgspec.structs.replace(nothing.plan, core=core[:count])
                case "firstWords":
                    shorter = msgspec.structs.replace(nothing.plan, core=core[-count:])
                case _:
                    break
            found = self._matches(shorter, parameters)
            if found.count:
                return found
        return nothing

    def _matches(self, plan: Plan, parameters: Parameters) -> Found:
        retrieved = self._retrieval.matches(plan, parameters.filter)
        return _nothing(plan) if retrieved is None else self._found(plan, retrieved, parameters)

    def _found(self, plan: Plan, retrieved: Retrieved, parameters: Parameters) -> Found:
        pages = self._page_shares(plan, parameters) if len(plan.core) > 1 and not plan.query.identifiers else {}
        has_few_typos = parameters.typos in ("min", "strict")
        is_narrowed = bool(plan.query.phrases) or parameters.attributes is not None or has_few_typos
        enough = MOST_HITS if is_narrowed else parameters.offset + parameters.length
        ranked, looked_at = self._in_order(plan, retrieved, parameters, pages, enough)
        is_complete = looked_at >= retrieved.total
        if is_complete:
            reachable = count = len(ranked)
        else:
            reachable = self._distinct_count(retrieved, parameters.distinct)
            seen, hits = (looked_at, len(ranked)) if is_narrowed else (len(retrieved.addresses), reachable)
            count = max(hits, round(retrieved.total * hits / seen)) if seen else 0
            reachable = min(reachable, count)
        return Found(
            plan,
            ranked,
            count,
            reachable,
            is_exact=is_complete or (retrieved.total <= MOST_HITS and not is_narrowed),
            is_complete=is_complete,
            has_partial=False,
            is_narrowed=is_narrowed,
            matching=retrieved.matching,
        )

    def _distinct_count(self, retrieved: Retrieved, distinct: int) -> int:
        if not distinct:
            return len(retrieved.addresses)
        counts = Counter(self._reader.address_numbers(retrieved.addresses))
        return len(counts) if distinct == 1 else sum(min(count, distinct) for count in counts.values())

    def _in_order(
        self, plan: Plan, retrieved: Retrieved, parameters: Parameters, pages: Mapping[int, float], enough: int
    ) -> tuple[list[Ranked], int]:
        """Rank candidates, those of each band by themselves, until there are enough: (hits, records looked at)."""
        wishes = parameters.optional_filters
        rank_of = Ranker(plan, parameters.attributes).rank
        find = Finder(plan).find
        counts: dict[str, int] = {}
        shares: dict[str, float] = {}
        shown: list[Ranked] = []
        looked_at = 0
        for band in retrieved.bands:
            candidates = self._reader.candidates(band)
            looked_at += len(band)
            found: list[Ranked] = []
            order: list[tuple[Rank, str, int]] = []
            for candidate in candidates:
                sightings = find(candidate.text)
                met = count_met(candidate.record, wishes) if wishes is not None else 0
                share = 1.0
                if pages and (share := shares.get(page := candidate.page, -1.0)) < 0:
                    share = shares[page] = pages.get(address_number(page), 0.0)
                rank = rank_of(candidate.text, sightings, filters=met, page=share)
                if rank is not None:
                    order.append((rank, candidate.url, len(found)))
                    found.append(Ranked(rank, candidate, sightings))
            order.sort()
            ranked = _distinct([found[number] for _, _, number in order], parameters.distinct, counts)
            places = [Place(item.rank, item.candidate.page, item.candidate.is_generated) for item in ranked]
            shown += [ranked[index] for index in spread(places)]
            if len(shown) >= enough:
                break
        return shown, looked_at


def _nothing(plan: Plan) -> Found:
    empty = tantivy.Query.empty_query()
    return Found(plan, [], 0, 0, is_exact=True, is_complete=True, has_partial=False, is_narrowed=False, matching=empty)


def _size(found: Found) -> int:
    return 1 + len(found.ranked) + len(found.plan.senses)


def _small_words(query: Query) -> frozenset[int]:
    """Find small words, and arguments of pasted code, beside others: a record need not hold them."""
    quoted = {index for first, count in query.phrases for index in range(first, first + count)}
    small = frozenset(
        index
        for index, term in enumerate(query.terms)
        if index in query.literals or (term.form in STOP_WORDS and not term.names and index not in quoted)
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


def _first_of_pages(ranked: Sequence[Ranked], seen: set[str]) -> list[Ranked]:
    """Keep the best partial matches of each page, each address once."""
    counts: Counter[str] = Counter()
    kept = []
    for item in ranked:
        url, page = item.candidate.url, item.candidate.page
        if url not in seen and counts[page] < MOST_PARTIAL_OF_PAGE:
            seen.add(url)
            counts[page] += 1
            kept.append(item)
    return kept


def _with_few_typos(found: Found, *, extra: int) -> Found:
    """Keep what has the fewest typing mistakes, and with `extra` what has one more."""
    least = min((item.rank.typo for item in found.ranked), default=0)
    kept = [item for item in found.ranked if item.rank.typo <= least + extra]
    if found.is_complete:
        return msgspec.structs.replace(found, ranked=kept, count=len(kept), reachable=len(kept))
    share = len(kept) / len(found.ranked) if found.ranked else 0.0
    count = max(len(kept), round(found.count * share))
    return msgspec.structs.replace(found, ranked=kept, count=count, reachable=min(found.reachable, count))


def _count_values(records: Sequence[Record], facets: Sequence[Facet], most: int) -> dict[str, dict[str, int]]:
    found = {}
    for facet in facets:
        values = [facet.read(record) for record in records]
        found[facet.attribute] = _sorted_counts(Counter(value for value in values if value), most)
    return found


def _sorted_counts(counts: dict[str, int], most: int) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most])
