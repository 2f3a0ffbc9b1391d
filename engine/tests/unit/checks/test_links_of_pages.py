"""Links of finished pages that lead nowhere: where they are, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from octavo.checks import findings
from octavo.checks.elsewhere import links_to_other_sites
from octavo.checks.links import LinkChecker, check_collisions
from octavo.config import load_config
from octavo.content import Link
from octavo.diagnostics import Diagnostic, Span
from octavo.manifest import ManifestFile
from octavo.rendering import PageRecord
from octavo.site import AssetStore, LinkResolver, Site
from tests.support.each import each
from tests.support.sites import TWO_LOCALES, MakeSite, SiteFolder, page

RECORD = PageRecord("", "", True, {}, {}, {}, "", [], [], [])
HOME = page("Home", slug="/")


class Drawn:
    """A site whose pages refer to given addresses."""

    def __init__(self, folder: SiteFolder, shown: Mapping[str, list[str]], anchors: Mapping[str, list[str]]) -> None:
        self.folder = folder
        self.site: Site = folder.assemble()
        self.lines = findings.SourceLines(folder.root, self.site.pages)
        self.records = {
            route: msgspec.structs.replace(RECORD, references=shown.get(route, []), anchors=anchors.get(route, []))
            for route in self.site.by_route
        }

    def checker(self, *, known: frozenset[str] = frozenset(), authored: tuple[str, ...] = ()) -> LinkChecker:
        assets = AssetStore(self.folder.root, "static")
        return LinkChecker(
            self.site,
            self.records,
            resolver=LinkResolver(self.site, assets),
            assets=assets,
            known=known,
            lines=self.lines,
            authored=authored,
        )

    def found(self, *, known: frozenset[str] = frozenset(), authored: tuple[str, ...] = ()) -> list[str]:
        return [said(one) for one in self.checker(known=known, authored=authored).check()]


def said(one: Diagnostic) -> str:
    return " ".join(filter(None, (f"{one.span}: {one.level} {one.code}:", one.message, one.suggestion)))


def typed(make_site: MakeSite, text: str, shown: list[str], **more: str | bytes) -> Drawn:
    """Draw a site with two pages, of which one contains a text and refers to some addresses."""
    files = {"docs/index.md": HOME, "docs/guides/kiln.md": page("Kiln", text), "docs/glaze.md": page("Glaze"), **more}
    anchors = {"/glaze": ["colors", "größe"], "/guides/kiln": ["heat"]}
    return Drawn(make_site(files), {"/guides/kiln": shown}, anchors)


@each(
    "text, reference, expected",
    [
        ("[a](../glaze.md)", "/glaze", []),
        ("[a](#heat)", "#heat", []),
        ("[a](../glaze.md#colors)", "/glaze#colors", []),
        ("[a](../glaze.md#top)", "/glaze#top", []),
        ("[a](../glaze.md#:~:text=b)", "/glaze#:~:text=b", []),
        ("[a](https://kilns.example)", "https://kilns.example", []),
        ("[a](pathname:///glase)", "/glase", []),
        (
            "See [a](../glaze.md#color).",
            "/glaze#color",
            [
                (
                    'docs/guides/kiln.md:5:5: warn broken-anchor: link "../glaze.md#color": "/glaze" has no heading or element '
                    'with the id "color". Did you mean "../glaze.md#colors"?'
                )
            ],
        ),
        (
            "[a](../glaze.md#gr%C3%B6%C3%9Fen)",
            "/glaze#gr%C3%B6%C3%9Fen",
            [
                (
                    'docs/guides/kiln.md:5:1: warn broken-anchor: link "../glaze.md#gr%C3%B6%C3%9Fen": "/glaze" has no heading or '
                    'element with the id "größen". Did you mean "../glaze.md#größe"?'
                )
            ],
        ),
        (
            "[a](#zzz)",
            "#zzz",
            [
                (
                    'docs/guides/kiln.md:5:1: warn broken-anchor: link "#zzz": this page has no heading or element with the id '
                    '"zzz".'
                )
            ],
        ),
        (
            "[a](../glase.md)",
            "../glase.md",
            [
                (
                    'docs/guides/kiln.md:5:1: error broken-link: link "../glase.md" leads to no document and no file. Did you '
                    'mean "../glaze.md"?'
                )
            ],
        ),
        (
            "[a](./kilm)",
            "./kilm",
            [
                (
                    'docs/guides/kiln.md:5:1: error broken-link: link "./kilm" leads to no document and no file. Did you mean '
                    '"./kiln"?'
                )
            ],
        ),
        (
            "[a](/glase?x=1#y)",
            "/glase?x=1#y",
            [
                (
                    'docs/guides/kiln.md:5:1: error broken-link: link "/glase?x=1#y" leads to no document and no file. Did you '
                    'mean "/glaze"?'
                )
            ],
        ),
        (
            "[a](../draft.md)",
            "../draft.md",
            [
                (
                    'docs/guides/kiln.md:5:1: error broken-link: link "../draft.md" leads to a file that is not a page: docs/draft.md '
                    "is a draft or a partial."
                )
            ],
        ),
        (
            "[a](../pictures)",
            "../pictures",
            [
                (
                    'docs/guides/kiln.md:5:1: error broken-link: link "../pictures" leads to a folder without a page of its own. '
                    "In it are: a.txt, b.txt."
                )
            ],
        ),
        # Embedded HTML is published as it is written.
        (
            "`='/nowhere/at/all'`\n\n<i data-a='/nowhere/at/all'>a</i>\n<i data-b=\"/nowhere/at/all\"></i>",
            "/nowhere/at/all",
            [
                'docs/guides/kiln.md:7:12: error broken-link: link "/nowhere/at/all" leads to no document and no file.',
                'docs/guides/kiln.md:8:12: error broken-link: link "/nowhere/at/all" leads to no document and no file.',
            ],
        ),
        (
            "Text.",
            "/nowhere/at/all",
            [
                (
                    'octavo.toml:1:1: error broken-link: link "/nowhere/at/all" in the layout of the page /guides/kiln: it leads to '
                    "no document and no file."
                )
            ],
        ),
        (
            "Text.",
            "/glaze#none",
            [
                (
                    'octavo.toml:1:1: warn broken-anchor: link "/glaze#none" in the layout of the page /guides/kiln: there is no '
                    "such id."
                )
            ],
        ),
    ],
)
def test_link_that_leads_nowhere(make_site: MakeSite, text: str, reference: str, expected: list[str]) -> None:
    files = {
        "docs/draft.md": page("Draft", draft=True),
        "docs/pictures/b.txt": "b",
        "docs/pictures/a.txt": "a",
        "docs/pictures/.hidden": "",
    }
    drawn = typed(make_site, text, [reference], **files)
    (kiln,) = [one for one in drawn.site.pages if one.route == "/guides/kiln"]
    if kiln.summary and kiln.summary.links and reference == kiln.summary.links[0].href:
        # What was typed and leads nowhere is shown as it was typed.
        resolver = LinkResolver(drawn.site, AssetStore(drawn.folder.root, "static"))
        reference = resolver.resolve(kiln, kiln.summary.links[0]).url
        drawn.records["/guides/kiln"] = msgspec.structs.replace(RECORD, references=[reference], anchors=["heat"])
    assert drawn.found() == expected


def test_published_files_are_known(make_site: MakeSite) -> None:
    drawn = typed(make_site, "Text.", ["/a.zip", "/demo", "/demo/", "/b.zip"])
    assert [one.split('"')[1] for one in drawn.found(known=frozenset({"/a.zip", "/demo/index.html"}))] == ["/b.zip"]


def test_layout_of_many_pages_is_reported_once(make_site: MakeSite) -> None:
    files = {"docs/a.md": page("A"), "docs/b.md": page("B")}
    drawn = Drawn(make_site(files), {"/a": ["/x", "/"], "/b": ["/x", "/"]}, {})
    assert drawn.found() == [
        (
            'octavo.toml:1:1: error broken-link: link "/x" in the layout of 2 pages, /a among them: it leads to no document and '
            "no file."
        ),
        (
            'octavo.toml:1:1: error broken-link: link "/" in the layout of 2 pages, /a among them: it leads to no document and no '
            "file. Give one document the slug of the home page, or write pages/index.mdx."
        ),
    ]


@each(
    "written, reference, suggestion",
    [
        ("/kilm", "/docs/kilm", ' Did you mean "/kiln"?'),
        ("/kilm", "/docs/kilm/", ' Did you mean "/kiln"?'),
        ("/kilm/", "/docs/kilm/", ' Did you mean "/kiln"?'),
        ("/fr/gone", "/docs/fr/gone", ""),
        ("/gone", "/docs/fr/gone", ""),
        ("/gone?a=1#b", "/docs/gone?a=1#b", ""),
    ],
)
def test_link_in_the_layout_is_found_as_the_settings_write_it(
    make_site: MakeSite, written: str, reference: str, suggestion: str
) -> None:
    settings = f'base_url = "/docs/"\n{TWO_LOCALES}[navbar]\nitems = [{{ label = "X", href = "{written}" }}]\n'
    drawn = Drawn(make_site({"docs/index.md": HOME, "docs/kiln.md": page("Kiln")}, settings), {"/fr/": [reference]}, {})
    (found,) = drawn.found()
    place, _, message = found.partition(": error broken-link: ")
    assert place == f"octavo.toml:{drawn.lines.text('octavo.toml').partition('items')[0].count(chr(10)) + 1}:33"
    assert (
        message == f'link "{written}" in the layout of the page /fr/: it leads to no document and no file.{suggestion}'
    )


def test_link_in_the_code_of_a_component_is_found_there(make_site: MakeSite) -> None:
    code = 'const a = 1;\nconst b = <a href={"/x"}>{`/docs/y`}</a>;\n'
    files = {"docs/index.md": HOME, "parts/Box.tsx": code, "parts/Other.tsx": "'/z'"}
    drawn = Drawn(make_site(files, 'base_url = "/docs/"\n'), {"/": ["/docs/x", "/docs/y", "/docs/z"]}, {})
    found = drawn.found(authored=("parts/Box.tsx", "parts/Other.tsx"))
    assert [one.partition(": error")[0] for one in found] == [
        "parts/Box.tsx:2:21",
        "parts/Box.tsx:2:28",
        "parts/Other.tsx:1:2",
    ]
    assert found[0].partition("broken-link: ")[2] == (
        'link "/docs/x", shown on the page /: it leads to no document and no file.'
    )  # fmt: skip


def test_page_in_another_language_has_no_such_id_either(make_site: MakeSite) -> None:
    files = {
        "docs/index.md": HOME,
        "docs/a.md": page("A", "[b](./b.md#colors)"),
        "docs/b.md": page("B"),
        "i18n/fr/b.md": page("B"),
    }
    drawn = Drawn(make_site(files, TWO_LOCALES), {"/a": ["/b#colors"], "/fr/a": ["/fr/b#colors"]}, {"/b": ["color"]})
    assert drawn.found() == [
        (
            'docs/a.md:5:1: warn broken-anchor: link "./b.md#colors": "/b" has no heading or element with the id "colors", and '
            'neither has the same page in 1 other language. Did you mean "./b.md#color"?'
        )
    ]


def test_missing_files_are_reported_with_what_is_like_them(make_site: MakeSite) -> None:
    text = "![a](./kitten.png) ![b](./wrong.png) ![c](/none.png)"
    files = {"docs/guides/kitten2.png": b"", "docs/guides/wrong.png": b"no picture"}
    drawn = typed(make_site, text, [], **files)
    assert drawn.found() == [
        'docs/guides/kiln.md:5:1: error broken-asset: file "./kitten.png" does not exist. Did you mean "./kitten2.png"?',
        (
            'docs/guides/kiln.md:5:20: warn image-content: file "./wrong.png" is not a picture of the format that its name says. '
            "Save it again, or give it the name of its format."
        ),
        'docs/guides/kiln.md:5:38: error broken-asset: file "/none.png" does not exist.',
    ]


@each("size, message", [(5_000_000, None), (5_000_001, "5 MB"), (7_600_000, "8 MB")])
def test_heavy_picture_is_reported(make_site: MakeSite, size: int, message: str | None) -> None:
    picture = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"/>'
    drawn = typed(make_site, "![a](./a.svg)", [], **{"docs/guides/a.svg": picture.ljust(size)})
    assert drawn.found() == (
        [
            (
                f'docs/guides/kiln.md:5:1: warn large-file: the picture "./a.svg" has {message}, which every reader of the page '
                "loads. Save it smaller, for example as WebP, no wider than it is shown."
            )
        ]
        if message
        else []
    )


def test_page_with_the_name_of_a_file_is_reported(make_site: MakeSite) -> None:
    drawn = typed(make_site, "", [])
    file = ManifestFile(hash="", size=0)
    for route, address in (("/glaze", "glaze.html"), ("/guides/kiln", "guides/kiln.html")):
        drawn.records[route] = msgspec.structs.replace(RECORD, files={address: file})
    drawn.records["/404"] = msgspec.structs.replace(RECORD, files={"404.html": file})
    assert [said(one) for one in check_collisions(drawn.site, drawn.records, {"glaze.html", "404.html"})] == [
        (
            'docs/glaze.md:1:1: warn duplicate-route: The page "/glaze" is published as "glaze.html", and the static folder has a '
            "file of that name. The page is kept; rename one of the two."
        )
    ]


def test_what_refers_to_other_sites_is_listed_with_its_place(make_site: MakeSite) -> None:
    config = (
        'url = "https://kilns.example"\n'
        '[navbar]\nitems = [{ label = "A", href = "https://a.example" }, { label = "B", href = "/b" }]\n'
        '[navbar.logo]\nsrc = "//b.example/l.svg"\nalt = "https://c.example"\n'
    )
    text = '[a](https://d.example)\n\n<img src="https://e.example/?a=1&amp;b=2"> `https://f.example`\n\nhttps://g.example/long'
    folder = make_site({"docs/index.md": page("Home", text, slug="/")}, config)
    shown = [
        "https://d.example",
        "https://e.example/?a=1&b=2",
        "https://f.example",
        "https://g.example/lon",
        "https://edit.example",
        "/b",
        "//b.example/l.svg",
    ]
    drawn = Drawn(folder, {"/": shown}, {})
    found = list(links_to_other_sites(drawn.site, drawn.records, drawn.lines))
    assert load_config(folder.root).url == "https://kilns.example"
    assert [(link.href, str(link.span)) for link in found] == [
        ("https://d.example", "docs/index.md:6:1"),
        ("https://g.example/long", "docs/index.md:10:1"),
        ("https://e.example/?a=1&b=2", "docs/index.md:8:11"),
        ("https://a.example", "octavo.toml:4:33"),
        ("https://b.example/l.svg", "octavo.toml:6:8"),
    ]
    assert isinstance(found[0], Link)
    assert found[0].span == Span("docs/index.md", 6, 1)
