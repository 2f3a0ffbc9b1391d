"""What an author can name in a way that no folder of files can hold is a finding with its place, never a traceback."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Any

import pytest

from octavo.errors import PublishError, UsageError
from octavo.last_build import NO_STATES, load_states
from octavo.publish.build import build_site
from tests.support.sites import HOME, MakeSite, SiteFolder, as_line, page

LONG = "a" * 250


def slugged(slug: str) -> str:
    return f'---\ntitle: Slugged\nslug: "{slug}"\n---\n\nText.\n'


def redirect(source: str) -> str:
    return f'redirects = [\n  {{ from = "{source}", to = "/" }},\n]\n'


def static_clash(path: str, address: str, owner: str) -> str:
    return (
        f'static/{path}:1:1: error: "static/{path}" would be published as "/{address}", which is in the way of {owner}; '
        "it is left out. Rename one of the two. [address-clash]"
    )


def reserved(place: str, route: str) -> str:
    return (
        f'{place}: error: The address "{route}" belongs to a file that Octavo writes itself. '
        "Choose another address. [reserved-address]"
    )


CASES: dict[str, tuple[dict[str, str], str, list[str]]] = {
    # name: files, settings, findings
    "static file in the place of a folder of pages": (
        {"docs/guides/b.md": page("B"), "static/guides": "a file"},
        "",
        [static_clash("guides", "guides", 'the page "/guides/b"')],
    ),
    "static folder in the place of a page's file": (
        {"docs/b.md": slugged("/legacy.html"), "static/legacy.html/x.txt": "x"},
        "",
        [static_clash("legacy.html/x.txt", "legacy.html/x.txt", 'the page "/legacy.html"')],
    ),
    "sitemap": ({"docs/b.md": slugged("/sitemap.xml")}, "", [reserved("docs/b.md:3:1", "/sitemap.xml")]),
    "below robots": ({"docs/b.md": slugged("/robots.txt/x")}, "", [reserved("docs/b.md:3:1", "/robots.txt/x")]),
    "file named like the sitemap": (
        {"docs/Sitemap.xml.md": page("S")},
        "",
        [reserved("docs/Sitemap.xml.md:1:1", "/Sitemap.xml")],
    ),
    "llms.txt": ({"docs/b.md": slugged("/llms.txt")}, "", [reserved("docs/b.md:3:1", "/llms.txt")]),
    "headers": ({"docs/b.md": slugged("/_headers")}, "", [reserved("docs/b.md:3:1", "/_headers")]),
    "page for unknown addresses": ({"docs/b.md": slugged("/404.html")}, "", [reserved("docs/b.md:3:1", "/404.html")]),
    "manifest": (
        {"docs/b.md": slugged("/_octavo/manifest.json")},
        "",
        [reserved("docs/b.md:3:1", "/_octavo/manifest.json")],
    ),
    "search index": ({"docs/b.md": slugged("/_OCTAVO/search")}, "", [reserved("docs/b.md:3:1", "/_OCTAVO/search")]),
    "static file among ours": (
        {"static/_octavo/x.js": "x"},
        "",
        [
            (
                'static/_octavo/x.js:1:1: error: "/_octavo/" is the folder of files that Octavo writes itself; this one is left '
                "out. Move the file to another folder. [reserved-address]"
            )
        ],
    ),
    "long slug": (
        {"docs/b.md": slugged(f"/x/{LONG}/y")},
        "",
        [
            (
                f'docs/b.md:3:1: error: A part of the address is 250 bytes long: "{"a" * 40}…". File systems take 255, of which '
                "Octavo needs 8. Choose a shorter address. [long-address]"
            )
        ],
    ),
    "long name of a file": (
        {f"docs/{'ä' * 125}.md": page("Long")},
        "",
        [
            (
                f'docs/{"ä" * 125}.md:1:1: error: A part of the address is 250 bytes long: "{"ä" * 40}…". File systems take '
                "255, of which Octavo needs 8. Choose a shorter address. [long-address]"
            )
        ],
    ),
    "backslash": (
        {"docs/b.md": "---\ntitle: B\nslug: /a\\b\n---\n"},
        "",
        [
            (
                'docs/b.md:3:1: error: The address "/a\\\\b" has a backslash or a control character, which no server would '
                "serve. Choose an address without it. [unsafe-address]"
            )
        ],
    ),
    "static file with a line break": (
        {"static/a\nb.txt": "x"},
        "",
        [
            (
                'static/a\nb.txt:1:1: error: The name "a\\x0ab.txt" has a backslash or a control character, which no server '
                "would serve. Rename the file. [unsafe-address]"
            )
        ],
    ),
    "redirect below a file": (
        {"static/img/mark.svg": "x"},
        redirect("/img/mark.svg/x"),
        [
            (
                'octavo.toml:3:13: error: The redirect from "/img/mark.svg/x" needs the file "/img/mark.svg/x/index.html", '
                'which is in the way of the file "static/img/mark.svg". Redirect another address. [address-clash]'
            )
        ],
    ),
    "redirect from the robots file": (
        {},
        redirect("/robots.txt"),
        [reserved("octavo.toml:3:13", "/robots.txt")],
    ),
    "redirect that is never used": (
        {"docs/b.md": page("B")},
        redirect("/b"),
        [
            (
                'octavo.toml:3:13: warn: The redirect from "/b" is never used: a page or a file has this address. '
                "Remove one of the two. [unused-redirect]"
            )
        ],
    ),
    "upper and lower case": (
        {"docs/case.md": page("One"), "docs/b.md": slugged("/Case")},
        "",
        [
            (
                'docs/case.md:1:1: warn: The route "/case" differs from that of docs/b.md only by upper and lower case. On '
                "macOS and Windows one would replace the other: give one of the two another slug. [similar-address]"
            )
        ],
    ),
    "Unicode normal forms": (
        {"docs/caf\u00e9.md": page("One"), "docs/b.md": slugged("/cafe\u0301")},
        "",
        [
            (
                'docs/caf\u00e9.md:1:1: warn: The route "/caf\u00e9" differs from that of docs/b.md only by its Unicode form. On '
                "macOS and Windows one would replace the other: give one of the two another slug. [similar-address]"
            )
        ],
    ),
    "static files, a file and a folder, and a redirect that differ by case": (
        {"docs/a.md": page("A"), "static/logo.svg": "<svg/>", "static/Logo.svg": "<svg/>", "static/IMG": "-"}
        | {"static/img/b.svg": "<svg/>"},
        '[[redirects]]\nfrom = "/A"\nto = "/"\n',
        [
            (
                'octavo.toml:3:9: warn: The redirect from "/A" differs from the page "/a" only by case. '
                "On macOS and Windows one would replace the other. Redirect another address. [similar-address]"
            ),
            (
                'static/img/b.svg:1:1: warn: "static/img/b.svg" is published as "/img/b.svg", which is too like the name of '
                'the file "static/IMG". On macOS and Windows one would replace the other. Rename one of the two. [similar-address]'
            ),
            (
                'static/logo.svg:1:1: warn: "static/logo.svg" is published as "/logo.svg", which is too like the name of '
                'the file "static/Logo.svg". On macOS and Windows one would replace the other. Rename one of the two. '
                "[similar-address]"
            ),
        ],
    ),
    "data of one page as the folder of another": (
        {"docs/a.md": page("A"), "docs/b.md": slugged("/a.json/b")},
        "",
        [
            (
                'docs/b.md:3:1: error: The page "/a.json/b" is published as "_octavo/pages/a.json/b.json", which is in the way '
                "of docs/a.md. Give one of the two another slug. [address-clash]"
            )
        ],
    ),
    "index.html of another page": (
        {"docs/a.md": page("A"), "docs/b.md": slugged("/a/index.html")},
        "",
        [
            (
                'docs/b.md:3:1: error: The page "/a/index.html" is published as "a/index.html", which is in the way of docs/a.md. '
                "Give one of the two another slug. [address-clash]"
            )
        ],
    ),
}


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    return make_site({**HOME, "docs/a.md": page("A")})


@pytest.mark.parametrize(("files", "settings", "findings"), CASES.values(), ids=CASES)
def test_name_that_cannot_be_is_a_finding(
    make_site: MakeSite, files: dict[str, str], settings: str, findings: list[str]
) -> None:
    site = make_site({**HOME, **files}, config=settings)
    assert [as_line(one) for one in build_site(site.root, None).diagnostics] == findings
    # An author who publishes in spite of it gets all the rest.
    assert build_site(site.root, site.out, publishes_always=True).is_published
    assert "Welcome." in site.html("/")
    assert site.manifest().build
    assert build_site(site.root, site.out, publishes_always=True, precompress=True).is_published


def test_own_files_of_the_author_go_first(make_site: MakeSite) -> None:
    own = {"robots.txt": "mine", "sitemap.xml": "mine", "404.html": "mine", "opensearch.xml": "mine"}
    site = make_site({**HOME, **{f"static/{name}": text for name, text in own.items()}})
    for _ in range(2):
        assert site.check() == []
        assert {name: (site.out / name).read_text() for name in own} == own


def test_name_that_is_not_utf_8_is_a_finding(site: SiteFolder) -> None:
    (site.root / "static").mkdir()
    with open(os.fsencode(site.root) + b"/static/caf\xe9.txt", "wb") as file:  # noqa: PTH123
        file.write(b"x")
    assert [one.code for one in site.build().diagnostics] == ["unsafe-address"]


def test_special_files_are_left_out(site: SiteFolder) -> None:
    (site.root / "static").mkdir()
    os.mkfifo(site.root / "static/pipe")
    assert [one.code for one in site.build().diagnostics] == ["special-file"]
    assert not (site.out / "pipe").exists()


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("static/x", 'lies in "static" (the default of static)'),
        ("docs", 'lies in "docs" (the default of docs)'),
        ("pages/public", 'lies in "pages" (the default of pages)'),
        (".", "contains the site itself"),
        ("..", "contains the site itself"),
    ],
)
def test_output_is_no_folder_that_the_site_is_made_from(site: SiteFolder, out: str, message: str) -> None:
    before = sorted(path for path in site.root.rglob("*"))
    with pytest.raises(UsageError) as caught:
        build_site(site.root, site.root / out)
    assert message in str(caught.value)
    assert "Name another folder with --out" in str(caught.value)
    assert sorted(path for path in site.root.rglob("*")) == before


def test_output_may_lie_in_a_folder_that_is_left_out(make_site: MakeSite) -> None:
    site = make_site({"index.md": page("A", slug="/"), "guide/b.md": page("B")}, config='docs = "."\n')
    with pytest.raises(UsageError, match=re.escape('or exclude this one: exclude = ["build/**"]')):
        build_site(site.root, site.root / "build")
    site.write({"octavo.toml": 'title = "Site"\nurl = "https://e.org"\ndocs = "."\nexclude = ["build/**"]\n'})
    published = []
    for _ in range(2):
        assert build_site(site.root, site.root / "build", has_search=False).diagnostics == []
        published.append(sorted(path for path in (site.root / "build").rglob("*.md")))
    assert published[0] == published[1] != []


def test_setting_that_puts_documents_into_the_output_is_named(make_site: MakeSite) -> None:
    site = make_site({"build/docs/a.md": page("A"), **HOME}, config='docs = "build/docs"\n')
    with pytest.raises(UsageError, match=r'contains "build/docs" \(docs, octavo\.toml:2\)'):
        build_site(site.root, site.root / "build")


def test_full_disk_is_one_sentence_and_the_last_build_stays(site: SiteFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    site.build()
    before = site.published()
    site.write({"docs/a.md": page("A", "Another text."), "docs/b.md": page("B")})
    real = os.write

    def write(handle: int, data: bytes) -> int:
        if b"Another text." in bytes(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(handle, data)

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(PublishError) as caught:
        site.build()
    assert str(caught.value) == (
        f"{site.out / 'a/index.html'} cannot be written: the disk is full (No space left on device). Make room and build "
        "again; what was published before is untouched."
    )
    monkeypatch.undo()
    assert site.published() == before
    assert site.build().is_published


@pytest.mark.parametrize("folder", ["_octavo/search", ".staging-"])
def test_disk_that_is_full_for_another_part_of_a_build_is_one_sentence(
    site: SiteFolder, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    site.build()
    before = site.published()
    site.write({"docs/a.md": page("A", "Another text.")})
    real = Path.mkdir

    def mkdir(path: Path, *arguments: Any, **options: Any) -> None:
        if folder in str(path):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(path, *arguments, **options)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    with pytest.raises(PublishError, match=r"cannot be written: .*[Tt]he disk is full.*untouched"):
        build_site(site.root, site.out, is_clean=True)
    monkeypatch.undo()
    assert site.published() == before
    assert site.build().is_published


def test_ledger_that_is_not_utf_8_is_no_empty_ledger(site: SiteFolder) -> None:
    site.write({"addresses.txt": b"/gone\n/caf\xe9\n"})
    findings = site.check()
    assert "addresses.txt:2:5: error: This byte is not UTF-8. Save the file as UTF-8. [encoding]" in findings
    assert [line.split(" was ")[0] for line in findings if line.startswith("addresses.txt:1")] == [
        'addresses.txt:1:1: error: "/gone"'
    ]


def test_category_file_that_is_not_utf_8_has_a_place(site: SiteFolder) -> None:
    site.write({"docs/x/_category_.yaml": b"label: Fine\ndescription: caf\xe9\n", "docs/x/b.md": page("B")})
    assert site.check() == [
        "docs/x/_category_.yaml:2:17: error: This byte is not UTF-8. Save the file as UTF-8. [encoding]"
    ]


def damage(file: Path, position: float) -> None:
    content = bytearray(file.read_bytes())
    content[int(position * (len(content) - 1))] ^= 0x41
    file.write_bytes(content)


@pytest.mark.parametrize("position", [0.01, 0.3, 0.5, 0.77, 0.99])
def test_damaged_cache_is_made_anew(make_site: MakeSite, position: float) -> None:
    files = {**HOME, **{f"docs/p{number}.md": page(f"P {number}", "```python\nx = 1\n```") for number in range(3)}}
    site = make_site(files)
    site.build()
    expected = site.pages()
    for file in [file for file in (site.root / ".octavo").rglob("*") if file.is_file() and "spare" not in str(file)]:
        damage(file, position)
    for _ in range(2):
        assert site.build().diagnostics == []
        assert site.pages() == expected


def test_note_of_what_was_published_is_not_believed_when_any_byte_is_damaged(make_site: MakeSite) -> None:
    """A damaged name or time that still decodes would make the next build remove files and believe them to be there."""
    site = make_site({**HOME, "docs/a.md": page("A")})
    site.build()
    (note,) = (site.root / ".octavo").glob("*.published.files")
    content = note.read_bytes()
    assert load_states(note).files
    for position in range(len(content)):
        note.write_bytes(content[:position] + bytes([content[position] ^ 0x41]) + content[position + 1 :])
        assert load_states(note) == NO_STATES, position
