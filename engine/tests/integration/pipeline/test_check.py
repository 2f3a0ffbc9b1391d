"""What is wrong with links, anchors and files: found in the final HTML, shown at the place it was typed."""

from __future__ import annotations

import pytest

from tests.support.sites import HOME, SVG, MakeSite, SiteFolder, page

BASE: dict[str, str | bytes] = {
    **HOME,
    "docs/quickstart.mdx": page("Quickstart", "## Install it\n\n<a id='raw-id'></a>\n\n<a name='raw-name'></a>"),
    "docs/guides/install.md": page("Install"),
    "docs/guides/draft.md": page("Draft", draft=True),
    "docs/img/flow.svg": SVG,
    "docs/_partials/note.mdx": "See [it](./nothing.md).\n",
    "static/img/logo.svg": SVG,
    "static/demo/index.html": "<h1>Demo</h1>",
}


def with_page(make_site: MakeSite, body: str, config: str = "", name: str = "docs/a.md") -> SiteFolder:
    return make_site({**BASE, name: f"---\ntitle: A\n---\n\n{body}\n"}, config)


BROKEN = {
    "a file": (
        "See [it](./quickstrat.mdx).",
        (
            'docs/a.md:5:5: error: link "./quickstrat.mdx" leads to no document and no file. '
            'Did you mean "./quickstart.mdx"? [broken-link]'
        ),
    ),
    "a file without extension": (
        "One.\n\nSee [it](quickstrat).",
        (
            'docs/a.md:7:5: error: link "quickstrat" leads to no document and no file. '
            'Did you mean "quickstart"? [broken-link]'
        ),
    ),
    "a file in another folder": (
        "[it](./install.md)",
        (
            'docs/a.md:5:1: error: link "./install.md" leads to no document and no file. '
            'Did you mean "./guides/install.md"? [broken-link]'
        ),
    ),
    "a route": (
        "[it](/guides/instal#x)",
        (
            'docs/a.md:5:1: error: link "/guides/instal#x" leads to no document and no file. '
            'Did you mean "/guides/install"? [broken-link]'
        ),
    ),
    "nothing like anything": (
        "[it](/zzz)",
        'docs/a.md:5:1: error: link "/zzz" leads to no document and no file. [broken-link]',
    ),
    "a folder": (
        "[it](./guides)",
        (
            'docs/a.md:5:1: error: link "./guides" leads to a folder without a page of its own. '
            "In it are: draft.md, install.md. [broken-link]"
        ),
    ),
    "a draft": (
        "[it](./guides/draft.md)",
        (
            'docs/a.md:5:1: error: link "./guides/draft.md" leads to a file that is not a page: '
            "docs/guides/draft.md is a draft or a partial. [broken-link]"
        ),
    ),
    "a link of a reference": (
        "See [it].\n\n[it]: ./quickstrat.mdx",
        (
            'docs/a.md:5:5: error: link "./quickstrat.mdx" leads to no document and no file. '
            'Did you mean "./quickstart.mdx"? [broken-link]'
        ),
    ),
    "a link in embedded HTML": (
        'One.\n\n<p>See <a class="x" href="/quickstrat">it</a>.</p>',
        (
            'docs/a.md:7:8: error: link "/quickstrat" leads to no document and no file. '
            'Did you mean "/quickstart"? [broken-link]'
        ),
    ),
    "a frame in embedded HTML": (
        'One.\n\n<iframe title="x" src="/dmo/"></iframe>',
        'docs/a.md:7:24: error: link "/dmo/" leads to no document and no file. [broken-link]',
    ),
    "a heading of this page": (
        "## Ports\n\n[it](#prots)",
        (
            'docs/a.md:7:1: warn: link "#prots": this page has no heading or element with the id "prots". '
            'Did you mean "#ports"? [broken-anchor]'
        ),
    ),
    "a heading of another page": (
        "[it](./quickstart.mdx#instal-it)",
        (
            'docs/a.md:5:1: warn: link "./quickstart.mdx#instal-it": "/quickstart" has no heading or element with the id '
            '"instal-it". Did you mean "./quickstart.mdx#install-it"? [broken-anchor]'
        ),
    ),
    "an anchor in embedded HTML": (
        '<a href="#nope">x</a>',
        'docs/a.md:5:1: warn: link "#nope": this page has no heading or element with the id "nope". [broken-anchor]',
    ),
    "a picture": (
        "![Flow](./img/flwo.svg)",
        'docs/a.md:5:1: error: file "./img/flwo.svg" does not exist. Did you mean "./img/flow.svg"? [broken-asset]',
    ),
    "a static picture": (
        "![Logo](/img/lgo.svg)",
        'docs/a.md:5:1: error: file "/img/lgo.svg" does not exist. Did you mean "/img/logo.svg"? [broken-asset]',
    ),
    "a picture in embedded HTML": (
        'One.\n\n<p><img alt="" src="/img/lgo.svg"></p>',
        'docs/a.md:7:4: error: file "/img/lgo.svg" does not exist. Did you mean "/img/logo.svg"? [broken-asset]',
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_leads_nowhere_is_shown_where_it_was_typed(make_site: MakeSite, case: str) -> None:
    body, expected = BROKEN[case]
    assert with_page(make_site, body).check() == [expected]


GOOD = [
    "[a](./quickstart.mdx#install-it)",
    "[a](./quickstart.mdx#raw-id) [b](/quickstart#raw-name)",
    "[a](/guides/install/) [b](/guides/install)",
    "[a](/img/logo.svg) ![b](./img/flow.svg) [c](./img/flow.svg)",
    "[a](/demo/) [b](/demo) [c](/demo/index.html)",
    "[a](pathname:///whatever)",
    "[a](https://example.org/nothing) <https://example.org> [b](mailto:x@example.org)",
    "[a](#) [b](#top) [c](#:~:text=x)",
    "[a](/sitemap.xml) [b](/robots.txt) [c](/404.html)",
    "[a](/old) [b](/old/)",
    '<a href="./quickstart.mdx">a</a> <a href="/guides/install/">b</a>',
    '<p id="own">x</p>\n\n[a](#own)',
    "<!-- [a](./nothing.md) <a href='/nothing'>x</a> -->",
    "`[a](./nothing.md)`",
    "```html\n<a href='/nothing'>x</a>\n```",
]


@pytest.mark.parametrize("body", GOOD)
def test_what_leads_somewhere_is_passed_in_silence(make_site: MakeSite, body: str) -> None:
    config = '[[redirects]]\nfrom = "/old"\nto = "/quickstart"'
    assert with_page(make_site, body, config).check() == []


@pytest.mark.parametrize("base_url", ["/docs/", "/a/b/"])
@pytest.mark.parametrize("body", GOOD)
def test_the_same_is_good_under_a_sub_path(make_site: MakeSite, body: str, base_url: str) -> None:
    config = f'base_url = "{base_url}"\n[[redirects]]\nfrom = "/old"\nto = "/quickstart"'
    assert with_page(make_site, body, config).check() == []


@pytest.mark.parametrize(
    "case", ["a route", "a link in embedded HTML", "a heading of another page", "a static picture"]
)
def test_the_same_is_broken_under_a_sub_path(make_site: MakeSite, case: str) -> None:
    body, expected = BROKEN[case]
    assert with_page(make_site, body, 'base_url = "/docs/"').check() == [expected]


def test_finding_holds_place_excerpt_and_suggestion(make_site: MakeSite) -> None:
    site = with_page(make_site, "One.\n\nBefore [it](./quickstrat.mdx), after.")
    (finding,) = site.build().diagnostics
    assert (finding.code, finding.level, str(finding.span)) == ("broken-link", "error", "docs/a.md:7:8")
    assert finding.excerpt == "Before [it](./quickstrat.mdx), after."
    assert finding.suggestion == 'Did you mean "./quickstart.mdx"?'


def test_problem_of_a_partial_is_shown_once_in_the_partial(make_site: MakeSite) -> None:
    text = "import Note from './_partials/note.mdx'\n\n<Note />\n"
    site = make_site({**BASE, "docs/a.mdx": page("A", text), "docs/b.mdx": page("B", text)})
    assert site.check() == [
        'docs/_partials/note.mdx:1:5: error: link "./nothing.md" leads to no document and no file. [broken-link]'
    ]


def test_anchor_that_pages_without_a_translation_lack_too_is_reported_once(make_site: MakeSite) -> None:
    languages = "".join(
        f'[[locales]]\nid = "{name}"\nlabel = "{name}"\npath = "{name}"\ndocs = "i18n/{name}"\n'
        for name in ("fr", "de")
    )
    site = make_site(
        {
            **BASE,
            "docs/a.md": page("A", "[x](/quickstart#gone) and\n[y](/quickstart#install-it).\n[z](./quickstrat.mdx)"),
        },
        f'[[locales]]\nid = "en"\nlabel = "English"\n{languages}',
    )
    site.write({"i18n/fr/docs/quickstart.mdx": page("Démarrage", "Texte.")})
    assert [one for one in site.check() if "broken-" in one] == [
        (
            'docs/a.md:5:1: warn: link "/quickstart#gone": "/quickstart" has no heading or element with the id "gone", '
            "and neither has the same page in 2 other languages. [broken-anchor]"
        ),
        (
            'docs/a.md:6:1: warn: link "/quickstart#install-it": "/fr/quickstart" has no heading or element with the id '
            '"install-it". [broken-anchor]'
        ),
        (
            'docs/a.md:7:1: error: link "./quickstrat.mdx" leads to no document and no file. '
            'Did you mean "./quickstart.mdx"? [broken-link]'
        ),
    ]


@pytest.mark.parametrize(
    ("key", "body"),
    [
        ("broken_links", "[it](/zzz)"),
        ("broken_anchors", "[it](#zzz)"),
        ("broken_assets", "![it](/zzz.png)"),
        ("missing_alt", "![](/img/logo.svg)"),
        ("duplicate_anchors", "## A {#x}\n\n## B {#x}"),
    ],
)
@pytest.mark.parametrize("level", ["error", "warn", "ignore"])
def test_level_of_each_kind_is_configurable(make_site: MakeSite, key: str, body: str, level: str) -> None:
    build = with_page(make_site, body, f'[diagnostics]\n{key} = "{level}"').build()
    assert [finding.level for finding in build.diagnostics] == ([] if level == "ignore" else [level])
    assert build.is_published is (level != "error")


def test_all_findings_come_together_in_order_of_place(make_site: MakeSite) -> None:
    site = make_site(
        {
            **BASE,
            "docs/b.md": page("B", "[x](#zzz)\n\n[y](/zzz) ![z](/zzz.png)"),
            "docs/a.md": page("A", "[x](/zzz)", pagination_next="zzz"),
            "docs/_category_.yaml": "labl: x",
            "docs/guides/_category_.yaml": "labl: x",
        }
    )
    assert [line.split(": ")[0] + " " + line.rpartition(" ")[2] for line in site.check()] == [
        "docs/a.md:3:1 [pagination]",
        "docs/a.md:6:1 [broken-link]",
        "docs/b.md:5:1 [broken-anchor]",
        "docs/b.md:7:1 [broken-link]",
        "docs/b.md:7:11 [broken-asset]",
        "docs/guides/_category_.yaml:1:1 [category-file]",
    ]


def test_missing_home_page_is_reported_once_for_the_whole_site(make_site: MakeSite) -> None:
    site = make_site({f"docs/{name}.md": page(name) for name in ("a", "b", "c")})
    assert site.check() == [
        (
            'octavo.toml:1:1: error: link "/" in the layout of 3 pages, /a among them: it leads to no document and no file. '
            "Give one document the slug of the home page, or write pages/index.mdx. [broken-link]"
        )
    ]


def test_page_at_the_place_of_a_static_file_is_reported(make_site: MakeSite) -> None:
    site = make_site({**BASE, "docs/demo/index.md": page("Demo")})
    assert site.check() == [
        (
            'docs/demo/index.md:1:1: warn: The page "/demo/" is published as "demo/index.html", '
            "and the static folder has a file of that name. The page is kept; rename one of the two. [duplicate-route]"
        )
    ]
    assert "<title>Demo | Site</title>" in site.html("/demo/")
    assert (site.root / "static/demo/index.html").read_text() == "<h1>Demo</h1>"


def test_rules_of_search_whose_page_is_gone_are_reported_with_file_line_and_remedy(make_site: MakeSite) -> None:
    rules = (
        "[[rules]]\nqueries = ['a']\npin = ['/demo/', '/dmo']\n\n"
        "[[rules]]\nqueries = ['b']\nhide = ['/demo#zzz']\nredirect = '/draft'\n"
    )
    draft = page("Draft").replace("---\n", "---\nunlisted: true\n", 1)
    site = make_site({**BASE, "docs/demo.md": page("Demo"), "docs/draft.md": draft, "search.toml": rules})
    assert [finding for finding in site.check() if finding.endswith("[search-rule]")] == [
        'search.toml:3:18: warn: "/dmo" leads to no page, so this rule does nothing. Did you mean "/demo"? [search-rule]',
        (
            'search.toml:7:9: warn: "/demo#zzz": "/demo" has no heading or element with the id "zzz". '
            "Take the part from # on away. [search-rule]"
        ),
        (
            'search.toml:8:12: warn: "/draft" is unlisted: search does not find it, so this rule does nothing. '
            "Name another page, or list this one. [search-rule]"
        ),
    ]


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        ("[[rules]]\nqueries = ['a']\nhide = ['/demo#two']", ["3:9 names a part of a page"]),
        ("[[rules]]\nqueries = ['a']\npin = ['/demo?x=1']", ['3:8 has a "?"']),
        ("[[rules]]\nqueries = ['a']\npin = ['/demo#here', '/demo#two']", ["3:8 is not a heading"]),
        ("[[rules]]\nqueries = ['a']\nredirect = '/demo#here'", ["3:12 is not a heading"]),
        ("[[rules]]\nqueries = ['C', 'C++']\npin = ['/demo']\n[[rules]]\nqueries = ['C#']\npin = ['/demo']", []),
        ("[[rules]]\nqueries = ['🎉', 'a', '$']\npin = ['/demo']", ["2:12 has no words", "2:22 has no words"]),
        (f"[[rules]]\nqueries = ['{'long ' * 23}{'x' * 400}']\npin = ['/demo']", ["2:12 is cut to 512"]),
        (
            "[[rules]]\nqueries = ['set up', 'Sets up']\npin = ['/demo']\n[[rules]]\nqueries = ['setting-up']\npin = ['/demo']",
            ['5:12 is the same query to search as "set up"'],
        ),
        (
            "[[rules]]\nqueries = ['a']\npin = ['/demo/']\nhide = ['/demo']\n[[rules]]\nqueries = ['b']\nredirect = '/demo'\nhide = ['/demo']",
            ['3:8 comes first for the query "a"', '7:12 comes first for the query "b"'],
        ),
        (
            "[[rules]]\nqueries = ['set up kilns']\npin = ['/demo#two']\n[[rules]]\nqueries = ['kiln']\nmatch = 'part'\nhide = ['/demo']",
            ['3:8 comes first for the query "set up kilns"'],
        ),
        ("[[rules]]\nqueries = ['a']\npin = ['/demo']\n[[rules]]\nqueries = ['a b']\nhide = ['/demo']", []),
        ("[[rules]]\nqueries = ['a']\nmatch = 'part'\npin = ['/demo']\n[[rules]]\nqueries = ['a']\nhide = ['/demo']", []),
        ("[[synonyms]]\nboth_ways = ['kiln', '$', 'oven']", ["2:22 has no words"]),
        ("[[synonyms]]\nboth_ways = ['single-sign-on', 'sign in']", []),
        ("[[synonyms]]\nword = 'データベース'\nalso_finds = ['数据库', 'db']", []),
        ("[[synonyms]]\nboth_ways = ['kiln', 'Kilns']", ["2:22 are forms of one word"]),
        ("[[synonyms]]\nboth_ways = ['faq', 'frequently asked questions']", []),
    ],
)  # fmt: skip
def test_rules_and_synonyms_of_search_without_effect_are_reported(
    make_site: MakeSite, rules: str, found: list[str]
) -> None:
    site = make_site(
        {**BASE, "docs/demo.md": page("Demo") + '\n## Two\n\n<a id="here"></a>Text.\n', "search.toml": rules + "\n"}
    )
    findings = [finding for finding in site.check() if finding.endswith("[search-rule]")]
    assert len(findings) == len(found)
    for finding, expected in zip(findings, found, strict=True):
        place, _, message = expected.partition(" ")
        assert finding.startswith(f"search.toml:{place}: warn: ")
        assert message in finding


SETTINGS = {
    "a link of the top bar": (
        '[navbar]\nitems = [\n  { label = "A", href = "/quickstrat" },\n]',
        'octavo.toml:4:25: error: "/quickstrat" leads to no page and no file. Did you mean "/quickstart"? [broken-link]',
    ),
    "an anchor of the top bar": (
        '[navbar]\nitems = [{ label = "A", href = "/quickstart#instal-it" }]',
        (
            'octavo.toml:3:32: warn: "/quickstart#instal-it": "/quickstart" has no heading or element with the id "instal-it". '
            'Did you mean "/quickstart#install-it"? [broken-anchor]'
        ),
    ),
    "an entry of a dropdown": (
        '[navbar]\nitems = [{ label = "A", items = [\n  { label = "B", href = "/zzz" },\n] }]',
        'octavo.toml:4:25: error: "/zzz" leads to no page and no file. [broken-link]',
    ),
    "a sidebar of the top bar": (
        '[navbar]\nitems = [{ label = "A", sidebar = "dosc" }]',
        (
            'octavo.toml:3:35: error: The top bar names the sidebar "dosc", which does not exist. '
            'Did you mean "docs"? [sidebar]'
        ),
    ),
    "a link of the footer": (
        '[[footer.columns]]\ntitle = "T"\nitems = [{ label = "A", href = "/zzz" }]',
        'octavo.toml:4:32: error: "/zzz" leads to no page and no file. [broken-link]',
    ),
    "a link deep in a sidebar": (
        (
            '[[sidebars]]\nid = "docs"\nitems = [\n  { autogenerated = "." },\n'
            '  { category = "C", items = [{ href = "/zzz" }] },\n]'
        ),
        'octavo.toml:6:39: error: "/zzz" leads to no page and no file. [broken-link]',
    ),
    "the target of a redirect": (
        '[[redirects]]\nfrom = "/old"\nto = "/zzz"',
        'octavo.toml:4:6: error: "/zzz" leads to no page and no file. [broken-link]',
    ),
    "a link of an announcement": (
        '[[announcements]]\nid = "a"\ncontent = \'See <a href="/zzz">it</a>.\'',
        'octavo.toml:4:24: error: "/zzz" leads to no page and no file. [broken-link]',
    ),
    "the routes of an announcement": (
        '[[announcements]]\nid = "a"\ncontent = "b"\nroutes = ["/quick*", "/quikstart"]',
        (
            'octavo.toml:5:22: warn: "/quikstart": no page has such a route, so none shows the announcement. '
            'Did you mean "/quickstart"? [announcement-routes]'
        ),
    ),
    "the favicon": (
        'favicon = "/img/lgo.svg"',
        (
            'octavo.toml:2:11: error: "/img/lgo.svg" is not a file in the folder "static". '
            'Did you mean "/img/logo.svg"? [broken-asset]'
        ),
    ),
    "the logo": (
        '[navbar.logo]\nalt = ""\nsrc = "/img/logo.svg"\nsrc_dark = "/img/zzz.png"',
        'octavo.toml:5:12: error: "/img/zzz.png" is not a file in the folder "static". [broken-asset]',
    ),
}


@pytest.mark.parametrize("case", SETTINGS)
def test_setting_that_leads_nowhere_is_shown_with_its_line(make_site: MakeSite, case: str) -> None:
    config, expected = SETTINGS[case]
    assert make_site(BASE, config).check() == [expected]


def test_settings_that_lead_somewhere_are_passed_in_silence(make_site: MakeSite) -> None:
    config = """
base_url = "/docs/"
favicon = "/img/logo.svg"
image = "https://example.org/card.png"
[navbar]
logo = { src = "/img/logo.svg", alt = "", href = "/" }
items = [{ label = "A", href = "/quickstart#install-it" }, { label = "B", href = "https://example.org" },
  { label = "C", href = "/img/logo.svg" }, { label = "D", sidebar = "docs" }, { label = "E", href = "/demo/" }]
[[redirects]]
from = "/old"
to = "/quickstart?tab=1#install-it"
[[announcements]]
id = "a"
content = '<a href="/quickstart">it</a>'
"""
    assert make_site(BASE, config).check() == []


def test_announcement_that_is_off_is_not_checked(make_site: MakeSite) -> None:
    config = '[[announcements]]\nid = "a"\nis_enabled = false\ncontent = \'<a href="/zzz">it</a>\''
    assert make_site(BASE, config).check() == []


def test_a_link_of_the_layout_is_not_pinned_on_code(make_site: MakeSite) -> None:
    """The link to the missing home page is in the code of a page as well."""
    body = 'Write `href="/"`:\n\n```jsx\n<a href="/">Home</a>\n```\n\n- one\n\n  ```\n  path="/"\n  ```\n'
    site = make_site({"docs/a.md": page("A", body)})
    assert [finding.partition(": ")[0] for finding in site.check()] == ["octavo.toml:1:1"]


def test_a_file_that_is_neither_page_nor_partial_is_reported(make_site: MakeSite) -> None:
    files = {
        **HOME,
        "docs/a.mdx": page("A", "import Used from './_used.mdx';\n\n<Used />"),
        "docs/_used.mdx": "Used\n",
        "docs/guide/_index.md": page("Guide"),
        "docs/guide/b.md": page("B"),
        "docs/_partials/spare.md": "Spare\n",
    }
    site = make_site(files)
    (finding,) = site.check()
    assert finding.startswith("docs/guide/_index.md:1:1: warn: This file is not a page")
    assert '"_index"' in finding
    indexed = make_site(files, '[routing]\nindex_names = ["index", "_index"]\n')
    assert indexed.check() == []
