"""Blogs: lists of posts, tags, authors, feeds."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from datetime import date, timedelta

from octavo.words import format_date, languages, words_of
from tests.support.sites import HOME, SVG, MakeSite, SiteFolder, page

CONFIG = """
url = "https://docs.example.com"

[[blogs]]
folder = "news"
title = "News"
description = "What is new."
posts_per_page = 2
authors.ada = { name = "Ada Lovelace", url = "https://ada.example" }
"""
ATOM = "{http://www.w3.org/2005/Atom}"
POSTS = {
    "docs/news/2026-01-31-first.md": page(
        "First & best", "The *first* [post](./second.md).\n\nMore.", authors=["ada"], tags=["Big news"]
    ),
    "docs/news/second.md": page(
        "Second",
        "Above.\n\nStill above.\n\n<!-- truncate -->\n\nBelow.",
        date="2026-02-28",
        authors="Grace",
        tags=["Big news", "x"],
    ),
    "docs/news/third.md": "---\ndate: 2026-03-01\n---\n\n# Third\n\nText.\n",
    "docs/news/draft.md": page("Draft", date="2026-03-02", draft=True),
    "docs/guide.md": page("Guide"),
    **HOME,
}


def test_posts_have_lists_tags_authors_and_a_feed(make_site: MakeSite) -> None:
    site = make_site(POSTS, CONFIG)
    assert site.check() == []
    text = (site.out / "news.md").read_text("utf-8")
    assert text.index("[Third](") < text.index("[Second](")
    assert "First" not in text
    assert "Above. Still above." in text
    assert "Below" not in text
    assert "[Older posts](https://docs.example.com/news/page/2)" in text
    older = (site.out / "news/page/2.md").read_text("utf-8")
    assert "[First & best](<https://docs.example.com/news/2026-01-31-first>)" in older
    assert "The first post." in older
    assert "[Newer posts](https://docs.example.com/news/)" in older
    # Search engines need the posts, not their lists; that is no matter for readers.
    assert '<meta name="robots" content="noindex' in site.html("/news/page/2")
    assert 'role="note"' not in site.html("/news/page/2")
    assert "Draft" not in text + older
    tag = (site.out / "news/tags/big-news.md").read_text("utf-8")
    assert "[Second]" in tag
    assert "[First & best]" in tag
    assert "<https://ada.example>" in (site.out / "news/authors/ada-lovelace.md").read_text("utf-8")
    # A post says when and by whom it was written, below its title.
    first, third = site.html("/news/2026-01-31-first"), site.html("/news/third")
    assert '<p class="byline"><time datetime="2026-01-31">Jan 31, 2026</time> <a class="byline-author" href=' in first
    assert 'href="/news/authors/ada-lovelace">Ada Lovelace</a>' in first
    assert 'href="/news/tags/big-news">Big news</a></p>' in first
    assert '<h1>Third</h1></header><p class="byline"><time datetime="2026-03-01">' in third
    assert "byline" not in site.html("/guide")
    # So does an entry of a list; a list without a description is described by its posts.
    assert '<div class="byline"><p>Mar 1, 2026</p>' in site.html("/news/").replace("\n", "")
    assert '<meta name="description" content="Second, First &amp; best">' in site.html("/news/tags/big-news")
    # The newest one comes first, and the others follow it.
    assert site.payload("/news/second")["previous"]["label"] == "Third"
    assert site.payload("/news/second")["next"]["label"] == "First & best"
    feed = ET.fromstring((site.out / "news/feed.xml").read_bytes())
    entries = [
        (entry.findtext(f"{ATOM}title"), entry.findtext(f"{ATOM}published"), entry.findtext(f"{ATOM}author/{ATOM}name"))
        for entry in feed.findall(f"{ATOM}entry")
    ]
    assert entries == [
        ("Third", "2026-03-01T00:00:00Z", None),
        ("Second", "2026-02-28T00:00:00Z", "Grace"),
        ("First & best", "2026-01-31T00:00:00Z", "Ada Lovelace"),
    ]
    assert 'type="application/atom+xml" title="Site: News" href="/news/feed.xml"' in first

    # A new post is in the list of the next build.
    site.write({"docs/news/fourth.md": page("Fourth", date="2026-04-01"), "docs/news/undated.md": page("Undated")})
    assert site.check() == [
        (
            'docs/news/undated.md:1:1: warn: The post "docs/news/undated.md" has no date, and is in no list of the blog "News". '
            "Write `date: 2026-01-31` into its front matter, or begin its file name with the date. [blog]"
        )
    ]
    assert "[Fourth](" in (site.out / "news.md").read_text("utf-8")


def test_sections_of_a_blog_are_no_posts_and_posts_of_hugo_may_begin_with_empty_lines(make_site: MakeSite) -> None:
    more = {
        "docs/news/releases/_index.md": page("Releases"),
        "docs/news/releases/fourth.md": "\n" + page("Fourth", date="2026-04-01"),
        "docs/news/releases/fifth.md": '\n+++\ntitle = "Fifth"\ndate = 2026-05-01\n+++\n\nText.\n',
    }
    site = make_site({**POSTS, **more}, CONFIG + '[markdown]\nextensions = ["hugo"]\n')
    assert [line for line in site.check() if "[blog]" in line] == []
    text = (site.out / "news.md").read_text("utf-8")
    assert text.index("[Fifth](") < text.index("[Fourth](")
    assert "+++" not in text


def test_slips_in_posts_are_findings(make_site: MakeSite) -> None:
    posts = {
        "docs/news/2026-02-31-day.md": page("Day"),
        "docs/news/2026-04-01-author.md": page("Author", authors=["adda"]),
        "docs/news/2026-04-02-mark.md": page("Mark") + "\nFirst.\n\n<!-- trucate -->\n\nRest.\n",
    }
    found = [line for line in make_site({**POSTS, **posts}, CONFIG).check() if "[blog]" in line]
    assert [line.split(": warn: ")[1].split(" [blog]")[0] for line in found] == [
        (
            'The post "docs/news/2026-02-31-day.md" has the date "2026-02-31", which is not a day, and is in no list of the blog "News". '
            "Write `date: 2026-01-31` into its front matter, or begin its file name with the date."
        ),
        'The blog "News" has no author "adda": the post shows this word as the name. Did you mean "ada"?',
        'The comment "<!-- trucate -->" does not end the excerpt. Did you mean "truncate"?',
    ]
    [author] = [line for line in found if "adda" in line]
    path, line, column = author.split(": ")[0].split(":")
    assert posts[path].split("\n")[int(line) - 1][int(column) - 1 :].startswith("adda")


def test_tags_with_the_same_address_share_a_page_and_are_a_finding(make_site: MakeSite) -> None:
    posts = {
        "docs/news/2026-05-01-one.md": page("One", tags=["c", "Glaze"]),
        "docs/news/2026-05-02-two.md": page("Two", tags=["c++", "c#", "glaze"]),
        "docs/news/2026-05-03-three.md": page("Three", tags=["c", "c++"]),
    }
    site = make_site({"docs/index.md": page("Home"), **posts}, CONFIG)
    found = [line for line in site.check() if "[blog]" in line]
    assert [line.split(": warn: ")[1].split(" [blog]")[0].partition(" of tags")[0] for line in found] == [
        '"c++" and "c"',
        '"c#" and "c"',
    ]
    assert all(line.startswith("docs/news/2026-05-0") for line in found)
    html = site.html("/news/tags/c")
    assert all(f'href="/news/2026-05-0{day}' in html for day in (1, 2, 3))
    assert html.count("<h2") == 3
    assert ">c</a> (3)" in site.html("/news/tags/")


def test_list_of_posts_comes_first_in_a_sidebar_of_its_own_folder(make_site: MakeSite) -> None:
    sidebars = '\n[[sidebars]]\nid = "news"\nitems = [{ autogenerated = "news" }]\n'
    sidebars += '[[sidebars]]\nid = "docs"\nitems = [{ doc = "guide" }]\n'
    site = make_site(POSTS, CONFIG + sidebars)
    assert site.check() == []
    assert site.payload("/news/")["previous"] is None
    assert site.payload("/news/")["next"]["label"] == "Third"
    assert site.payload("/news/third")["previous"]["label"] == "News"


def test_lists_of_posts_are_not_read_on_from_and_have_no_age(make_site: MakeSite) -> None:
    config = f"shows_last_update = true\n{CONFIG}\n[feedback]\nis_enabled = true\n"
    sidebars = '\n[[sidebars]]\nid = "docs"\nitems = [{ autogenerated = "." }]\n'
    site = make_site({**POSTS, "docs/zebra.md": page("Zebra")}, config + sidebars)
    assert site.check() == []
    assert site.payload("/news/2026-01-31-first")["next"]["label"] == "Zebra"
    for route in ("/news/", "/news/tags/", "/news/tags/x", "/news/authors/grace"):
        payload = site.payload(route)
        # A layout whose pages are not asked about.
        assert (payload["layout"], payload["lastUpdated"]) == ("category", None), route
        assert "Was this page helpful?" not in site.html(route)
    assert site.payload("/news/tags/x")["previous"] is site.payload("/news/tags/x")["next"] is None
    # Its line below the title names them.
    assert site.payload("/news/2026-01-31-first")["tags"] == []


def test_excerpt_shows_no_markup_of_links_by_name(make_site: MakeSite) -> None:
    text = "Use [`kiln`], [the kiln][kiln] and [`a.b`](./second.md).\n\n## Kiln {#kiln}\n"
    site = make_site(
        {**POSTS, "docs/news/kiln.md": page("Kiln", text, date="2026-04-01")},
        f'{CONFIG}\n[markdown]\nextensions = ["autorefs"]\n',
    )
    assert site.check() == []
    assert "Use kiln, the kiln and a.b." in (site.out / "news.md").read_text("utf-8")


def test_folder_without_posts_is_a_finding(make_site: MakeSite) -> None:
    site = make_site({"docs/guide.md": page("Guide"), **HOME}, CONFIG)
    assert site.check() == [
        'octavo.toml:6:11: warn: blogs: the folder "docs/news" contains no posts with a date. [blog]'
    ]


def test_titles_of_authors_are_shown_and_other_details_are_findings(make_site: MakeSite) -> None:
    authors = [
        {"name": "Grace", "title": "Admiral <retired>", "url": "https://grace.example"},
        {"key": "ada", "image_url": "/ada.svg", "title": "Countess"},
        {"name": "Zoe"},
    ]
    files = {**POSTS, "docs/news/2026-04-01-more.md": page("More", authors=authors)}
    known = 'authors.Grace = { name = "Grace", url = "https://grace.example", title = "Admiral <retired>" }\n'
    site = make_site(files, CONFIG + known)
    (found,) = site.check()
    assert "news/2026-04-01-more.md:" in found
    assert (
        'What the author "ada" has as image_url and title is left out. Give `url`, `title` and `picture` in `authors`'
        in found
    )
    post = site.html("/news/2026-04-01-more")
    assert (
        '>Grace</a> <span class="byline-title">Admiral &lt;retired&gt;</span></span> <a class="byline-author"' in post
    )
    assert "Countess" not in post
    assert "<p>Admiral &lt;retired" in site.html("/news/authors/grace")


def test_lists_and_bylines_speak_the_language_of_the_site(make_site: MakeSite) -> None:
    for locale, shown, older in (("ko", "2026. 2. 28.", "이전 글"), ("de", "28.02.2026", "Ältere Beiträge")):
        label = f'{CONFIG}\n[[locales]]\nid = "{locale}"\nlabel = "{locale}"\n'
        site = make_site(POSTS, label)
        assert site.check() == []
        html = site.html("/news")
        assert f"<p>{shown} · <a" in html
        assert f">{older}</a>" in html
        assert f'<time datetime="2026-02-28">{shown}</time>' in site.html("/news/second")


def test_dates_are_those_of_browsers() -> None:
    from py_mini_racer import MiniRacer

    script = (
        "(tag) => JSON.stringify([...Array(366).keys()].map((day) => new Intl.DateTimeFormat(tag, "
        "{dateStyle: 'medium', timeZone: 'UTC'}).format(new Date(Date.UTC(2028, 0, 1 + day)))))"
    )
    days = [(date(2028, 1, 1) + timedelta(day)).isoformat() for day in range(366)]
    with MiniRacer() as v8:
        for language in languages():
            shown = json.loads(str(v8.eval(f"({script})({json.dumps(language)})")))
            assert [format_date(day, words_of(language)) for day in days] == shown, language
    assert format_date("2026-13-01", words_of("en")) == "2026-13-01"
    assert format_date("soon", words_of("en")) == "soon"


def test_posts_say_how_long_they_take(make_site: MakeSite) -> None:
    def minutes(site: SiteFolder, post: str) -> str:
        return str(site.html(post).partition('<span class="byline-reading">')[2].partition("<")[0])

    posts = {
        "docs/news/2026-01-01-words.md": page("Words", "word " * 150 + "\n\n```text\n" + "code " * 60 + "\n```"),
        "docs/news/2026-01-02-short.md": page("Short", "One."),
        "docs/news/2026-01-03-signs.md": page("Signs", "風" * 401),
        **HOME,
    }
    blog = '[[blogs]]\nfolder = "news"\nwords_per_minute = 200\n'
    site = make_site(posts, blog)
    assert site.check() == []
    assert minutes(site, "/news/2026-01-01-words") == "2 min read"
    assert minutes(site, "/news/2026-01-02-short") == "1 min read"
    assert minutes(site, "/news/2026-01-03-signs") == "3 min read"
    russian = make_site(posts, blog + '[[locales]]\nid = "ru"\nlabel = "R"\n', name="ru")
    assert russian.check() == []
    assert minutes(russian, "/news/2026-01-02-short") == "1 минута чтения"
    assert minutes(russian, "/news/2026-01-03-signs") == "3 минуты чтения"
    # Not said unless a site asks for it.
    silent = make_site(posts, blog.replace("200", "0"), name="silent")
    assert silent.check() == []
    assert "byline-reading" not in silent.html("/news/2026-01-02-short")


def test_authors_have_pictures(make_site: MakeSite) -> None:
    authors = """
authors.ada = { name = "Ada", picture = "people/ada.svg" }
authors.bob = { name = "Bob", picture = "/img/bob.svg", title = "Pilot" }
authors.cy = { name = "Cy", picture = "https://pictures.example/cy.png?s=<1>" }
authors.di = { name = "Di", picture = "people/gone.png" }
"""
    names = {"authors": ["ada", "bob", "cy", "di"]}
    posts = {
        "people/ada.svg": SVG,
        "static/img/bob.svg": SVG,
        "docs/news/2026-01-01-a.md": page("A", **names),
        "docs/news/2026-01-02-b.md": page(
            "B", authors=[{"name": "bob", "image_url": "/img/bob.svg", "title": "Pilot"}]
        ),
        **HOME,
    }
    site = make_site(posts, f'[[blogs]]\nfolder = "news"\n{authors}')
    [found] = site.check()
    place = next(
        at for at, line in enumerate((site.root / "octavo.toml").read_text().split("\n"), 1) if "gone.png" in line
    )
    assert f"octavo.toml:{place}:" in found
    assert 'The picture "people/gone.png" of the author "Di" does not exist: posts do not show it.' in found
    html = site.html("/news/2026-01-01-a")
    pictures = re.findall(r'<img class="byline-picture" src="([^"]*)" alt="" width="24" height="24"', html)
    assert len(pictures) == 3
    assert re.fullmatch(r"/_octavo/files/ada\.\w+\.svg", pictures[0])
    assert pictures[1:] == ["/img/bob.svg", "https://pictures.example/cy.png?s=&lt;1&gt;"]
    assert 'byline-picture" src="/_octavo/files/ada' in site.html("/news/authors/ada")
    policy = site.manifest().content_policy
    assert "https://pictures.example" in policy.partition("img-src")[2].partition(";")[0]


def test_excerpts_end_at_the_mark_of_mdx_and_at_no_other_comment(make_site: MakeSite) -> None:
    posts = {
        "docs/news/2026-01-01-a.mdx": page("A", "One.\n\nTwo.\n\n{/* truncate */}\n\nThree."),
        "docs/news/2026-01-02-b.md": page("B", "Four.\n\n<!-- note -->\n\nFive.\n\n<!-- more -->\n\nSix."),
        **HOME,
    }
    site = make_site(posts, '[[blogs]]\nfolder = "news"\n')
    assert site.check() == []
    text = site.html("/news/")
    assert "One. Two." in text
    assert "Three" not in text
    assert "Five." in text
    assert "Six" not in text


def test_post_that_no_list_has_names_its_tags_and_authors_without_links(make_site: MakeSite) -> None:
    site = make_site(
        {
            **POSTS,
            "docs/news/later.md": page("Later", authors=["Zoe"], tags=["Plans"]),
            "docs/news/hidden.md": page("Hidden", date="2026-03-03", unlisted=True, authors=["Zoe"], tags=["Plans"]),
            "docs/news/wrong.md": page("Wrong", date="2026-02-30", authors=["Zoe"], tags=["Plans"]),
        },
        CONFIG,
    )
    assert sorted({found.partition(":")[0] for found in site.check()}) == [
        "docs/news/later.md",
        "docs/news/wrong.md",
    ]
    for name in ("later", "hidden", "wrong"):
        html = (site.out / f"news/{name}/index.html").read_text("utf-8")
        byline = html[html.index('<p class="byline">') :].partition("</p>")[0]
        assert "Zoe" in byline
        assert "Plans" in byline
        assert "<a " not in byline


def test_names_that_are_written_twice_or_empty_are_shown_once(make_site: MakeSite) -> None:
    post = page("A", authors=["ada", "ada", "Bob"], tags=["Big", "big", " x ", ""], date="2026-01-31")
    site = make_site({"docs/news/a.md": post, **HOME}, CONFIG)
    assert site.check() == []
    assert re.findall(r'class="byline-(\w+)" href="([^"]+)"', site.html("/news/a")) == [
        ("author", "/news/authors/ada-lovelace"),
        ("author", "/news/authors/bob"),
        ("tag", "/news/tags/big"),
        ("tag", "/news/tags/x"),
    ]
    assert (site.out / "news/authors/bob.md").read_text("utf-8").count("/news/a>") == 1


def test_page_in_the_way_of_a_feed_is_a_finding(make_site: MakeSite) -> None:
    files = {"docs/news/a.md": page("A", slug="/news/feed.xml", date="2026-01-31"), **HOME}
    [found] = make_site(files, CONFIG).check()
    assert found.startswith(
        'docs/news/a.md:3:1: error: "/news/feed.xml", which Octavo writes for other programs, is left'
    )


def test_dates_in_words_are_dates_and_others_are_shown_whole_at_their_place(make_site: MakeSite) -> None:
    posts = {
        "docs/news/a.md": page("A", "Text[^1] of [a].\n\n[^1]: Note.\n\n[a]: /news/b", date="March 5, 2026"),
        "docs/news/b.md": page("B", date="2026-02-28T23:30:00-05:00"),
        "docs/news/c.md": page("C", date="in spring"),
    }
    site = make_site(posts | HOME, CONFIG)
    [found] = [one for one in site.check() if one.endswith("[blog]")]
    assert found.startswith("docs/news/c.md:3:")
    assert 'has the date "in spring", which is not a day' in found
    text = (site.out / "news.md").read_text("utf-8")
    assert text.index("[A](") < text.index("[B](")
    assert "Mar 5, 2026" in text
    assert "Text of" in text
    assert "Feb 28, 2026" in text
