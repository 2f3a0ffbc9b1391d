"""Counts of generated searches over generated pages, held against counting by hand."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.tests.unit.search.conftest import Index, facts, records
from octavo.content import TextChunk
from octavo.search.index.facts import Kind
from octavo.search.index.record import Record, make_records

WORDS = ["kiln", "glaze", "clay", "wheel", "brush", "oven", "shelf", "bucket"]
"""No form, beginning or misspelling of each other: whether a record holds one can be told by looking."""

SECTIONS = ["Throwing", "Firing", "Decorating"]
LANGUAGES = ["en", "de"]
SEARCHES = 90
FACETS = ["kind", "section", "language", "type"]


def held_words(record: Record) -> list[str]:
    return " ".join(filter(None, [*record.hierarchy[1:], record.content])).lower().replace(".", "").split()


class Site(NamedTuple):
    index: Index
    records: list[Record]


def make_site(folder: Path, seed: int, pages: int) -> Site:
    rng = random.Random(seed)

    def sentence() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(1, 5))).capitalize() + "."

    kinds: list[Kind] = ["guide", "guide", "command", "api"]
    made = []
    for number in range(pages):
        lines = [
            line for _ in range(rng.randint(1, 4)) for line in (f"## {sentence()[:-1]} {number}", *[sentence()] * 2)
        ]
        lines += [f"    {sentence()}" for _ in range(rng.randint(0, 2))]
        made.append(
            records(
                f"Page{number} {rng.choice(WORDS)}",
                "\n".join([sentence(), sentence(), *lines]),
                kind=rng.choice(kinds),
                section=rng.choice(SECTIONS),
                language=rng.choice(LANGUAGES),
            )
        )
    return Site(Index(folder, made), [record for page in made for record, _ in page])


@pytest.fixture(scope="module", params=[1, 2])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Site:
    return make_site(tmp_path_factory.mktemp("site") / "index", request.param, pages=50)


class Search(NamedTuple):
    """A generated search, and the records that it should find."""

    query: str
    parameters: dict[str, Any]
    matching: list[Record]
    distinct: int


def generated(site: Site, rng: random.Random) -> Search:
    """One to three words, some quoted or excluded, with and without filters and attributes."""
    words = rng.sample(WORDS, rng.randint(1, 3))
    query, found = " ".join(words), site.records
    parameters: dict[str, Any] = {"advancedSyntax": True}
    distinct = rng.choice([0, 1, 1, 2])
    parameters["distinct"] = distinct or False
    attributes = ["content"] if rng.random() < 0.2 else []
    if attributes:
        parameters["restrictSearchableAttributes"] = attributes

    def texts(record: Record) -> list[list[str]]:
        fields = [record.content] if attributes else [*record.hierarchy[1:], record.content]
        return [field.lower().replace(".", "").split() for field in fields if field]

    if len(words) > 1 and rng.random() < 0.3:
        query = f'"{query}"'
        size = len(words)
        found = [
            record
            for record in found
            if any(text[at : at + size] == words for text in texts(record) for at in range(len(text)))
        ]
    else:
        found = [record for record in found if all(any(word in text for text in texts(record)) for word in words)]
    if rng.random() < 0.3:
        unwanted = rng.choice([word for word in WORDS if word not in words])
        query += f" -{unwanted}"
        found = [record for record in found if unwanted not in held_words(record)]
    if rng.random() < 0.5:
        section = rng.choice(SECTIONS)
        parameters["filters"] = f"section:{section}"
        found = [record for record in found if record.section == section]
    if rng.random() < 0.3:
        language = rng.choice(LANGUAGES)
        parameters["facetFilters"] = [f"language:{language}"]
        found = [record for record in found if record.language == language]
    return Search(query, parameters, found, distinct)


def number_of_hits(matching: list[Record], distinct: int) -> int:
    counts = Counter(record.url for record in matching)
    return sum(min(count, distinct) if distinct else count for count in counts.values())


ALONE = {"removeWordsIfNoResults": "none", "typoTolerance": False, "queryType": "prefixNone", "ignorePlurals": False}


def test_hits_and_facets_are_counted_as_by_hand(site: Site) -> None:
    rng = random.Random(7)
    wrong = []
    for _ in range(SEARCHES):
        search = generated(site, rng)
        answer = site.index.answer(search.query, **search.parameters, **ALONE, facets=FACETS, hitsPerPage=7)
        assert answer["exhaustiveNbHits"]
        counts = {
            facet: {
                value: number_of_hits([one for one in search.matching if getattr(one, facet) == value], search.distinct)
                for value in {getattr(record, facet) for record in search.matching}
            }
            for facet in FACETS
        }
        if answer["nbHits"] != number_of_hits(search.matching, search.distinct):
            wrong.append((search[:2], answer["nbHits"], number_of_hits(search.matching, search.distinct)))
        elif answer["facets"] != {facet: values for facet, values in counts.items() if values}:
            wrong.append((search[:2], answer["facets"], counts))
    assert wrong == []


@pytest.mark.parametrize("default", [True, False])
def test_pages_together_hold_as_many_hits_as_are_counted_and_none_twice(site: Site, default: bool) -> None:
    rng = random.Random(8)
    wrong = []
    for _ in range(SEARCHES // 3):
        search = generated(site, rng)
        size = rng.choice([1, 3, 20])
        asked = {**search.parameters, **({} if default else ALONE), "hitsPerPage": size}
        first = site.index.answer(search.query, **asked)
        pages = [site.index.answer(search.query, **asked, page=page) for page in range(first["nbPages"] + 1)]
        sizes = [len(page["hits"]) for page in pages]
        ids = [hit["objectID"] for page in pages for hit in page["hits"]]
        counts = {(page["nbHits"], page["nbPages"]) for page in pages}
        full = [size] * (first["nbHits"] // size)
        rest = [first["nbHits"] % size] if first["nbHits"] % size else []
        if sizes != [*full, *rest, 0] or len(set(ids)) != len(ids) or len(counts) != 1:
            wrong.append((search[:2], first["nbHits"], sizes, counts))
    assert wrong == []


def test_above_1000_matches_the_last_page_has_hits_and_no_hit_comes_twice(tmp_path: Path) -> None:
    pages = [
        make_records(
            facts(f"Page {number}"), [], [TextChunk("paragraph", -1, f"Kiln {number} {part}.") for part in range(30)]
        )
        for number in range(50)
    ]
    index = Index(tmp_path / "index", pages)
    for distinct in (False, 3, 4):
        first = index.answer("kiln", hitsPerPage=50, distinct=distinct)
        found = [index.answer("kiln", hitsPerPage=50, page=page, distinct=distinct) for page in range(first["nbPages"])]
        ids = [hit["objectID"] for answer in found for hit in answer["hits"]]
        assert all(answer["hits"] for answer in found)
        assert len(set(ids)) == len(ids)
        assert {answer["nbPages"] for answer in found} == {first["nbPages"]}
        assert len({answer["nbHits"] for answer in found}) == 1
