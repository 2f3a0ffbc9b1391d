"""Sites of Nuxt Content and Docus."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write


def test_a_site_of_nuxt_content_keeps_its_order_and_its_addresses(tmp_path: Path) -> None:
    site = write(
        tmp_path / "docs",
        {
            "nuxt.config.ts": "export default defineNuxtConfig({ site: { name: 'Kites', url: 'https://kites.example/docs' } })\n",
            "content/index.md": "---\ntitle: Home\n---\n\n::u-page-hero\n---\nlinks:\n  - label: Start\n    to: /guide/first\n---\n#title\nFly\n::\n",
            "content/2.guide/.navigation.yml": "title: The guide\n",
            "content/2.guide/10.last.md": "# Last\n\nText.\n",
            "content/2.guide/2.first.md": "# First\n\n::note\nSee [last](/guide/last).\n::\n\n![Kite](/kite.svg){width=40}\n",
            "content/1.start.md": "---\ntitle: Start\nnavigation:\n  title: Begin\n---\n\nText.\n",
            "content/3.hidden.md": "---\nnavigation: false\n---\n\n# Hidden\n",
            "public/kite.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
        },
    )
    done = import_site(site)
    settings = done.plan.settings
    assert (done.plan.engine, settings["title"], settings["url"]) == ("nuxt", "Kites", "https://kites.example")
    index, start, guide = settings["sidebars"][0]["items"]
    assert (index["doc"], start) == ("index", {"doc": "start", "label": "Begin"})
    assert (guide["category"], [one["doc"] for one in guide["items"]]) == ("The guide", ["guide/first", "guide/last"])
    built = build_site(site, tmp_path / "out", has_search=False)
    assert [one.code for one in built.diagnostics] == []
    for name in ("index.html", "guide/first/index.html", "hidden/index.html", "kite.svg"):
        assert (tmp_path / "out" / name).is_file()


def test_a_site_of_undocs_has_its_settings_in_yaml_and_its_pages_beside_them(tmp_path: Path) -> None:
    site = write(
        tmp_path / "docs",
        {
            ".config/docs.yaml": (
                "name: kites\nshortDescription: Kites that fly.\nurl: https://kites.example\ngithub: kites/kites\n"
                'redirects:\n  "/guide/old": "/guide/fly"\n  "/away/**": "/guide"\n'
                "landing:\n  features:\n    - title: Light\n"
            ),
            "package.json": '{ "devDependencies": { "undocs": "^0.2.0" } }',
            "1.guide/1.index.md": "---\nicon: ph:book\n---\n\n# Begin\n\nSee [fly](/guide/fly) and ![Kite](/kite.svg).\n",
            "1.guide/2.fly.md": "# Fly\n\n::note\nText.\n::\n",
            "2.utils/0.index.md": "# Utilities\n\nText.\n",
            ".docs/public/kite.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
        },
    )
    done = import_site(site)
    settings = done.plan.settings
    assert (done.plan.engine, settings["title"], settings["url"]) == ("nuxt", "kites", "https://kites.example")
    assert settings["tagline"] == "Kites that fly."
    assert {(one["from"], one["to"]) for one in settings["redirects"]} == {
        ("/guide/old", "/guide/fly"),
        ("/away/*", "/guide"),
        ("/", "/guide/"),
    }
    assert [one["href"] for one in settings["navbar"]["items"]] == ["https://github.com/kites/kites"]
    assert any("landing" in note.what for note in done.plan.notes)
    built = build_site(site, tmp_path / "out", has_search=False)
    assert [one.code for one in built.diagnostics] == []
    for name in ("guide/index.html", "guide/fly/index.html", "utils/index.html", "kite.svg", "index.html"):
        assert (tmp_path / "out" / name).is_file()
