"""Lists of posts in several languages."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from tests.support.sites import HOME, MakeSite, page

CONFIG = """
url = "https://docs.example.com"
[[locales]]
id = "en"
label = "English"
[[locales]]
id = "ar"
label = "العربية"
path = "ar"
{place}
[labels.ar]
News = "الأخبار"
"What is new." = "ما الجديد."
[[blogs]]
folder = "news"
title = "News"
description = "What is new."
posts_per_page = 1
authors.ada = {{ name = "Ada Lovelace" }}
"""
POSTS = {
    "docs/news/2026-01-31-first.md": page("First", "One.", authors=["ada"], tags=["kiln"]),
    "docs/news/second.md": page("Second", "Two.", date="2026-02-28", tags=["kiln"]),
    **HOME,
}
TRANSLATION = page("الأول", "واحد.", authors=["ada"], tags=["فرن"])
OWN = page("الثالث", "ثلاثة.", date="2026-03-01")


@pytest.mark.parametrize(
    ("place", "files"),
    [
        (
            'docs = "i18n/ar"',
            {"i18n/ar/docs/news/2026-01-31-first.md": TRANSLATION, "i18n/ar/docs/news/third.md": OWN},
        ),
        ('suffix = "ar"', {"docs/news/2026-01-31-first.ar.md": TRANSLATION, "docs/news/third.ar.md": OWN}),
    ],
    ids=["folder", "suffix"],
)
def test_lists_are_in_the_language_of_their_readers(place: str, files: dict[str, str], make_site: MakeSite) -> None:
    site = make_site({**POSTS, **files}, CONFIG.format(place=place))
    assert [line for line in site.check() if "missing-switch" not in line] == []
    first, second, third = (site.html(f"/ar/news/{one}") for one in ("", "page/2", "page/3"))
    # Posts of this language only are in its lists, and no others'.
    assert "الثالث" in first
    assert "الثالث" not in site.html("/news/")
    assert "<h1>الأخبار</h1>" in first
    assert "ما الجديد." in first
    assert 'role="note"' not in first
    assert 'href="/ar/news/third"' in first
    # What is not translated is marked with its language.
    marked = re.findall(r'<div lang="en" dir="ltr">(.*?)</div>', second, re.DOTALL)
    assert '<a href="/ar/news/second">Second</a>' in marked[0]
    assert marked[1].strip() == "<p>Two.</p>"
    assert 'href="/ar/news/2026-01-31-first">الأول</a>' in third
    assert "واحد." in third
    tag = re.search(r'href="(/ar/news/tags/[^"]+)">فرن</a>', third)
    assert tag is not None
    assert "الأول" in site.html(unquote(tag[1]))
    author = site.html("/ar/news/authors/ada-lovelace")
    assert "الأول" in author
    assert "First" not in author.partition("<article")[2].partition("</article>")[0]


def test_blog_without_translations_has_one_list(make_site: MakeSite) -> None:
    site = make_site({**POSTS, "i18n/ar/docs/guide.md": page("دليل")}, CONFIG.format(place='docs = "i18n/ar"'))
    site.check()
    assert 'role="note"' in site.html("/ar/news/")
