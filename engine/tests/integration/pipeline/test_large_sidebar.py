"""Hundreds of pages in one folder: each page is small, every page can be reached, with and without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.support.sites import HOME, MakeSite, SiteFolder, page

COUNT = 1300


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> SiteFolder:
    files = {f"docs/topics/p{number:04}.md": page(f"Page {number:04}") for number in range(COUNT)}
    files["docs/topics/_category_.json"] = '{"label": "Topics", "link": {"type": "generated-index"}}'
    made = SiteFolder(tmp_path_factory.mktemp("large") / "site", {**HOME, "docs/start.md": page("Start"), **files}, "")
    assert made.build().diagnostics == []
    return made


def sidebar_of(html: str) -> str:
    return re.findall(r'<(?:nav|aside)[^>]*class="[^"]*sidebar.*?</(?:nav|aside)>', html, re.DOTALL)[0]


def hrefs(html: str) -> Iterator[str]:
    yield from re.findall(r'<a\b[^>]*?\bhref="(/[^"#]*)"', html)


def test_every_page_is_small(site: SiteFolder) -> None:
    sizes = {file: file.stat().st_size for file in site.out.glob("topics/*/index.html")}
    assert len(sizes) == COUNT
    assert max(sizes.values()) <= 40_000


def test_current_page_is_in_its_sidebar(site: SiteFolder) -> None:
    for number in (0, 1, 49, 50, 1249, 1250, COUNT - 1):
        sidebar = sidebar_of(site.html(f"/topics/p{number:04}"))
        assert sidebar.count('aria-current="page"') == 1
        assert f'href="/topics/p{number:04}" aria-current="page"' in sidebar


def test_everything_can_be_reached_without_scripts(site: SiteFolder) -> None:
    # The pager leads from page to page; here only the sidebar counts.
    reached, waiting = {"/start"}, ["/start"]
    while waiting:
        for href in hrefs(sidebar_of(site.html(waiting.pop()))):
            if href not in reached:
                reached.add(href)
                waiting.append(href)
    assert {f"/topics/p{number:04}" for number in range(COUNT)} <= reached


def test_index_page_of_the_folder_is_small_and_leads_to_every_page(site: SiteFolder) -> None:
    """20,000 cards were 2 MB."""
    index = site.html("/category/topics")
    assert len(index.encode()) <= 40_000
    (cards,) = re.findall(r'<ul class="card-list">.*?</ul>', index, re.DOTALL)
    assert "Page 0000 \u2013 Page 1249" in cards
    assert "1,250 items" in cards
    reached, waiting = set(), list(hrefs(cards))
    while waiting:
        for href in hrefs(sidebar_of(site.html(waiting.pop()))):
            if href.startswith("/topics/") and href not in reached:
                reached.add(href)
                waiting.append(href)
    assert {f"/topics/p{number:04}" for number in range(COUNT)} == reached


def test_ranges_are_named_by_their_first_and_last_page(site: SiteFolder) -> None:
    sidebar = sidebar_of(site.html("/topics/p0060"))
    assert "Page 0050 – Page 0099" in sidebar
    assert "Page 0000 – Page 1249" in sidebar


def test_breadcrumbs_and_pager_know_no_ranges(site: SiteFolder) -> None:
    payload = site.payload("/topics/p0050")
    assert [crumb["label"] for crumb in payload["breadcrumbs"]] == ["Topics", "Page 0050"]
    assert (payload["previous"]["label"], payload["next"]["label"]) == ("Page 0049", "Page 0051")


def test_sidebar_of_few_pages_is_whole(make_site: MakeSite) -> None:
    small = make_site({**HOME, **{f"docs/p{number:03}.md": page(f"Page {number:03}") for number in range(230)}})
    small.build()
    assert len(set(hrefs(sidebar_of(small.html("/p000"))))) == 230
