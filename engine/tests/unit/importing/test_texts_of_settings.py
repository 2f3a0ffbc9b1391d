"""Texts of settings that readers see come along, or the report names them: Just the Docs, VuePress, GitBook, mdBook, Obsidian."""

from __future__ import annotations

import json
from pathlib import Path

from octavo.config import Config
from octavo.importing.tree import unread_pages

from .planned import noted, pages, plan_of, sidebars

JUST_THE_DOCS = """
title: Kilns
remote_theme: just-the-docs/just-the-docs
logo: /k.svg
ga_tracking: G-ABC123
footer_content: 'Made by <a href="https://x.example">Ann &amp; Bob</a>'
nav_external_links: [{title: Shop, url: "https://shop.example"}]
gh_edit_link: true
gh_edit_repository: https://github.com/a/kilns
gh_edit_source: docs
callouts: {recipe: {title: How to, color: green-300}}
"""


def test_what_just_the_docs_shows_comes_along(tmp_path: Path) -> None:
    page = "---\ntitle: Home\n---\nText.\n"
    plan = plan_of(tmp_path, {"_config.yml": JUST_THE_DOCS, "index.md": page, "k.svg": "<svg/>"}, "jekyll")
    assert plan.settings["footer"] == {"copyright": "Made by Ann & Bob"}
    assert plan.settings["analytics"] == {"google": "G-ABC123"}
    assert plan.settings["navbar"]["logo"] == {"src": "/k.svg", "alt": "Kilns"}
    assert sidebars(plan)["docs"][-1] == "https://shop.example"
    assert plan.settings["edit_url"].startswith("https://github.com/a/kilns/edit/main/docs")
    variables = plan.settings["markdown"]["variables"]
    assert variables["site.callouts.recipe.kind"] == "tip"
    assert variables["site.callouts.recipe.title"] == "How to"
    assert [note.what for note in plan.notes if "no effect" in note.what] == []


def test_head_measurement_and_groups_of_vuepress_come_along_or_are_noted(tmp_path: Path) -> None:
    config = {
        "title": "Kilns",
        "head": [["meta", {"name": "verify", "content": "a"}]],
        "plugins": [["@vuepress/google-analytics", {"ga": "UA-123"}], "pwa"],
        "themeConfig": {
            "nav": [{"text": "More", "items": [{"text": "Sizes", "items": [{"text": "A", "link": "/a.html"}]}]}]
        },
    }
    files = {"docs/.vuepress/config.js": f"module.exports = {json.dumps(config)}", **pages("docs/a.md")}
    plan = plan_of(tmp_path, files, "vuepress")
    assert plan.settings["head"] == [{"tag": "meta", "attributes": {"name": "verify", "content": "a"}}]
    assert plan.settings["analytics"] == {"google": "UA-123"}
    assert noted(plan, "Plug-ins") == ["pwa"]
    assert noted(plan, "Titles of groups") == ["Sizes"]


def test_chapters_of_gitbook_without_a_file_are_noted(tmp_path: Path) -> None:
    summary = "# Contents\n\n* [Home](README.md)\n* [Gone](gone.md)\n* [Web](https://x.example)\n"
    plan = plan_of(tmp_path, {".gitbook.yaml": "root: .\n", "SUMMARY.md": summary, **pages("README.md")}, "gitbook")
    assert noted(plan, "SUMMARY.md names files that do not exist") == ["gone.md"]


def test_only_the_first_five_chapters_without_a_file_are_named(tmp_path: Path) -> None:
    summary = "# Contents\n\n" + "".join(f"* [Gone](gone-{number}.md)\n" for number in range(7))
    plan = plan_of(tmp_path, {".gitbook.yaml": "root: .\n", "SUMMARY.md": summary, **pages("README.md")}, "gitbook")
    assert noted(plan, "SUMMARY.md names files that do not exist") == [f"gone-{number}.md" for number in range(5)]
    assert [note.count for note in plan.notes if "names files that do not exist" in note.what] == [7]


def test_kinds_of_mdbook_admonish_are_declared(tmp_path: Path) -> None:
    book = (
        '[book]\ntitle = "A"\n[preprocessor.admonish]\n[[preprocessor.admonish.custom]]\ndirective = "try-it"\n'
        '[preprocessor.admonish.directive.custom.costly]\naliases = ["dear"]\n'
    )
    files = {"book.toml": book, "src/SUMMARY.md": "- [A](a.md)\n", **pages("src/a.md")}
    plan = plan_of(tmp_path, files, "mdbook")
    assert plan.settings["markdown"]["containers"] == {"costly": "note", "dear": "note", "try-it": "note"}


def test_canvases_of_obsidian_are_pages_of_another_kind(tmp_path: Path) -> None:
    for name in ("a.canvas", "b.base", "Home.md"):
        (tmp_path / name).write_text("{}")
    found = unread_pages(tmp_path, Config(title="A", docs="."), "plain")
    assert found == {"canvases of Obsidian": ["a.canvas"], "bases of Obsidian": ["b.base"]}
