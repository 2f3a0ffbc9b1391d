"""What Meilisearch and OpenSearch are sent, and what is made of their answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from octavo.errors import UsageError
from octavo.search.engines.backend import Question
from octavo.search.engines.connection import Connection
from octavo.search.engines.documents import LEVELS
from octavo.search.engines.interface import Order
from octavo.search.engines.meilisearch import MOST_COUNTED, MOST_WORDS, Meilisearch
from octavo.search.engines.opensearch import OpenSearch
from octavo.search.errors import ProtocolError
from octavo.search.query.filters import Filter, parse_filters
from tests.support.each import each

from .elsewhere import Answer, Elsewhere


@pytest.fixture(scope="module")
def running() -> Iterator[Elsewhere]:
    elsewhere = Elsewhere()
    thread = threading.Thread(target=elsewhere.server.serve_forever, args=(0.01,))
    thread.start()
    yield elsewhere
    elsewhere.server.shutdown()
    thread.join()
    elsewhere.server.server_close()


@pytest.fixture
def elsewhere(running: Elsewhere) -> Elsewhere:
    running.asked.clear()
    return running


def filter_of(text: str) -> Filter:
    parsed = parse_filters(text)
    assert parsed is not None
    return parsed


def meilisearch(elsewhere: Elsewhere) -> Meilisearch:
    return Meilisearch(Connection("Meilisearch", elsewhere.url), "docs", wait=lambda _: None)


def found(*ids: str, total: int | None = None, **counts: dict[str, int]) -> dict[str, Any]:
    hits = [{"objectID": one} for one in ids]
    return {"hits": hits, "totalHits": len(ids) if total is None else total, "facetDistribution": counts}


def test_meilisearch_is_asked_for_a_page_of_hits(elsewhere: Elsewhere) -> None:
    elsewhere.answer = lambda *_: (200, found("a", "b", total=50, language={"de": 3}))
    question = Question(
        words=["kiln", "-hot"], phrases=['fired "twice"'], excluded=["old"], filter=filter_of("kind:guide"),
        facets=["lang"], order=Order("title", is_descending=True), offset=20, length=10,
    )  # fmt: skip
    batch = meilisearch(elsewhere).ask(question)
    assert ([one["objectID"] for one in batch.documents], batch.total, batch.is_exact) == (["a", "b"], 50, True)
    assert batch.counts == {"lang": {"de": 3}}
    assert elsewhere.asked == [
        (
            "POST",
            "/indexes/docs/search",
            {
                "q": '-"old" "fired  twice" kiln hot', "matchingStrategy": "all", "page": 3, "hitsPerPage": 10,
                "distinct": "url", "filter": 'kind = "guide"', "facets": ["language"], "sort": ["hierarchy.lvl1:desc"],
            },
        )
    ]  # fmt: skip


def test_finished_word_is_told_to_meilisearch_by_a_space(elsewhere: Elsewhere) -> None:
    elsewhere.answer = lambda *_: (200, found())
    for open_words in ("last", "none"):
        meilisearch(elsewhere).ask(Question(words=["kiln"], open_words=open_words, distinct=False))
    assert [body["q"] for body in elsewhere.bodies()] == ["kiln", "kiln "]
    assert not any(
        {"distinct", "facets", "sort", "filter", "attributesToSearchOn"} & body.keys() for body in elsewhere.bodies()
    )


def test_hits_that_are_no_page_are_asked_for_from_the_first_on(elsewhere: Elsewhere) -> None:
    elsewhere.answer = lambda *_: (200, found(*"abcdefg"))
    batch = meilisearch(elsewhere).ask(Question(words=["kiln"], offset=3, length=2))
    assert [one["objectID"] for one in batch.documents] == ["d", "e", "f", "g"]
    meilisearch(elsewhere).ask(Question(words=["kiln"], offset=3, length=0))
    assert [(one["page"], one["hitsPerPage"]) for one in elsewhere.bodies()] == [(1, 5), (1, 0)]


@pytest.mark.parametrize(("total", "is_exact"), [(MOST_COUNTED - 1, True), (MOST_COUNTED, False)])
def test_count_of_meilisearch_is_exact_below_its_limit(elsewhere: Elsewhere, total: int, *, is_exact: bool) -> None:
    elsewhere.answer = lambda *_: (200, found("a", total=total))
    assert meilisearch(elsewhere).ask(Question(words=["kiln"])).is_exact is is_exact


def test_facets_that_count_records_are_asked_for_apart(elsewhere: Elsewhere) -> None:
    elsewhere.answer = lambda _method, _path, body: (200, found("a", kind={"guide": 1 if "distinct" in body else 5}))
    question = Question(words=["kiln"], facets=["kind"], counts_distinct=False)
    assert meilisearch(elsewhere).ask(question).counts == {"kind": {"guide": 5}}
    assert elsewhere.bodies()[1]["hitsPerPage"] == 0
    elsewhere.asked.clear()
    assert meilisearch(elsewhere).ask(msgspec.structs.replace(question, counts_distinct=True)).counts["kind"] == {
        "guide": 1
    }
    assert len(elsewhere.asked) == 1


def test_headings_are_searched_with_the_own_heading_only_where_all_are(elsewhere: Elsewhere) -> None:
    elsewhere.answer = lambda *_: (200, found())
    every = [*(f"hierarchy.{level}" for level in LEVELS), "content"]
    for attributes in (["content"], ["hierarchy.lvl1"], every):
        meilisearch(elsewhere).ask(Question(words=["kiln"], attributes=attributes))
    searched = [body["attributesToSearchOn"] for body in elsewhere.bodies()]
    assert searched == [["content"], ["hierarchy.lvl1"], ["own_heading", *every]]


def test_records_with_rarer_words_come_first_where_some_words_are_enough(elsewhere: Elsewhere) -> None:
    answers = {"clay": found("a", "b", total=900), "kiln": found("b", "c", total=2)}
    elsewhere.answer = lambda _method, _path, body: (200, {"results": [answers[one["q"]] for one in body["queries"]]})
    question = Question(words=["clay", "kiln", "clay"], needs_all=False, length=2)
    batch = meilisearch(elsewhere).ask(question)
    assert ([one["objectID"] for one in batch.documents], batch.total) == (["b", "c"], 3)
    (body,) = elsewhere.bodies()
    assert [(one["indexUid"], one["hitsPerPage"]) for one in body["queries"]] == [("docs", 20), ("docs", 20)]


def test_each_word_is_left_out_once_where_three_were_typed(elsewhere: Elsewhere) -> None:
    elsewhere.answer = lambda _method, _path, body: (200, {"results": [found() for _ in body["queries"]]})
    meilisearch(elsewhere).ask(Question(words=["a1", "b1", "c1"], needs_all=False))
    assert [one["q"] for one in elsewhere.bodies()[0]["queries"]] == ["a1", "b1", "c1", "b1 c1", "a1 c1", "a1 b1"]


def test_words_that_need_not_occur_are_refused_by_meilisearch(elsewhere: Elsewhere) -> None:
    with pytest.raises(ProtocolError, match="optionalWords"):
        meilisearch(elsewhere).ask(Question(words=["kiln"], wished=["hot"]))
    assert elsewhere.asked == []


def test_reader_is_told_that_meilisearch_reads_no_more_words(elsewhere: Elsewhere) -> None:
    engine = meilisearch(elsewhere)
    assert engine.note(Question(words=["a"] * MOST_WORDS)) == ""
    assert f"first {MOST_WORDS} words" in engine.note(Question(words=["a"] * MOST_WORDS, phrases=["b"]))


def test_records_are_loaded_by_a_filter(elsewhere: Elsewhere) -> None:
    elsewhere.answer = lambda *_: (200, {"results": [{"objectID": "a"}], "total": 7})
    assert meilisearch(elsewhere).load(filter_of("kind:guide"), 2, 5) == ([{"objectID": "a"}], 7)
    meilisearch(elsewhere).load(None, 0, 1)
    assert elsewhere.bodies() == [{"offset": 2, "limit": 5, "filter": 'kind = "guide"'}, {"offset": 0, "limit": 1}]


@each(
    "status, body, message",
    [
        (404, {"code": "index_not_found"}, "has no index docs"),
        (401, {}, "does not accept the key"),
        (403, {}, "does not accept the key"),
        (429, {}, "cannot answer now"),
        (500, {}, "cannot answer now"),
        (400, {"code": "x", "message": "odd: Bearer abc"}, "did not understand this server: odd: …"),
        (400, [], "did not understand this server: status 400"),
        (200, b"<html>", "gave no JSON"),
    ],
)
def test_trouble_with_meilisearch_is_the_servers_and_says_what_to_do(
    elsewhere: Elsewhere, status: int, body: Any, message: str
) -> None:
    elsewhere.answer = lambda *_: (status, body)
    with pytest.raises(ProtocolError, match=message) as caught:
        meilisearch(elsewhere).load(None, 0, 1)
    assert caught.value.status == 503


def test_records_get_an_index_of_their_own_which_then_takes_the_name(elsewhere: Elsewhere) -> None:
    polls = iter(["enqueued", "processing"])
    elsewhere.answer = lambda method, path, body: (
        (200, {"status": next(polls, "succeeded")}) if path.startswith("/tasks/") else (200, {"taskUid": 7})
    )
    meilisearch(elsewhere).publish([{"objectID": "a"}], {"clay": ["loam"]}, {"clay": ["clays"]})
    sent = [(method, path) for method, path, _ in elsewhere.asked if not path.startswith("/tasks/")]
    assert sent == [
        ("DELETE", "/indexes/docs_next"),
        ("POST", "/indexes"),
        ("PATCH", "/indexes/docs_next/settings"),
        ("POST", "/indexes/docs_next/documents"),
        ("GET", "/indexes/docs"),
        ("POST", "/swap-indexes"),
        ("DELETE", "/indexes/docs_next"),
    ]
    settings = next(body for method, _, body in elsewhere.asked if method == "PATCH")
    assert settings["synonyms"] == {"clay": ["loam", "clays"]}
    assert {path for _, path, _ in elsewhere.asked if path.startswith("/tasks/")} == {"/tasks/7"}


def test_index_that_could_not_be_filled_is_removed_and_the_searched_one_stays(elsewhere: Elsewhere) -> None:
    def answer(method: str, path: str, body: Any) -> Answer:
        if path.startswith("/tasks/"):
            is_failed = elsewhere.asked[-2][1].endswith("/documents")
            return 200, {"status": "failed", "error": {"message": "disk is full"}} if is_failed else {
                "status": "succeeded"
            }
        return (404, {"code": "index_not_found"}) if method == "DELETE" else (200, {"taskUid": 7})

    elsewhere.answer = answer
    with pytest.raises(UsageError, match="did not take the records: disk is full"):
        meilisearch(elsewhere).publish([{"objectID": "a"}], {}, {})
    paths = [path for _, path, _ in elsewhere.asked]
    assert "/swap-indexes" not in paths
    assert elsewhere.asked[-1][:2] == ("DELETE", "/indexes/docs_next")


def test_missing_index_is_made_before_names_are_exchanged(elsewhere: Elsewhere) -> None:
    def answer(method: str, path: str, body: Any) -> Answer:
        if path.startswith("/tasks/"):
            return 200, {"status": "succeeded"}
        return (404, {"code": "index_not_found"}) if method == "GET" else (200, {"taskUid": 7})

    elsewhere.answer = answer
    meilisearch(elsewhere).publish([], {}, {})
    made = [body["uid"] for method, path, body in elsewhere.asked if (method, path) == ("POST", "/indexes")]
    assert made == ["docs_next", "docs"]


def opensearch_answer(*ids: str, total: int, **counts: Any) -> Answer:
    hits = [{"_source": {"objectID": one}} for one in ids]
    return 200, {"hits": {"total": {"value": total}, "hits": hits}, "aggregations": counts}


def test_hits_of_opensearch_are_counted_by_address(elsewhere: Elsewhere) -> None:
    engine = OpenSearch(elsewhere.url, "docs")
    buckets = {"buckets": [{"key": "guide", "doc_count": 9, "addresses": {"value": 4}}]}
    elsewhere.answer = lambda *_: opensearch_answer(
        "a", "b", total=90, addresses={"value": 40}, **{"facet kind": buckets}
    )
    batch = engine.ask(Question(words=["kiln"], facets=["kind"], length=2))
    assert ([one["objectID"] for one in batch.documents], batch.total, batch.is_exact) == (["a", "b"], 40, False)
    assert batch.counts == {"kind": {"guide": 4}}
    whole = engine.ask(Question(words=["kiln"], length=20))
    assert (whole.total, whole.is_exact) == (2, True)
    later = engine.ask(Question(words=["kiln"], offset=2, length=20))
    assert (later.total, later.is_exact) == (40, False)
    every = engine.ask(Question(words=["kiln"], distinct=False, length=2))
    assert (every.total, every.is_exact) == (90, True)
    assert {path for _, path, _ in elsewhere.asked} == {"/docs/_search"}


def test_records_of_opensearch_are_loaded_in_the_order_of_their_ids(elsewhere: Elsewhere) -> None:
    elsewhere.answer = lambda *_: opensearch_answer("a", total=7)
    assert OpenSearch(elsewhere.url, "docs").load(filter_of("kind:guide"), 2, 5) == ([{"objectID": "a"}], 7)
    (body,) = elsewhere.bodies()
    assert (body["from"], body["size"], body["sort"]) == (2, 5, [{"objectID": "asc"}])
    assert body["query"] == {"bool": {"filter": [{"term": {"kind": {"value": "guide"}}}]}}


@each(
    "status, message",
    [
        (404, "has no index docs"),
        (401, "does not accept the key"),
        (403, "does not accept the key"),
        (400, "did not understand this server"),
        (500, "cannot answer now"),
    ],
)
def test_trouble_with_opensearch_is_the_servers_and_says_what_to_do(
    elsewhere: Elsewhere, status: int, message: str
) -> None:
    elsewhere.answer = lambda *_: (status, {"error": {"type": "parsing_exception"}, "status": status})
    with pytest.raises(ProtocolError, match=message) as caught:
        OpenSearch(elsewhere.url, "docs").load(None, 0, 1)
    assert caught.value.status == 503


def test_alias_of_opensearch_leads_to_the_new_index_and_the_old_one_goes(elsewhere: Elsewhere) -> None:
    def answer(method: str, path: str, body: Any) -> Answer:
        if path.startswith("/_alias/"):
            return 200, {"docs-1": {"aliases": {"docs": {}}}}
        items = [{"index": {"_id": "a", "status": 201}}]
        return 200, {"errors": False, "items": items, "acknowledged": True}

    elsewhere.answer = answer
    document = {"objectID": "a", "language": "en", "weight": {"pageRank": 0}}
    OpenSearch(elsewhere.url, "docs", now=lambda: 5.0).publish([document], {}, {})
    actions = next(body for _, path, body in elsewhere.asked if path == "/_aliases")["actions"]
    assert actions == [
        {"remove": {"index": "docs-1", "alias": "docs"}},
        {"add": {"index": "docs-5000", "alias": "docs"}},
    ]
    assert [path.partition("?")[0] for method, path, _ in elsewhere.asked if method == "DELETE"] == ["/docs-1"]


def test_new_index_of_opensearch_is_removed_where_a_record_is_refused(elsewhere: Elsewhere) -> None:
    items = [{"index": {"_id": "a", "status": 400, "error": {"type": "mapper_parsing_exception"}}}]
    elsewhere.answer = lambda *_: (200, {"errors": True, "items": items, "acknowledged": True})
    document = {"objectID": "a", "language": "en", "weight": {"pageRank": 0}}
    with pytest.raises(UsageError, match="did not take 1 of the records"):
        OpenSearch(elsewhere.url, "docs", now=lambda: 5.0).publish([document], {}, {})
    assert [path.partition("?")[0] for method, path, _ in elsewhere.asked if method == "DELETE"] == ["/docs-5000"]
    assert "/_aliases" not in [path for _, path, _ in elsewhere.asked]
