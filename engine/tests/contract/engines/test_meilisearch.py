"""Meilisearch itself behind the protocol, beside the embedded engine with the same records."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.tests.contract.engines.conftest import DOCS, Running, pages, write_index
from engine.tests.contract.engines.serving import client_of
from engine.tests.unit.search.conftest import SETTINGS as PLAIN
from engine.tests.unit.search.conftest import records
from octavo.errors import UsageError
from octavo.search import EngineSettings, open_remote, push_records
from octavo.search.engines.connection import Connection
from octavo.search.engines.meilisearch import Meilisearch
from octavo.search.engines.remote import RemoteEngine
from octavo.search.errors import ProtocolError
from octavo.search.index.tantivy_index import IndexReader
from octavo.search.protocol.answer import make_answer
from octavo.search.protocol.browse import browse
from octavo.search.protocol.facets import search_facet
from octavo.search.protocol.related import related_pages
from octavo.search.protocol.replicas import replicas_of
from octavo.search.protocol.secured_keys import Key
from octavo.search.query.parameters import parse_parameters
from octavo.search.ranking.engine import Engine

Answer = dict[str, Any]


@pytest.fixture(scope="session")
def remote(meilisearch: Running, reader: IndexReader) -> RemoteEngine:
    """The index, pushed to Meilisearch."""
    push_records(reader, open_remote(EngineSettings("meilisearch", meilisearch.url, meilisearch.key), "docs"))
    settings = EngineSettings("meilisearch", meilisearch.url, meilisearch.search_key)
    return RemoteEngine(open_remote(settings, "docs"), reader.settings)


@pytest.fixture(scope="session")
def embedded(reader: IndexReader) -> Engine:
    return Engine(reader)


def ask(engine: Engine | RemoteEngine, order: str | None = None, **raw: Any) -> Answer:
    replica = replicas_of("docs")[f"docs_{order}"] if order else None
    return make_answer(engine, "docs", parse_parameters(raw), raw, replica)


def urls(answer: Answer) -> list[str]:
    return [hit["url"].removeprefix(DOCS) for hit in answer["hits"]]


@pytest.mark.parametrize(
    "raw",
    [
        {"query": "clay"},
        {"query": "kil"},
        {"query": "kil", "queryType": "prefixNone"},
        {"query": "temprature"},
        {"query": "workspace tool"},
        {"query": "potss"},
        {"query": "faq"},
        {"query": "how to delete the workspaces"},
        {"query": '"fires clay"', "advancedSyntax": True},
        {"query": "clay -old", "advancedSyntax": True},
        {"query": '-"old version" clay', "advancedSyntax": True},
        {"query": ""},
        {"query": "!?"},
        {"query": "", "filters": "kind:guide AND NOT language:de"},
        {"query": "", "filters": 'version:"1.0" OR kind:api'},
        {"query": "", "facetFilters": ["language:en", ["docusaurus_tag:docs-default-current", "docusaurus_tag:x"]]},
        {"query": "", "facetFilters": ["lang:-de", "type:lvl1"]},
        {"query": "", "numericFilters": ["weight.level>=90", "weight.position<5"]},
        {"query": "", "filters": "weight.level:80 TO 90"},
        {"query": "", "filters": "weight.page_rank != 10"},
        {"query": "", "filters": "weight.level:100"},
        {"query": "", "filters": "nosuch:value"},
        {"query": "", "filters": "NOT nosuch:value"},
        {"query": "", "filters": "hierarchy.lvl0:Pottery AND section:Pottery"},
        {"query": "clay", "filters": 'kind:"a\\"b"'},
        {"query": "clay", "distinct": False},
        {"query": "kiln temperature", "removeWordsIfNoResults": "none"},
        {"query": "temperature", "restrictSearchableAttributes": ["hierarchy.lvl2"]},
        {"query": "temperature", "restrictSearchableAttributes": ["content"]},
        {"query": "fastest firing"},
        {"query": "fast firing", "enableRules": False, "removeWordsIfNoResults": "none"},
        {"query": "go to glazes"},
        {"similarQuery": "clay temperature"},
    ],
)
def test_same_records_are_found_as_by_the_embedded_engine(
    remote: RemoteEngine, embedded: Engine, raw: dict[str, Any]
) -> None:
    facets = {"facets": ["*", "weight.level"], "hitsPerPage": 100}
    ours, theirs = ask(embedded, **raw, **facets), ask(remote, **raw, **facets)
    assert sorted(urls(theirs)) == sorted(urls(ours))
    assert theirs["nbHits"] == len(theirs["hits"])
    assert theirs["exhaustiveNbHits"] is True
    assert urls(theirs)[:1] == urls(ours)[:1] or not raw.get("query")
    for name in ("appliedRules", "renderingContent"):
        assert theirs.get(name) == ours.get(name)
    for values in theirs["facets"].values():
        assert sum(values.values()) <= theirs["nbHits"]
    level = theirs["facets"].get("weight.level", {})
    total = sum(int(value) * count for value, count in level.items())
    assert theirs.get("facets_stats", {}).get("weight.level", {}).get("sum", 0) == total


@pytest.mark.parametrize("window", [{"page": 1, "hitsPerPage": 3}, {"offset": 2, "length": 5}, {"hitsPerPage": 0}])
def test_parts_of_the_hits_are_those_of_the_whole(remote: RemoteEngine, window: dict[str, int]) -> None:
    for query in ("clay", "", "fastest firing"):
        every, part = urls(ask(remote, query=query, hitsPerPage=100)), ask(remote, query=query, **window)
        start = window.get("offset", window.get("page", 0) * window["hitsPerPage"] if "page" in window else 0)
        assert urls(part) == every[start : start + window.get("length", window.get("hitsPerPage", 0))]
        assert part["nbHits"] == len(every)


@pytest.mark.parametrize("order", ["title_asc", "title_desc", "url_desc", "level_desc", "position_asc"])
def test_replicas_are_sorted(remote: RemoteEngine, embedded: Engine, order: str) -> None:
    keys: dict[str, Callable[[Answer], Any]] = {
        "title": lambda hit: hit["hierarchy"]["lvl1"].casefold(),
        "url": lambda hit: hit["url"],
        "level": lambda hit: hit["weight"]["level"],
        "position": lambda hit: hit["weight"]["position"],
    }
    key, hits = keys[order.partition("_")[0]], ask(remote, order, query="kiln")["hits"]
    assert [key(hit) for hit in hits] == sorted(map(key, hits), reverse=order.endswith("desc"))
    assert len(hits) == len(ask(embedded, order, query="kiln")["hits"])


def test_marks_and_snippets_are_made_and_escaped_as_those_of_the_embedded_engine(
    remote: RemoteEngine, embedded: Engine
) -> None:
    raw = {
        "query": "clay ash",
        "attributesToSnippet": ["content:5"],
        "highlightPreTag": "<mark>",
        "getRankingInfo": True,
    }
    hits = ask(remote, **raw)["hits"]
    marked = hits[0]["_highlightResult"]["content"].value
    assert "&lt;b&gt;<mark>clay</em>&lt;/b&gt;" in marked
    ours = {hit["objectID"]: hit for hit in ask(embedded, **raw)["hits"]}
    assert hits[0]["_snippetResult"] == ours[hits[0]["objectID"]]["_snippetResult"]
    heading = ask(remote, query="raku", attributesToSnippet=["content:9"], hitsPerPage=1)["hits"][0]
    assert heading["_snippetResult"]["content"].value == "A fast way of firing pots."
    assert heading["_highlightResult"]["hierarchy"]["lvl1"].matched_words == ["raku"]


def test_misspelt_word_is_marked(remote: RemoteEngine) -> None:
    hit = ask(remote, query="temprature", hitsPerPage=1)["hits"][0]
    assert "temprature" in hit["_highlightResult"]["hierarchy"]["lvl2"].matched_words


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("typoTolerance", False),
        ("typoTolerance", "strict"),
        ("minWordSizefor1Typo", 3),
        ("queryType", "prefixAll"),
        ("removeWordsIfNoResults", "firstWords"),
        ("optionalFilters", ["kind:api"]),
        ("optionalWords", ["clay"]),
        ("distinct", 2),
        ("ignorePlurals", False),
        ("synonyms", False),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(remote: RemoteEngine, name: str, value: object) -> None:
    with pytest.raises(ProtocolError) as caught:
        ask(remote, query="clay kiln", **{name: value})
    assert (caught.value.status, name in caught.value.message) == (400, True)


def test_facets_count_records_where_asked(remote: RemoteEngine) -> None:
    hits = ask(remote, query="kiln", facets=["kind"])
    every = ask(remote, query="kiln", facets=["kind"], facetingAfterDistinct=False)
    assert hits["nbHits"] == every["nbHits"] == sum(hits["facets"]["kind"].values())
    assert sum(every["facets"]["kind"].values()) == ask(remote, query="kiln", distinct=False)["nbHits"]


def test_long_queries_say_that_words_are_left_out(remote: RemoteEngine) -> None:
    answer = ask(remote, query="clay kiln pots glaze ash tools smoke sawdust raku cones melt temperature")
    assert "first 10 words" in answer["message"]


def test_records_are_looked_up_browsed_and_related(remote: RemoteEngine, embedded: Engine) -> None:
    assert remote.size == embedded.size
    first = browse(remote, parse_parameters({"hitsPerPage": 4}), {"hitsPerPage": 4}, None)
    second = browse(remote, parse_parameters({"hitsPerPage": 100}), {"hitsPerPage": 100}, first["cursor"])
    ids = [hit["objectID"] for hit in (*first["hits"], *second["hits"])]
    assert len(set(ids)) == len(ids) == remote.size
    record = remote.record(ids[0])
    assert record == embedded.record(ids[0])
    assert remote.record("nosuch") is None
    assert sorted(remote.ids_of(f"{DOCS}/glazing")) == sorted(embedded.ids_of(f"{DOCS}/glazing"))
    kiln = next(iter(embedded.ids_of(f"{DOCS}/kiln")))
    related = related_pages(remote, {"objectID": kiln, "model": "related-products"})["hits"]
    assert isinstance(related, list)
    assert f"{DOCS}/kiln-api" in [hit["url"] for hit in related]
    found = search_facet(remote, "kind", {"facetQuery": "gui", "query": "clay"}, Key())
    assert (
        found["facetHits"] == search_facet(embedded, "kind", {"facetQuery": "gui", "query": "clay"}, Key())["facetHits"]
    )


def test_records_are_exchanged_while_readers_search(meilisearch: Running, tmp_path: Path) -> None:
    settings = EngineSettings("meilisearch", meilisearch.url, meilisearch.key)
    index = open_remote(settings, "exchanged")
    old = write_index(tmp_path / "old", pages(), PLAIN)
    new = write_index(tmp_path / "new", [*pages(), records("Throwing", "Centre the clay.")], PLAIN)
    push_records(old, index)
    engine = RemoteEngine(open_remote(settings, "exchanged"), PLAIN)
    seen: list[int] = []
    problems: list[str] = []
    is_over = threading.Event()

    def read() -> None:
        while not is_over.is_set():
            try:
                seen.append(ask(engine, query="clay", hitsPerPage=0)["nbHits"])
            except ProtocolError as error:
                problems.append(error.message)

    reader = threading.Thread(target=read)
    reader.start()
    push_records(new, index)
    is_over.set()
    reader.join()
    before, after = ask(Engine(old), query="clay")["nbHits"], ask(Engine(new), query="clay")["nbHits"]
    assert problems == []
    assert set(seen) <= {before, after}
    assert ask(engine, query="throwing")["nbHits"] == 1


def test_failed_push_leaves_what_is_searched(meilisearch: Running, remote: RemoteEngine, reader: IndexReader) -> None:
    index = open_remote(EngineSettings("meilisearch", meilisearch.url, meilisearch.key), "docs")
    with pytest.raises(UsageError, match="did not take the records"):
        index.publish([{"objectID": "an id with spaces"}], {}, {})
    assert remote.size == reader.size
    names = httpx.get(f"{meilisearch.url}/indexes", headers={"Authorization": f"Bearer {meilisearch.key}"}).json()
    assert "docs_next" not in [one["uid"] for one in names["results"]]


def test_server_says_in_the_protocols_shape_why_the_engine_does_not_answer(
    meilisearch: Running, reader: IndexReader, tmp_path: Path
) -> None:
    body = {"requests": [{"indexName": "docs", "query": "clay"}]}
    secret = "no-such-key-of-anybody"
    cases = {
        "cannot be reached": EngineSettings("meilisearch", "http://127.0.0.1:9", secret, 0.5),
        "does not accept the key": EngineSettings("meilisearch", meilisearch.url, secret),
    }
    for reason, settings in cases.items():
        with client_of(tmp_path, settings) as client:
            answer = client.post("/1/indexes/*/queries", json=body)
            assert answer.status_code == 503
            assert answer.json()["status"] == 503
            assert reason in answer.json()["message"]
            assert secret not in answer.text
            assert answer.headers["access-control-allow-origin"] == "*"
    nothing = RemoteEngine(
        Meilisearch(Connection("Meilisearch", meilisearch.url, authorization=f"Bearer {meilisearch.key}"), "nosuch"),
        PLAIN,
    )
    with pytest.raises(ProtocolError, match="octavo search push") as caught:
        ask(nothing, query="clay")
    assert caught.value.status == 503
