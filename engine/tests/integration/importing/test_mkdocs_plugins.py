"""Plug-ins of MkDocs that say how pages are ordered, and in which languages they are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from octavo.importing import import_site
from octavo.publish import build_site
from tests.support.each import each

from .sites import write

_PAGES = {
    "docs/index.md": "# Kite\n",
    "docs/wind/calm.md": "# Calm\n",
    "docs/wind/storm.md": "# Storm\n",
    "docs/wind/index.md": "# Wind\n",
    "docs/line.md": "# Line\n",
    "docs/old/reel.md": "# Reel\n",
}


def _doc(name: str, label: str = "") -> dict[str, Any]:
    return {"doc": name, **({"label": label} if label else {})}


@pytest.mark.parametrize(
    ("plugin", "files", "wanted"),
    [
        (
            "literate-nav",
            {
                "SUMMARY.md": "# Summary\n\n* [Home](index.md)\n* [Wind](wind/)\n* More\n    * [The line](line.md)\n    * [Elsewhere](https://kite.example/)\n",
                "wind/SUMMARY.md": "- [All of it](index.md)\n- *.md\n",
            },
            [
                _doc("index", "Home"),
                {
                    "category": "Wind",
                    "items": [
                        _doc("wind/index", "All of it"),
                        _doc("wind/calm"),
                        _doc("wind/storm"),
                    ],
                },
                {
                    "category": "More",
                    "items": [_doc("line", "The line"), {"href": "https://kite.example/", "label": "Elsewhere"}],
                },
            ],
        ),
        (
            "awesome-pages",
            {
                ".pages": "nav:\n  - index.md\n  - ...\n  - Strings: line.md\n",
                "wind/.pages": "title: The wind\norder: desc\n",
                "old/.pages": "hide: true\n",
            },
            [
                _doc("index"),
                {"category": "The wind", "items": [_doc("wind/storm"), _doc("wind/calm"), _doc("wind/index")]},
                _doc("line", "Strings"),
            ],
        ),
        (
            "awesome-nav",
            {".nav.yml": "nav:\n  - Start:\n      - index.md\n      - li*.md\n  - Weather: wind\n"},
            [
                {"category": "Start", "items": [_doc("index"), _doc("line")]},
                {"category": "Weather", "items": [_doc("wind/index"), _doc("wind/calm"), _doc("wind/storm")]},
            ],
        ),
    ],
)
def test_order_of_plugins_is_kept(plugin: str, files: dict[str, str], wanted: list[Any], tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            **_PAGES,
            "mkdocs.yml": f"site_name: Kite\nplugins: [{plugin}]\n",
            **{f"docs/{path}": text for path, text in files.items()},
        },
    )
    report = import_site(tmp_path).report
    settings = tomllib.loads((tmp_path / "octavo.toml").read_text("utf-8"))
    assert settings["sidebars"][0]["items"] == wanted
    assert not any(plugin in note.what for note in report.notes)


@pytest.mark.parametrize("structure", ["folder", "suffix"])
def test_languages_are_taken_over(structure: str, tmp_path: Path) -> None:
    is_folder = structure == "folder"
    options = (
        f"site_name: Kite\nplugins:\n  - i18n:\n      docs_structure: {structure}\n      languages:\n"
        "        - {locale: de, name: Deutsch}\n        - {locale: en, default: true, name: English}\n        - {locale: fr, name: Français}\n"
    )
    pages = (
        {"docs/en/index.md": "# Wind\n", "docs/de/index.md": "# Luft\n"}
        if is_folder
        else {"docs/index.md": "# Wind\n", "docs/index.de.md": "# Luft\n"}
    )
    write(tmp_path / "site", {**pages, "mkdocs.yml": options})
    report = import_site(tmp_path / "site").report
    out = tmp_path / "out"
    assert build_site(tmp_path / "site", out, has_search=False).is_published
    assert "Wind</h1>" in (out / "index.html").read_text("utf-8")
    assert "Luft</h1>" in (out / "de/index.html").read_text("utf-8")
    assert not (out / "en").exists()
    assert [note.what for note in report.notes if "Languages" in note.what] == [
        "Languages without translated files: fr"
    ]


def test_references_in_brackets_are_known_without_packages(tmp_path: Path) -> None:
    config = "site_name: Kites\nplugins:\n  - search\n  - autorefs\n"
    pages = {
        "mkdocs.yml": config,
        "docs/index.md": "# A\n\nSee [the reel][reel-up].\n",
        "docs/b.md": "# B\n\n## Reel up\n\nText.\n",
    }
    site = write(tmp_path / "site", pages)
    done = import_site(site)
    assert done.plan.notes == []
    assert build_site(site, tmp_path / "out", has_search=False).diagnostics == []
    assert 'href="/b/#reel-up"' in (tmp_path / "out/index.html").read_text()


def test_references_line_ends_and_addresses_of_titles_are_those_of_mkdocs(tmp_path: Path) -> None:
    config = """
site_name: Kite
markdown_extensions:
  - nl2br
  - pymdownx.smartsymbols
  - pymdownx.magiclink: {repo_url_shorthand: true, user: wind, repo: kite}
"""
    write(
        tmp_path, {"mkdocs.yml": config, "docs/index.md": "# Kite\n\nSee #12\n(c) 2\n\n## /fly <name>\n\n[x](#fly)\n"}
    )
    report = import_site(tmp_path).report
    assert [note.what for note in report.notes] == ["The Markdown extension pymdownx.smartsymbols"]
    built = build_site(tmp_path, tmp_path / "out", has_search=False)
    assert [one.code for one in built.diagnostics if one.code != "unset-url"] == []
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert (
        '<a href="https://github.com/wind/kite/issues/12" target="_blank" rel="noopener noreferrer">#12</a><br>' in html
    )
    assert '<h2 id="fly">' in html


@each(
    "options",
    [
        "{}",
        "{repo_url_shorthand: true}",
        "{user: wind, repo: kite}",
        "{repo_url_shorthand: true, provider: other, user: wind, repo: kite}",
    ],
)
def test_references_are_text_where_the_extension_does_not_link_them(options: str, tmp_path: Path) -> None:
    config = f"site_name: Kite\nmarkdown_extensions:\n  - pymdownx.magiclink: {options}\n"
    write(tmp_path, {"mkdocs.yml": config, "docs/index.md": "# Kite\n"})
    import_site(tmp_path, force=True)
    assert "repository" not in tomllib.loads((tmp_path / "octavo.toml").read_text())["markdown"]


def test_blocks_of_an_extension_of_the_site_are_drawn(tmp_path: Path) -> None:
    """A site may add kinds of blocks between lines of slashes by a program of its own."""
    page = (
        "# Kite\n\n/// wind-added | v2\nBlows *hard*.\n///\n\nText.\n\n/// wind-gone\n///\n\n"
        "/// no block, as nothing closes it\n\n```rust\n/// fly\n///\n```\n"
    )
    files = {
        "mkdocs.yml": "site_name: Kite\nmarkdown_extensions: [admonition, kite_docs.blocks]\n",
        "docs/index.md": page,
    }
    site = write(tmp_path / "site", files)
    done = import_site(site)
    assert "blocks" in done.plan.settings["markdown"]["extensions"]
    found = build_site(site, tmp_path / "out", has_search=False).diagnostics
    assert [one.code for one in found if one.span.path.endswith(".md")].count("unknown-admonition") == 2
    text = (tmp_path / "out/index.md").read_text(encoding="utf-8")
    assert "Wind added v2" in text
    assert "Blows *hard*." in text
    assert re.findall(r"^.*///.*$", text, re.MULTILINE) == [
        "/// no block, as nothing closes it", "/// fly", "///",
    ]  # fmt: skip


def test_blocks_of_any_name_are_findings_where_they_are_not_read(tmp_path: Path) -> None:
    files = {
        "octavo.toml": 'title = "Kite"\n',
        "docs/index.md": "# Kite\n\n/// wind-added | v2\nBlows.\n///\n\n/// no block\n",
    }
    site = write(tmp_path / "site", files)
    found = build_site(site, tmp_path / "out", has_search=False).diagnostics
    assert [(one.code, one.span.line) for one in found if one.code == "foreign-syntax"] == [("foreign-syntax", 3)]


def test_names_of_blocks_may_have_capitals(tmp_path: Path) -> None:
    files = {
        "mkdocs.yml": "site_name: Kite\nmarkdown_extensions: [pymdownx.blocks.admonition]\n",
        "docs/index.md": "# Kite\n\n/// Note | Wind\nBlows.\n///\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    found = build_site(site, tmp_path / "out", has_search=False).diagnostics
    assert [one.message for one in found if one.span.path.endswith(".md")] == []
    assert "///" not in (tmp_path / "out/index.md").read_text(encoding="utf-8")
