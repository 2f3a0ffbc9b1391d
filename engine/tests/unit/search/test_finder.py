"""Tokens of a query are found in a record where the tokenizer has put them."""

from __future__ import annotations

from collections import Counter

from engine.tests.unit.search.conftest import MakeIndex, records
from octavo.search.index.record_text import CONTENT
from octavo.search.query.query import QuerySettings as Reading
from octavo.search.query.query import make_plan, parse_query
from octavo.search.query.vocabulary import Vocabulary
from octavo.search.ranking.finder import Finder
from octavo.search.text.tokens import make_stream
from tests.support.each import each

TITLES = ["Pottery", "Kiln --dry-run", "C++ for kilns"]
CONTENT_TEXT = "Use --dry-run, then dry the clay: kilns.fireSlowly(clay) – naïve kilns dry clay, and /kilns/{id} too."


def all_tokens() -> list[tuple[int, int, str]]:
    """(attribute, position, token) of all that the tokenizer makes of the texts."""
    found: list[tuple[int, int, str]] = []
    for attribute, text in [*enumerate(TITLES), (CONTENT, CONTENT_TEXT)]:
        stream = make_stream(text)
        found += [(attribute, position, part) for position, part in enumerate(stream.parts)]
        found += [(attribute, position, name) for position, name in stream.names]
    return found


@each(
    "query",
    [
        "dry",
        "kiln",
        "k",
        "--dry-run",
        "clay dry kilns",
        "naive",
        "/kilns/{id}",
        "c++",
        "fireslowly",
        "kilns.fi",
        "klins",
    ],
)
@each("others", [0, 300])
def test_sightings_are_where_the_tokenizer_has_put_the_tokens(query: str, others: int) -> None:
    vocabulary = Vocabulary(
        Counter(
            [token for _, _, token in all_tokens()]
            + [f"{letter}{number}" for number in range(others) for letter in "kd"]
        )
    )
    plan = make_plan(parse_query(query), vocabulary, Reading(), typos="all")
    body = f"## {TITLES[2]}\n{CONTENT_TEXT}"
    *_, (_, text) = records(TITLES[1], body, lvl0=TITLES[0])
    expected = Counter(sighting for sighting in all_tokens() if sighting[2] in plan.senses)
    assert Counter(Finder(plan).find(text)) == expected
    assert expected


def test_words_that_are_too_many_to_be_searched_for_are_found_as_well() -> None:
    words = [f"{first}{second}x" for first in "abcdefgh" for second in "ijklmnop"][:24]
    plan = make_plan(
        parse_query(" ".join(words)), Vocabulary(dict.fromkeys([*words, "kiln"], 1)), Reading(), typos="none"
    )
    longer = make_plan(
        parse_query(" ".join(f"{word}s" for word in words)), Vocabulary(dict.fromkeys(words, 1)), Reading(), typos="all"
    )
    _, (_, text) = records("Kiln", " ".join(words))
    for one in (plan, longer):
        assert [(position, token) for _, position, token in Finder(one).find(text)] == list(enumerate(words))


def test_title_without_words_can_be_searched(make_index: MakeIndex) -> None:
    index = make_index([records("…", "Dry clay."), records("Dry clay", lvl0="–")])
    assert index.found("dry clay") == ["Dry clay", "Dry clay."]
    assert sorted(index.found("")) == ["Dry clay", "…"]
