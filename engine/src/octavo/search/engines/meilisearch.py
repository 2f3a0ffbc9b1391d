"""Meilisearch behind the protocol, version 1.15 or newer.

Source:
    API reference of Meilisearch 1.21, tried with that version on 2026-11-23.
"""

from __future__ import annotations

import math
import string
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from octavo.errors import UsageError
from octavo.search.engines.backend import Batch, Question
from octavo.search.engines.connection import Connection, EngineError
from octavo.search.engines.documents import LEVELS, OWN_HEADING, Document
from octavo.search.engines.forms import joined
from octavo.search.engines.names import NUMBER_NAMES, SORT_NAMES, TEXT_NAMES, field_of
from octavo.search.engines.remote import refusal, unavailable
from octavo.search.errors import ProtocolError
from octavo.search.query.filters import All, Between, Compares, Equals, Filter, Not, Scored
from octavo.search.query.parameters import Parameters
from octavo.search.query.vocabulary import ONE_TYPO_FROM, TWO_TYPOS_FROM

NAME = "Meilisearch"
MOST_WORDS = 10
"""Words of a query that Meilisearch looks for."""

MOST_COUNTED = 10_000
"""Hits up to which it counts exactly."""

MOST_TRIED, LEAST_TRIED = 8, 20
"""Words of which each is looked for alone where none hold all; hits that are taken of each."""

SETTINGS: Mapping[str, Any] = {
    "searchableAttributes": [
        OWN_HEADING, *(f"hierarchy.{level}" for level in LEVELS[1:]), "content", f"hierarchy.{LEVELS[0]}",
    ],
    "filterableAttributes": sorted({*TEXT_NAMES.values(), *NUMBER_NAMES.values()}),
    "sortableAttributes": sorted(SORT_NAMES.values()),
    "rankingRules": [
        "sort", "words", "typo", "proximity", "attribute", "exactness",
        "weight.pageRank:desc", "weight.level:desc", "weight.position:asc",
    ],
    "typoTolerance": {
        "minWordSizeForTypos": {"oneTypo": ONE_TYPO_FROM, "twoTypos": TWO_TYPOS_FROM},
        "disableOnNumbers": True,
    },
    "separatorTokens": [sign for sign in string.punctuation if sign != "_"],
    "faceting": {"maxValuesPerFacet": 1000, "sortFacetValuesBy": {"*": "count"}},
    "pagination": {"maxTotalHits": MOST_COUNTED},
}  # fmt: skip
"""The ranking of the embedded engine, as far as Meilisearch can express it."""

_BATCH_BYTES = 8 << 20
_NOTHING = 'objectID = ""'
_EVERYTHING = f"NOT {_NOTHING}"
_POLL_S = (0.05, 1.0)


class Meilisearch:
    """See `Backend` and `Publisher`."""

    name = NAME

    def __init__(self, connection: Connection, index: str, *, wait: Callable[[float], None] = time.sleep) -> None:
        """Initialize; nothing is sent.

        Args:
            connection: To the engine, with a key that may search, or may write.
            index: Name of the index.
            wait: Lets seconds pass while the engine works.
        """
        self._connection = connection
        self._index = index
        self._wait = wait

    def refuse(self, parameters: Parameters) -> None:
        """See `Backend`."""
        if parameters.typos != "true":
            raise refusal(NAME, "typoTolerance", "true: it is a setting of the index there")
        if (parameters.reading.one_typo_from, parameters.reading.two_typos_from) != (ONE_TYPO_FROM, TWO_TYPOS_FROM):
            raise refusal(NAME, "minWordSizefor1Typo", f"{ONE_TYPO_FROM}, and {TWO_TYPOS_FROM} for two typos")
        if parameters.reading.query_type == "prefixAll":
            raise refusal(NAME, "queryType", "prefixLast or prefixNone")
        if not parameters.reading.has_forms:
            raise refusal(NAME, "ignorePlurals", "true: forms of words are part of the index there")
        if parameters.remove_words == "firstWords":
            raise refusal(NAME, "removeWordsIfNoResults", "none, lastWords or allOptional")
        if parameters.optional_filters is not None:
            raise refusal(NAME, "optionalFilters", "none: filters either hold or not there")

    def note(self, question: Question) -> str:
        """See `Backend`."""
        is_long = len(question.words) + len(question.phrases) > MOST_WORDS
        return f"{NAME} looks for the first {MOST_WORDS} words of a query." if is_long else ""

    def ask(self, question: Question) -> Batch:
        """See `Backend`."""
        if question.wished:
            raise refusal(NAME, "optionalWords", "all words of the query, or none")
        if not question.needs_all:
            return self._ask_for_some(question)
        asked = _search(question)
        answer = self._send("POST", "search", asked)
        documents: list[Document] = answer["hits"]
        counts = answer.get("facetDistribution", {})
        if question.facets and question.distinct and not question.counts_distinct:
            every = {name: value for name, value in asked.items() if name != "distinct"} | {"hitsPerPage": 0}
            counts = self._send("POST", "search", every).get("facetDistribution", {})
        total = answer["totalHits"]
        named = {name: counts.get(field_of(name) or "", {}) for name in question.facets}
        return Batch(documents[_surplus(question) :], total, total < MOST_COUNTED, named)

    def _ask_for_some(self, question: Question) -> Batch:
        """Find what holds some words. Its own strategies drop one word after another, so that most pairs are never tried."""
        words = list(dict.fromkeys(question.words))[:MOST_TRIED]
        sets: list[tuple[str, ...]] = [(word,) for word in words]
        if len(words) > 2:  # all but one
            sets += [tuple(other for other in words if other != word) for word in words]
        length = max(LEAST_TRIED, question.length // len(sets))
        tried = [
            _search(msgspec.structs.replace(question, words=one, needs_all=True, offset=0, length=length))
            for one in sets
        ]
        queries = [{"indexUid": self._index, **one} for one in tried]
        answers = self._connected("POST", "/multi-search", {"queries": queries})["results"]
        rarity = {
            one[0]: math.log((MOST_COUNTED + 1) / (answer["totalHits"] + 1))
            for one, answer in zip(sets, answers, strict=True)
            if len(one) == 1
        }
        held: dict[str, set[str]] = {}
        documents: dict[str, Document] = {}
        for one, answer in zip(sets, answers, strict=True):
            for document in answer["hits"]:
                documents.setdefault(document["objectID"], document)
                held.setdefault(document["objectID"], set()).update(one)
        best = sorted(documents, key=lambda key: -sum(rarity[word] for word in held[key]))
        return Batch([documents[key] for key in best[: question.length]], len(best), is_exact=True)

    def load(self, filter_: Filter | None, offset: int, count: int) -> tuple[Sequence[Document], int]:
        """See `Backend`."""
        asked: dict[str, Any] = {"offset": offset, "limit": count}
        if filter_ is not None:
            asked["filter"] = write_filter(filter_)
        answer = self._send("POST", "documents/fetch", asked)
        return answer["results"], answer["total"]

    def _send(self, method: str, path: str, body: object) -> Any:
        return self._connected(method, f"/indexes/{self._index}/{path}", body)

    def _connected(self, method: str, path: str, body: object) -> Any:
        try:
            return self._connection.send(method, path, body)
        except EngineError as error:
            if error.code == "index_not_found":
                raise unavailable(NAME, f"has no index {self._index}; `octavo search push` makes it") from error
            if error.status in (401, 403):
                raise unavailable(NAME, "does not accept the key of this server") from error
            if error.status >= 500 or error.status == 429:
                raise unavailable(NAME, "cannot answer now; try again in a moment") from error
            raise unavailable(NAME, f"did not understand this server: {error}") from error

    def publish(
        self,
        documents: Sequence[Document],
        synonyms: Mapping[str, Sequence[str]],
        forms: Mapping[str, Sequence[str]],
    ) -> None:
        """See `Publisher`: the records get an index of their own, which then changes its name with the old one."""
        fresh = f"{self._index}_next"
        try:
            self._remove(fresh)
            self._done("POST", "/indexes", {"uid": fresh, "primaryKey": "objectID"})
            try:
                settings = {**SETTINGS, "synonyms": joined(synonyms, forms)}
                self._done("PATCH", f"/indexes/{fresh}/settings", settings)
                for batch in batches(documents, _BATCH_BYTES):
                    self._done("POST", f"/indexes/{fresh}/documents", batch)
                self._make_sure(self._index)
                self._done("POST", "/swap-indexes", [{"indexes": [self._index, fresh]}])
            finally:
                self._remove(fresh)
        except EngineError as error:
            raise UsageError(f"{NAME} did not take the records: {error}") from error
        except ProtocolError as error:
            raise UsageError(f"{error.message}.") from error

    def _make_sure(self, index: str) -> None:
        try:
            self._connection.send("GET", f"/indexes/{index}")
        except EngineError as error:
            if error.code != "index_not_found":
                raise
            self._done("POST", "/indexes", {"uid": index, "primaryKey": "objectID"})

    def _remove(self, index: str) -> None:
        try:
            self._done("DELETE", f"/indexes/{index}")
        except EngineError as error:
            if error.code != "index_not_found":
                raise

    def _done(self, method: str, path: str, body: object = None) -> None:
        """Send a request that becomes a task, and wait for its end.

        Raises:
            EngineError: the task failed.
        """
        number = self._connection.send(method, path, body)["taskUid"]
        pause_s, longest_s = _POLL_S
        while True:
            task = self._connection.send("GET", f"/tasks/{number}")
            if task["status"] in ("succeeded", "failed", "canceled"):
                break
            self._wait(pause_s)
            pause_s = min(longest_s, 1.5 * pause_s)
        if task["status"] != "succeeded":
            error = task.get("error") or {}
            raise EngineError(400, str(error.get("code", "")), str(error.get("message", task["status"])))


def batches(documents: Sequence[Document], most_bytes: int) -> Iterator[Sequence[msgspec.Raw]]:
    """Divide documents into requests that are not too large."""
    batch: list[msgspec.Raw] = []
    size = 0
    for document in documents:
        content = msgspec.json.encode(document)
        if batch and size + len(content) > most_bytes:
            yield batch
            batch, size = [], 0
        batch.append(msgspec.Raw(content))
        size += len(content)
    if batch:
        yield batch


def _search(question: Question) -> dict[str, Any]:
    excluded = [f'-"{_plain(text)}"' for text in question.excluded]
    phrases = [f'"{_plain(text)}"' for text in question.phrases]
    words = [_plain(word).lstrip("-") for word in question.words]
    # A space at the end says that the last word is finished.
    text = " ".join([*excluded, *phrases, *words]) + (" " if question.open_words == "none" else "")
    asked: dict[str, Any] = {
        "q": text,
        "matchingStrategy": "all",
        **_window(question),
    }
    if question.distinct:
        asked["distinct"] = "url"
    if question.filter is not None:
        asked["filter"] = write_filter(question.filter)
    if question.attributes:
        own = [OWN_HEADING] if any(name.startswith("hierarchy.") for name in question.attributes) else []
        every = len(question.attributes) >= len(LEVELS)
        asked["attributesToSearchOn"] = [*(own if every else []), *question.attributes]
    if question.facets:
        asked["facets"] = sorted({field for name in question.facets if (field := field_of(name))})
    if question.order is not None:
        direction = "desc" if question.order.is_descending else "asc"
        asked["sort"] = [f"{SORT_NAMES[question.order.attribute]}:{direction}"]
    return asked


def _window(question: Question) -> dict[str, int]:
    """Ask for a page, since only those are counted exactly; where none fits, for all hits up to the last."""
    offset, length = question.offset, question.length
    if length and offset % length == 0:
        return {"page": offset // length + 1, "hitsPerPage": length}
    return {"page": 1, "hitsPerPage": offset + length if length else 0}


def _surplus(question: Question) -> int:
    """Count the hits before the first that was wanted."""
    offset, length = question.offset, question.length
    return offset if length and offset % length else 0


def _plain(text: str) -> str:
    return text.replace('"', " ").strip()


def write_filter(filter_: Filter) -> str:
    """Write a filter in the language of Meilisearch; what it compares with an unknown attribute matches nothing."""
    match filter_:
        case Equals(attribute, value):
            if attribute in NUMBER_NAMES:
                return _number_equals(attribute, value)
            field = TEXT_NAMES.get(attribute)
            return f"{field} = {_quoted(value)}" if field and value else _NOTHING
        case Compares(attribute, operator, number):
            field = NUMBER_NAMES.get(attribute)
            return f"{field} {operator} {number!r}" if field else _NOTHING
        case Between(attribute, low, high):
            field = NUMBER_NAMES.get(attribute)
            return f"{field} {low!r} TO {high!r}" if field and low <= high else _NOTHING
        case Not(item):
            return f"NOT ({write_filter(item)})"
        case Scored(item, _):
            return write_filter(item)
        case All(items):
            return " AND ".join([f"({write_filter(item)})" for item in items]) or _EVERYTHING
        case _:
            return " OR ".join([f"({write_filter(item)})" for item in filter_.items]) or _NOTHING


def _number_equals(attribute: str, value: str) -> str:
    try:
        number = float(value)
    except ValueError:
        return _NOTHING
    is_finite = abs(number) < float("inf")
    return f"{NUMBER_NAMES[attribute]} = {number!r}" if is_finite else _NOTHING


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
