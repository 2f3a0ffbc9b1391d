"""Pages of blogs: lists of posts, of tags and of authors, in each language."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.config import load_config
from octavo.diagnostics import Diagnostic
from octavo.documents.blog_pages import add_blog_pages
from octavo.site import Source, find_sources
from tests.support.recorded import compare_with_record
from tests.support.sites import TWO_LOCALES, MakeSite, page

FIXTURES = Path(__file__).parent / "fixtures"
BLOG = """
static = "files"
[[blogs]]
folder = "news"
title = "News & more"
description = "What is *new*"
introduction = "intro.md"
posts_per_page = 2
authors.ann = { name = "Ann Ash", title = "Potter [old]", url = "https://ann.example", picture = "/ann.png" }
authors.bob = { name = "Bob", picture = "https://bob.example/b.png" }
authors.gone = { name = "Gone", picture = "gone.png" }
"""
POSTS = {
    "2024-01-31-first.md": page("First *one*", "Its text\nin two lines.\n\nMore.", authors=["ann", "Zoe"], tags=["Clay", "Über uns"]),
    "second.md": page("", "import x from 'y'\n\n# Second [x](y) #\n\n:::note\nA\n:::\n\nAbove.\n\n<!-- truncate -->\n\nBelow.", date="2024-02-01", author="ann, Bob"),
    "deep/third.md": page("Third", "Words.", date="2024-02-01", tags="clay, Kilns", description="About `it`"),
    "2024/03/04/fourth/index.md": page("Fourth", "<b>HTML</b>\n\n" + "word " * 90, authors=[{"name": "Ann Ash"}, {"key": "bob"}], tags=[{"label": "C++"}]),
    "fifth.md": page("Fifth", "Only this.", date="2024-02-30"),
    "sixth.md": page("Sixth", "No date."),
    "seventh.md": page("Seventh", "Hidden.", date="2024-05-01", draft=True),
    "eighth.md": page("Eighth", "Unlisted.", date="2024-05-02", unlisted=True),
    "ninth.md": page("Ninth", "Slips.\n\n<!-- trunkate -->\n", date="2024-01-01", authors=["anna"], tags=["C"]),
    "tenth.md": page("Tenth", "![picture](a.png)", date={"created": "2023-12-31"}, excerpt="From excerpt"),
}  # fmt: skip
FRENCH = {
    "second.md": page("Deuxième", "Texte.", tags=["Argile"]),
    "seventh.md": page("Septième", "Caché."),
}


def made(make_site: MakeSite, files: dict[str, str | bytes], config: str) -> tuple[list[Source], list[Diagnostic], int]:
    folder = make_site(files, config)
    settings = load_config(folder.root)
    sources = find_sources(folder.root, settings)
    found, problems = add_blog_pages(sources, folder.root, settings)
    assert found[: len(sources)] == sources
    return found[len(sources) :], problems, len(sources)


def written(sources: list[Source], problems: list[Diagnostic]) -> str:
    parts = [
        f"=== {one.path} ({one.root}, {one.suffix or one.mount})\n\n{(one.data or b'').decode()}" for one in sources
    ]
    parts += ["=== findings\n"]
    parts += [f"{one.span} {one.level} {one.code}: {one.message} {one.suggestion}\n" for one in problems]
    return "\n".join(parts)


def test_pages_of_a_blog_in_two_languages(make_site: MakeSite) -> None:
    files: dict[str, str | bytes] = {
        **{f"docs/news/{name}": text for name, text in POSTS.items()},
        **{f"i18n/fr/docs/news/{name}": text for name, text in FRENCH.items()},
        "intro.md": "---\nx: 1\n---\n# Its title\n\nRead on.\n",
        "files/ann.png": b"",
    }
    labels = '[labels.fr]\n"News & more" = "Nouvelles"\n"What is *new*" = "Quoi de neuf"\n'
    sources, problems, _ = made(make_site, files, BLOG + TWO_LOCALES + labels)
    assert {(one.made_from, one.maker, one.is_page) for one in sources} == {("octavo.toml", "blog", False)}
    compare_with_record(FIXTURES / "blog.txt", written(sources, problems))


def test_translations_beside_the_posts_have_pages_with_their_ending(make_site: MakeSite) -> None:
    locales = TWO_LOCALES.replace('docs = "i18n/fr"', 'suffix = "fr"')
    files: dict[str, str | bytes] = {
        "docs/a.md": page("A"),
        "blog/2024-01-01-a.md": page("One", tags=["x"]),
        "blog/2024-01-01-a.fr.md": page("Un", tags=["y"]),
        "blog/2024-01-02-b.md": page("Two"),
    }
    config = '[mounts]\nblog = "/blog"\n[[blogs]]\nfolder = "blog"\ntitle = "Blog"\nposts_per_page = 1\n'
    sources, problems, _ = made(make_site, files, locales + config)
    compare_with_record(FIXTURES / "blog-beside.txt", written(sources, problems))


def test_blog_without_posts_is_reported_and_has_a_list(make_site: MakeSite) -> None:
    config = '[[blogs]]\nfolder = "news"\ntitle = "News"\nintroduction = "../intro.md"\n'
    sources, problems, _ = made(make_site, {"docs/index.md": page("Home")}, config)
    assert [one.path for one in sources] == ["docs/news/index.md"]
    assert [f"{one.span} {one.message} {one.suggestion}" for one in problems] == [
        'octavo.toml:3:11 blogs: the folder "docs/news" contains no posts with a date. ',
        (
            'octavo.toml:1:1 The introduction "../intro.md" of the blog "News" cannot be read. Name a Markdown file in the site\'s '
            "folder."
        ),
    ]


@pytest.mark.parametrize("name", ["index.md", "README.md", "readme.mdx", "index.mdx"])
def test_file_takes_the_place_of_the_list(make_site: MakeSite, name: str) -> None:
    files: dict[str, str | bytes] = {
        f"docs/news/{name}": page("Own"),
        "docs/news/2024-01-01-a.md": page("A", tags=["x"]),
    }
    sources, _, count = made(make_site, files, '[[blogs]]\nfolder = "news"\ntitle = "News"\n')
    assert count == 2
    assert [one.path for one in sources] == ["docs/news/tags/x.md", "docs/news/tags/index.md"]


def test_tags_that_share_an_address_share_a_page(make_site: MakeSite) -> None:
    files: dict[str, str | bytes] = {
        "docs/news/2024-01-02-b.md": page("B", tags=["c++"]),
        "docs/news/2024-01-01-a.md": page("A", tags=["c", "Kiln"]),
        "docs/news/2024-01-03-c.md": page("C", tags=["kiln"]),
    }
    sources, problems, _ = made(make_site, files, '[[blogs]]\nfolder = "news"\ntitle = "News"\n')
    names = [one.path.removeprefix("docs/news/") for one in sources]
    assert names == ["index.md", "tags/c.md", "tags/kiln.md", "tags/index.md"]
    assert [f"{one.span} {one.message} {one.suggestion}" for one in problems] == [
        (
            'docs/news/2024-01-02-b.md:3:9 "c++" and "c" of tags have the same address, so that they share a page. Write both in '
            "one way, or with other letters, such as cpp for c++."
        )
    ]
