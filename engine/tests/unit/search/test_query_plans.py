"""How a query is taken apart, and what its words may mean among the words of an index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from octavo.search.query.query import LONGEST_QUERY, MOST_WORDS, Query, QueryPlan, QuerySettings, make_plan, parse_query
from octavo.search.query.synonyms import Synonyms
from octavo.search.query.vocabulary import EXACT, FORM, TYPO, Vocabulary
from tests.support.each import each

ONE_TYPO, TWO_TYPOS = TYPO + FORM, 2 * TYPO + FORM
SYNTAX = QuerySettings(has_syntax=True)


def forms(query: Query) -> list[str]:
    return [term.form for term in query.terms]


def plan(text: str, words: Mapping[str, int], *, syntax: bool = False, **given: Any) -> QueryPlan:
    settings = QuerySettings(has_syntax=syntax, query_type=given.pop("query_type", "prefixNone"))
    given.setdefault("typos", "unknown")
    return make_plan(parse_query(text, settings), Vocabulary(words, ["en"]), settings, **given)


def meant(text: str, words: Mapping[str, int], **given: Any) -> dict[str, list[int]]:
    """Give each word of the index that is meant, with its qualities; the first term's."""
    senses = plan(text, words, **given).senses
    return {
        token: [quality for term, _, quality in found if term == 0]
        for token, found in senses.items()
        if any(term == 0 for term, _, _ in found)
    }


@each(
    "text, query_type, is_open",
    [
        ("fired clay", "prefixLast", [False, True]),
        ("fired clay ", "prefixLast", [False, False]),
        ("fired clay+", "prefixLast", [False, False]),
        ("fired clay.", "prefixLast", [False, True]),
        ("fired clay", "prefixAll", [True, True]),
        ("fired clay", "prefixNone", [False, False]),
    ],
)
def test_word_is_unfinished_while_nothing_follows_it(text: str, query_type: Any, is_open: list[bool]) -> None:
    query = parse_query(text, QuerySettings(query_type=query_type))
    assert [term.is_prefix for term in query.terms] == is_open


def test_quoted_words_are_a_phrase_that_is_finished() -> None:
    query = parse_query('hot "fired clay" kiln', SYNTAX)
    assert (forms(query), query.phrases) == (["hot", "fired", "clay", "kiln"], [(1, 2)])
    assert [term.is_prefix for term in parse_query('"fired clay', SYNTAX).terms] == [False, False]
    assert parse_query('hot "" kiln', SYNTAX).phrases == []
    assert parse_query('"fired clay"').phrases == []


@each(
    "text, excluded, left",
    [
        ("clay -kiln", [["kiln"]], ["clay"]),
        ('clay -"old kiln" hot', [["old", "kiln"]], ["clay", "hot"]),
        ("clay -5", [], ["clay", "5"]),
        ("clay-kiln", [], ["clay", "kiln"]),
    ],
)
def test_excluded_words_are_no_words_to_look_for(text: str, excluded: list[list[str]], left: list[str]) -> None:
    query = parse_query(text, SYNTAX)
    assert (query.excluded, forms(query)) == (excluded, left)
    assert parse_query(text).excluded == []


def test_argument_of_pasted_code_need_not_occur() -> None:
    query = parse_query("Host(`example.com`) rule")
    assert [forms(query)[index] for index in sorted(query.literals)] == ["example", "com"]
    assert "example.com" not in query.identifiers
    assert parse_query("example.com").identifiers == ["example.com"]


def test_what_is_too_long_is_left_out() -> None:
    words = [f"w{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(MOST_WORDS + 3)]
    assert forms(parse_query(" ".join(words))) == words[:MOST_WORDS]
    assert forms(parse_query("a " * LONGEST_QUERY + "kiln"))[-1:] == ["a"]
    assert forms(parse_query(" " * (LONGEST_QUERY - 4) + "kilns")) == ["kiln"]


def test_words_that_stand_together_may_be_one() -> None:
    groups = {group.name: (group.first, group.size, group.is_form) for group in parse_query("wi-fi fire brick").groups}
    assert groups["wifi"] == (0, 2, True)
    assert groups["firebrick"] == (2, 2, False)
    assert "fifire" not in groups
    assert "25" not in {group.name for group in parse_query("2-5").groups}


def test_rare_word_may_be_misspelt_in_the_index_as_well() -> None:
    """Two records have `porcelian`, forty the right word: a reader who makes the same mistake wants these."""
    assert meant("porcelian", {"porcelian": 2, "porcelain": 40}) == {"porcelian": [EXACT], "porcelain": [ONE_TYPO]}
    for words in ({"porcelian": 3, "porcelain": 90}, {"porcelian": 2, "porcelain": 39}):
        assert meant("porcelian", words) == {"porcelian": [EXACT]}
    assert meant("stove", {"stove": 1, "stone": 90}) == {"stove": [EXACT]}
    assert set(meant("glazes", {"glazes": 1, "glares": 90})) == {"glazes", "glares"}


@each("text", ['"porcelian"', "porcelian2"])
def test_quoted_words_and_names_are_never_taken_for_misspelt(text: str) -> None:
    known = text.strip('"')
    assert meant(text, {known: 1, "porcelain": 90, "porcelain2": 90}, syntax=True, typos="none") == {known: [EXACT]}


def test_unknown_word_is_corrected_unless_that_was_forbidden() -> None:
    words = {"porcelain": 1}
    assert meant("porcelian", words) == {"porcelain": [ONE_TYPO]}
    assert meant("porcelian", words, typos="none") == {}
    assert meant('"porcelian"', words, syntax=True, typos="all") == {}


def test_known_word_is_corrected_only_where_all_may_be_wrong() -> None:
    words = {"kiln": 9, "kilo": 9}
    assert meant("kiln", words) == {"kiln": [EXACT]}
    assert meant("kiln", words, typos="all") == {"kiln": [EXACT], "kilo": [ONE_TYPO]}


def test_other_forms_of_a_word_are_found_but_not_of_a_quoted_one() -> None:
    words = {"kiln": 9, "kilns": 9}
    assert meant("kiln", words) == {"kiln": [EXACT], "kilns": [FORM]}
    assert meant('"kiln"', words, syntax=True) == {"kiln": [EXACT]}


def test_long_unknown_word_with_a_known_stem_may_be_misspelt() -> None:
    """`maintainance` has the stem of `maintain`, but differs less from `maintenance`: neither hides the other."""
    words = {"maintain": 9, "maintenance": 9}
    assert meant("maintainance", words) == {"maintain": [TWO_TYPOS], "maintenance": [TWO_TYPOS]}
    assert meant("maintainance", {"maintain": 9}) == {"maintain": [FORM]}


def test_word_written_in_parts_finds_the_whole_as_another_form() -> None:
    found = plan("wi-fi", {"wifi": 3, "wi": 1, "fi": 1})
    assert found.senses["wifi"] == ((0, 0, FORM), (1, 1, FORM))
    assert [one.frequency for one in found.meanings] == [4, 4]


def test_words_written_apart_find_the_whole() -> None:
    found = plan("fire brick", {"firebrick": 3, "fire": 1, "brick": 1})
    assert found.senses["firebrick"] == ((0, 0, EXACT), (1, 1, EXACT))


def test_synonyms_are_other_forms_of_words_that_are_not_quoted() -> None:
    words = {"clay": 2, "loam": 5, "wet": 7, "earth": 3}
    synonyms = Synonyms({"clay": ["loam", "wet earth"]}, {})
    found = plan("clay", words, synonyms=synonyms)
    assert found.senses["loam"] == ((0, 0, FORM),)
    assert ("wet", "earth") in found.meanings[0].phrases
    assert found.meanings[0].frequency == 2 + 5 + 3
    assert "loam" not in plan('"clay"', words, synonyms=synonyms, syntax=True).senses
    assert ("wet", "earth") not in plan("clay", {"clay": 2, "loam": 5, "wet": 7}, synonyms=synonyms).meanings[0].phrases


def test_small_words_are_no_part_of_the_core() -> None:
    found = plan("how clay", {"how": 1, "clay": 1}, small=frozenset([0]), wished=frozenset([1]))
    assert (list(found.core), found.wished) == ([1], frozenset([1]))


@each(
    "text, words, query_type, held",
    [
        ("HTTP-01", {"http-01": 1}, "prefixNone", {"http-01", "http01"}),
        ("--dry-run", {"--dry-run": 1}, "prefixNone", {"--dry-run"}),
        ("--dry-r", {"--dry-run": 1}, "prefixLast", {"--dry-run"}),
        ("--dry-r", {"--dry-run": 1}, "prefixNone", {"--dry-r"}),
        ("--dry-r", {}, "prefixLast", {"--dry-r"}),
    ],
)
def test_identifier_is_held_by_itself_or_by_what_begins_with_it(
    text: str, words: dict[str, int], query_type: str, held: set[str]
) -> None:
    (found,) = plan(text, words, query_type=query_type).held
    assert found == held


def test_each_word_of_a_phrase_may_mean_the_other_phrase() -> None:
    words = {"access": 9, "key": 4, "api": 3, "token": 2}
    synonyms = Synonyms({"access key": ["api token"]}, {"token key": ["access api"]})
    found = plan("my access keys", words | {"keys": 1}, synonyms=synonyms)
    assert [list(one.phrases) for one in found.meanings] == [[], [("api", "token")], [("api", "token")]]
    assert found.senses["token"] == ((1, 0, FORM), (2, 0, FORM))
    back = plan("api token", words, synonyms=synonyms)
    assert [one.phrases for one in back.meanings] == [[("access", "key")]] * 2
    # In one direction only, and neither for quoted words nor for words in another order.
    assert plan("access api", words, synonyms=synonyms).meanings[0].phrases == ()
    assert plan("key access", words, synonyms=synonyms).meanings[0].phrases == ()
    assert plan('"access key"', words, synonyms=synonyms, syntax=True).meanings[0].phrases == ()
