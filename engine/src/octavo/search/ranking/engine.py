"""`Engine`: answers searches from one index."""

from __future__ import annotations

from collections import Counter, OrderedDict
from threading import Lock

import msgspec
import tantivy

from octavo.search.engines.interface import Order
from octavo.search.fields import PAGE
from octavo.search.index.record import Record
from octavo.search.index.settings import Rule
from octavo.search.index.tantivy_index import IndexReader
from octavo.search.query.clauses import Clauses
from octavo.search.query.filters import Filter
from octavo.search.query.optional import named_words, site_name_words, small_words
from octavo.search.query.parameters import MOST_HITS, Parameters
from octavo.search.query.query import Query, QueryPlan, Typos, make_plan, parse_query, taken_apart
from octavo.search.query.synonyms import Synonyms, tokens_of_phrase
from octavo.search.query.vocabulary import Vocabulary
from octavo.search.ranking.curation import Curation
from octavo.search.ranking.filling import Filling
from octavo.search.ranking.finder import make_signs
from octavo.search.ranking.found import Found, nothing, with_few_typos
from octavo.search.ranking.ordering import Ordering
from octavo.search.ranking.related import telling_words
from octavo.search.ranking.results import EmbeddedResults, sorted_by
from octavo.search.ranking.retrieval import DEPTHS, MOST_HEADINGS, MOST_TEXTS, Retrieval, Retrieved
from octavo.search.text.stop_words import further_stop_words

MOST_OF_PAGE = 200
"""Records of a page by which its related pages are found."""

ENOUGH = 50
"""Records without a typing mistake from which those with one are not looked for: they would be ranked after all others."""

_MOST_KEPT = 20_000
"""Records and tokens of the last searches, together: some 10 MB."""


_MOST_PLANS = 16

MOST_FURTHER = 100_000
"""Records that are looked through beyond the first, where a phrase or restricted attributes leave out too many of these: the index
does not know which records they leave out. So many take a third of a second."""

MOST_FURTHER_RANKED = 4 * MOST_HITS
"""Records of these that are ranked: they take a tenth of a second."""

FEW_HITS = 20
"""Hits below which partial matches may be added wherever a page of hits begins, so that all pages tell the same number."""

_HARDLY_COMPLETE = DEPTHS[0] + MOST_HEADINGS + MOST_TEXTS
"""Records up to which the first band of candidates may be all."""


class Engine:
    """Searches one index; knows nothing of the protocol. Several threads may use it at once."""

    most_at_once = 1
    """Python runs one thread at a time, so more than one would only divide the time of each search."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader
        self._searcher = reader.searcher
        self._vocabulary = Vocabulary(reader.frequencies(), reader.languages())
        self._clauses = Clauses(reader.schema, self._vocabulary, reader.size)
        self._retrieval = Retrieval(reader, self._clauses)
        self._filling = Filling(reader, self._clauses, self._retrieval)
        settings = reader.settings
        has_synonyms = bool(settings.synonyms or settings.one_way_synonyms)
        self._synonyms = Synonyms(settings.synonyms, settings.one_way_synonyms) if has_synonyms else None
        self._stop_words = further_stop_words(reader.languages())
        self._name = tokens_of_phrase(settings.name.lower())
        self._curation = Curation(settings.rules, reader)
        self._kept: OrderedDict[object, Found] = OrderedDict()
        self._kept_size = 0
        self._plans: OrderedDict[object, QueryPlan] = OrderedDict()
        self._lock = Lock()

    def search(self, parameters: Parameters) -> Found:
        """Find and rank records. The last searches are kept: paging and facets ask for the same again."""
        key = (
            parameters.query, msgspec.json.encode(parameters.filter), msgspec.json.encode(parameters.reading),
            msgspec.json.encode(parameters.optional_filters), parameters.attributes, parameters.distinct,
            parameters.typos, parameters.remove_words, tuple(parameters.optional_words), parameters.uses_synonyms,
            parameters.uses_rules,
            parameters.needs_small_words,
        )  # fmt: skip
        found = self._kept.get(key)
        if found is not None and (found.is_complete or len(found.ranked) >= parameters.offset + parameters.length):
            return found
        rules = self._curation.rules_for(parameters)
        curated = self._curation.before(parameters, rules)
        found = self._search(curated)
        if rules:
            found = self._curation.after(found, curated, rules)
        with self._lock:
            before = self._kept.pop(key, None)
            self._kept_size += found.size - (before.size if before else 0)
            self._kept[key] = found
            while self._kept_size > _MOST_KEPT:
                self._kept_size -= self._kept.popitem(last=False)[1].size
        return found

    def results(self, parameters: Parameters, order: Order | None = None) -> EmbeddedResults:
        """Search; with an order, sort the best `MOST_HITS` records by it."""
        if order is None:
            return EmbeddedResults(self.search(parameters), self._reader)
        found = self.search(msgspec.structs.replace(parameters, offset=0, length=MOST_HITS))
        return EmbeddedResults(sorted_by(found, order), self._reader)

    def rules_for(self, parameters: Parameters) -> list[Rule]:
        """Find the rules that apply to a search."""
        return self._curation.rules_for(parameters)

    def ids_of(self, address: str) -> list[str]:
        """List the ids of the records under an address: of a page all of them, its title first."""
        page = address.partition("#")[0]
        query = tantivy.Query.term_query(self._reader.schema, PAGE.field, page, "basic")
        hits = self._searcher.search(query, MOST_HITS, count=False).hits
        records = [candidate.record for candidate in self._reader.candidates(self._reader.columns.numbers(hits))]
        found = [record for record in records if address in (record.url, page)]
        return [record.object_id for record in sorted(found, key=lambda record: record.weight.position)]

    @property
    def size(self) -> int:
        """Number of records."""
        return self._reader.size

    def records(self, filter_: Filter | None, offset: int, count: int) -> tuple[list[Record], int]:
        """Load records in the order of the index: (records, number of all that meet the filter)."""
        every = tantivy.Query.all_query()
        matching = every if filter_ is None else self._clauses.filter(filter_)
        answer = self._searcher.search(tantivy.Query.const_score_query(matching, 1.0), max(1, count), offset=offset)
        numbers = self._reader.columns.numbers(answer.hits)[:count]
        total = int(answer.count)  # type: ignore[attr-defined] # missing in the stubs
        return [candidate.record for candidate in self._reader.candidates(numbers)], total

    def related_pages(self, record: Record, filter_: Filter, most: int) -> list[Record]:
        """Find the pages that have most telling words in common with a record's page, best first."""
        return [candidate.record for candidate in self._reader.candidates(self._related(record, filter_, most))]

    def _related(self, record: Record, filter_: Filter, most: int) -> list[int]:
        query = tantivy.Query.term_query(self._reader.schema, "url_without_anchor", record.url_without_anchor, "basic")
        hits = self._searcher.search(query, MOST_OF_PAGE, count=False).hits
        texts = [candidate.text for candidate in self._reader.candidates(self._reader.columns.numbers(hits))]
        words = telling_words(texts, self._vocabulary.frequency, self._clauses.weight)
        return self._retrieval.alike(words, filter_, most)

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

    def _first(self, query: tantivy.Query) -> Record | None:
        hits = self._searcher.search(query, 1, count=False).hits
        return self._reader.candidates(self._reader.columns.numbers(hits))[0].record if hits else None

    def _search(self, parameters: Parameters) -> Found:
        query = parse_query(parameters.query, parameters.reading)
        if not query.terms:
            plan = QueryPlan(query, {}, [])
            if parameters.query.strip() and not query.excluded:
                return nothing(plan)  # only signs that no text is searched for
            return self._found(plan, self._retrieval.everything(plan, parameters.filter), parameters)
        small = frozenset[int]() if parameters.needs_small_words else small_words(query, self._stop_words)
        found = self._search_with(query, parameters, small)
        named = frozenset[int]() if parameters.needs_small_words else site_name_words(query, self._name) - small
        if not named or len(small | named) == len(query.terms) or _is_heading(found):
            return found
        return self._search_with(query, parameters, small | named)

    def _search_with(self, query: Query, parameters: Parameters, small: frozenset[int]) -> Found:
        """Search; a record need not hold the words in `small`."""
        wished = named_words(query, parameters.optional_words) - small
        steps: tuple[Typos, ...] = () if parameters.typos == "false" else ("unknown", "all")
        plan = self._plan(query, parameters, "none", small, wished)
        found = self._matches(plan, parameters)
        is_known = all(meanings.is_known for meanings in plan.meanings)
        for typos in steps if found.count < (1 if is_known else ENOUGH) else ():
            plan = self._plan(query, parameters, typos, small, wished)
            if plan.senses != found.plan.senses:  # else it finds the same
                found = self._matches(plan, parameters)
            if found.count:
                break
        is_free = parameters.remove_words == "allOptional"
        if is_free and not found.count and (apart := taken_apart(found.plan)) is not None:
            found = self._matches(apart, parameters)
        if parameters.typos in ("min", "strict"):
            found = with_few_typos(found, extra=int(parameters.typos == "strict"))
        if parameters.remove_words == "allOptional":
            return self._filling.filled_up(found, parameters)
        return found if found.count else self._with_fewer_words(found, parameters)

    def _plan(
        self, query: Query, parameters: Parameters, typos: Typos, small: frozenset[int], wished: frozenset[int]
    ) -> QueryPlan:
        """Make a plan, or take one of the last: the searches of one request differ in their filters only."""
        key = (parameters.query, parameters.reading, typos, small, wished, parameters.uses_synonyms)
        plan = self._plans.get(key)
        if plan is None:
            plan = make_plan(
                query,
                self._vocabulary,
                parameters.reading,
                typos=typos,
                small=small,
                wished=wished,
                synonyms=self._synonyms if parameters.uses_synonyms else None,
            )
            with self._lock:
                self._plans[key] = plan
                while len(self._plans) > _MOST_PLANS:
                    self._plans.popitem(last=False)
        return plan

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

    def _matches(self, plan: QueryPlan, parameters: Parameters) -> Found:
        retrieved = self._retrieval.matches(plan, parameters.filter, has_order=parameters.length > 0)
        return nothing(plan) if retrieved is None else self._found(plan, retrieved, parameters)

    def _found(self, plan: QueryPlan, retrieved: Retrieved, parameters: Parameters) -> Found:
        has_few_typos = parameters.typos in ("min", "strict")
        is_narrowed = bool(plan.query.phrases) or parameters.attributes is not None or has_few_typos
        is_unordered = not parameters.length and not is_narrowed and retrieved.total > _HARDLY_COMPLETE
        if is_unordered and self._distinct_count(retrieved, parameters.distinct) >= FEW_HITS:
            return self._counted(plan, retrieved, parameters)
        has_shares = not plan.query.identifiers and retrieved.total > 1
        pages = self._filling.page_shares(plan, parameters) if has_shares else {}
        enough = MOST_HITS if is_narrowed else max(FEW_HITS, parameters.offset + parameters.length)
        ordering = Ordering(self._reader, plan, parameters, pages)
        ranked, looked_at = ordering.of(retrieved.bands, enough)
        if is_narrowed and looked_at < retrieved.total and len(ranked) < parameters.offset + parameters.length:
            signs = make_signs(plan, parameters.attributes)
            further = self._retrieval.further(retrieved, MOST_FURTHER if signs else MOST_FURTHER_RANKED)
            showing = self._reader.showing(further, signs) if signs else further
            more, ranked_more = ordering.of([showing[:MOST_FURTHER_RANKED]], enough)
            ranked = [*ranked, *more]
            looked_at += len(further) if ranked_more == len(showing) else ranked_more
        if not is_narrowed and looked_at < retrieved.total:
            return msgspec.structs.replace(self._counted(plan, retrieved, parameters), ranked=ranked)
        is_complete = looked_at >= retrieved.total
        if is_complete:
            reachable = count = len(ranked)
        else:
            count = max(len(ranked), round(retrieved.total * len(ranked) / looked_at)) if looked_at else 0
            reachable = min(self._distinct_count(retrieved, parameters.distinct), count)
        return Found(
            plan,
            ranked,
            count,
            reachable,
            is_exact=is_complete,
            is_complete=is_complete,
            is_few=is_narrowed or retrieved.total <= retrieved.least_looked_at or count < FEW_HITS,
            has_partial=False,
            is_narrowed=is_narrowed,
            matching=retrieved.matching,
            numbers=ordering.numbers if is_narrowed and is_complete else retrieved.numbers,
        )

    def _counted(self, plan: QueryPlan, retrieved: Retrieved, parameters: Parameters) -> Found:
        """Say how many hits there are, without any: their order costs more than their number."""
        hits = self._distinct_count(retrieved, parameters.distinct)
        seen = len(retrieved.numbers)
        count = max(hits, round(retrieved.total * hits / seen)) if seen else 0
        return Found(
            plan,
            [],
            count,
            min(hits, count),
            is_exact=retrieved.total <= MOST_HITS,
            is_complete=False,
            is_few=False,
            has_partial=False,
            is_narrowed=False,
            matching=retrieved.matching,
            numbers=retrieved.numbers,
        )

    def _distinct_count(self, retrieved: Retrieved, distinct: int) -> int:
        """Count the hits among the records that were found: those with one address are as many as may be shown."""
        if not distinct:
            return len(retrieved.numbers)
        addresses = map(self._reader.columns.addresses.__getitem__, retrieved.numbers)
        if distinct == 1:
            return len(set(addresses))
        return sum(min(count, distinct) for count in Counter(addresses).values())


def _is_heading(found: Found) -> bool:
    """Return whether the best hit is the heading that the query is, word for word."""
    return bool(found.ranked) and -found.ranked[0].rank.exact > len(found.plan.core)
