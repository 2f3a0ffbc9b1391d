"""`RemoteEngine`: answers parsed queries from a search engine that runs elsewhere.

That engine chooses and counts. The best hundred of what it gives are put into the order of the embedded engine, and all
are marked and cut into snippets by the same code; rules of `search.toml` are applied here too. So what the engines differ in is
what they find, not what a reader or a client sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from octavo.search.engines.asking import TypedQuery, take_apart
from octavo.search.engines.backend import Backend, Batch, Question
from octavo.search.engines.documents import LoadedRecord, StoredRecord, read_document, with_tokens
from octavo.search.engines.interface import Order
from octavo.search.engines.reading import Reading, RemoteHit
from octavo.search.errors import ProtocolError
from octavo.search.fields import COUNTED, NUMBER_OF, PAGE, Facet, Number
from octavo.search.index.record import Record
from octavo.search.index.settings import IndexSettings, Rule
from octavo.search.query.filters import All, Any, Equals, Filter, Not
from octavo.search.query.parameters import ALL_ATTRIBUTES, MOST_HITS, Parameters
from octavo.search.query.query import Query, QueryPlan, parse_query
from octavo.search.query.synonyms import Synonyms
from octavo.search.ranking.facet_counts import Counts, Stats
from octavo.search.ranking.meets import meets
from octavo.search.ranking.related import telling_words
from octavo.search.ranking.rules import Rules, pinned_addresses
from octavo.search.text.stop_words import further_stop_words
from octavo.search.text.tokens import make_stream

RANKED = 100
"""Hits that are put into the order of the embedded engine; the others stay in that of the one that found them."""

ENOUGH_PAGES = 10
"""Pages among the full matches from which no partial ones follow."""

MOST_PARTIAL, MOST_PARTIAL_OF_PAGE = 40, 2
"""Partial matches that are shown, in all and of one page."""

_ALL_VALUES = 1000
_MOST_OF_PAGE = 200


class RemoteResults:
    """See `Results`."""

    def __init__(
        self,
        plan: QueryPlan,
        first: int,
        hits: Sequence[RemoteHit],
        batch: Batch,
        pinned: Sequence[Record],
        message: str,
    ) -> None:
        """Take what was found.

        Args:
            plan: The query.
            first: Place of the first of these hits.
            hits: As many as the parameters have asked for, in their order.
            batch: Counts of all hits but those that are pinned.
            pinned: Records that an editor has put first.
            message: See `Results`.
        """
        self.plan = plan
        self.message = message
        self.count = batch.total + len(pinned)
        self.reachable = min(self.count, MOST_HITS)
        self.is_exact = batch.is_exact
        self._first = first
        self._hits = hits
        self._batch = batch
        self._pinned = pinned

    def hits(self, offset: int, length: int) -> Sequence[RemoteHit]:
        """See `Results`."""
        start = max(0, offset - self._first)
        return self._hits[start : start + length]

    def facets(self, facets: Sequence[Facet | Number], most: int, *, distinct: int) -> Counts:
        """See `Results`."""
        del distinct  # the question said it
        counts: Counts = {}
        for facet in facets:
            counted = self._counted(facet)
            counts[facet.attribute] = dict(sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:most])
        return counts

    def stats(self, numbers: Sequence[Number]) -> Stats:
        """See `Results`."""
        found: Stats = {}
        for number in numbers:
            values = {float(value): count for value, count in self._counted(number).items()}
            if values:
                total = sum(value * count for value, count in values.items())
                mean = total / sum(values.values())
                found[number.attribute] = {"min": min(values), "max": max(values), "avg": mean, "sum": total}
        return found

    def _counted(self, facet: Facet | Number) -> Counter[str]:
        counted = Counter(dict(self._batch.counts.get(facet.attribute, {})))
        counted.update(
            str(value) for value in (facet.read(record) for record in self._pinned) if value not in (None, "")
        )
        return counted


class _Found(NamedTuple):
    """Hits from a place on, and the counts of all."""

    first: int
    hits: Sequence[RemoteHit]
    batch: Batch
    plan: QueryPlan


class RemoteEngine:
    """See `IndexEngine`."""

    most_at_once = 16
    """The searches wait for another machine."""

    def __init__(self, backend: Backend, settings: IndexSettings) -> None:
        self._backend = backend
        self._rules = Rules(settings.rules)
        self._stop_words = further_stop_words(settings.languages)
        has_synonyms = bool(settings.synonyms or settings.one_way_synonyms)
        self._synonyms = Synonyms(settings.synonyms, settings.one_way_synonyms) if has_synonyms else None

    @property
    def size(self) -> int:
        """See `IndexEngine`; asks the other engine."""
        return self._backend.load(None, 0, 0)[1]

    def results(self, parameters: Parameters, order: Order | None = None) -> RemoteResults:
        """See `IndexEngine`."""
        self._refuse(parameters)
        rules = self._rules.rules_for(parameters)
        curated = self._rules.before(parameters, rules)
        pinned = self._pinned(rules, curated)
        if pinned:
            others: list[Filter] = [Not(Equals("url", loaded.stored.record.url)) for loaded in pinned]
            given = [curated.filter] if curated.filter is not None else []
            curated = msgspec.structs.replace(curated, filter=All([*given, *others]))
        query = parse_query(curated.query, curated.reading)
        typed = take_apart(query, curated, self._stop_words)
        question = _question(curated, typed, order)
        start = max(0, curated.offset - len(pinned))
        end = min(MOST_HITS, max(0, curated.offset + curated.length - len(pinned)))
        if curated.query.strip() and not (typed.words or typed.phrases or typed.excluded):
            plan = Reading(query, curated, pinned, None).plan  # only signs that no text is searched for
            found = _Found(0, [], Batch([], 0, is_exact=True), plan)
        else:
            found = self._search(query, curated, question, start, end, pinned)
        read = Reading(query, curated, pinned, self._synonyms).pinned(pinned) if pinned else []
        if found.first == 0:  # pinned hits come before all others
            first, hits = 0, [*read, *found.hits]
        else:
            first, hits = found.first + len(read), list(found.hits)
        records = [loaded.stored.record for loaded in pinned]
        return RemoteResults(found.plan, first, hits, found.batch, records, self._backend.note(question))

    def _refuse(self, parameters: Parameters) -> None:
        self._backend.refuse(parameters)
        if parameters.distinct > 1:
            raise refusal(self._backend.name, "distinct", "true or false")
        if not parameters.uses_synonyms and self._synonyms is not None:
            raise refusal(self._backend.name, "synonyms", "true: those of the site are part of the index")

    def _search(
        self,
        query: Query,
        parameters: Parameters,
        question: Question,
        start: int,
        end: int,
        pinned: Sequence[LoadedRecord],
    ) -> _Found:
        """Find the hits from one place to another, or from the first on where the embedded order is needed."""
        is_ranked = question.order is None and bool(query.terms)
        first = 0 if is_ranked and start < RANKED else start
        last = max(end, RANKED) if is_ranked and first == 0 and end > 0 else end
        batch = self._backend.ask(msgspec.structs.replace(question, offset=first, length=max(0, last - first)))
        if _may_be_partial(parameters, question) and batch.total <= RANKED:
            filled = self._filled_up(query, parameters, question, pinned)
            if filled is not None:
                return filled
        loaded = [_load(document) for document in batch.documents]
        reading = Reading(query, parameters, [*loaded, *pinned], self._synonyms)
        if not is_ranked or first > 0:
            return _Found(first, reading.as_found(loaded), batch, reading.plan)
        hits = [*reading.ranked(loaded[:RANKED]), *reading.as_found(loaded[RANKED:])]
        return _Found(first, hits, batch, reading.plan)

    def _filled_up(
        self, query: Query, parameters: Parameters, question: Question, pinned: Sequence[LoadedRecord]
    ) -> _Found | None:
        """Let records that hold some of the words follow those that hold all; None where there are enough of these."""
        asked = msgspec.structs.replace(question, facets=(), offset=0, length=RANKED)
        full = [_load(document) for document in self._backend.ask(asked).documents]
        pages = {loaded.stored.record.url_without_anchor for loaded in full}
        if len(pages) >= (ENOUGH_PAGES if parameters.remove_words == "allOptional" else 1):
            return None
        some = self._backend.ask(msgspec.structs.replace(asked, needs_all=False))
        seen = {loaded.stored.record.url for loaded in full}
        more = [one for one in map(_load, some.documents) if one.stored.record.url not in seen]
        reading = Reading(query, parameters, [*full, *more, *pinned], self._synonyms)
        hits = reading.ranked(full) if question.order is None else reading.as_found(full)
        hits += _first_of_pages(reading.partial(more, _shares(more)))
        return _Found(0, hits, _counted(hits, question), reading.plan)

    def rules_for(self, parameters: Parameters) -> list[Rule]:
        """See `IndexEngine`."""
        return self._rules.rules_for(parameters)

    def _pinned(self, rules: Sequence[Rule], parameters: Parameters) -> list[LoadedRecord]:
        """Load what is pinned, as far as it meets the filters: of each address its title or heading."""
        found: dict[str, LoadedRecord] = {}
        for alike in pinned_addresses(rules):
            under = self._under(alike)
            for address in filter(under.__contains__, alike):
                best = max(under[address], key=lambda one: (one.record.weight.level, -one.record.weight.position))
                if parameters.filter is None or meets(best.record, parameters.filter):
                    found.setdefault(address, with_tokens(best))
                    break
        return list(found.values())

    def _under(self, addresses: Sequence[str]) -> dict[str, list[StoredRecord]]:
        """Load the records of a page in all its languages and versions at once, as address → records."""
        wanted: list[Filter] = [Equals("url", address) for address in addresses]
        documents, _ = self._backend.load(Any(wanted) if len(wanted) > 1 else wanted[0], 0, _MOST_OF_PAGE)
        found: dict[str, list[StoredRecord]] = {}
        for stored in map(read_document, documents):
            found.setdefault(stored.record.url, []).append(stored)
        return found

    def ids_of(self, address: str) -> list[str]:
        """See `IndexEngine`."""
        attribute = "url" if "#" in address else PAGE.attribute
        documents, _ = self._backend.load(Equals(attribute, address), 0, MOST_HITS)
        records = [read_document(document).record for document in documents]
        return [record.object_id for record in sorted(records, key=lambda record: record.weight.position)]

    def records(self, filter_: Filter | None, offset: int, count: int) -> tuple[list[Record], int]:
        """See `IndexEngine`."""
        documents, total = self._backend.load(filter_, offset, count)
        return [read_document(document).record for document in documents], total

    def record(self, object_id: str) -> Record | None:
        """See `IndexEngine`."""
        return next(iter(self.records(Equals("objectID", object_id), 0, 1)[0]), None)

    def page_of(self, record: Record) -> Record | None:
        """See `IndexEngine`."""
        if record.type == "lvl1":
            return record
        page: Filter = All([Equals(PAGE.attribute, record.url_without_anchor), Equals("type", "lvl1")])
        return next(iter(self.records(page, 0, 1)[0]), None)

    def related_pages(self, record: Record, filter_: Filter, most: int) -> list[Record]:
        """See `IndexEngine`. How rare a word is, another engine does not say; so words of headings decide."""
        documents, _ = self._backend.load(Equals(PAGE.attribute, record.url_without_anchor), 0, _MOST_OF_PAGE)
        texts = [_load(document).text for document in documents]
        words = [word for word, _ in telling_words(texts, lambda _: 0, lambda _: 1.0)][:8]
        question = Question(words=words, open_words="none", needs_all=False, has_typos=False, length=4 * RANKED)
        pages: dict[str, float] = {}
        for place, document in enumerate(self._backend.ask(question).documents):
            page = str(document[PAGE.attribute])
            pages[page] = pages.get(page, 0.0) + 1 / (10 + place)
        best = sorted(pages, key=lambda page: -pages[page])[: 5 * most + 5]
        if not best:
            return []
        named = All([Any([Equals(PAGE.attribute, page) for page in best]), filter_])
        found = {one.url_without_anchor: one for one in self.records(named, 0, len(best))[0]}
        return [found[page] for page in best if page in found][:most]


def refusal(engine: str, name: str, expected: str) -> ProtocolError:
    """Say that an engine cannot do what a parameter asks for."""
    return ProtocolError(400, f'Parameter "{name}" cannot be changed with {engine}; expected {expected}')


def unavailable(engine: str, reason: str) -> ProtocolError:
    """Say that an engine does not answer."""
    return ProtocolError(503, f"{engine} {reason}")


def _question(parameters: Parameters, typed: TypedQuery, order: Order | None) -> Question:
    names = [*COUNTED] if "*" in parameters.facets else [*parameters.facets]
    open_words = {"prefixAll": "all", "prefixLast": "last"}.get(parameters.reading.query_type, "none")
    wanted = parameters.attributes
    named = {part for phrase in parameters.optional_words for part in make_stream(phrase).parts}
    wished = [word for word in typed.words if named and named.issuperset(make_stream(word).parts)]
    words = [word for word in typed.words if word not in wished]
    return Question(
        words=words or wished,
        wished=wished if words else (),
        needs_all=bool(words) or not wished,
        phrases=typed.phrases,
        excluded=typed.excluded,
        open_words="none" if open_words == "last" and not typed.is_open else open_words,
        has_typos=parameters.typos != "false",
        typo_sizes=(parameters.reading.one_typo_from, parameters.reading.two_typos_from),
        has_forms=parameters.reading.has_forms,
        filter=parameters.filter,
        wishes=parameters.optional_filters,
        attributes=[] if wanted is None else [ALL_ATTRIBUTES[index] for index in sorted(wanted)],
        facets=[name for name in names if name in COUNTED or name in NUMBER_OF],
        counts_distinct=parameters.counts_distinct,
        most_values=_ALL_VALUES,
        distinct=parameters.distinct > 0,
        order=order,
    )


def _may_be_partial(parameters: Parameters, question: Question) -> bool:
    has_some = parameters.remove_words in ("allOptional", "lastWords") and question.needs_all
    return has_some and len(question.words) > 1 and not question.wished


def _load(document: dict[str, object]) -> LoadedRecord:
    return with_tokens(read_document(document))


def _shares(found: Sequence[LoadedRecord]) -> dict[str, float]:
    """Say how well pages answer, by the place of their first record: the engine's own order knows how rare words are."""
    shares: dict[str, float] = {}
    for place, loaded in enumerate(found):
        shares.setdefault(loaded.stored.record.url_without_anchor, 1 / (1 + place / 10))
    return shares


def _first_of_pages(hits: Sequence[RemoteHit]) -> list[RemoteHit]:
    counts: Counter[str] = Counter()
    kept = []
    for hit in hits:
        counts[hit.record.url_without_anchor] += 1
        if counts[hit.record.url_without_anchor] <= MOST_PARTIAL_OF_PAGE:
            kept.append(hit)
    return kept[:MOST_PARTIAL]


def _counted(hits: Sequence[RemoteHit], question: Question) -> Batch:
    counts: dict[str, dict[str, int]] = {}
    for name in question.facets:
        facet = COUNTED.get(name) or NUMBER_OF[name]
        values = [facet.read(hit.record) for hit in hits]
        counts[name] = dict(Counter(str(value) for value in values if value not in (None, "")))
    return Batch([], len(hits), is_exact=True, counts=counts)
