"""OpenSearch 2 or newer, and Elasticsearch 8, behind the protocol, by the official client of OpenSearch.

Not tried with either program, neither of which could be had when this was written: its requests are checked against the
published API schema, and by the official client.

Source:
    API specification of OpenSearch (opensearch-api-specification), read 2026-11-23.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import opensearchpy
from opensearchpy import exceptions, helpers

from octavo.errors import UsageError
from octavo.search.engines.backend import Batch, Question
from octavo.search.engines.documents import LEVELS, OWN_HEADING, Document
from octavo.search.engines.names import NUMBER_NAMES, SORT_NAMES, TEXT_NAMES, field_of
from octavo.search.engines.remote import refusal, unavailable
from octavo.search.query.filters import All, Between, Compares, Equals, Filter, Not, Scored
from octavo.search.query.filters import Any as AnyOf
from octavo.search.query.parameters import Parameters

NAME = "OpenSearch"

BOOSTS: Mapping[str, float] = {
    OWN_HEADING: 8.0,
    **{f"hierarchy.{level}": boost for level, boost in zip(LEVELS[1:], (5.0, 4.0, 3.0, 2.5, 2.0, 2.0), strict=True)},
    "content": 1.0,
    f"hierarchy.{LEVELS[0]}": 0.5,
}
"""Searched field → weight: a record's own heading before the headings above it, these before text."""

FORMS, PREFIX, TYPOS = 0.8, 0.6, 0.3
"""What a word counts in another form, as the beginning of a longer one, and misspelt."""

RANK_FEATURE = "page_rank"
"""Field with the page rank as a ranking feature: these must be positive, so it is one more."""

WISHED = 1000.0
"""What a record that meets an optional filter gains: more than any words."""

_STEMMERS: Mapping[str, str] = {
    "ar": "arabic", "de": "light_german", "en": "english", "es": "light_spanish", "fr": "light_french", "hi": "hindi",
    "it": "light_italian", "nl": "dutch", "pt": "light_portuguese", "ru": "russian", "sv": "swedish",
}  # fmt: skip
"""Language → filter that finds the forms of its words."""

_MOST_WINDOW = 1_000_000
_CHUNK_BYTES = 8 << 20
_NOTHING: Mapping[str, Any] = {"match_none": {}}


class OpenSearch:
    """See `Backend` and `Publisher`."""

    name = NAME

    def __init__(
        self,
        url: str,
        index: str,
        *,
        key: str = "",
        timeout_s: float = 3.0,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Initialize; nothing is sent.

        Args:
            url: Address of the engine, or of a balancer in front of several.
            index: Name under which records are searched: an alias of the index that holds them.
            key: `user:password`, or a key of Elasticsearch; empty for none.
            timeout_s: Longest wait for an answer.
            now: Tells the time, which is part of the name of a new index.
        """
        user, colon, password = key.partition(":")
        self._client = opensearchpy.OpenSearch(
            hosts=[url],
            http_auth=(user, password) if colon else None,
            headers={"Authorization": f"ApiKey {key}"} if key and not colon else None,
            timeout=timeout_s,
            max_retries=1,
            http_compress=False,
            pool_maxsize=16,
        )
        self._index = index
        self._now = now

    def refuse(self, parameters: Parameters) -> None:
        """See `Backend`."""
        if parameters.typos not in ("true", "false"):
            raise refusal(NAME, "typoTolerance", "true or false")
        if parameters.remove_words in ("firstWords", "lastWords"):
            raise refusal(NAME, "removeWordsIfNoResults", "none or allOptional")

    def note(self, question: Question) -> str:
        """See `Backend`."""
        del question
        return ""

    def ask(self, question: Question) -> Batch:
        """See `Backend`."""
        answer = self._searched(search_body(question))
        hits, found = answer["hits"]["hits"], int(answer["hits"]["total"]["value"])
        documents = [hit["_source"] for hit in hits]
        counted = answer.get("aggregations", {})
        total = int(counted["addresses"]["value"]) if question.distinct else found
        is_all = question.offset == 0 and len(hits) < question.length
        # Different addresses are counted by an estimate, unless all of them are here.
        total = len(hits) if question.distinct and is_all else max(total, len(hits))
        counts = {name: _buckets(counted[f"facet {name}"]) for name in question.facets if f"facet {name}" in counted}
        return Batch(documents, total, is_exact=is_all or not question.distinct, counts=counts)

    def load(self, filter_: Filter | None, offset: int, count: int) -> tuple[Sequence[Document], int]:
        """See `Backend`."""
        query = {"match_all": {}} if filter_ is None else {"bool": {"filter": [write_filter(filter_)]}}
        body = {"query": query, "from": offset, "size": count, "sort": [{"objectID": "asc"}], "track_total_hits": True}
        answer = self._searched(body)["hits"]
        return [hit["_source"] for hit in answer["hits"]], int(answer["total"]["value"])

    def _searched(self, body: Mapping[str, Any]) -> Any:
        try:
            return self._client.search(index=self._index, body=body)
        except exceptions.NotFoundError as error:
            raise unavailable(NAME, f"has no index {self._index}; `octavo search push` makes it") from error
        except (exceptions.AuthenticationException, exceptions.AuthorizationException) as error:
            raise unavailable(NAME, "does not accept the key of this server") from error
        except exceptions.RequestError as error:
            raise unavailable(NAME, f"did not understand this server: {_kind(error)}") from error
        except exceptions.ConnectionError as error:
            raise unavailable(NAME, "cannot be reached; try again in a moment") from error
        except (exceptions.TransportError, exceptions.SerializationError) as error:
            raise unavailable(NAME, "cannot answer now; try again in a moment") from error

    def publish(
        self,
        documents: Sequence[Document],
        synonyms: Mapping[str, Sequence[str]],
        forms: Mapping[str, Sequence[str]],
    ) -> None:
        """See `Publisher`: the records get an index of their own, to which the alias then leads."""
        del forms  # its own filters know them
        fresh = f"{self._index}-{int(self._now() * 1000)}"
        client = self._client
        try:
            client.indices.create(index=fresh, body=index_body(documents, synonyms))
            try:
                helpers.bulk(client, _actions(documents, fresh), max_chunk_bytes=_CHUNK_BYTES)
                client.indices.refresh(index=fresh)
                old = self._aliased()
                actions: list[dict[str, Any]] = [{"remove": {"index": name, "alias": self._index}} for name in old]
                actions.append({"add": {"index": fresh, "alias": self._index}})
                client.indices.update_aliases(body={"actions": actions})
            except BaseException:
                client.indices.delete(index=fresh, params={"ignore_unavailable": "true"})
                raise
            if old:
                client.indices.delete(index=",".join(old), params={"ignore_unavailable": "true"})
        except helpers.BulkIndexError as error:
            raise UsageError(f"{NAME} did not take {len(error.errors)} of the records.") from error
        except exceptions.ConnectionError as error:
            raise UsageError(f"{NAME} cannot be reached.") from error
        except exceptions.TransportError as error:
            raise UsageError(f"{NAME} did not take the records: {_kind(error)}.") from error

    def _aliased(self) -> list[str]:
        """List the indices to which the alias leads."""
        try:
            return sorted(self._client.indices.get_alias(name=self._index))
        except exceptions.NotFoundError:
            return []


def index_body(documents: Sequence[Document], synonyms: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Write settings and mapping of a new index."""
    languages = [str(document["language"]).partition("-")[0] for document in documents]
    main = max(sorted(set(languages)), key=languages.count, default="en")
    folded = ["lowercase", "asciifolding"]
    stemmer = {"type": "stemmer", "language": _STEMMERS[main]} if main in _STEMMERS else {"type": "lowercase"}
    rules = [f"{_rule(word)} => {', '.join(map(_rule, [word, *others]))}" for word, others in synonyms.items()]
    found_as = [*folded, "octavo_synonyms"]
    text = {"type": "text", "analyzer": "octavo_text", "search_analyzer": "octavo_asked"}
    searched = {
        **text,
        "fields": {
            "forms": {"type": "text", "analyzer": "octavo_forms", "search_analyzer": "octavo_asked_forms"},
            "prefix": {"type": "text", "analyzer": "octavo_prefix", "search_analyzer": "octavo_text"},
            "whole": {"type": "keyword", "ignore_above": 256},
        },
    }
    keyword = {"type": "keyword"}
    return {
        "settings": {
            "index": {"max_result_window": _MOST_WINDOW},
            "analysis": {
                "filter": {
                    "octavo_stems": stemmer,
                    "octavo_beginnings": {"type": "edge_ngram", "min_gram": 1, "max_gram": 20},
                    "octavo_synonyms": {"type": "synonym_graph", "synonyms": rules, "lenient": True},
                },
                "analyzer": {
                    "octavo_text": _analyzer(folded),
                    "octavo_asked": _analyzer(found_as),
                    "octavo_forms": _analyzer([*folded, "octavo_stems"]),
                    "octavo_asked_forms": _analyzer([*found_as, "octavo_stems"]),
                    "octavo_prefix": _analyzer([*folded, "octavo_beginnings"]),
                },
            },
        },
        "mappings": {
            "dynamic": "strict",
            "properties": {
                **dict.fromkeys(("objectID", "url", "url_without_anchor", "anchor", "type", "kind"), keyword),
                **dict.fromkeys(("language", "version", "docusaurus_tag", "section"), keyword),
                "hierarchy": {"properties": dict.fromkeys(LEVELS, searched)},
                "content": searched,
                OWN_HEADING: searched,
                "weight": {"properties": {name: {"type": "integer"} for name in ("pageRank", "level", "position")}},
                RANK_FEATURE: {"type": "rank_feature"},
                "is_generated": {"type": "boolean"},
                "text_below": {"type": "text", "index": False},
            },
        },
    }


def search_body(question: Question) -> dict[str, Any]:
    """Write a search."""
    fields = _fields(question)
    last = len(question.words) - 1
    words = [
        _word(
            word,
            fields,
            question,
            is_open=question.open_words == "all" or (question.open_words == "last" and index == last),
        )
        for index, word in enumerate(question.words)
    ]
    phrases = [_matching(phrase, fields, "phrase") for phrase in question.phrases]
    wished = [_word(word, fields, question, is_open=False) for word in question.wished]
    query: dict[str, Any] = {
        "must": [*phrases, *(words if question.needs_all else [])],
        "should": [*wished, *([] if question.needs_all else words), *_lifted(question)],
        "must_not": [_matching(text, fields, "phrase") for text in question.excluded],
        "filter": [] if question.filter is None else [write_filter(question.filter)],
    }
    if words and not question.needs_all:
        query["filter"] = [*query["filter"], {"bool": {"should": words, "minimum_should_match": 1}}]
    body: dict[str, Any] = {
        "query": {"bool": query},
        "from": question.offset,
        "size": question.length,
        "track_total_hits": True,
        "sort": _sort(question),
    }
    if question.distinct:
        body["collapse"] = {"field": "url"}
    aggregations = {f"facet {name}": _facet(name, question) for name in question.facets}
    if question.distinct:
        aggregations["addresses"] = {"cardinality": {"field": "url", "precision_threshold": 40_000}}
    if aggregations:
        body["aggs"] = aggregations
    return body


def write_filter(filter_: Filter) -> dict[str, Any]:
    """Write a filter; what it compares with an unknown attribute matches nothing."""
    match filter_:
        case Equals(attribute, value):
            return _equals(attribute, value)
        case Compares(attribute, operator, number):
            return _compares(attribute, operator, number)
        case Between(attribute, low, high):
            known = attribute in NUMBER_NAMES
            return _range(attribute, {"gte": low, "lte": high}) if known else dict(_NOTHING)
        case Not(item):
            return {"bool": {"must_not": [write_filter(item)]}}
        case Scored(item, _):
            return write_filter(item)
        case All(items):
            return {"bool": {"filter": [write_filter(item) for item in items]}}
        case AnyOf(items):
            return {"bool": {"should": [write_filter(item) for item in items], "minimum_should_match": 1}}


def _equals(attribute: str, value: str) -> dict[str, Any]:
    if attribute in NUMBER_NAMES:
        try:
            number = float(value)
        except ValueError:
            return dict(_NOTHING)
        return _compares(attribute, "=", number) if abs(number) < float("inf") else dict(_NOTHING)
    field = _keyword(attribute)
    return {"term": {field: {"value": value}}} if field and value else dict(_NOTHING)


def _compares(attribute: str, operator: str, number: float) -> dict[str, Any]:
    if attribute not in NUMBER_NAMES:
        return dict(_NOTHING)
    names = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}
    if operator in names:
        return _range(attribute, {names[operator]: number})
    same = _range(attribute, {"gte": number, "lte": number})
    return same if operator == "=" else {"bool": {"must_not": [same]}}


def _range(attribute: str, limits: Mapping[str, float]) -> dict[str, Any]:
    return {"range": {NUMBER_NAMES[attribute]: dict(limits)}}


def _keyword(attribute: str) -> str | None:
    """Name the field of a facet that is compared as a whole."""
    field = TEXT_NAMES.get(attribute)
    return f"{field}.whole" if field and field.startswith("hierarchy.") else field


def _fields(question: Question) -> Mapping[str, float]:
    if not question.attributes:
        return BOOSTS
    return {name: BOOSTS[name] for name in question.attributes}


def _word(word: str, fields: Mapping[str, float], question: Question, *, is_open: bool) -> dict[str, Any]:
    """Match a word, best as it was typed; what it matches otherwise counts less."""
    ways = [_matching(word, fields, "best_fields")]
    if question.has_forms:
        ways.append(_matching(word, fields, "best_fields", part=".forms", boost=FORMS))
    if is_open:
        ways.append(_matching(word, fields, "best_fields", part=".prefix", boost=PREFIX))
    if question.has_typos and word.isalpha():
        one, two = question.typo_sizes
        mistaken = _matching(word, fields, "best_fields", boost=TYPOS)
        mistaken["multi_match"] |= {
            "fuzziness": f"AUTO:{one},{max(one, two)}",
            "prefix_length": 1,
            "max_expansions": 50,
        }
        ways.append(mistaken)
    return {"dis_max": {"queries": ways}}


def _matching(
    text: str, fields: Mapping[str, float], kind: str, *, part: str = "", boost: float = 1.0
) -> dict[str, Any]:
    named = [f"{name}{part}^{weight:g}" for name, weight in fields.items()]
    match: dict[str, Any] = {"query": text, "type": kind, "fields": named, "boost": boost}
    if kind != "phrase":
        match["operator"] = "and"
    return {"multi_match": match}


def _lifted(question: Question) -> Iterator[dict[str, Any]]:
    """Lift what optional filters ask for, and pages of a higher rank a little."""
    wishes = question.wishes
    for item in wishes.items if isinstance(wishes, All) else [wishes] if wishes is not None else []:
        yield {"constant_score": {"filter": write_filter(item), "boost": WISHED}}
    if question.words or question.phrases:
        yield {"rank_feature": {"field": RANK_FEATURE, "boost": 0.5}}


def _sort(question: Question) -> list[dict[str, Any]]:
    """Sort by the score, then as the embedded engine does; first of all by what a replica is sorted by."""
    first: list[dict[str, Any]] = []
    if question.order is not None:
        field = SORT_NAMES[question.order.attribute]
        field = f"{field}.whole" if field.startswith("hierarchy.") else field
        first = [{field: {"order": "desc" if question.order.is_descending else "asc"}}]
    weights = [("weight.pageRank", "desc"), ("weight.level", "desc"), ("weight.position", "asc"), ("objectID", "asc")]
    return [*first, {"_score": {"order": "desc"}}, *({name: {"order": order}} for name, order in weights)]


def _facet(name: str, question: Question) -> dict[str, Any]:
    field = NUMBER_NAMES.get(name) or _keyword(name) or field_of(name)
    counted: dict[str, Any] = {"terms": {"field": field, "size": question.most_values}}
    if question.distinct and question.counts_distinct:
        counted["aggs"] = {"addresses": {"cardinality": {"field": "url", "precision_threshold": 10_000}}}
    return counted


def _buckets(answer: Mapping[str, Any]) -> dict[str, int]:
    return {
        str(bucket["key"]): int(bucket["addresses"]["value"] if "addresses" in bucket else bucket["doc_count"])
        for bucket in answer["buckets"]
    }


def _actions(documents: Sequence[Document], index: str) -> Iterator[dict[str, Any]]:
    for document in documents:
        source = {**document, RANK_FEATURE: document["weight"]["pageRank"] + 1}
        yield {"_op_type": "index", "_index": index, "_id": document["objectID"], "_source": source}


def _analyzer(filters: Sequence[str]) -> dict[str, Any]:
    return {"type": "custom", "tokenizer": "standard", "filter": list(filters)}


def _rule(text: str) -> str:
    """Write a word or phrase for a rule of synonyms, in which commas and arrows have a meaning."""
    return " ".join(text.replace(",", " ").replace("=>", " ").replace("#", " ").split())


def _kind(error: exceptions.TransportError) -> str:
    """Name what went wrong; the engine's whole answer may quote what it was sent."""
    return str(error.error)[:100]
