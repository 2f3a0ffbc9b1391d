from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from octavo.search.index.settings import Rule

from .conftest import SETTINGS, Index, records

ORIGIN = "https://docs.example.org/"
PAGES = {
    "Kiln": "Fires clay.\n## Temperature\nHow hot it is.",
    "Glaze": "Covers clay.",
    "Clay": "Is fired in a kiln.",
    "Old kilns": "Kilns that nobody uses.",
    "Wheel": "Turns.",
}
MakeCurated = Callable[..., Index]


@pytest.fixture
def make_curated(tmp_path: Path) -> MakeCurated:
    """`make_curated(rule, …, settings)` serves five pages."""

    def make(*rules: Rule, **given: Any) -> Index:
        settings = msgspec.structs.replace(SETTINGS, rules=list(rules), **given)
        return Index(tmp_path / "index", [records(title, body) for title, body in PAGES.items()], settings)

    return make


def pages(answer: dict[str, Any]) -> list[str]:
    return [hit["url"].removeprefix(ORIGIN) for hit in answer["hits"]]


def rule(*queries: str, **given: Any) -> Rule:
    return Rule("rule-1", list(queries), **given)


def test_pinned_page_comes_first_though_it_has_none_of_the_words(make_curated: MakeCurated) -> None:
    index = make_curated(rule("clay", pinned=[f"{ORIGIN}wheel"]))
    plain, answer = index.answer("clay", enableRules=False), index.answer("clay", getRankingInfo=True)
    assert pages(answer) == ["wheel", *pages(plain)]
    assert answer["nbHits"] == plain["nbHits"] + 1
    assert [hit["_rankingInfo"]["promoted"] for hit in answer["hits"][:2]] == [True, False]
    assert answer["appliedRules"] == [{"objectID": "rule-1"}]


def test_pinned_page_that_is_a_hit_anyway_is_shown_and_counted_once(make_curated: MakeCurated) -> None:
    index = make_curated(rule("clay", pinned=[f"{ORIGIN}kiln#temperature", f"{ORIGIN}glaze"]))
    plain, answer = index.answer("clay", enableRules=False), index.answer("clay", facets=["kind"])
    assert pages(answer)[:2] == ["kiln#temperature", "glaze"]
    assert sorted(pages(answer)[1:]) == sorted(pages(plain))
    assert answer["nbHits"] == answer["facets"]["kind"]["guide"] == plain["nbHits"] + 1


def test_pinned_page_is_first_on_the_first_page_of_hits_only(make_curated: MakeCurated) -> None:
    index = make_curated(rule("clay", pinned=[f"{ORIGIN}wheel"]))
    found = [page for number in range(4) for page in pages(index.answer("clay", hitsPerPage=1, page=number))]
    assert found[0] == "wheel"
    assert len(found) == len(set(found)) == 4


def test_pinned_page_meets_the_filters_of_the_search(make_curated: MakeCurated) -> None:
    index = make_curated(rule("clay", pinned=[f"{ORIGIN}wheel"]))
    assert "wheel" not in pages(index.answer("clay", filters="kind:api"))


def test_pinned_page_is_that_of_the_language_and_version_that_is_searched(make_curated: MakeCurated) -> None:
    """A rule names one page; readers of a translation had none first."""
    alike = [f"{ORIGIN}glaze", f"{ORIGIN}kiln#temperature"]
    index = make_curated(rule("clay", pinned=[f"{ORIGIN}wheel"], others={f"{ORIGIN}wheel": alike}))
    assert pages(index.answer("clay"))[0] == "wheel"
    assert "glaze" not in pages(index.answer("clay"))[:1]
    assert pages(index.answer("clay", filters="type:lvl2"))[0] == "kiln#temperature"


def test_redirect_leads_to_the_page_in_the_language_and_version_that_is_searched(make_curated: MakeCurated) -> None:
    alike = {f"{ORIGIN}wheel": [f"{ORIGIN}kiln#temperature"]}
    index = make_curated(rule("clay", redirect=f"{ORIGIN}wheel", others=alike))
    for filters, page in (("", "wheel"), ("type:lvl2", "kiln#temperature"), ("kind:api", "wheel")):
        answer = index.answer("clay", filters=filters) if filters else index.answer("clay")
        assert answer["renderingContent"] == {"redirect": {"url": ORIGIN + page}}


def test_hidden_page_is_neither_shown_nor_counted(make_curated: MakeCurated) -> None:
    index = make_curated(rule("kiln", hidden=[f"{ORIGIN}old-kilns"]))
    plain, answer = index.answer("kiln", enableRules=False), index.answer("kiln", facets=["kind"])
    assert pages(answer) == [page for page in pages(plain) if page != "old-kilns"] != pages(plain)
    assert answer["nbHits"] == answer["facets"]["kind"]["guide"] == len(answer["hits"])


def test_redirect_names_its_page_and_puts_it_first(make_curated: MakeCurated) -> None:
    index = make_curated(rule("buy clay", pinned=[f"{ORIGIN}glaze"], redirect=f"{ORIGIN}wheel"))
    answer = index.answer("buy clay")
    assert answer["renderingContent"] == {"redirect": {"url": f"{ORIGIN}wheel"}}
    assert pages(answer)[:2] == ["wheel", "glaze"]


@pytest.mark.parametrize(
    ("query", "applies", "applies_in_part"),
    [
        ("clay", True, True),
        ("Clays", True, True),
        ("  clay ", True, True),
        ("old clay pot", False, True),
        ("clayish", False, False),
        ("", False, False),
    ],
)
def test_rule_applies_to_the_query_in_any_form_of_its_words(
    make_curated: MakeCurated, query: str, applies: bool, applies_in_part: bool
) -> None:
    index = make_curated(
        Rule("whole", ["clay"], pinned=[f"{ORIGIN}wheel"]),
        Rule("part", ["clay"], is_part=True, pinned=[f"{ORIGIN}glaze"]),
    )
    applied = {one["objectID"] for one in index.answer(query).get("appliedRules", [])}
    assert applied == {name for name, does in (("whole", applies), ("part", applies_in_part)) if does}


@pytest.mark.parametrize("language", ["C", "C++", "C#"])
def test_rule_for_one_of_the_languages_c_is_for_no_other(make_curated: MakeCurated, language: str) -> None:
    names = ("C", "C++", "C#")
    index = make_curated(
        *(Rule(f"whole {name}", [name], pinned=[f"{ORIGIN}wheel"]) for name in names),
        *(Rule(f"part {name}", [name], is_part=True, pinned=[f"{ORIGIN}glaze"]) for name in names),
    )
    assert index.answer(language)["appliedRules"] == [{"objectID": f"{kind} {language}"} for kind in ("whole", "part")]
    assert index.answer(f"install {language.lower()}")["appliedRules"] == [{"objectID": f"part {language}"}]


def test_page_that_another_rule_hides_is_not_shown_and_no_redirect(make_curated: MakeCurated) -> None:
    index = make_curated(
        Rule("pin", ["old kiln"], pinned=[f"{ORIGIN}kiln", f"{ORIGIN}wheel"], redirect=f"{ORIGIN}kiln#temperature"),
        Rule("hide", ["kiln"], is_part=True, hidden=[f"{ORIGIN}kiln"], redirect=f"{ORIGIN}glaze"),
    )
    answer = index.answer("old kilns")
    assert pages(answer)[:2] == ["glaze", "wheel"]
    assert not [page for page in pages(answer) if page.partition("#")[0] == "kiln"]
    assert answer["renderingContent"] == {"redirect": {"url": f"{ORIGIN}glaze"}}


def test_redirect_to_a_page_that_its_own_rule_hides_is_none(make_curated: MakeCurated) -> None:
    index = make_curated(rule("kiln", hidden=[f"{ORIGIN}kiln"], redirect=f"{ORIGIN}kiln"))
    assert "renderingContent" not in index.answer("kiln")


def test_rules_that_apply_are_found_among_thousands_in_their_order(make_curated: MakeCurated) -> None:
    many = [
        Rule(f"{n}", [f"word{n} clay", f"pot {n}"], is_part=n % 2 == 0, pinned=[f"{ORIGIN}wheel"]) for n in range(3000)
    ]
    last = [Rule("last", ["clay", "kiln"], is_part=True, pinned=[f"{ORIGIN}glaze"])]
    index = make_curated(*many, *last)
    applied = index.answer("the pot 12 and word8 clays")["appliedRules"]
    assert [one["objectID"] for one in applied] == ["8", "12", "last"]
    assert index.answer("pot 13")["appliedRules"] == [{"objectID": "13"}]


def test_rule_whose_page_is_gone_does_nothing(make_curated: MakeCurated) -> None:
    index = make_curated(rule("clay", pinned=[f"{ORIGIN}gone"], hidden=[f"{ORIGIN}gone-too"]))
    assert pages(index.answer("clay")) == pages(index.answer("clay", enableRules=False))


def test_one_way_synonym_finds_what_it_names_and_not_the_other_way_round(make_curated: MakeCurated) -> None:
    index = make_curated(
        one_way_synonyms={"pottery wheel": ["wheel"], "oven": ["kiln"]}, synonyms={"enamel": ["glaze"]}
    )
    assert pages(index.answer("oven", removeWordsIfNoResults="none"))[0] == "kiln"
    assert pages(index.answer("enamel", removeWordsIfNoResults="none")) == ["glaze"]
    plain = index.answer("kiln", synonyms=False, removeWordsIfNoResults="none")
    assert pages(index.answer("kiln", removeWordsIfNoResults="none")) == pages(plain)


def test_search_filters_by_the_address_of_a_page(make_curated: MakeCurated) -> None:
    index = make_curated()
    assert pages(index.answer("clay", filters=f'url_without_anchor:"{ORIGIN}glaze"')) == ["glaze"]
