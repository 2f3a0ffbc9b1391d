"""Sidebars of Starlight: badges of entries, from its settings and from its pages, and folders that are folded."""

from __future__ import annotations

import re
from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write

CONFIG = """import starlight from "@astrojs/starlight";
export default { integrations: [starlight({ title: "Kite", sidebar: [
  { slug: "sail", badge: { text: "Beta <1>", variant: "tip" } },
  { label: "Parts", badge: "Hot", items: ["reel", { label: "Shop", link: "https://kite.example/", badge: "Ad" }] },
  { label: "More", autogenerate: { directory: "more" }, badge: "All" },
] })] };
"""


def test_badges_are_behind_the_labels(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {
            "astro.config.mjs": CONFIG,
            "package.json": '{"dependencies": {"@astrojs/starlight": "1"}}\n',
            "src/content/docs/index.md": "---\ntitle: Start\n---\n\nText.\n",
            "src/content/docs/sail.md": "---\ntitle: Sail\nsidebar:\n  badge: Own\n---\n\nText.\n",
            "src/content/docs/reel.md": "---\ntitle: Reel\nsidebar:\n  badge: {text: New, variant: success}\n---\n\nText.\n",
            "src/content/docs/more/line.md": "---\ntitle: Line\n---\n\nText.\n",
        },
    )
    done = import_site(site)
    noted = [note.what.rpartition(" ")[2] for note in done.plan.notes if "badge" in note.what]
    assert noted == ["integrations[].options.sidebar[].badge.variant"], "its color alone has no effect"
    report = build_site(site, tmp_path / "out", has_search=False)
    assert [one.code for one in report.diagnostics if one.code != "unset-url"] == []
    html = (tmp_path / "out/sail/index.html").read_text(encoding="utf-8")
    sidebar = html[html.index('<nav class="sidebar') : html.index("<main")]
    badges = re.findall(r'([\w ]+)<!-- --> <span class="badge">(.*?)</span>', sidebar)
    assert badges == [("Sail", "Beta &lt;1&gt;"), ("Parts", "Hot"), ("Reel", "New"), ("Shop", "Ad"), ("More", "All")]


def test_folders_are_folded_as_the_settings_say(tmp_path: Path) -> None:
    sidebar = """[
  { label: "A", autogenerate: { directory: "a" }, collapsed: true },
  { label: "B", autogenerate: { directory: "b", collapsed: true } },
  { label: "C", autogenerate: { directory: "c" } },
]"""
    pages = {f"src/content/docs/{one}/deep/page.md": "---\ntitle: Page\n---\n" for one in "abc"}
    config = f"import starlight from '@astrojs/starlight';\nexport default {{ integrations: [starlight({{ title: 'Kite', sidebar: {sidebar} }})] }};\n"
    package = '{"dependencies": {"@astrojs/starlight": "1"}}\n'
    site = write(tmp_path / "site", {"astro.config.mjs": config, "package.json": package, **pages})
    done = import_site(site)
    groups = done.plan.settings["sidebars"][0]["items"]
    assert [one["is_collapsed"] for one in groups] == [True, False, False]
    assert [one["items"][0].get("is_collapsed", False) for one in groups] == [False, True, False]
    assert not any("collapsed" in note.what for note in done.plan.notes)


def test_documents_that_a_page_of_the_site_draws_have_its_address(tmp_path: Path) -> None:
    """A site of Astro may read the same folder without the integration, and draw it where it likes."""
    page = '---\nimport { getCollection } from "astro:content";\nconst all = await getCollection("docs");\n---\n'
    files = {
        "astro.config.mjs": 'export default { vite: { resolve: { alias: { "@astrojs/starlight/components": "/a.ts" } } } };\n',
        "package.json": '{"dependencies": {"@astrojs/starlight": "1"}}\n',
        "src/pages/manual/[...slug].astro": page,
        "src/pages/blog/[...slug].astro": page.replace('"docs"', '"blog"'),
        "src/content/docs/v1/sail.md": "---\ntitle: Sail\n---\n\n[Reel](/manual/v1/reel/)\n",
        "src/content/docs/v1/reel.md": "---\ntitle: Reel\n---\n\nText.\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    report = build_site(site, tmp_path / "out", has_search=False)
    assert [one.message for one in report.diagnostics if one.span.path.endswith("sail.md")] == []
    assert "/manual/v1/reel/" in (tmp_path / "out/manual/v1/sail/index.html").read_text(encoding="utf-8")
    assert (tmp_path / "out/manual/v1/sail/index.html").is_file()
