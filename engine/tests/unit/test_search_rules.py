from __future__ import annotations

from pathlib import Path

import pytest

from octavo.config import RulePart, RulePlaces, SearchRule, SearchRules, SearchSynonym, load_config, parse_search_rules
from octavo.errors import ConfigError

FILE = """
[[synonyms]]
both_ways = ["delete", "remove"]

[[synonyms]]
word = "telemetry"
also_finds = ["usage data"]

[[rules]]
queries = ["install", "set up"]
pin = ["/guides/install#linux"]
hide = ["/old/install"]

[[rules]]
queries = ["price"]
match = "part"
redirect = "/pricing"
"""


def test_file_gives_synonyms_and_rules() -> None:
    assert parse_search_rules(FILE) == SearchRules(
        synonyms=[
            SearchSynonym(both_ways=["delete", "remove"]),
            SearchSynonym(word="telemetry", also_finds=["usage data"]),
        ],
        rules=[
            SearchRule(queries=["install", "set up"], pin=["/guides/install#linux"], hide=["/old/install"]),
            SearchRule(queries=["price"], match="part", redirect="/pricing"),
        ],
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[rules]]\nquery = 'a'\n", 'search.toml:2: "query" is not a setting in rules. Did you mean "queries"?'),
        ("[[rules]]\npin = ['/a']\n", "search.toml:1: rules.queries is missing"),
        ("\n[[rules]]\nqueries = ['buy']\n", 'search.toml:3: rules: the rule for "buy" does nothing'),
        ("[[rules]]\nqueries = []\npin = ['/a']\n", "rules: queries is empty"),
        ("[[rules]]\nqueries = ['  ']\npin = ['/a']\n", 'search.toml:2: rules: "  " is not a query'),
        (f"[[rules]]\nqueries = ['{'a ' * 25}']\npin = ['/a']\n", "is not a query; expected one to 24 words"),
        ("[[rules]]\nqueries = ['a']\npin = ['b']\n", 'search.toml:3: rules: "b" is not a page; expected a path'),
        ("[[rules]]\nqueries = ['a']\nredirect = 'https://a.example'\n", 'search.toml:3: rules: "https://a.example"'),
        ("[[rules]]\nqueries = ['a']\nmatch = 'some'\npin = ['/b']\n", 'search.toml:3: rules.match is "some"'),
        (
            "[[rules]]\nqueries = ['a']\npin = ['/b']\nhide = ['/b']\n",
            'search.toml:3: rules: "/b" is in pin and in hide',
        ),
        (
            "[[rules]]\nqueries = ['a']\npin = ['/b']\n[[rules]]\nqueries = ['A ']\npin = ['/c']\n",
            'search.toml:5: rules: two rules are for the query "A "',
        ),
        ("[[synonyms]]\nboth_ways = ['a', 'A']\n", 'search.toml:2: synonyms: "a" is named as a synonym of itself'),
        ("[[synonyms]]\nboth_ways = ['a']\n", 'search.toml:2: synonyms: both_ways has "a" alone'),
        ("[[synonyms]]\nword = 'a'\n", "search.toml:2: synonyms: expected either both_ways, or word and also_finds"),
        ("[[synonyms]]\n", "synonyms: expected either both_ways, or word and also_finds"),
        ("[[synonyms]]\nword = 'a'\nalso_finds = ['']\n", "synonyms: an entry is empty"),
        ("[[rules", "search.toml:1: this is not valid TOML"),
    ],
)
def test_mistake_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_search_rules(text)
    assert message in str(raised.value)


def test_settings_of_a_site_hold_the_file_beside_them(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_text('title = "Pots"\n')
    assert load_config(tmp_path).search.rules == SearchRules()
    (tmp_path / "search.toml").write_text(FILE)
    assert load_config(tmp_path).search.rules == parse_search_rules(FILE)


def test_rules_in_octavo_toml_are_sent_to_their_own_file(tmp_path: Path) -> None:
    (tmp_path / "octavo.toml").write_text(
        'title = "Pots"\n[[search.rules.rules]]\nqueries = ["a"]\npin = ["/a"]\n', encoding="utf-8"
    )
    with pytest.raises(
        ConfigError, match=r"octavo\.toml:2: search\.rules is not a setting of this file; .*search\.toml"
    ):
        load_config(tmp_path)


def test_query_of_a_rule_has_as_many_words_as_search_looks_at() -> None:
    query = " ".join(["a"] * 24)
    (rule,) = parse_search_rules(f"[[rules]]\nqueries = ['{query}']\npin = ['/a']\n").rules
    assert rule.queries == [query]


def test_mistake_has_the_line_and_column_of_its_own_rule() -> None:
    text = "# 'gone'\n[[rules]]\nqueries = ['gone']\npin = ['/a']\n[[rules]]\nqueries = ['b']\nhide = ['/a', 'gone']\n"
    with pytest.raises(ConfigError) as raised:
        parse_search_rules(text)
    assert [str(finding.span) for finding in raised.value.findings] == ["search.toml:7:15"]


def test_all_wrong_settings_are_named_at_once() -> None:
    text = "[[synonyms]]\nboth_ways = ['a', 'b']\nx = 1\n[[rules]]\nqueries = 'a'\npin = ['/b']\n[[synonyms]]\nwrod = 'c'\n"
    with pytest.raises(ConfigError) as raised:
        parse_search_rules(text)
    assert [line.partition(" ")[0] for line in str(raised.value).splitlines()] == [
        "search.toml:3:", "search.toml:5:", "search.toml:8:",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "part", "word", "place"),
    [
        ('[[rules]]\nqueries = ["a"] # "b"\npin = ["b"]', RulePart("rules", 0), "b", (3, 8)),
        ('rules = [{ queries = ["a"] },\n  { queries = ["b", "a"] }]', RulePart("rules", 1), "a", (2, 21)),
        ('rules = [{ queries = ["a"] }]\nsynonyms = [{ word = "a" }]', RulePart("synonyms", 0, "word"), "a", (2, 22)),
        ("[[rules]]\nqueries = ['x']\n  [[ 'rules' ]]\npin = ['a']", RulePart("rules", 1), "b", (3, 3)),
        (
            '[[rules]]\nqueries = [\n"""a\nb""", "c\\u0064", \'\'\'e\'\'\']\n"pin"=["cd"]',
            RulePart("rules", 0),
            "cd",
            (4, 7),
        ),
        ('[[rules]]\nqueries = [\n"""a\nb""", \'\'\'e\'\'\']\n"pin"=["f"]', RulePart("rules", 0, "pin"), "f", (5, 8)),
        ('[[rules]]\nqueries = ["#x", "a"]', RulePart("rules", 0, "queries"), "a", (2, 18)),
        ("[[rules]]", RulePart("rules", 5), "a", (1, 1)),
        ("", RulePart("rules", 0), "a", (1, 1)),
    ],
)
def test_place_of_a_text_is_that_in_its_own_table(text: str, part: RulePart, word: str, place: tuple[int, int]) -> None:
    assert RulePlaces(text).of(part, word) == place
