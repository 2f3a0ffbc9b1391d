"""An introduction in front of a reference, and links from it to guides."""

from __future__ import annotations

import re

import pytest

from octavo.config import load_config
from octavo.errors import ConfigError
from octavo.search.index.tantivy_index import IndexReader
from tests.support.sites import MakeSite, SiteFolder, page

from .openapi_sites import make_shop

INTRODUCTION = "docs/_shop.md"
TEXT = """\
Begin with [a kiln](./fire.md).

## First firing

:::tip

Let it cool.

:::
"""
CONFIG = """
introduction = "docs/_shop.md"

[openapi.guides]
"Fired things" = [{ label = "Choose a kiln", href = "/fire" }]
listKilns = [{ label = "Fire <twice>", href = "/fire#twice" }]
"POST /kilns" = [{ label = "Buy one", href = "https://kilns.example.com/" }]
"""
FIRE = page("Fire", "Text.\n\n## Twice\n\nAgain.")


def make(make_site: MakeSite, text: str = TEXT, config: str = CONFIG) -> SiteFolder:
    return make_shop(make_site, config=config, **{INTRODUCTION: text, "docs/fire.md": FIRE})


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    site = make(make_site)
    assert site.check() == []
    return site


def guides(html: str) -> list[str]:
    found = re.findall(r'<div class="api-guides">(.*?)</div>', html)
    return [f"{href} {label}" for part in found for href, label in re.findall(r'<a href="([^"]*)">(.*?)</a>', part)]


def test_introduction_stands_in_front_of_the_reference(site: SiteFolder) -> None:
    html = site.html("/api")
    places = [html.index(part) for part in ('href="/fire"', 'id="first-firing"', "Let it cool.", "api-overview")]
    assert places == sorted(places)


def test_headings_of_the_introduction_lead_the_table_of_contents(site: SiteFolder) -> None:
    anchors = [entry["anchor"] for entry in site.payload("/api")["toc"]]
    assert anchors[:2] == ["first-firing", "tag/Fired-things"]


def test_introduction_is_found_by_the_search(site: SiteFolder) -> None:
    records = IndexReader(site.out / site.manifest().search).all_records()
    found = {record.content: record.url for record in records}
    assert found["Let it cool."] == "http://localhost:3000/api#first-firing"


def test_guides_stand_beside_tags_and_operations(site: SiteFolder) -> None:
    assert guides(site.html("/api")) == [
        "/fire Choose a kiln",
        "/fire#twice Fire &lt;twice&gt;",
        "https://kilns.example.com/ Buy one",
    ]


def test_guides_stand_in_the_markdown_of_an_operation(site: SiteFolder) -> None:
    assert "- Guide: [Fire \\<twice>](/fire#twice)\n" in (site.out / "api/listKilns.md").read_text(encoding="utf-8")


def test_pages_of_their_own_have_their_guides_and_only_the_first_the_introduction(make_site: MakeSite) -> None:
    site = make(make_site, config=f'layout = "pages"\n{CONFIG}')
    assert site.check() == []
    assert "Let it cool." in site.html("/api/")
    assert guides(site.html("/api/fired-things/")) == ["/fire Choose a kiln"]
    assert guides(site.html("/api/fired-things/list-kilns")) == ["/fire#twice Fire &lt;twice&gt;"]
    assert "Let it cool." not in site.html("/api/fired-things/")


def test_problems_of_the_introduction_are_told_with_their_place(make_site: MakeSite) -> None:
    site = make(make_site, "One.\n\n[Two](./gone.md)\n")
    assert [line.partition(": ")[0] for line in site.check()] == ["docs/_shop.md:3:1"]


def test_guide_that_leads_nowhere_is_told_with_its_line(make_site: MakeSite) -> None:
    site = make(make_site, config=CONFIG.replace('"/fire"', '"/fir"'))
    line = 1 + (site.root / "octavo.toml").read_text(encoding="utf-8").splitlines().index(
        '"Fired things" = [{ label = "Choose a kiln", href = "/fir" }]'
    )
    found = site.check()
    assert [finding.partition(": ")[0] for finding in found] == [f"octavo.toml:{line}:53"]
    assert '"/fir"' in found[0]
    assert "broken-link" in found[0]


def test_guides_for_what_is_not_described_are_told(make_site: MakeSite) -> None:
    site = make(make_site, config=CONFIG.replace("listKilns", "listKiln"))
    what = 'guides are given for "listKiln", which is neither a tag nor an operation of "openapi/shop.json".'
    [finding] = site.check()
    assert finding.partition(": ")[2] == f'warn: openapi "shop": {what} Did you mean "listKilns"? [openapi]'


def test_missing_introduction_is_told_and_stops_the_build(make_site: MakeSite) -> None:
    site = make(make_site, config=CONFIG.replace("_shop", "_shed"))
    errors = [finding.partition(": ")[2] for finding in site.check() if ": error: " in finding]
    assert errors == ['error: openapi "shop": "docs/_shed.md" is not a file of this site that can be read. [openapi]']


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        ("docs/_shop.md", "../secret.md", 'introduction is "../secret.md"; expected a file inside the site'),
        ("/fire#twice", "javascript:alert(1)", 'a guide of "listKilns" leads to "javascript:alert(1)"; expected'),
        ("/fire#twice", "//elsewhere.example.com", 'a guide of "listKilns" leads to "//elsewhere.example.com"'),
    ],
)
def test_files_outside_and_scripts_are_refused(make_site: MakeSite, was: str, now: str, message: str) -> None:
    site = make(make_site, config=CONFIG.replace(was, now))
    with pytest.raises(ConfigError, match=re.escape(message)):
        load_config(site.root)


def test_edit_of_the_introduction_draws_one_page_anew(site: SiteFolder) -> None:
    site.write({INTRODUCTION: TEXT.replace("Let it cool.", "Wait for a day.")})
    assert site.build().drawn == 1
    assert "Wait for a day." in site.html("/api")
