"""Folders of languages of Docusaurus, and the files that its plug-ins leave out."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site

from .sites import write

CONFIG = """
module.exports = {
  title: "Kite", url: "https://kite.example", baseUrl: "/",
  i18n: { defaultLocale: "en", locales: ["en", "fa", "de"], localeConfigs: { fa: { label: "فارسی", direction: "rtl" } } },
  presets: [["classic", {
    docs: { exclude: ["**/NOTES.md"] },
    blog: { blogTitle: "News", blogDescription: "What is new.", exclude: ["**/NOTES.md"] },
    pages: { exclude: ["NOTES.md"] },
  }]],
  plugins: [["@docusaurus/plugin-content-blog", { id: "lab", path: "lab", routeBasePath: "lab", blogTitle: "Lab" }]],
};
"""
FILES = {
    "docusaurus.config.js": CONFIG,
    "versions.json": '["1.0"]',
    "docs/a.md": "# A\n",
    "docs/NOTES.md": "# For us\n",
    "versioned_docs/version-1.0/a.md": "# A\n",
    "blog/2026-01-31-first.md": "# First\n",
    "blog/NOTES.md": "# For us\n",
    "lab/2026-02-28-second.md": "# Second\n",
    "src/pages/about.md": "# About\n",
    "src/pages/NOTES.md": "# For us\n",
    "i18n/fa/docusaurus-plugin-content-docs/version-1.0/a.md": "# الف\n",
    "i18n/fa/docusaurus-plugin-content-blog/2026-01-31-first.md": "# نخست\n",
    "i18n/fa/docusaurus-plugin-content-blog/options.json": '{"title": {"message": "خبرها"}, "description": {"message": "تازه‌ها"}}',
    "i18n/fa/docusaurus-plugin-content-blog-lab/2026-02-28-second.md": "# دوم\n",
    "i18n/fa/docusaurus-plugin-content-blog-lab/options.json": '{"title": {"message": "آزمایشگاه"}}',
}


def test_translations_of_blogs_are_taken_over(tmp_path: Path) -> None:
    plan = import_site(write(tmp_path, FILES)).plan
    english, persian = plan.settings["locales"]
    assert (english["id"], persian["id"], persian["dir"]) == ("en", "fa", "rtl")
    assert persian["folders"] == {
        "versioned_docs/version-1.0": "i18n/fa/docusaurus-plugin-content-docs/version-1.0",
        "blog": "i18n/fa/docusaurus-plugin-content-blog",
        "lab": "i18n/fa/docusaurus-plugin-content-blog-lab",
    }
    assert plan.settings["labels"]["fa"] == {"News": "خبرها", "What is new.": "تازه‌ها", "Lab": "آزمایشگاه"}
    assert any("without translated files: de" in note.what for note in plan.notes)


def test_files_that_a_plugin_leaves_out_are_no_pages_in_any_folder(tmp_path: Path) -> None:
    excluded = import_site(write(tmp_path, FILES)).plan.settings["exclude"]
    assert {
        "docs/**/NOTES.md",
        "versioned_docs/version-1.0/**/NOTES.md",
        "blog/**/NOTES.md",
        "src/pages/NOTES.md",
        "i18n/fa/docusaurus-plugin-content-docs/version-1.0/**/NOTES.md",
        "i18n/fa/docusaurus-plugin-content-blog/**/NOTES.md",
    } <= set(excluded)
    assert len(excluded) == len(set(excluded))
