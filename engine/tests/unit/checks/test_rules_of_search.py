"""Rules and synonyms of search that do nothing."""

from __future__ import annotations

import msgspec

from octavo.checks.findings import SourceLines
from octavo.checks.links import LinkChecker
from octavo.checks.search_rules import check_search_rules, idle_synonyms
from octavo.rendering import PageRecord
from octavo.site import AssetStore, LinkResolver
from tests.support.each import each
from tests.support.sites import MakeSite, page

RECORD = PageRecord("", "", True, {}, {}, {}, "", [], [], [])
FILES = {
    "docs/index.md": page("Home", slug="/"),
    "docs/kiln.md": page("Kiln", '## Heat\n\n<a id="ash"></a>Text.'),
    "docs/hidden.md": page("Hidden", unlisted=True),
    "docs/silent.md": page("Silent", search=False),
}


def found(make_site: MakeSite, rules: str) -> list[str]:
    folder = make_site({**FILES, "search.toml": rules})
    site = folder.assemble()
    records = {route: msgspec.structs.replace(RECORD, anchors=["heat", "ash"]) for route in site.by_route}
    assets = AssetStore(folder.root, "static")
    resolver, lines = LinkResolver(site, assets), SourceLines(folder.root)
    checker = LinkChecker(site, records, resolver=resolver, assets=assets, known=frozenset(), lines=lines)
    problems = check_search_rules(site, checker, resolver=resolver, lines=lines)
    return [f"{one.span.line}:{one.span.column} {one.message} {one.suggestion}" for one in problems]


def rule(**settings: object) -> str:
    values = {"queries": ["clay"], **settings}
    lines = (f"{key} = {msgspec.json.encode(value).decode()}\n" for key, value in values.items())
    return f"[[rules]]\n{''.join(lines)}"


def test_site_without_rules_has_no_findings(make_site: MakeSite) -> None:
    assert found(make_site, "") == []


@each(
    "rules, expected",
    [
        (rule(pin=["/kiln"]), []),
        (rule(pin=["/kiln#heat"], hide=["/"]), []),
        (rule(redirect="/kiln"), []),
        (
            rule(redirect="/kiln#ash"),
            ['3:12 "/kiln#ash" is not a heading: search finds headings only, so this rule does nothing. Write "/kiln", or the id of a heading.'],
        ),
        (rule(pin=["/kilm"]), ['3:8 "/kilm" leads to no page, so this rule does nothing. Did you mean "/kiln"?']),
        (
            rule(pin=["/nothing/like/it"]),
            ['3:8 "/nothing/like/it" leads to no page, so this rule does nothing. Name another page, or take the rule away.'],
        ),
        (
            rule(pin=["/kiln?a=1#heat"]),
            [
                ('3:8 "/kiln?a=1#heat" has a "?": the address of a page that search finds has none, so this rule does nothing. '
                'Write "/kiln".')
            ],
        ),
        (
            rule(pin=["/kiln#hea"]),
            ['3:8 "/kiln#hea": "/kiln" has no heading or element with the id "hea". Did you mean "/kiln#heat"?'],
        ),
        (
            rule(pin=["/kiln#zzzzz"]),
            ['3:8 "/kiln#zzzzz": "/kiln" has no heading or element with the id "zzzzz". Take the part from # on away.'],
        ),
        (
            rule(pin=["/hidden"]),
            ['3:8 "/hidden" is unlisted: search does not find it, so this rule does nothing. Name another page, or list this one.'],
        ),
        (
            rule(pin=["/silent"]),
            ['3:8 "/silent" has `search: false`: search does not find it, so this rule does nothing. Name another page.'],
        ),
        (
            rule(hide=["/kiln#heat"]),
            [
                ('3:9 "/kiln#heat" names a part of a page: search hides whole pages only, so this rule does nothing. Write '
                '"/kiln", or take it away.')
            ],
        ),
        (
            rule(queries=["?"], pin=["/kiln"]),
            ['2:12 "?" has no words that search compares, so this rule does not apply to it. Take it away, or write a word.'],
        ),
        (
            rule(queries=["clay" * (512 // 4 + 1)], pin=["/kiln"]),
            [
                ('2:12 A query of 516 letters is cut to 512, so this rule does not apply to it. Shorten it; with match = "part" a '
                "part is enough.")
            ],
        ),
        (
            rule(queries=["clay", "pots"], pin=["/kiln"]) + rule(queries=["pot"], pin=["/"]),
            ['5:12 "pot" is the same query to search as "pots" of an earlier rule: both rules apply. Write them as one rule.'],
        ),
        (rule(pin=["/kiln"]) + rule(match="part", pin=["/"]), []),
        (
            rule(pin=["/kiln"]) + rule(match="part", hide=["/kiln"]),
            [
                ('3:8 "/kiln" comes first for the query "clay", and is hidden for it as well: it is not shown. Take it out of one '
                "of the two lists.")
            ],
        ),
        (
            rule(queries=["wet clay pot"], redirect="/kiln") + rule(match="part", queries=["clay pot"], hide=["/kiln"]),
            [
                ('3:12 "/kiln" comes first for the query "wet clay pot", and is hidden for it as well: it is not shown. Take it '
                "out of one of the two lists.")
            ],
        ),
        (rule(queries=["clay"], pin=["/kiln"]) + rule(match="part", queries=["clay pot"], hide=["/kiln"]), []),
        (rule(queries=["wet clay"], pin=["/kiln"]) + rule(queries=["clay"], hide=["/kiln"]), []),
        (rule(match="part", queries=["wet clay"], pin=["/kiln"]) + rule(queries=["wet clay"], hide=["/kiln"]), []),
        (rule(pin=["/kiln"]) + rule(match="part", hide=["/"]), []),
    ],
)  # fmt: skip
def test_rule_without_effect_is_found_at_its_line(make_site: MakeSite, rules: str, expected: list[str]) -> None:
    assert found(make_site, rules) == expected


@each(
    "written, pairs, expected",
    [
        (["kiln", "oven"], [("kiln", "oven")], []),
        (
            ["?", "oven", "?"],
            [("?", "oven")],
            [("?", "has no words that search compares, so it is a synonym of nothing.")],
        ),
        (["kiln", "kilns"], [("kiln", "kilns")], [("kilns", "are forms of one word, which find each other anyway.")]),
        (
            ["?", "!"],
            [("?", "!")],
            [(one, "has no words that search compares, so it is a synonym of nothing.") for one in ("?", "!")],
        ),
    ],
)
def test_synonyms_that_do_nothing(
    written: list[str], pairs: list[tuple[str, str]], expected: list[tuple[str, str]]
) -> None:
    found = list(idle_synonyms(written, pairs))
    assert [
        (word, message[-len(end) :]) for (word, message, _), (_, end) in zip(found, expected, strict=True)
    ] == expected


@each(
    "settings, expected",
    [
        ('[[synonyms]]\nboth_ways = ["kiln", "oven", "ovens"]\n', ['2:30 "oven" and "ovens" are forms of one word']),
        (
            '[[synonyms]]\nword = "kiln"\nalso_finds = ["kilns", "oven"]\n',
            ['3:15 "kiln" and "kilns" are forms of one word'],
        ),
        ('[[synonyms]]\nword = "kiln"\nalso_finds = ["oven", "ovens"]\n', []),
    ],
)
def test_synonym_without_effect_is_found_at_its_line(make_site: MakeSite, settings: str, expected: list[str]) -> None:
    assert [one.partition(",")[0] for one in found(make_site, settings)] == expected
