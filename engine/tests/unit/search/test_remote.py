"""What readers get from a search engine that runs elsewhere, whatever that engine gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from octavo.search.engines.interface import Order
from octavo.search.engines.remote import ENOUGH_PAGES, MOST_PARTIAL, RANKED, RemoteEngine, RemoteResults
from octavo.search.errors import ProtocolError
from octavo.search.fields import COUNTED, NUMBER_OF
from octavo.search.index.settings import Rule
from octavo.search.query.filters import Equals, Filter, parse_filters
from octavo.search.query.parameters import parse_parameters

from .conftest import SETTINGS, records
from .listed import ListedDocuments

ORIGIN = "https://docs.example.org/"
PAGES = {
    "Wheel": "Turns the clay.\n## Speed\nHow fast it turns.",
    "Clay": "Is fired in a kiln.",
    "Kiln": "Fires clay.\n## Temperature\nHow hot it is.",
    "Glaze": "Covers what was fired.",
}


class Remote:
    """An engine over a list of pages, in the order of the list, and its answers in the shortest form."""

    def __init__(self, pages: dict[str, str] | None = None, **settings: Any) -> None:
        self.backend = ListedDocuments(records(title, body) for title, body in (pages or PAGES).items())
        self.engine = RemoteEngine(self.backend, msgspec.structs.replace(SETTINGS, **settings))

    def results(self, query: str, order: Order | None = None, **raw: Any) -> RemoteResults:
        return self.engine.results(parse_parameters({"query": query, **raw}), order)

    def found(self, query: str, order: Order | None = None, **raw: Any) -> list[str]:
        parameters = parse_parameters({"query": query, **raw})
        hits = self.engine.results(parameters, order).hits(parameters.offset, parameters.length)
        return [hit.record.url.removeprefix(ORIGIN) for hit in hits]


def numbered(count: int, body: str = "Fires clay.") -> dict[str, str]:
    return {f"Page {number:03}": body for number in range(count)}


def test_record_whose_heading_was_asked_for_comes_before_texts_that_were_found_earlier() -> None:
    assert Remote().found("clay")[0] == "clay"
    assert Remote().found("kiln")[0] == "kiln"


def test_order_of_the_other_engine_holds_where_hits_are_sorted_or_no_word_was_typed() -> None:
    remote = Remote()
    assert remote.found("clay", Order("url", is_descending=False))[0] == "wheel"
    assert remote.backend.questions[-1].order == Order("url", is_descending=False)
    addresses = dict.fromkeys(document["url"].removeprefix(ORIGIN) for document in remote.backend.documents)
    assert remote.found("") == list(addresses)


def test_hits_after_the_ranked_ones_are_asked_for_alone_and_keep_their_order() -> None:
    remote = Remote(numbered(RANKED + 20) | {"Clay": ""})
    first = remote.found("clay", offset=0, length=5)
    assert first[0] == "clay" or first[0].startswith("page-")
    assert (remote.backend.questions[-1].offset, remote.backend.questions[-1].length) == (0, RANKED)
    late = remote.found("clay", offset=RANKED, length=5)
    assert (remote.backend.questions[-1].offset, remote.backend.questions[-1].length) == (RANKED, 5)
    documents = remote.backend.ask(remote.backend.questions[-1]).documents
    assert late == [document["url"].removeprefix(ORIGIN) for document in documents]


def test_pages_of_hits_put_together_are_all_hits_each_once() -> None:
    remote = Remote(numbered(RANKED + 20))
    together = [one for start in (0, 60, 120) for one in remote.found("clay", offset=start, length=60)]
    assert len(together) == len(set(together)) == RANKED + 20
    across = remote.found("clay", offset=RANKED - 10, length=20)
    assert across == together[RANKED - 10 : RANKED + 10]


def test_search_for_counts_alone_takes_no_hits() -> None:
    remote = Remote()
    results = remote.results("clay", hitsPerPage=0, facets=["kind"])
    assert results.hits(0, 0) == []
    assert results.count == 3
    assert remote.backend.questions[-1].length == 0


def test_signs_alone_find_nothing_and_ask_nobody() -> None:
    remote = Remote()
    results = remote.results("!?")
    assert (results.count, results.hits(0, 20), results.is_exact) == (0, [], True)
    assert remote.backend.questions == []


def test_note_of_the_other_engine_is_in_the_answer() -> None:
    assert Remote().results("fired clay").message == "2 words"


@pytest.mark.parametrize(
    ("raw", "name"), [({"distinct": 2}, "distinct"), ({"synonyms": False}, "synonyms")], ids=["distinct", "synonyms"]
)
def test_what_another_engine_cannot_change_is_refused_by_name(raw: dict[str, Any], name: str) -> None:
    remote = Remote(synonyms={"clay": ["loam"]})
    with pytest.raises(ProtocolError, match=f'Parameter "{name}" cannot be changed with List') as caught:
        remote.results("clay", **raw)
    assert caught.value.status == 400
    assert remote.results("clay", distinct=True).count == 3


def test_site_without_synonyms_can_be_searched_without_them() -> None:
    assert Remote().results("clay", synonyms=False).count == 3


def pinning(*pinned: str, **given: Any) -> list[Rule]:
    return [Rule("rule-1", ["clay"], pinned=[ORIGIN + one for one in pinned], **given)]


def test_pinned_pages_come_first_in_their_order_and_are_counted_once() -> None:
    plain, remote = Remote().found("clay"), Remote(rules=pinning("glaze", "kiln"))
    found = remote.found("clay")
    assert found[:2] == ["glaze", "kiln"]
    assert sorted(found) == sorted({*plain, "glaze", "kiln"})
    results = remote.results("clay", facets=["kind"])
    assert (results.count, results.reachable) == (len(found), len(found))
    assert results.facets([COUNTED["kind"]], 10, distinct=1) == {"kind": {"guide": len(found)}}
    assert remote.found("clay", enableRules=False) == plain


def test_second_page_continues_after_pinned_hits() -> None:
    remote = Remote(rules=pinning("glaze"))
    whole = remote.found("clay")
    assert remote.found("clay", offset=0, length=1) == whole[:1] == ["glaze"]
    assert remote.found("clay", offset=1, length=2) == whole[1:3]


def test_pinned_page_comes_once_before_hits_that_were_not_ranked() -> None:
    remote = Remote(numbered(RANKED + 20) | {"Wheel": ""}, rules=pinning("wheel"))
    together = [one for start in (0, 60, 120) for one in remote.found("clay", offset=start, length=60)]
    assert together[0] == "wheel"
    assert len(together) == len(set(together)) == RANKED + 21


def test_pinned_page_that_does_not_meet_the_filter_of_a_search_is_left_out() -> None:
    remote = Remote(rules=pinning("glaze"))
    assert remote.found("clay", filters="type:lvl1") == ["glaze", "clay"]
    assert "glaze" not in remote.found("clay", filters="type:content")


def test_pinned_page_is_the_first_of_its_languages_and_versions_that_meets_the_filter() -> None:
    remote = Remote(rules=pinning("glaze", others={f"{ORIGIN}glaze": [f"{ORIGIN}kiln"]}))
    assert remote.found("clay")[0] == "glaze"
    assert remote.found("clay", filters="NOT url_without_anchor:none")[0] == "glaze"


def test_page_that_is_pinned_in_many_languages_is_loaded_by_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    others = {
        f"{ORIGIN}gone": [*(f"{ORIGIN}{number}" for number in range(50)), f"{ORIGIN}kiln#temperature", f"{ORIGIN}kiln"]
    }
    remote = Remote(rules=pinning("gone", others=others))
    loads: list[object] = []
    load = remote.backend.load

    def counted(filter_: Filter | None, offset: int, count: int) -> Any:
        loads.append(filter_)
        return load(filter_, offset, count)

    monkeypatch.setattr(remote.backend, "load", counted)
    assert remote.found("clay")[0] == "kiln#temperature"
    assert len(loads) == 1
    assert remote.found("clay", filters="type:lvl1")[0] == "kiln"


def test_pinned_address_without_record_is_passed_over() -> None:
    assert Remote(rules=pinning("gone")).found("clay") == Remote().found("clay")


def test_pinned_page_is_shown_by_its_title() -> None:
    first = Remote(rules=pinning("kiln")).results("clay").hits(0, 1)[0]
    assert (first.record.type, first.record.hierarchy[1]) == ("lvl1", "Kiln")


def test_hidden_page_is_not_found() -> None:
    remote = Remote(rules=[Rule("rule-1", ["clay"], hidden=[f"{ORIGIN}clay"])])
    assert "clay" in Remote().found("clay")
    assert "clay" not in remote.found("clay")
    assert [one.id for one in remote.engine.rules_for(parse_parameters({"query": "clay"}))] == ["rule-1"]
    assert remote.engine.rules_for(parse_parameters({"query": "kiln"})) == []


SPREAD = {
    "Wheel": "Turns slowly.",
    "Kiln": "Fires clay.\n## Heat\nClay is hot.\n## Wood\nClay burns.",
    "Glaze": "Covers.",
}


def test_records_with_some_of_the_words_follow_where_none_holds_all() -> None:
    remote = Remote(SPREAD)
    found = remote.found("clay wheel")
    assert {"wheel", "kiln"} <= {one.partition("#")[0] for one in found}
    results = remote.results("clay wheel", facets=["type", "weight.level"])
    assert results.count == len(found)
    assert results.is_exact
    assert sum(results.facets([COUNTED["type"]], 10, distinct=1)["type"].values()) == len(found)
    assert sum(results.facets([NUMBER_OF["weight.level"]], 99, distinct=1)["weight.level"].values()) == len(found)
    assert remote.found("clay wheel", removeWordsIfNoResults="none") == []


def test_one_page_gives_few_of_the_records_that_hold_some_words() -> None:
    found = Remote(SPREAD).found("clay wheel")
    assert sum(one.startswith("kiln") for one in found) == 2


def test_all_partial_matches_are_not_more_than_a_reader_looks_at() -> None:
    remote = Remote(numbered(MOST_PARTIAL + 30) | {"Wheel": "Turns."})
    assert remote.results("clay wheel").count == MOST_PARTIAL


def test_record_with_all_words_comes_first_and_those_with_some_are_not_it_again() -> None:
    remote = Remote({**SPREAD, "Potter": "Puts clay on a wheel."})
    found = remote.found("clay wheel")
    assert found[0] == "potter"
    assert len(found) == len(set(found))
    assert remote.found("clay wheel", removeWordsIfNoResults="lastWords") == ["potter"]


def test_no_partial_matches_follow_where_enough_pages_hold_all_words() -> None:
    some = {"Wheel": "Turns.", "Kiln": "Fires clay."}
    assert Remote(numbered(ENOUGH_PAGES, "Clay on a wheel.") | some).results("clay wheel").count == ENOUGH_PAGES
    fewer = Remote(numbered(ENOUGH_PAGES - 1, "Clay on a wheel.") | some)
    assert fewer.results("clay wheel").count > ENOUGH_PAGES


def test_one_word_or_words_that_need_not_occur_have_no_partial_matches() -> None:
    remote = Remote(SPREAD)
    remote.results("nothing")
    assert [question.needs_all for question in remote.backend.questions] == [True]
    remote.backend.questions.clear()
    remote.results("clay wheel", optionalWords=["wheel"])
    assert [(one.words, one.wished) for one in remote.backend.questions] == [(["clay"], ["wheel"])]


def test_words_that_all_need_not_occur_are_looked_for_as_some() -> None:
    remote = Remote(SPREAD)
    remote.results("clay wheel", optionalWords=["clay wheel"])
    question = remote.backend.questions[-1]
    assert (question.words, question.wished, question.needs_all) == (["clay", "wheel"], (), False)


def asked(query: str, **raw: Any) -> Any:
    remote = Remote()
    remote.results(query, **raw)
    return remote.backend.questions[0]


@pytest.mark.parametrize(
    ("query", "query_type", "is_open"),
    [
        ("cla", "prefixLast", "last"),
        ("clay ", "prefixLast", "none"),
        ("cla", "prefixAll", "all"),
        ("cla", "prefixNone", "none"),
    ],
)
def test_last_word_is_open_while_it_is_typed(query: str, query_type: str, is_open: str) -> None:
    assert asked(query, queryType=query_type).open_words == is_open


def test_parameters_reach_the_other_engine() -> None:
    plain = asked("clay")
    assert (plain.has_typos, plain.has_forms, plain.distinct, plain.counts_distinct) == (True, True, True, True)
    assert (plain.typo_sizes, plain.attributes, plain.facets, plain.filter, plain.wishes) == (
        (4, 8),
        [],
        [],
        None,
        None,
    )
    changed = asked(
        "clay",
        typoTolerance=False,
        ignorePlurals=False,
        distinct=False,
        facetingAfterDistinct=False,
        minWordSizefor1Typo=5,
        minWordSizefor2Typos=9,
        restrictSearchableAttributes=["content", "hierarchy.lvl1"],
        facets=["kind", "nothing", "weight.level"],
        filters="kind:guide",
        optionalFilters=["type:lvl1"],
    )
    assert (changed.has_typos, changed.has_forms, changed.distinct, changed.counts_distinct) == (False,) * 4
    assert (changed.typo_sizes, changed.attributes) == ((5, 9), ["hierarchy.lvl1", "content"])
    assert (changed.facets, changed.filter) == (["kind", "weight.level"], parse_filters("kind:guide"))
    assert changed.wishes is not None
    assert set(asked("clay", facets=["*"]).facets) == set(COUNTED)


def test_values_of_a_facet_are_ordered_by_their_count_then_by_name() -> None:
    results = Remote().results("", facets=["type", "section"])
    types = results.facets([COUNTED["type"]], 2, distinct=1)["type"]
    assert list(types.items()) == [("lvl1", 4), ("lvl2", 2)]
    assert results.facets([COUNTED["type"]], 1, distinct=1) == {"type": {"lvl1": 4}}


def test_numbers_are_summed_up_with_what_is_pinned() -> None:
    remote = Remote({"Clay": "", "Kiln": ""}, rules=pinning("kiln"))
    level = NUMBER_OF["weight.level"]
    values = [document["weight"]["level"] for document in remote.backend.documents]
    stats = remote.results("clay", facets=["weight.level"]).stats([level])["weight.level"]
    assert stats == {"min": min(values), "max": max(values), "avg": sum(values) / 2, "sum": sum(values)}
    assert remote.results("nothing", facets=["weight.level"]).stats([level]) == {}


def loaded(remote: Remote, object_ids: Sequence[str]) -> list[str]:
    found = [remote.engine.record(one) for one in object_ids]
    return [record.url.removeprefix(ORIGIN) for record in found if record is not None]


def test_records_of_a_page_and_of_a_heading_are_named() -> None:
    remote = Remote()
    assert remote.engine.size == len(remote.backend.documents)
    remote.backend.documents.reverse()
    ids = remote.engine.ids_of(f"{ORIGIN}kiln")
    assert loaded(remote, ids) == ["kiln", "kiln", "kiln#temperature", "kiln#temperature"]
    assert set(loaded(remote, remote.engine.ids_of(f"{ORIGIN}kiln#temperature"))) == {"kiln#temperature"}
    assert remote.engine.ids_of(f"{ORIGIN}gone") == []
    assert remote.engine.record("gone") is None


def test_page_of_a_record_is_its_title() -> None:
    remote = Remote()
    every, total = remote.engine.records(Equals("url_without_anchor", f"{ORIGIN}kiln"), 0, 10)
    assert total == len(every) == 4
    title = next(one for one in every if one.type == "lvl1")
    assert {page.object_id for one in every if (page := remote.engine.page_of(one))} == {title.object_id}
    assert remote.engine.records(None, 1, 2)[0] == remote.engine.records(None, 0, 3)[0][1:]


def test_related_pages_share_words_and_meet_the_filter() -> None:
    pages = {
        "Wheel": "Turning porcelain slowly.",
        "Throwing": "Porcelain slowly turning.",
        "Tax": "Pay it.",
        "Porcelain": "White.",
    }
    remote = Remote(pages)
    record = remote.engine.records(Equals("url", f"{ORIGIN}wheel"), 0, 1)[0][0]
    others = parse_filters(f'NOT url_without_anchor:"{ORIGIN}wheel"')
    assert others is not None
    related = [one.hierarchy[1] for one in remote.engine.related_pages(record, others, 5)]
    assert related[0] == "Throwing"
    assert {*related} == {"Throwing", "Porcelain"}
    assert len(remote.engine.related_pages(record, others, 1)) == 1
    assert remote.engine.related_pages(record, Equals("kind", "nothing"), 5) == []
