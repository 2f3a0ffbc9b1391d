"""Translations that are missing or older than their originals: on the pages, and by `octavo translations`."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from octavo.cli.main import octavo
from octavo.errors import ConfigError, UsageError
from octavo.translations import changed_paragraphs, is_revision, revision_of, with_revision
from tests.support.sites import HOME, MakeSite, SiteFolder, page

CONFIG = """url = "https://docs.example.org"
[[locales]]
id = "en"
label = "English"
[[locales]]
id = "ar"
label = "العربية"
path = "ar"
docs = "i18n/ar"
[navbar]
items = [{ type = "locale" }]
"""
ORIGINAL = page("Install", "First.\n\nSecond.\n\n```sh\na\n\nb\n```")


def build(tmp_path: Path, files: dict[str, str]) -> SiteFolder:
    folder = SiteFolder(tmp_path / "site", {"docs/index.md": page("Home"), **files}, CONFIG)
    folder.build()
    return folder


def run(site: SiteFolder, *arguments: str) -> Result:
    return CliRunner().invoke(octavo, ["translations", *arguments], catch_exceptions=False)


def notice(site: SiteFolder, route: str) -> object:
    return site.payload(route)["translation"]


def test_page_without_translation_says_so_and_is_marked_as_another_language(tmp_path: Path) -> None:
    site = build(tmp_path, {"docs/install.md": ORIGINAL})
    expected = {"kind": "untranslated", "href": "/install", "lang": "en", "dir": "ltr"}
    assert notice(site, "/ar/install") == expected
    assert notice(site, "/install") is None
    html = (site.out / "ar/install/index.html").read_text(encoding="utf-8")
    assert re.search(r'<html[^>]* lang="ar"[^>]* dir="rtl"|<html[^>]* dir="rtl"[^>]* lang="ar"', html)
    assert '<div class="prose" lang="en" dir="ltr">' in html
    assert "لم تُترجم هذه الصفحة بعد." in html
    assert 'rel="canonical" href="https://docs.example.org/install"' in html
    assert 'language: "en"' in (site.out / "ar/install.md").read_text(encoding="utf-8")
    assert 'language: "ar"' not in (site.out / "ar/install.md").read_text(encoding="utf-8")
    # Search engines are not told of a translation that there is none of.
    assert 'hreflang="ar"' not in html
    assert 'hreflang="ar"' not in (site.out / "install/index.html").read_text(encoding="utf-8")


def test_translation_is_outdated_once_its_original_has_changed(tmp_path: Path) -> None:
    translated = with_revision(page("تثبيت"), revision_of(ORIGINAL.encode()))
    site = build(tmp_path, {"docs/install.md": ORIGINAL, "i18n/ar/docs/install.md": translated})
    assert notice(site, "/ar/install") is None
    assert 'hreflang="ar"' in (site.out / "install/index.html").read_text(encoding="utf-8")
    site.write({"docs/install.md": ORIGINAL.replace("Second.", "Other.")})
    site.build()
    assert notice(site, "/ar/install") == {"kind": "outdated", "href": "/install", "lang": None, "dir": None}
    html = (site.out / "ar/install/index.html").read_text(encoding="utf-8")
    assert "هذه الترجمة أقدم من الصفحة الأصلية." in html
    assert '<div class="prose">' in html


def test_command_lists_states_and_marks_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"docs/install.md": ORIGINAL, "docs/more.md": page("More"), "i18n/ar/docs/install.md": page("تثبيت")}
    site = build(tmp_path, files)
    monkeypatch.chdir(site.root)
    assert run(site).output == (
        "ar: 3 pages: 2 missing, 1 unmarked\n"
        "  missing   docs/index.md\n"
        "  unmarked  i18n/ar/docs/install.md\n"
        "  missing   docs/more.md\n"
        "Unmarked translations do not say what they were made from: `octavo translations mark FILE` does.\n"
    )
    marked = run(site, "mark", "i18n/ar/docs/install.md")
    assert marked.output.startswith("i18n/ar/docs/install.md: translated from docs/install.md as it is now (")
    states = {one["original"]: one["state"] for one in json.loads(run(site, "--json").output)}
    assert states == {"docs/index.md": "missing", "docs/install.md": "current", "docs/more.md": "missing"}
    assert run(site, "--check").exit_code == 1
    site.write({"i18n/ar/docs/index.md": page("ا"), "i18n/ar/docs/more.md": page("م")})
    assert run(site, "--check", "--language", "ar").exit_code == 0


def test_commands_find_the_site_from_the_folder_above_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = build(tmp_path, {"docs/install.md": ORIGINAL, "i18n/ar/docs/install.md": page("تثبيت")})
    monkeypatch.chdir(tmp_path)
    assert run(site, "site").stdout.startswith("ar: 2 pages: 1 missing, 1 unmarked\n")
    assert "translated from docs/install.md" in run(site, "mark", "site/i18n/ar/docs/install.md").stdout
    assert "1 current" in run(site, "site", "--language", "ar").stdout
    listed = CliRunner().invoke(octavo, ["versions", "site"], catch_exceptions=False)
    assert (listed.exit_code, listed.stdout.split()[:2]) == (0, ["VERSION", "ADDRESS"])
    with pytest.raises(ConfigError, match=r"octavo\.toml does not exist"):
        run(site, "mark", "elsewhere.md")


@pytest.mark.parametrize("way", ["folder", "suffix"])
def test_command_lists_translations_without_an_original(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    names = {"folder": "i18n/ar/docs/{}.md", "suffix": "docs/{}.ar.md"}[way]
    settings = CONFIG if way == "folder" else CONFIG.replace('docs = "i18n/ar"', 'suffix = "ar"')
    installed = names.format("install").replace(".md", ".mdx")
    lone = names.format("renamed")
    files = {"docs/index.md": page("Home"), "docs/install.md": ORIGINAL, installed: page("ت"), lone: page("م")}
    site = SiteFolder(tmp_path / "site", files, settings)
    monkeypatch.chdir(site.root)
    assert run(site).output == (
        "ar: 3 pages: 1 missing, 1 unmarked, 1 unmatched\n"
        "  missing   docs/index.md\n"
        f"  unmarked  {installed}\n"
        f"  unmatched {lone}\n"
        "Unmarked translations do not say what they were made from: `octavo translations mark FILE` does.\n"
        "Unmatched files have no original: they are pages of this language only. If one was renamed, rename its translations.\n"
    )
    listed = json.loads(run(site, "--json").output)
    assert {one["path"]: (one["state"], one["original"]) for one in listed}[lone] == ("unmatched", None)
    assert run(site, "--check").exit_code == 1
    site.write({names.format("index"): page("ا")})
    assert run(site, "--check").exit_code == 0


def test_command_shows_the_paragraphs_that_have_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = build(tmp_path, {"docs/install.md": ORIGINAL, "i18n/ar/docs/install.md": page("تثبيت")})
    monkeypatch.chdir(site.root)
    run(site, "mark", "i18n/ar/docs/install.md")
    who = {f"GIT_{one}_{what}": "a@example.org" for one in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull}
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "One"]):
        subprocess.run(["git", "-C", str(site.root), *arguments], check=True, env=environment)
    site.write({"docs/install.md": ORIGINAL.replace("Second.", "Other.") + "\nThird.\n"})
    assert run(site, "--changes").output.splitlines()[2:] == [
        "  outdated  i18n/ar/docs/install.md",
        "            docs/install.md:7: changed",
        "              - Second.",
        "              + Other.",
        "            docs/install.md:15: added",
        "              + Third.",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--language", "fr"], 'The site has no translations in "fr"; it has ar.'),
        (["mark", "docs/install.md"], "docs/install.md is no translation: only files in the folder of a language"),
    ],
)
def test_mistakes_name_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    site = build(tmp_path, {"docs/install.md": ORIGINAL})
    monkeypatch.chdir(site.root)
    with pytest.raises(UsageError, match=re.escape(message)):
        run(site, *arguments)


def test_revision_is_the_id_that_git_gives(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"text\nmore\n")
    given = subprocess.run(["git", "hash-object", str(tmp_path / "a")], check=True, capture_output=True, text=True)
    assert given.stdout.startswith(revision_of(b"text\nmore\n"))
    assert revision_of(b"text\r\nmore\r\n") == revision_of(b"text\nmore\n")
    assert is_revision(given.stdout.strip(), b"text\nmore\n")
    assert is_revision(given.stdout[:7], b"text\nmore\n")
    assert not is_revision(given.stdout[:6], b"text\nmore\n")
    assert not is_revision("HEAD", b"text\nmore\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Text.\n", '---\ntranslated_from: "abc1234"\n---\n\nText.\n'),
        ("---\ntitle: T\n---\nText.\n", '---\ntitle: T\ntranslated_from: "abc1234"\n---\nText.\n'),
        (
            "---\ntranslated_from: old\ntitle: T\n---\nText.\n",
            '---\ntranslated_from: "abc1234"\ntitle: T\n---\nText.\n',
        ),
        ("---\n---\nText.\n", '---\ntranslated_from: "abc1234"\n---\nText.\n'),
        (
            '+++\ntitle = "T"\n[params]\na = 1\n+++\nText.\n',
            '+++\ntranslated_from = "abc1234"\ntitle = "T"\n[params]\na = 1\n+++\nText.\n',
        ),
        ('+++\ntranslated_from = "old"\n+++\nText.\n', '+++\ntranslated_from = "abc1234"\n+++\nText.\n'),
        ("---\ntitle: T\n---", '---\ntitle: T\ntranslated_from: "abc1234"\n---'),
        ("---\n\nA line above.\n", '---\ntranslated_from: "abc1234"\n---\n\n---\n\nA line above.\n'),
    ],
)
def test_mark_is_written_into_the_front_matter(text: str, expected: str) -> None:
    assert with_revision(text, "abc1234") == expected


def test_lines_that_break_elsewhere_are_no_change() -> None:
    assert changed_paragraphs("a b\nc\n\nd\n", "a\nb c\n\nd\n") == []
    assert [change.kind for change in changed_paragraphs("a\n\nb\n", "b\n")] == ["removed"]
    assert [change.kind for change in changed_paragraphs("```\n\n\n```\n", "```\n\nx\n\n```\n")] == ["changed"]


def test_translations_beside_their_originals_are_compared_and_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "docs/index.md": page("Home"),
        "docs/install.md": f"{ORIGINAL}\n> [!NOTE]\n> Text.\n",
        "docs/install.ar.md": f"{page('تثبيت')}\n> [!NOTE]\n> نص.\n",
    }
    site = SiteFolder(tmp_path / "site", files, CONFIG.replace('docs = "i18n/ar"', 'suffix = "ar"'))
    assert site.check() == []
    assert "ملاحظة" in site.html("/ar/install")  # words of the compiler too are those of the language
    assert "Note" in site.html("/install")
    assert notice(site, "/ar/install") is None
    monkeypatch.chdir(site.root)
    assert "unmarked  docs/install.ar.md" in run(site).output
    assert "missing   docs/index.md" in run(site).output
    assert run(site, "mark", "docs/install.ar.md").output.startswith(
        "docs/install.ar.md: translated from docs/install.md"
    )
    site.write({"docs/install.md": ORIGINAL.replace("First.", "Changed.")})
    assert "outdated  docs/install.ar.md" in run(site).output


@pytest.mark.parametrize(
    ("settings", "hint"),
    [
        ("", 'Add a language with suffix = "de" to [[locales]] in octavo.toml, or rename the file.'),
        (
            '[[locales]]\nid = "en"\nlabel = "E"\n[[locales]]\nid = "de"\nlabel = "D"\npath = "de"\ndocs = "i18n/de"\n',
            'Write suffix = "de" at the language "de" in octavo.toml, or rename the file.',
        ),
        ('[[locales]]\nid = "en"\nlabel = "E"\n[[locales]]\nid = "de"\nlabel = "D"\npath = "de"\nsuffix = "de"\n', ""),
    ],
)
def test_translation_in_a_language_that_the_site_does_not_have_is_a_finding(
    make_site: MakeSite, settings: str, hint: str
) -> None:
    names = ("install.md", "install.de.md", "alone.de.md", "node.js.md", "node.md")
    site = make_site({**HOME, **{f"docs/{name}": page(name) for name in names}}, settings)
    found = [one for one in site.build().diagnostics if one.code == "translation-suffix"]
    assert [(one.span.path, one.suggestion) for one in found] == ([("docs/install.de.md", hint)] if hint else [])


@pytest.mark.parametrize(
    ("ids", "found"),
    [((), ["docs/foo.pt-BR.md"]), (("ts", "cs"), ["docs/foo.cs.md", "docs/foo.pt-BR.md", "docs/foo.ts.md"])],
)
def test_endings_of_programs_are_languages_only_where_the_site_has_them(
    make_site: MakeSite, ids: tuple[str, ...], found: list[str]
) -> None:
    locales = "".join(f'[[locales]]\nid = "{one}"\nlabel = "L"\npath = "{one}"\ndocs = "i18n/{one}"\n' for one in ids)
    names = ("foo.md", "foo.ts.md", "foo.cs.md", "foo.pl.md", "how.md", "how.to.md", "foo.pt-BR.md")
    settings = f'[[locales]]\nid = "en"\nlabel = "E"\n{locales}' if ids else ""
    site = make_site({**HOME, **{f"docs/{name}": page(name) for name in names}}, settings)
    assert [one.span.path for one in site.build().diagnostics if one.code == "translation-suffix"] == found
