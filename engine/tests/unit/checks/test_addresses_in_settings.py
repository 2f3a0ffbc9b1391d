"""What the settings of a site lead to and name."""

from __future__ import annotations

import msgspec

from octavo.checks import SourceLines
from octavo.checks.links import LinkChecker
from octavo.checks.settings import check_publication, check_settings
from octavo.config import parse_config
from octavo.diagnostics import Diagnostic
from octavo.rendering import PageRecord
from octavo.site import AssetStore, LinkResolver
from tests.support.each import each
from tests.support.sites import SVG, MakeSite, page

RECORD = PageRecord("", "", True, {}, {}, {}, "", [], [], [])
FILES: dict[str, str | bytes] = {
    "docs/index.md": page("Home", slug="/"),
    "docs/guides/kiln.md": page("Kiln"),
    "static/logo.svg": SVG,
    "icons/own.svg": SVG,
    "icons/bad.svg": "<svg><script/></svg>",
}


def found(make_site: MakeSite, settings: str, files: dict[str, str | bytes] = FILES) -> list[str]:
    folder = make_site(files, settings)
    site = folder.assemble()
    records = {route: msgspec.structs.replace(RECORD, anchors=["heat"]) for route in site.by_route}
    assets = AssetStore(folder.root, "static")
    resolver = LinkResolver(site, assets)
    lines = SourceLines(folder.root)
    checker = LinkChecker(site, records, resolver=resolver, assets=assets, known=frozenset(["/a.zip"]), lines=lines)
    return [said(one) for one in check_settings(site, checker, resolver=resolver, assets=assets, lines=lines)]


def said(one: Diagnostic) -> str:
    return " ".join(filter(None, (f"{one.span} {one.level} {one.code}:", one.message, one.suggestion)))


@each(
    "settings, expected",
    [
        ("", []),
        ('[[navbar.items]]\nlabel = "A"\nhref = "/guides/kiln#heat"\n', []),
        ('[[navbar.items]]\nlabel = "A"\nhref = "/a.zip"\n', []),
        ('[[navbar.items]]\nlabel = "A"\nhref = "https://a.example"\n', []),
        ('[[navbar.items]]\nlabel = "A"\nhref = "#heat"\n', []),
        (
            '[[navbar.items]]\nlabel = "A"\nhref = "/guides/kilm"\n',
            ['octavo.toml:4:1 error broken-link: "/guides/kilm" leads to no page and no file. Did you mean "/guides/kiln"?'],
        ),
        (
            '[[navbar.items]]\nlabel = "A"\nitems = [{ label = "B", href = "/zzzzzzz" }]\n',
            ['octavo.toml:4:1 error broken-link: "/zzzzzzz" leads to no page and no file.'],
        ),
        (
            '[[navbar.items]]\nlabel = "A"\nhref = "/guides/kiln#hea"\n',
            [
                ('octavo.toml:4:1 warn broken-anchor: "/guides/kiln#hea": "/guides/kiln" has no heading or element with the id '
                '"hea". Did you mean "/guides/kiln#heat"?')
            ],
        ),
        (
            '[[navbar.items]]\nlabel = "A"\nhref = "/guides/kiln#zzzzzz"\n',
            [
                ('octavo.toml:4:1 warn broken-anchor: "/guides/kiln#zzzzzz": "/guides/kiln" has no heading or element with the '
                'id "zzzzzz".')
            ],
        ),
        (
            '[[footer.columns]]\ntitle = "T"\nitems = [{ label = "A", href = "guides/kiln" }]\n',
            [
                ('octavo.toml:4:1 error broken-link: "guides/kiln" has no slash in front: it leads somewhere else on each page. '
                'Did you mean "/guides/kiln"?')
            ],
        ),
        (
            '[[footer.columns]]\ntitle = "T"\nitems = [{ label = "A", href = "zzzzzzz" }]\n',
            [
                ('octavo.toml:4:1 error broken-link: "zzzzzzz" has no slash in front: it leads somewhere else on each page. Did '
                'you mean "/zzzzzzz"?')
            ],
        ),
        (
            '[[redirects]]\nfrom = "/old"\nto = "/kiln"\n',
            ['octavo.toml:4:1 error broken-link: "/kiln" leads to no page and no file. Did you mean "/guides/kiln"?'],
        ),
        ('[[redirects]]\nfrom = "/old/*"\nto = "/guides/*"\n', []),
        ('[[redirects]]\nfrom = "/old/*"\nto = "https://a.example/*"\n', []),
        (
            '[[redirects]]\nfrom = "/old/*"\nto = "/gone/*"\n',
            ['octavo.toml:4:1 error broken-link: "/gone/*": no page lies in that folder.'],
        ),
        ('[navbar.logo]\nalt = "L"\nsrc = "/logo.svg"\n', []),
        (
            '[navbar.logo]\nalt = "L"\nsrc = "/logo.svg"\nsrc_dark = "/logo2.svg"\nhref = "/home"\n',
            [
                'octavo.toml:6:1 error broken-link: "/home" leads to no page and no file.',
                'octavo.toml:5:1 error broken-asset: "/logo2.svg" is not a file in the folder "static". Did you mean "/logo.svg"?',
            ],
        ),
        ('favicon = "https://a.example/i.png"\n', []),
        ('styles = ["/a.css"]\n', ['octavo.toml:2:1 error broken-asset: "/a.css" is not a file in the folder "static".']),
        (
            'image = "/card.png"\nicon = "/i.svg"\n[[scripts]]\nsrc = "/a.js"\n',
            [f'octavo.toml:{line}:1 error broken-asset: "{name}" is not a file in the folder "static".'
             for line, name in ((5, "/a.js"), (3, "/i.svg"), (2, "/card.png"))],
        ),
        (
            '[[sidebars]]\nid = "a"\nitems = [{ category = "C", items = [{ label = "A", href = "/zzzzzzz" }] }]\n',
            ['octavo.toml:4:1 error broken-link: "/zzzzzzz" leads to no page and no file.'],
        ),
        ('[[announcements]]\nid = "a"\ncontent = "<a href=\'/guides/kiln\'>A</a>"\n', []),
        (
            '[[announcements]]\nid = "a"\ncontent = "<a href=\'/zzzzzzz\'>A</a>"\n',
            ['octavo.toml:4:1 error broken-link: "/zzzzzzz" leads to no page and no file.'],
        ),
        ('[[announcements]]\nid = "a"\nis_enabled = false\ncontent = "<a href=\'/zzzzzzz\'>A</a>"\nroutes = ["/z"]\n', []),
        ('[[announcements]]\nid = "a"\ncontent = "A"\nroutes = ["/guides/*"]\n', []),
        (
            '[[announcements]]\nid = "a"\ncontent = "A"\nroutes = ["/guide/*", "/guides/kilm"]\n',
            [
                'octavo.toml:5:1 warn announcement-routes: "/guide/*": no page has such a route, so none shows the announcement.',
                ('octavo.toml:5:1 warn announcement-routes: "/guides/kilm": no page has such a route, so none shows the '
                'announcement. Did you mean "/guides/kiln"?'),
            ],
        ),
        ('[[navbar.items]]\nlabel = "A"\nhref = "/"\nicon = "github"\n', []),
        ('[[navbar.items]]\nlabel = "A"\nhref = "/"\nicon = "rocket"\n', []),
        (
            '[[navbar.items]]\nlabel = "A"\nhref = "/"\nicon = "rockett"\n',
            ['octavo.toml:5:1 warn icon: There is no icon "rockett". Did you mean "rocket"?'],
        ),
        ('[[navbar.items]]\nlabel = "A"\nsidebar = "docs"\n', []),
        (
            '[[navbar.items]]\nlabel = "A"\nsidebar = "doc"\n',
            [
                'octavo.toml:4:1 error sidebar: The top bar names the sidebar "doc", which does not exist. Did you mean "docs"?'
            ],
        ),
    ],
)  # fmt: skip
def test_settings_that_lead_nowhere(make_site: MakeSite, settings: str, expected: list[str]) -> None:
    assert found(make_site, settings) == expected


def test_site_without_a_page_is_an_error(make_site: MakeSite) -> None:
    assert found(make_site, "", {"docs/a.txt": ""}) == [
        (
            'octavo.toml:1:1 error no-pages: The site has no page: there is no Markdown file in "docs", "pages". Write a page '
            "there, or set `docs` to the folder that contains the pages."
        )
    ]


def test_pictures_for_previews_are_in_the_static_folder(make_site: MakeSite) -> None:
    pages = {
        "docs/a.md": page("A", image="/logo.svg"),
        "docs/b.md": page("B", image="lugo.svg"),
        "docs/c.md": page("C", image="./beside.png"),
        "docs/d.md": page("D", image="https://a.example/x.png"),
        "docs/e.md": page("E"),
    }
    assert found(make_site, "", {**FILES, **pages}) == [
        (
            'docs/b.md:3:1 error broken-asset: The picture for link previews "lugo.svg" is not a file in the folder "static". Did you '
            'mean "/logo.svg"?'
        )
    ]


@each(
    "settings, expected",
    [
        ('title = "T"\nurl = "https://a.example"\n', []),
        (
            'title = "T"\n\nurl = "http://localhost:3000"\n',
            [
                (
                    'octavo.toml:3:1 warn unset-url: url is "http://localhost:3000", which is not an address for readers: pages name '
                    "no canonical address, and the sitemap leads nowhere. Set url to the address of the site, or give it with "
                    '"octavo build --url https://docs.example.org".'
                )
            ],
        ),
    ],
)
def test_site_that_is_published_says_where(make_site: MakeSite, settings: str, expected: list[str]) -> None:
    folder = make_site(FILES)
    assert [said(one) for one in check_publication(folder.root, parse_config(settings), settings)] == expected
