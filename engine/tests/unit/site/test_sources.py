"""Which files are documents."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from octavo.config import Config, Locale, Routing, Version, parse_config
from octavo.site import collect_sources, docs_root, edition_roots, explain_special, find_sources, is_inside, pages_root
from tests.support.sites import MakeSite

CONFIG = Config(title="x")


def test_markdown_files_are_found_in_order_and_partials_are_not(make_site: MakeSite) -> None:
    site = make_site(
        {
            "docs/b.md": "",
            "docs/a.mdx": "",
            "docs/_partial.mdx": "",
            "docs/_partials/x.mdx": "",
            "docs/.hidden/x.md": "",
            "docs/notes.txt": "",
            "docs/deep/er/c.md": "",
        }
    )
    found = collect_sources(site.root, CONFIG, "docs")
    assert [source.path for source in found] == ["docs/a.mdx", "docs/b.md", "docs/deep/er/c.md"]
    assert [source.relative for source in found] == ["a.mdx", "b.md", "deep/er/c.md"]


def test_missing_folder_holds_no_documents(tmp_path: Path) -> None:
    assert collect_sources(tmp_path, CONFIG, "docs") == []


def test_links_out_of_the_site_are_not_followed(make_site: MakeSite, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/x.md").write_text("secret")
    site = make_site({"docs/a.md": ""})
    (site.root / "docs/out.md").symlink_to(tmp_path / "secret.md")
    (site.root / "docs/folder").symlink_to(tmp_path / "elsewhere")
    (site.root / "docs/in.md").symlink_to(site.root / "docs/a.md")
    found = collect_sources(site.root, CONFIG, "docs")
    assert [source.path for source in found] == ["docs/a.md", "docs/in.md"]
    assert not is_inside(site.root, "docs/out.md")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_no_file_is_left_out_with_its_reason(make_site: MakeSite, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    site = make_site({"docs/a.md": "", "docs/deep/b.md": ""})
    docs = site.root / "docs"
    os.mkfifo(docs / "pipe.md")
    for name, target in {
        "folder": docs / "deep",
        "gone.md": docs / "none.md",
        "in.md": docs / "a.md",
        "loop.md": docs / "loop.md",
        "out.md": tmp_path / "secret.md",
        "to_pipe.md": docs / "pipe.md",
    }.items():
        (docs / name).symlink_to(target)
    with os.scandir(docs) as entries:
        found = {
            entry.name: explain_special(site.root, f"docs/{entry.name}", entry)
            for entry in sorted(entries, key=lambda entry: entry.name)
        }
    assert {name: problem.message for name, problem in found.items() if problem is not None} == {
        "folder": "This link leads to a folder. Octavo follows links to files only.",
        "gone.md": "This link leads nowhere.",
        "loop.md": "This link leads nowhere.",
        "out.md": "This link leads out of the site's folder, and what is there is not published.",
        "pipe.md": "This is not a file but a pipe, a socket or a device.",
        "to_pipe.md": "This link leads to a pipe, a socket or a device.",
    }
    assert is_inside(site.root, "docs/loop.md") is False
    assert is_inside(site.root, "docs/in.md")


def test_name_that_is_not_utf_8_is_left_out(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": ""})
    Path(os.fsdecode(os.fsencode(site.root) + b"/docs/gr\xf6sse.md")).write_text("")
    assert [source.path for source in collect_sources(site.root, CONFIG, "docs")] == ["docs/a.md"]


def test_pages_folder_and_docs_folder_are_both_read(make_site: MakeSite) -> None:
    site = make_site({"docs/a.md": "", "pages/index.mdx": ""})
    found = find_sources(site.root, parse_config('title = "x"'))
    assert [(source.path, source.key) for source in found] == [
        ("docs/a.md", "a.md"),
        ("pages/index.mdx", "page:index.mdx"),
    ]


def test_each_edition_reads_its_translation_first() -> None:
    config = Config(
        title="x",
        locales=[Locale(id="en", label="E"), Locale(id="fr", label="F", path="fr", docs="i18n/fr")],
        versions=[Version(name="2", label="2"), Version(name="1", label="1", path="v1", docs="docs-v1")],
    )
    roots = [
        (locale.id, version.name, [root.path for root in roots]) for locale, version, roots in edition_roots(config)
    ]
    assert roots == [
        ("en", "2", ["docs", "pages"]),
        ("fr", "2", ["i18n/fr/docs", "i18n/fr/pages", "docs", "pages"]),
        ("en", "1", ["docs-v1"]),
        ("fr", "1", ["i18n/fr/docs-v1", "docs-v1"]),
    ]


def test_locale_without_a_folder_of_its_own_takes_the_default_files() -> None:
    config = Config(title="x", locales=[Locale(id="en", label="E"), Locale(id="de", label="D", path="de")])
    assert docs_root(config, config.locales[1], config.versions[0]) == "docs"
    assert pages_root(config, config.locales[1]) == "pages"


def test_translations_of_a_folder_may_lie_elsewhere() -> None:
    french = Locale(id="fr", label="F", path="fr", folders={"docs": "i18n/fr/plugin/current", "team": "i18n/fr/team"})
    config = Config(title="x", mounts={"team": "/team"}, locales=[Locale(id="en", label="E"), french])
    *_, (locale, _, roots) = edition_roots(config)
    assert locale is french
    assert [(root.path, root.mount) for root in roots if root.path.startswith("i18n/")] == [
        ("i18n/fr/plugin/current", None),
        ("i18n/fr/team", "team"),
    ]


def test_excluded_files_and_those_of_mounted_folders_are_left_out(make_site: MakeSite) -> None:
    names = ["a.md", "b/TODO.md", "TODO.md", "build/x.md", "team/x.md", "node_modules/y/README.md", "_index.md"]
    site = make_site(dict.fromkeys(names, ""))
    config = Config(
        title="x",
        docs=".",
        exclude=["**/TODO.md", "build/**"],
        mounts={"team": "/team"},
        routing=Routing(index_names=["_index"]),
    )
    assert [(source.path, source.relative) for source in collect_sources(site.root, config, ".")] == [
        ("_index.md", "_index.md"),
        ("a.md", "a.md"),
    ]
    assert [source.key for source in find_sources(site.root, config)] == ["_index.md", "a.md", "team/x.md"]


def test_translations_of_documents_in_the_folder_of_the_site_have_plain_paths() -> None:
    config = parse_config(
        'title = "x"\ndocs = "."\n[[locales]]\nid = "en"\nlabel = "English"\n'
        '[[locales]]\nid = "fr"\nlabel = "Français"\npath = "fr"\ndocs = "i18n/fr"\n'
    )
    assert docs_root(config, config.locales[1], config.last_version) == "i18n/fr"
