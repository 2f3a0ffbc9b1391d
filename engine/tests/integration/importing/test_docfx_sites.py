"""Sites of DocFX: settings, tables of contents, pages that have moved."""

from __future__ import annotations

import json
from pathlib import Path

from octavo.config import load_config
from octavo.importing import import_site
from octavo.importing.recognize import recognize
from octavo.publish import build_site

from .sites import labels, text_of, write

CONFIG = {
    "metadata": [{"src": "../src", "dest": "api"}],
    "build": {
        "content": [{"files": ["**/*.{md,yml}"], "exclude": ["_site/**", "parts/**"]}, {"files": ["toc.yml", "*.md"]}],
        "resource": [{"files": ["images/**"]}],
        "output": "_site",
        "globalMetadata": {
            "_appTitle": "Kite", "_appName": "Kites", "_appFooter": "<b>©</b> Kites", "_appLogoPath": "images/logo.svg",
            "_gitContribute": {"repo": "https://github.com/kite/kite", "branch": "dev"}, "_googleAnalyticsTagId": "G-ABCDEFGH12",
        },
        "markdownEngineProperties": {"alerts": {"TODO": "alert"}},
        "sitemap": {"baseUrl": "https://kite.example/docs"},
    },
}  # fmt: skip
FILES = {
    "docfx.json": json.dumps(CONFIG),
    "toc.yml": "- name: Guide\n  href: guide/\n- name: Code\n  href: https://github.com/kite/kite\n- name: API\n  href: api/\n",
    "index.md": "---\nuid: home\n---\n# Home\n\n[!INCLUDE [](parts/note.md)]\n",
    "guide/toc.yml": (
        "- name: Start\n- href: first.md\n- name: Second one\n  href: second.md\n- name: More\n  items:\n  - href: ../deep/third.md\n"
        "  - name: Gone\n    href: gone.md\n- name: Table\n  href: ../deep/toc.yml\n- name: Again\n  href: first.md\n"
    ),
    "guide/first.md": "# First\n\n> [!TODO]\n> Later.\n\n<xref:home>\n",
    "guide/second.md": "# Second\n",
    "guide/old.md": "---\nredirect_url: first.md#top\n---\n",
    "deep/toc.yml": "items:\n- uid: fourth\n",
    "deep/third.md": "# Third\n",
    "deep/fourth.md": "---\nuid: fourth\n---\n# Fourth\n",
    "other/toc.yml": "- href: fifth.md\n",
    "other/fifth.md": "# Fifth\n",
    "parts/note.md": "A note.\n",
    "images/logo.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
}


def test_site_of_docfx_is_taken_over(tmp_path: Path) -> None:
    site = write(tmp_path / "site", FILES)
    assert recognize(site).engine == "docfx"
    done = import_site(site)
    config = load_config(site)
    assert (config.title, config.url, config.base_url) == ("Kite", "https://kite.example", "/docs/")
    assert config.edit_url == "https://github.com/kite/kite/edit/dev/"
    assert (config.navbar.title, config.navbar.logo is not None) == ("Kites", True)
    assert [(item.label, item.href) for item in config.navbar.items] == [
        ("Guide", "/guide/first.html"),
        ("Code", "https://github.com/kite/kite"),
    ]
    sidebars = {bar["id"]: labels(bar["items"]) for bar in done.plan.settings["sidebars"]}
    assert sidebars["guide"] == [
        "Start", "guide/first", "guide/second", "More", "deep/third", "Table", "deep/fourth", "/guide/first.html",
    ]  # fmt: skip
    assert sidebars["other"] == ["other/fifth"]
    notes = {note.what: note.files for note in done.report.notes}
    assert notes["Entries of toc.yml whose file is missing"] == ["guide/gone.md"]
    assert any(what.startswith("Reference pages of .NET") for what in notes)
    assert {one.source: one.to for one in config.redirects} == {"/guide/old.html": "/guide/first.html#top"}


def test_its_pages_are_published_at_their_addresses(tmp_path: Path) -> None:
    site = write(tmp_path / "site", FILES)
    import_site(site)
    built = build_site(site, tmp_path / "out", has_search=False)
    assert [one.message for one in built.diagnostics if one.code != "sidebar-membership"] == []
    assert "A note." in text_of((tmp_path / "out/index.html").read_text(encoding="utf-8"))
    first = (tmp_path / "out/guide/first.html").read_text(encoding="utf-8")
    assert "Later." in text_of(first)
    assert ">Home</a>" in first
    assert not (tmp_path / "out/parts/note.html").exists()
