"""What needs no search engine to be running: requests to one, and which one is meant."""

from __future__ import annotations

import msgspec
import pytest

from octavo.cli.search_engine import given_engine
from octavo.config import SearchEngine
from octavo.config.server import check_search_engine
from octavo.errors import UsageError
from octavo.search.engines.asking import TypedQuery, take_apart
from octavo.search.engines.backend import Question
from octavo.search.engines.choice import EngineSettings
from octavo.search.engines.connection import Connection
from octavo.search.engines.documents import StoredRecord, document_of, read_document, with_tokens
from octavo.search.engines.meilisearch import batches, write_filter
from octavo.search.engines.opensearch import search_body
from octavo.search.errors import ProtocolError
from octavo.search.query.filters import parse_filters
from octavo.search.query.parameters import parse_parameters
from octavo.search.query.query import parse_query

from .conftest import records


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("kind:guide", 'kind = "guide"'),
        ("lang:de", 'language = "de"'),
        (r'section:"a \"b\" \\ c"', r'section = "a \"b\" \\ c"'),
        ("weight.page_rank>=5", "weight.pageRank >= 5.0"),
        ("weight.level:50 TO 90", "weight.level 50.0 TO 90.0"),
        ("weight.level:90 TO 50", 'objectID = ""'),
        ("weight.level:nan", 'objectID = ""'),
        ("NOT kind:api", 'NOT (kind = "api")'),
        ("nosuch:1", 'objectID = ""'),
        ("kind:a AND (type:b OR type:c)", '(kind = "a") AND ((type = "b") OR (type = "c"))'),
    ],
)
def test_filters_are_written_for_meilisearch(given: str, written: str) -> None:
    parsed = parse_filters(given)
    assert parsed is not None
    assert write_filter(parsed) == written


@pytest.mark.parametrize(
    ("query", "has_syntax", "typed"),
    [
        ("how to delete a server", False, TypedQuery(["delete", "server"], [], [], True)),
        ("how to", False, TypedQuery(["how", "to"], [], [], True)),
        ("run server ", False, TypedQuery(["run", "server"], [], [], False)),
        ('"run it" now -old', True, TypedQuery(["now"], ["run it"], ["old"], False)),
        ('"run it" -old', False, TypedQuery(["run", "-old"], [], [], True)),
        ("!? --", False, TypedQuery([], [], [], True)),
    ],
)
def test_queries_are_taken_apart_at_spaces(query: str, has_syntax: bool, typed: TypedQuery) -> None:
    parameters = parse_parameters({"query": query, "advancedSyntax": has_syntax})
    assert take_apart(parse_query(query, parameters.reading), parameters) == typed


def test_record_and_its_tokens_survive_the_way_through_another_engine() -> None:
    for record, text in records("Glazing", "Glaze it.\n## Recipes\nMix `--dry-run` and ash.\n    glaze --hot"):
        stored = StoredRecord(record, False, "below")
        read = read_document(msgspec.json.decode(msgspec.json.encode(document_of(stored))))
        assert read == stored
        assert with_tokens(read).text == text


def test_requests_are_divided_by_their_size() -> None:
    documents = [{"objectID": str(number), "content": "x" * 400} for number in range(10)]
    divided = [msgspec.json.decode(msgspec.json.encode(batch)) for batch in batches(documents, 1000)]
    assert [one for batch in divided for one in batch] == documents
    assert {len(batch) for batch in divided} == {2}


def test_key_is_in_no_message() -> None:
    settings = EngineSettings("meilisearch", "http://127.0.0.1:9", "secret-of-the-kiln", 0.2)
    assert "secret" not in repr(settings)
    connection = Connection("Meilisearch", settings.url, authorization=f"Bearer {settings.key}", timeout_s=0.2)
    with pytest.raises(ProtocolError) as caught:
        connection.send("GET", "/health")
    assert caught.value.status == 503
    assert "secret" not in caught.value.message


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (SearchEngine(), None),
        (SearchEngine(kind="meilisearch", url="https://search.example.org/below"), None),
        (SearchEngine(url="http://127.0.0.1:7700"), "kind is embedded"),
        (SearchEngine(kind="meilisearch"), "needs url"),
        (SearchEngine(kind="meilisearch", url="https://user:secret@example.org"), "holds a name or a password"),
        (SearchEngine(kind="meilisearch", url="ftp://example.org"), "without query"),
        (SearchEngine(kind="meilisearch", url="https://example.org", timeout_seconds=0), "more than 0"),
    ],
)
def test_settings_of_an_engine_are_checked(settings: SearchEngine, message: str | None) -> None:
    found = [text for _, _, text in check_search_engine(settings)]
    assert bool(found) == (message is not None)
    assert all(message is not None and message in text and "secret" not in text for text in found)


def test_command_line_takes_the_place_of_the_settings() -> None:
    settings = SearchEngine(kind="meilisearch", url="http://127.0.0.1:7700")
    assert given_engine(settings, key="k") == EngineSettings("meilisearch", "http://127.0.0.1:7700", "k")
    assert given_engine(settings, kind="embedded") is None
    other = given_engine(SearchEngine(), kind="meilisearch", url="http://10.0.0.1:7700/")
    assert other == EngineSettings("meilisearch", "http://10.0.0.1:7700")
    with pytest.raises(UsageError, match="needs url"):
        given_engine(SearchEngine(), kind="meilisearch")


def test_opensearch_is_asked_for_one_record_of_each_address_where_that_is_wanted() -> None:
    distinct, each_record = (
        search_body(Question(words=["kite"], facets=["lang"], distinct=is_wanted)) for is_wanted in (True, False)
    )
    assert (distinct["collapse"], "collapse" in each_record) == ({"field": "url"}, False)
    assert set(distinct["aggs"]) == {"facet lang", "addresses"}
    assert set(each_record["aggs"]) == {"facet lang"}
    assert "addresses" in distinct["aggs"]["facet lang"]["aggs"]
    assert "aggs" not in each_record["aggs"]["facet lang"]


def test_opensearch_needs_all_words_or_one_of_them() -> None:
    every, some = (
        search_body(Question(words=["kite", "wind"], needs_all=is_needed))["query"]["bool"]
        for is_needed in (True, False)
    )
    # Beside words, each search asks for what lifts important records.
    assert [len(every[kind]) for kind in ("must", "should", "filter")] == [2, 1, 0]
    assert [len(some[kind]) for kind in ("must", "should")] == [0, 3]
    assert some["filter"] == [{"bool": {"should": some["should"][:2], "minimum_should_match": 1}}]
