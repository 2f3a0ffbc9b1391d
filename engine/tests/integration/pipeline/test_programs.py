"""What programs that read text get: pages as Markdown, and lists of all pages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator

from octavo.config import parse_config
from octavo.errors import ConfigError
from octavo.manual import page_list_schema
from octavo.page_list import PageEntry, PageHeading, PageList
from octavo.publish import build_site
from octavo.server.addresses import Addresses, FoundFile
from octavo.server.app import create_app
from tests.support.published import get
from tests.support.sites import HOME, SVG, MakeSite, page

FILES = {
    **HOME,
    "pages/search.md": "---\ntitle: Search\nlayout: search\n---\n",
    "docs/a.md": page(
        "Page A",
        "See [B](guides/b.md#more), [web](https://example.org/x) and ![a plan](plan.svg).\n\n"
        "`[B](guides/b.md)` is code.\n\n```md\n[B](guides/b.md)\n```\n\n"
        ':::tip[Hint]\nThink.\n:::\n\nMore in [the guide][b].\n\n[b]: guides/b.md\n\n<a href="guides/b.md">raw</a>\n',
        description="About A.",
    ),
    "docs/plan.svg": SVG,
    "docs/guides/index.md": page("Guides", "All guides."),
    "docs/guides/b.md": page("", "# Own heading\n\nText.\n\n## More\n\nEnd."),
    "docs/secret.md": page("Secret", unlisted=True),
    "docs/things/_category_.json": json.dumps({"label": "Things", "link": {"type": "generated-index"}}),
    "docs/things/c.md": page("C", description="About C."),
}
SETTINGS = 'url = "https://docs.example.org"\nbase_url = "/docs/"\ntagline = "All about it"\n'


def test_markdown_of_a_page_is_resolved_and_says_where_it_belongs(make_site: MakeSite) -> None:
    site = make_site(FILES, SETTINGS)
    assert site.build().diagnostics == []
    text = (site.out / "a.md").read_text()
    image = site.html("/a").partition('src="/docs/_octavo/files/')[2].partition('"')[0]
    assert text == (
        '---\ntitle: "Page A"\ndescription: "About A."\nurl: "https://docs.example.org/docs/a"\n---\n\n# Page A\n\n'
        "See [B](https://docs.example.org/docs/guides/b#more), [web](https://example.org/x) and "
        f"![a plan](https://docs.example.org/docs/_octavo/files/{image}).\n\n"
        "`[B](guides/b.md)` is code.\n\n```md\n[B](guides/b.md)\n```\n\n> **Hint**\n>\n> Think.\n\n"
        "More in [the guide][b].\n\n[b]: https://docs.example.org/docs/guides/b\n\n"
        "[raw](https://docs.example.org/docs/guides/b)\n"
    )
    assert '<link rel="alternate" type="text/markdown" href="/docs/a.md">' in site.html("/a")


def test_list_of_the_pages_of_a_category_is_in_the_markdown_too(make_site: MakeSite) -> None:
    listed = page("Guides", "All of them:\n\n<DocCardList />\n\n- in a list:\n\n  <DocCardList />\n\nEnd.")
    site = make_site({**FILES, "docs/guides/index.md": listed}, SETTINGS)
    site.write({"docs/guides/d.md": page("D", description="About D.")})
    assert site.build().is_published
    cards = [
        "- [Own heading](https://docs.example.org/docs/guides/b): Text.",
        "- [D](https://docs.example.org/docs/guides/d): About D.",
    ]
    inner = "\n".join(f"  {card}" for card in cards)
    expected = "# Guides\n\nAll of them:\n\n{}\n\n- in a list:\n\n{}\n\nEnd.\n".format("\n".join(cards), inner)
    assert (site.out / "guides.md").read_text().endswith(expected)
    site.write({"docs/guides/d.md": page("D", description="Other.")})
    site.build()
    assert (site.out / "guides.md").read_text().endswith(expected.replace("About D.", "Other."))


def test_every_page_but_search_has_markdown_at_its_address(make_site: MakeSite) -> None:
    site = make_site(FILES, SETTINGS)
    site.build()
    manifest = site.manifest()
    assert sorted(name for name in manifest.files if name.endswith(".md")) == [
        "a.md",
        "category/things.md",
        "guides.md",
        "guides/b.md",
        "index.md",
        "secret.md",
        "things/c.md",
    ]
    assert Addresses(manifest).resolve(b"/docs/guides/b.md") == FoundFile("guides/b.md")
    assert "markdown" not in site.html("/search").partition("<body")[0]
    assert (site.out / "guides/b.md").read_text().count("# Own heading") == 1
    assert (
        (site.out / "category/things.md")
        .read_text()
        .endswith("# Things\n\n- [C](https://docs.example.org/docs/things/c): About C.\n")
    )


def test_llms_lists_pages_by_category_once(make_site: MakeSite) -> None:
    site = make_site(FILES, SETTINGS)
    site.build()
    assert (site.out / "llms.txt").read_text() == (
        "# Site\n\n> All about it\n\n## Overview\n\n"
        "- [Page A](https://docs.example.org/docs/a.md): About A.\n\n## Guides\n\n"
        "- [Guides](https://docs.example.org/docs/guides.md): All guides.\n"
        "- [Own heading](https://docs.example.org/docs/guides/b.md): Text.\n\n## Things\n\n"
        "- [Things](https://docs.example.org/docs/category/things.md)\n"
        "- [C](https://docs.example.org/docs/things/c.md): About C.\n\n## More\n\n"
        "- [Home](https://docs.example.org/docs/index.md): Welcome.\n\n## Optional\n\n"
        "- [All pages in full](https://docs.example.org/docs/llms-full.txt): the Markdown of the pages above\n"
        "- [Sitemap](https://docs.example.org/docs/sitemap.xml): all addresses, with dates\n"
    )


def test_full_text_holds_listed_pages_in_parts_of_a_size(make_site: MakeSite) -> None:
    body = "word " * 150
    files = {**FILES, "docs/long.md": page("Long", f"{body}\n\n{body}\n\n{body}")}
    site = make_site(files, f"{SETTINGS}[programs]\nfull_text_size = 1500\n")
    assert site.build().diagnostics == []
    names = sorted(name for name in site.published() if name.startswith("llms-full"))
    assert names == ["llms-full-2.txt", "llms-full-3.txt", "llms-full.txt"]
    parts = [(site.out / name).read_text() for name in ("llms-full.txt", "llms-full-2.txt", "llms-full-3.txt")]
    assert [len(part.encode()) <= 1500 for part in parts] == [True, False, True]  # a page is not divided
    assert "part 1 of 3. The others are https://docs.example.org/docs/llms-full-2.txt to https" in parts[0]
    assert "part 2 of 3. The next is https://docs.example.org/docs/llms-full-3.txt." in parts[1]
    listed = re.findall(r"\]\(https://docs.example.org/docs/(.+\.md)\)", (site.out / "llms.txt").read_text())
    assert len(listed) == 7
    text = "".join(parts)
    assert [text.count((site.out / name).read_text()) for name in listed] == [1] * len(listed)
    assert "# Secret" not in text


def test_full_text_follows_its_pages_and_settings(make_site: MakeSite) -> None:
    site = make_site(FILES, SETTINGS)
    site.build()
    first = (site.out / "llms-full.txt").read_bytes()
    site.build()
    assert (site.out / "llms-full.txt").read_bytes() == first
    site.write({"docs/things/c.md": page("C", "Other words.")})
    site.build()
    changed = (site.out / "llms-full.txt").read_bytes()
    assert b"Other words." in changed
    (site.out / "llms-full.txt").write_bytes(b"damaged")
    site.build()
    assert (site.out / "llms-full.txt").read_bytes() == changed
    site.write({"static/llms-full.txt": "Mine.\n"})
    site.build()
    assert (site.out / "llms-full.txt").read_text() == "Mine.\n"
    (site.root / "static/llms-full.txt").unlink()
    site.write({"octavo.toml": f'title = "Site"\n{SETTINGS}[programs]\nfull_text_size = 0\n'})
    site.build()
    assert "llms-full.txt" not in site.published()
    assert "Optional" not in (site.out / "llms.txt").read_text()


def test_parts_of_the_full_text_are_those_of_a_new_build_after_each_change(make_site: MakeSite) -> None:
    files = {f"docs/page-{number}.md": page(f"Page {number}", "word " * 80) for number in range(6)}
    site = make_site({**FILES, **files}, f"{SETTINGS}[programs]\nfull_text_size = 1500\n")
    site.build()
    for number, words in ((0, 3), (5, 200), (2, 150)):
        site.write({f"docs/page-{number}.md": page(f"Page {number}", "other " * words)})
        site.build()
        parts = {name: content for name, content in site.published().items() if name.startswith("llms-full")}
        build_site(site.root, site.out, is_clean=True)
        assert parts == {name: content for name, content in site.published().items() if name.startswith("llms-full")}


def test_pages_offer_their_markdown_and_the_assistants_of_the_site(make_site: MakeSite) -> None:
    given = '[[programs.assistants]]\nlabel = "Helper"\nurl = "https://helper.example/new?q=Read+{url}"\n'
    site = make_site(FILES, SETTINGS + given)
    site.build()
    text = site.html("/a")
    assert '<a href="/docs/a.md">View as Markdown</a>' in text
    address = "https://helper.example/new?q=Read+https%3A%2F%2Fdocs.example.org%2Fdocs%2Fa.md"
    assert f'<a href="{address}" target="_blank" rel="noopener noreferrer">Open in Helper</a>' in text.replace(
        "<!-- -->", ""
    )
    assert "page-menu" not in site.html("/search")
    site.write({"octavo.toml": f'title = "Site"\nbase_url = "/docs/"\n{given}'})
    site.build()
    assert "View as Markdown" in site.html("/a")
    assert "helper.example" not in site.html("/a")  # no service can fetch from this machine
    site.write({"octavo.toml": 'title = "Site"\n[programs]\ncopy_button = false\n'})
    site.build()
    assert "page-menu" not in site.html("/a")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("full_text_size = 10", "programs.full_text_size is 10; expected a number of bytes from 1000, or 0"),
        ('assistants = [{label = "A", url = "https://a.example"}]', 'url is "https://a.example"; expected an https'),
        ('assistants = [{label = "A", url = "javascript:{url}"}]', 'url is "javascript:{url}"; expected an https'),
        ('assistants = [{label = " ", url = "https://a.example/{url}"}]', "a label is empty"),
    ],
)
def test_settings_are_checked(given: str, said: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(said)):
        parse_config(f'title = "Site"\n[programs]\n{given}\n')


def test_page_list_names_what_readers_can_find(make_site: MakeSite) -> None:
    site = make_site(FILES, SETTINGS)
    site.build()
    listed = json.loads((site.out / "_octavo/pages.json").read_bytes())
    assert (listed["format"], listed["title"]) == (1, "Site")
    assert (listed["languages"], listed["versions"]) == (["en"], ["current"])
    assert {entry["route"] for entry in listed["pages"]} == {
        route for route in site.manifest().routes if route not in ("/search", "/secret")
    }
    found = next(entry for entry in listed["pages"] if entry["route"] == "/guides/b")
    assert len(found.pop("hash")) == 24
    assert found == {
        "route": "/guides/b",
        "url": "https://docs.example.org/docs/guides/b",
        "title": "Own heading",
        "description": "Text.",
        "markdown": "https://docs.example.org/docs/guides/b.md",
        "locale": "en",
        "headings": [
            {"level": 1, "text": "Own heading", "id": ""},
            {"level": 2, "text": "More", "id": "more"},
        ],
    }


def test_page_list_is_as_its_schema_says_and_names_marks_of_headings(make_site: MakeSite) -> None:
    marked = page("Kiln", '## Fire <Since version="2.1" /> <Removed version="3" />\n\nHot.')
    site = make_site({**FILES, "docs/kiln.md": marked}, SETTINGS)
    assert site.build().diagnostics == []
    listed = json.loads((site.out / "_octavo/pages.json").read_bytes())
    assert [error.message for error in Draft202012Validator(page_list_schema()).iter_errors(listed)] == []
    found = next(entry for entry in listed["pages"] if entry["route"] == "/kiln")
    assert found["headings"][-1] == {"level": 2, "text": "Fire", "id": "fire", "marks": ["since 2.1", "removed 3"]}
    assert "## Fire *(Since 2.1)* *(Removed in 3)*\n" in (site.out / "kiln.md").read_text()


def test_page_list_says_in_which_language_a_page_is(make_site: MakeSite) -> None:
    locales = 'id = "en"\nlabel = "E"\n[[locales]]\nid = "fr"\nlabel = "F"\npath = "fr"\nsuffix = "fr"\n'
    site = make_site({**FILES, "docs/a.fr.md": page("Un")}, f"{SETTINGS}[[locales]]\n{locales}")
    site.build()
    listed = json.loads((site.out / "_octavo/pages.json").read_bytes())
    found = {entry["route"]: (entry["locale"], entry.get("language")) for entry in listed["pages"]}
    assert (found["/a"], found["/fr/a"]) == (("en", None), ("fr", None))
    assert found["/fr/guides/b"] == ("fr", "en")


def test_contract_of_the_page_list_is_documented() -> None:
    text = (Path(__file__).parents[4] / "docs/programs.md").read_text(encoding="utf-8")
    table = text.partition("## The list of pages")[2].partition("\n## ")[0]
    for struct in (PageList, PageEntry, PageHeading):
        missing = [
            field.encode_name for field in msgspec.structs.fields(struct) if f"`{field.encode_name}`" not in table
        ]
        assert missing == [], struct


def test_settings_switch_both_off(make_site: MakeSite) -> None:
    site = make_site(FILES, f"{SETTINGS}[programs]\nmarkdown = false\nlists = false\n")
    site.build()
    names = site.published().keys()
    assert not [name for name in names if name.endswith((".md", "llms.txt", "pages.json"))]
    assert "text/markdown" not in site.html("/a")


def test_file_of_the_author_goes_first(make_site: MakeSite) -> None:
    site = make_site({**HOME, "static/llms.txt": "Mine.\n"})
    assert site.build().diagnostics == []
    assert (site.out / "llms.txt").read_text() == "Mine.\n"


@pytest.mark.parametrize("slash", ["ignore", "always", "never"])
def test_names_do_not_depend_on_the_final_slash(make_site: MakeSite, slash: str) -> None:
    site = make_site({**HOME, "docs/a.md": page("A"), "docs/x/index.md": page("X")}, f'trailing_slash = "{slash}"\n')
    site.build()
    assert {name for name in site.published() if name.endswith(".md")} == {"index.md", "a.md", "x.md"}


def test_server_sends_markdown_to_those_who_prefer_it(make_site: MakeSite) -> None:
    site = make_site(FILES, SETTINGS)
    site.build()
    app = create_app(site.out, interval_s=0)
    for route in ("/docs/", "/docs/a", "/docs/guides/", "/docs/guides/b"):
        plain, wanted = get(app, route), get(app, route, accept="text/markdown, text/html;q=0.9")
        assert (plain.status, plain.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert (wanted.status, wanted.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
        assert f'url: "https://docs.example.org{route}"'.encode() in wanted.body
        assert plain.headers["etag"] != wanted.headers["etag"]
        assert {reply.headers["vary"].split(", ")[0] for reply in (plain, wanted)} == {"Accept"}
        again = get(app, route, accept="text/markdown", if_none_match=wanted.headers["etag"])
        assert (again.status, again.headers["vary"]) == (304, wanted.headers["vary"])
        assert "content-security-policy" not in wanted.headers
    search = get(app, "/docs/search", accept="text/markdown")
    assert search.headers["content-type"] == "text/html; charset=utf-8"
    assert get(app, "/docs/nowhere", accept="text/markdown").status == 404
