"""Files that are not plain files, names that not every system takes, and settings as editors of Windows save them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest

from octavo.errors import ConfigError, UsageError
from octavo.publish import build_site
from tests.support.sites import HOME, SVG, MakeSite, SiteFolder, page

MARK = "\ufeff"
PIPES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    return make_site({**HOME, "docs/a.md": "# A\n\nText.\n", "static/a.txt": "x"})


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _out_of_the_site(path: Path) -> None:
    path.symlink_to(Path(__file__))


def _to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def _to_a_folder(path: Path) -> None:
    folder = path.parent.parent / "elsewhere"
    folder.mkdir()
    (folder / "page.md").write_text("# Page\n")
    path.symlink_to(folder)


@pytest.mark.parametrize("folder", ["docs", "pages", "static"])
@pytest.mark.parametrize(
    ("make", "reason"),
    [
        pytest.param(_pipe, "This is not a file but a pipe, a socket or a device.", marks=PIPES),
        (_out_of_the_site, "This link leads out of the site's folder, and what is there is not published."),
        (_to_itself, "This link leads nowhere."),
        (_to_a_folder, "This link leads to a folder. Octavo follows links to files only."),
    ],
)
def test_what_is_no_file_is_left_out_with_a_finding(
    site: SiteFolder, folder: str, make: Callable[[Path], None], reason: str
) -> None:
    make(site.root / folder / "odd.md")
    for _ in range(2):
        assert site.check() == [
            f"{folder}/odd.md:1:1: warn: {reason} Replace it with a file, or remove it. [special-file]"
        ]
        assert not (site.out / "odd/index.html").exists()
        assert not (site.out / "odd.md").exists()


def test_links_to_files_of_the_site_are_followed(site: SiteFolder) -> None:
    (site.root / "docs/b.md").symlink_to("a.md")
    (site.root / "static/b.txt").symlink_to("a.txt")
    assert site.check() == []
    assert (site.out / "b/index.html").exists()
    assert (site.out / "b.txt").read_text() == "x"


@PIPES
def test_pipe_in_the_place_of_a_partial_is_not_read(make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.mdx": "import P from './_p.md';\n\n# A\n\n<P />\n"})
    os.mkfifo(site.root / "docs/_p.md")
    assert [one.code for one in site.build().diagnostics] == ["missing-partial"]


@pytest.mark.parametrize("folder", ["docs", "pages", "static"])
def test_file_in_the_place_of_a_folder_is_named(make_site: MakeSite, folder: str) -> None:
    site = make_site({**({} if folder == "pages" else HOME), folder: "x"})
    with pytest.raises(UsageError) as caught:
        site.build()
    assert str(caught.value) == (
        f'"{folder}" is a file; Octavo reads a folder of this name. Rename the file, or name another folder in octavo.toml.'
    )


def test_name_of_a_document_that_is_not_utf_8_is_a_finding(site: SiteFolder) -> None:
    folder = os.fsencode(site.root) + b"/docs/gr\xf6n"
    os.mkdir(folder)  # noqa: PTH102 - a path of bytes
    for name in (os.fsencode(site.root) + b"/docs/gr\xf6sse.md", folder + b"/x.md"):
        with open(name, "wb") as file:  # noqa: PTH123 - a path of bytes
            file.write(b"# X\n")
    assert site.check() == [
        rf'docs/{name}:1:1: error: The name of "{name}" is not UTF-8. Rename it. [unsafe-address]'
        for name in (r"gr\udcf6n", r"gr\udcf6sse.md")
    ]


@pytest.mark.parametrize("out", [".octavo", ".octavo/cache"])
def test_output_is_no_folder_of_the_builds_themselves(site: SiteFolder, out: str) -> None:
    site.build()
    with pytest.raises(UsageError, match="Octavo keeps what it needs for the next build there"):
        build_site(site.root, site.root / out)


def test_path_that_is_too_long_as_a_whole_is_a_finding(make_site: MakeSite) -> None:
    slug = "/".join(["y" * 200] * 30)
    site = make_site({**HOME, "docs/a.md": f"---\nslug: /{slug}\n---\n\n# A\n"})
    (found,) = site.build().diagnostics
    assert (found.code, found.span.path, found.span.line) == ("long-address", "docs/a.md", 2)
    assert "The address is 6029 bytes long" in found.message


UNPORTABLE = {
    "/a:b": '"a:b" has ":"',
    "/a*/b": '"a*" has "*"',
    "/what?": '"what?" has "?"',
    "/guide/con": '"con" is the name of a device',
    "/Aux.txt": '"Aux.txt" is the name of a device',
    "/x.": '"x." ends with a dot or a space',
}
"""Route → why no file on Windows can have the name."""


def test_name_that_windows_does_not_take_is_a_finding(make_site: MakeSite) -> None:
    pages = {f"docs/{number}.md": f'---\nslug: "{slug}"\n---\n\n# A\n' for number, slug in enumerate(UNPORTABLE)}
    site = make_site({**HOME, **pages, "docs/fine.md": "---\nslug: /console/v1.2/aux-files/a-b_c/\n---\n\n# Fine\n"})
    messages = (
        f'The address "{slug}" cannot be a file on Windows: {reason}. Choose another address.'
        for slug, reason in UNPORTABLE.items()
    )
    assert site.check() == [
        f"docs/{number}.md:2:1: warn: {message} [unportable-address]" for number, message in enumerate(messages)
    ]


def test_file_that_windows_does_not_take_is_a_finding(site: SiteFolder) -> None:
    site.write({"static/img/nul.svg": "<svg/>"})
    message = '"static/img/nul.svg" cannot be a file on Windows: "nul.svg" is the name of a device. Rename the file.'
    assert site.check() == [f"static/img/nul.svg:1:1: warn: {message} [unportable-address]"]


def test_link_and_file_may_have_different_unicode_forms(make_site: MakeSite) -> None:
    composed, decomposed = "\u00e9", "e\u0301"
    links = "\n".join(f"[e]({name}) [e](./{name}.md)" for name in (composed, decomposed, "%C3%A9", "e%CC%81"))
    files = {f"docs/x/{composed}.md": "# E\n", "docs/x/b.md": f"# B\n\n{links}\n"}
    files |= {f"docs/y/{decomposed}.md": "# F\n", "docs/y/c.md": f"# C\n\n{links}\n"}
    assert make_site({**HOME, **files}).check() == []


@pytest.mark.parametrize(
    ("typed", "stored"), [("\u00e9", "e\u0301"), ("e\u0301", "\u00e9")], ids=["composed", "decomposed"]
)
def test_address_of_a_file_may_have_another_unicode_form(make_site: MakeSite, typed: str, stored: str) -> None:
    """Git on macOS stores names as the file system writes them, and editors write links in the other form."""
    shown = f"![a]({typed}.svg) ![b](/i/{typed}/{typed}.svg) <img src='./{typed}.svg' alt='c'>"
    links = f"[page](/{typed}/x{typed}) [file](/i/{typed}/{typed}.svg) [other]({typed}.zip)"
    files: dict[str, str | bytes] = {
        "docs/a.md": f"# A\n\n{shown}\n\n{links}\n",
        f"docs/{stored}/x{stored}.md": f"# Page\n\n## {stored}\n",
        f"docs/{stored}.svg": SVG,
        f"docs/{stored}.zip": "x",
        f"static/i/{stored}/{stored}.svg": SVG,
    }
    site = make_site({**HOME, **files})
    assert site.check() == []
    html, manifest = site.html("/a"), site.manifest()
    for found in re.findall(r'(?:src|href)="(/[^"#]*)', html):
        path = unquote(found)
        assert path in manifest.routes or path[1:] in manifest.files, found


def test_settings_may_have_a_byte_order_mark(make_site: MakeSite) -> None:
    site = make_site(
        {
            **HOME,
            "docs/a.md": "# {{ v }} {{ w }}\n\nThe API.\n",
            "search.toml": f'{MARK}[[synonyms]]\r\nword = "a"\r\nalso_finds = ["b"]\r\n',
            "v.json": MARK + '{"v": "1"}',
            "w.toml": f'{MARK}w = "2"\r\n',
            "terms.toml": f'{MARK}API = "Interface of programs"\r\n',
            "octavo.toml": f'{MARK}title = "Site"\r\nvariable_files = ["v.json", "w.toml"]\r\nglossary = "terms.toml"\r\n',
        }
    )
    assert site.check() == []
    assert "<h1>1 2</h1>" in site.html("/a")


def test_file_whose_address_is_wrong_in_all_languages_is_reported_once(make_site: MakeSite) -> None:
    languages = "[[locales]]\nid = 'en'\nlabel = 'English'\n[[locales]]\nid = 'de'\nlabel = 'Deutsch'\npath = 'de'\n"
    bar = "[[navbar.items]]\ntype = 'locale'\n"
    pages = {"docs/con.md": page("C"), "docs/a.md": page("A"), "docs/a/index.md": page("Again"), **HOME}
    found = [one.rpartition("[")[2] for one in make_site(pages, languages + bar).check()]
    assert sorted(found) == ["duplicate-route]", "unportable-address]"]


@pytest.mark.parametrize("name", ["octavo.toml", "search.toml", "v.json", "w.toml", "terms.toml"])
def test_settings_that_are_not_utf_8_have_a_place(make_site: MakeSite, name: str) -> None:
    named = 'title = "Site"\nvariable_files = ["v.json", "w.toml"]\nglossary = "terms.toml"\n'
    files = {"octavo.toml": named, "search.toml": "", "v.json": "{}", "w.toml": "", "terms.toml": ""}
    site = make_site({**HOME, **files, name: "# one\n# gr\u00fcn\n".encode("latin-1")})
    with pytest.raises(ConfigError) as caught:
        site.build()
    assert f"{name}:2:5: this byte is not UTF-8. Save the file as UTF-8." in str(caught.value)


def test_utf_16_is_named(make_site: MakeSite) -> None:
    site = make_site({**HOME, "octavo.toml": 'title = "Site"\n'.encode("utf-16")})
    with pytest.raises(ConfigError, match="the file is UTF-16"):
        site.build()


@pytest.mark.parametrize("name", ["octavo.toml", "search.toml", "w.toml", "terms.toml"])
def test_settings_that_nest_without_end_are_refused(make_site: MakeSite, name: str) -> None:
    named = 'title = "Site"\nvariable_files = ["w.toml"]\nglossary = "terms.toml"\n'
    files = {"octavo.toml": named, "search.toml": "", "w.toml": "", "terms.toml": ""}
    site = make_site({**HOME, **files, name: f"x = {'[' * 5000}{']' * 5000}\n"})
    with pytest.raises(ConfigError, match="nested too deeply"):
        site.build()


def test_mistakes_are_found_beside_a_missing_title(make_site: MakeSite) -> None:
    site = make_site(
        {**HOME, "octavo.toml": 'titel = "x"\n[theme]\naccent = "nocolor"\n[[redirects]]\nfrom = "x"\nto = "/"\n'}
    )
    with pytest.raises(ConfigError) as caught:
        site.build()
    lines = [line.rpartition("octavo.toml:")[2][:19] for line in str(caught.value).splitlines()]
    assert lines == ['1: "titel" is not a', "1: title is missing", "3: theme.accent is ", "5: redirects: from "]


def test_site_without_a_page_is_not_published(make_site: MakeSite) -> None:
    site = make_site({**HOME, "static/a.txt": "x"})
    site.build()
    (site.root / "pages/index.mdx").unlink()
    assert site.check() == [
        (
            'octavo.toml:1:1: error: The site has no page: there is no Markdown file in "docs", "pages". Write a page there, or '
            "set `docs` to the folder that contains the pages. [no-pages]"
        )
    ]
    assert (site.out / "index.html").exists()


def test_large_files_are_findings(make_site: MakeSite) -> None:
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\2\0\0\0"
    site = make_site(
        {**HOME, "docs/a.md": "# A\n\n![Tower](./tower.png)\n", "docs/tower.png": picture, "static/b.bin": "x"}
    )
    for path, size in (("docs/tower.png", 6_000_000), ("static/b.bin", 26 << 20)):
        with (site.root / path).open("r+b") as file:
            file.truncate(size)
    assert [line.partition(". ")[0] for line in site.check()] == [
        'docs/a.md:3:1: warn: the picture "./tower.png" has 6 MB, which every reader of the page loads',
        "static/b.bin:1:1: warn: This file has 26 MiB, and hosts of static sites take few more than 25",
    ]


def test_missing_picture_for_previews_is_a_finding(make_site: MakeSite) -> None:
    site = make_site({**HOME, "docs/a.md": "---\ntitle: A\nimage: /card.pmg\n---\n\nText.\n", "static/card.png": "x"})
    assert site.check() == [
        (
            'docs/a.md:3:1: error: The picture for link previews "/card.pmg" is not a file in the folder "static". '
            'Did you mean "/card.png"? [broken-asset]'
        )
    ]


def test_finding_shows_no_line_of_a_file_outside_the_site(site: SiteFolder) -> None:
    (site.root.parent / "secret.yml").write_text("label: [x]\n")
    site.write({"docs/g/b.md": "# B\n\nText.\n"})
    (site.root / "docs/g/_category_.yml").symlink_to("../../../secret.yml")
    (found,) = site.build().diagnostics
    assert (found.code, found.span.path, found.excerpt) == ("category-file", "docs/g/_category_.yml", "")


@pytest.mark.parametrize("make", [pytest.param(_pipe, marks=PIPES), Path.mkdir, _to_itself])
def test_ledger_that_cannot_be_read_is_no_missing_ledger(site: SiteFolder, make: Callable[[Path], None]) -> None:
    make(site.root / "addresses.txt")
    (found,) = site.build().diagnostics
    assert (found.code, found.level, found.span.path) == ("unreadable", "error", "addresses.txt")
    assert found.message.startswith("The ledger of addresses cannot be read")


@PIPES
@pytest.mark.parametrize(
    ("path", "setting"),
    [
        ("octavo.toml", ""),
        ("search.toml", ""),
        ("names.json", 'variable_files = ["names.json"]'),
        ("terms.toml", 'glossary = "terms.toml"'),
        ("static/i.png", 'icon = "/i.png"'),
    ],
)
def test_pipe_in_the_place_of_a_file_of_settings_is_not_read(make_site: MakeSite, path: str, setting: str) -> None:
    site = make_site(HOME, setting)
    (site.root / path).unlink(missing_ok=True)
    (site.root / path).parent.mkdir(exist_ok=True)
    os.mkfifo(site.root / path)
    with pytest.raises(ConfigError, match=r"a pipe, a socket or a device|is not a file in the folder"):
        site.build()


def test_no_text_of_an_author_is_taken_for_a_slot(make_site: MakeSite) -> None:
    """The theme marks the places of a page with NUL, which escape sequences can put into any value."""
    nul = "a\\u0000HTML\\u0000b"
    site = make_site(
        {
            **HOME,
            "docs/g/a.mdx": f'---\ntitle: "{nul}"\n---\n\n<Tabs>\n<TabItem value="a" label={{"{nul}"}}>\n\nText\n\n</TabItem>\n</Tabs>\n',
        },
    )
    assert [one.code for one in site.build().diagnostics] == ["front-matter"]
    html = (site.out / "g/a/index.html").read_text()
    assert html.count("a\ufffdHTML\ufffdb") >= 3
    assert "\x00" not in html


def test_folders_that_are_too_deep_are_a_finding(make_site: MakeSite) -> None:
    deep = "docs/" + "d/" * 400
    site = make_site({**HOME, f"{deep}a.md": "# A\n", f"docs/{'e/' * 127}b.md": "# B\n"})
    build = build_site(site.root, site.out, publishes_always=True)
    (found,) = build.diagnostics
    assert (found.code, found.level, found.span.path) == ("long-address", "error", f"{deep}a.md")
    assert "lies in 400 folders within each other, and pages may lie in 128" in found.message
    assert site.manifest().routes.keys() >= {"/", f"/{'e/' * 127}b"}


KEY = "-----BEGIN {}PRIVATE KEY-----\nMIIB\n-----END {}PRIVATE KEY-----\n"
SECRETS = {
    ".env": "# Of the build\nAPI_TOKEN=2f6c\n",
    "sub/.env.local": "export A=1\n",
    "prod.env": "A = 1\n",
    ".npmrc": "//registry.example/:_authToken=abc\n",
    ".netrc": "machine a.example login b password c\n",
    ".git-credentials": "https://a:b@code.example\n",
    ".htpasswd": "ada:$apr1$x\n",
    "id_ed25519": KEY.format("OPENSSH ", "OPENSSH "),
    "tls/server.pem": "text\n" + KEY.format("", ""),
}
NO_SECRETS = {
    ".env.example": "API_TOKEN=\nB=1\n",
    "empty/.env": "# Nothing\nAPI_TOKEN=\n",
    "sub/.npmrc": "save-exact=true\n",
    "tls/ca.pem": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
    "tls/id_ed25519.pub": "ssh-ed25519 AAAA a\n",
    "talk.key": "Slides.",
    "env.txt": "API_TOKEN=1\n",
}


def test_published_files_that_hold_secrets_are_findings(make_site: MakeSite) -> None:
    files = {f"static/{name}": text for name, text in (SECRETS | NO_SECRETS).items()}
    site = make_site({**HOME, **files})
    found = site.check()
    assert sorted(one.partition(":")[0].removeprefix("static/") for one in found) == sorted(SECRETS)
    assert all(one.endswith("[secret-file]") for one in found)
    assert (
        'static/tls/server.pem:1:1: warn: "static/tls/server.pem" seems to hold a private key, and everybody can read it as '
        '"/tls/server.pem".'
    ) in "\n".join(found)
    # Neither the message nor the excerpt repeats the secret.
    assert "2f6c" not in "\n".join(found)
