"""Navigation and languages of MkDocs that plug-ins read from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.each import each

from .planned import noted, pages, plan_of, sidebars

LITERATE = "site_name: Kite\nplugins:\n  - literate-nav\n"


def navigation(folder: Path, files: dict[str, Any], settings: str = LITERATE) -> list[Any]:
    return sidebars(plan_of(folder, {"mkdocs.yml": settings, **files}, "mkdocs"))["docs"]


def test_lists_of_links_are_the_navigation(tmp_path: Path) -> None:
    summary = (
        "* [Home](index.md)\n* Guides\n    * [A](guides/a.md)\n    * [Web](https://example.org)\n* [Deep](deep/)\n"
    )
    files = {
        "docs/SUMMARY.md": summary,
        "docs/deep/SUMMARY.md": "* [X](x.md)\n",
        **pages("docs/index.md", "docs/guides/a.md", "docs/deep/x.md", "docs/other.md"),
    }
    assert navigation(tmp_path, files) == [
        "Home=index",
        ("Guides", "A=guides/a", "https://example.org"),
        ("Deep", "X=deep/x"),
    ]


def test_patterns_in_lists_stand_for_what_is_not_named_in_one_folder(tmp_path: Path) -> None:
    files = {
        "docs/SUMMARY.md": "* [Home](index.md)\n* *.md\n* [Last](z.md)\n* *\n",
        "docs/deep/SUMMARY.md": "* [Y](y.md)\n* *.md\n",
        **pages("docs/index.md", "docs/b.md", "docs/a.md", "docs/z.md", "docs/deep/x.md", "docs/deep/y.md"),
        **pages("docs/own-part/index.md", "docs/own-part/c.md", "docs/own-part/more/d.md"),
    }
    assert navigation(tmp_path, files) == [
        "Home=index",
        "a",
        "b",
        "Last=z",
        ("Deep", "Y=deep/y", "deep/x"),
        ("Own part", "own-part/index", "own-part/c", ("More", "own-part/more/d")),
    ]


def test_patterns_may_mean_folders_only_or_those_of_another_folder(tmp_path: Path) -> None:
    files = {
        "docs/SUMMARY.md": "* */\n* Parts\n    * one/*.md\n",
        **pages("docs/index.md", "docs/one/a.md", "docs/two/b.md"),
    }
    assert navigation(tmp_path, files) == [("One", "one/a"), ("Two", "two/b")]
    files["docs/SUMMARY.md"] = "* Parts\n    * one/*.md\n* */\n"
    assert navigation(tmp_path, files) == [("Parts", "one/a"), ("Two", "two/b")]


def test_settings_name_folders_whose_lists_are_read(tmp_path: Path) -> None:
    settings = "site_name: K\nplugins:\n  literate-nav: { nav_file: NAV.md }\nnav:\n  - index.md\n  - Guides: guides/\n  - Deep: [deep/x.md, deep/*.md]\n  - More: more/*\n"
    files = {
        "docs/guides/NAV.md": "* [A](a.md)\n",
        **pages("docs/index.md", "docs/guides/a.md", "docs/deep/w.md", "docs/deep/x.md", "docs/more/m.md"),
    }
    assert navigation(tmp_path, files, settings) == [
        "index",
        ("Guides", "A=guides/a"),
        ("Deep", "deep/x", "deep/w"),
        ("More", "more/m"),
    ]


def test_settings_of_folders_are_the_navigation(tmp_path: Path) -> None:
    parts = "title: Depth\nnav:\n  - b.md\n  - First: a.md\n  - Web: https://example.org\n  - Part: [c.md]\n  - ...\n"
    files = {
        "docs/.pages": "order: desc\n",
        "docs/deep/.pages": parts,
        "docs/hid/.pages": "hide: true\n",
        "docs/arr/.pages": "arrange: [z.md]\n",
        "docs/bad/.pages": "a: [\n",
        **pages("docs/index.md", "docs/deep/a.md", "docs/deep/b.md", "docs/deep/c.md", "docs/deep/d.md", "docs/zz.md"),
        **pages("docs/hid/x.md", "docs/arr/y.md", "docs/arr/z.md", "docs/bad/q.md"),
    }
    plan = plan_of(tmp_path, {"mkdocs.yml": "site_name: K\nplugins: [awesome-pages]\n", **files})
    assert sidebars(plan)["docs"] == [
        ("Depth", "deep/b", "First=deep/a", "https://example.org", ("Part", "deep/c"), "deep/d"),
        ("Bad", "bad/q"),
        ("Arr", "arr/z", "arr/y"),
        "zz",
        "index",
    ]
    assert [note.what for note in plan.notes] == ["bad/.pages cannot be read"]


def test_patterns_in_settings_of_folders_stand_for_what_is_not_named(tmp_path: Path) -> None:
    settings = 'nav:\n  - index.md\n  - "*.md"\n  - deep\n  - https://example.org\n'
    files = {"docs/.nav.yml": settings, **pages("docs/index.md", "docs/zz.md", "docs/deep/a.md")}
    found = navigation(tmp_path, files, "site_name: K\nplugins: [awesome-nav]\n")
    assert found == ["index", "zz", ("Deep", "deep/a"), "https://example.org"]


@each(
    "options, files, locales, missing",
    [
        (
            "languages: [{locale: fr, name: Français}, {locale: en, name: English, default: true}, {locale: de}, {locale: es, build: false}]",
            ["docs/index.md", "docs/index.fr.md", "docs/index.es.md"],
            [{"id": "en", "label": "English"}, {"id": "fr", "label": "Français", "path": "fr", "suffix": "fr"}],
            "Languages without translated files: de, es",
        ),
        (
            "docs_structure: folder, languages: [{locale: en, default: true}, {locale: pt_BR, name: Português}]",
            ["docs/en/index.md", "docs/pt_BR/index.md"],
            [
                {"id": "en", "label": "en"},
                {"id": "pt-BR", "label": "Português", "path": "pt_BR", "folders": {"docs/en": "docs/pt_BR"}},
            ],
            "",
        ),
        (
            "default_language: en, languages: {fr: {name: Français}, en: English}",
            ["docs/index.md", "docs/index.fr.md"],
            [{"id": "en", "label": "en"}, {"id": "fr", "label": "Français", "path": "fr", "suffix": "fr"}],
            "",
        ),
        ("languages: [{locale: en, default: true}]", ["docs/index.md"], None, ""),
        ("languages: [{locale: en}, {locale: ../x}]", ["docs/index.md"], None, ""),
    ],
)
def test_languages_are_those_that_have_files(
    tmp_path: Path, options: str, files: list[str], locales: Any, missing: str
) -> None:
    folder = tmp_path / str(abs(hash(options)))
    plan = plan_of(folder, {"mkdocs.yml": f"site_name: K\nplugins:\n  - i18n: {{{options}}}\n", **pages(*files)})
    assert plan.settings.get("locales") == locales
    assert [note.what for note in plan.notes] == ([missing] if missing else [])


def test_navigation_of_jekyll_is_read_from_its_data_and_old_addresses_lead_on(tmp_path: Path) -> None:
    navigation = "one:\n  - title: A\n    url: /a\n  - /b\ntwo: [{title: T, children: [{title: B, url: /b/}]}]\n"
    config = "title: K\ntheme: just-the-docs\naux_links:\n  Git: [https://github.com/a/b]\n  Own: [/x]\n"
    files = {
        "_config.yml": config,
        "_data/nav.yml": navigation,
        "a.md": "---\ntitle: A\nredirect_from: [/old, older/]\n---\n",
        "b.md": "---\ntitle: B\n---\n",
        "c.html": "---\nlayout: x\n---\n",
        "_plugins/x.rb": "",
        "_sass/a.scss": "",
    }
    plan = plan_of(tmp_path, files)
    assert sidebars(plan) == {"docs": ["A=a", "B=b", ("T", "B=b")]}
    assert plan.settings["redirects"] == [
        {"from": "/old", "to": "/a.html"},
        {"from": "/older/", "to": "/a.html"},
        {"from": "/", "to": "/a.html"},
    ]
    assert [(one["label"], one["href"], one.get("icon")) for one in plan.settings["navbar"]["items"]] == [
        ("Git", "https://github.com/a/b", "github"),
        ("Own", "/x", None),
    ]
    assert noted(plan, "Pages written in HTML") == ["c.html"]
    assert {note.what for note in plan.notes} >= {"Custom style sheets", "Plug-ins in _plugins"}
