"""Sites of Eleventy, in Liquid and in Nunjucks."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import Imported, import_site
from octavo.publish import build_site

from .sites import text_of, write

CONFIG = """
const markdownIt = require("markdown-it");
module.exports = function (config) {
  config.addPassthroughCopy({ "static": "/" });
  config.addShortcode("year", () => `${new Date().getFullYear()}`);
  config.setLibrary("md", markdownIt({ html: true }).use(require("markdown-it-attrs")));
  return { dir: { input: "src", includes: "_parts", data: "_values" }%s };
};
"""
FILES = {
    "static/robots.txt": "User-agent: *\n",
    "src/_values/site.json": '{"title": "Kite", "url": "https://kite.example"}',
    "src/index.md": "---\ntitle: Home\n---\n\nWelcome to {{ site.title }}.\n",
    "src/guide/guide.json": '{"tags": "guide"}',
    "src/guide/wind.md": "---\ntitle: Wind\npermalink: /{{ title | slug }}/now/\neleventyNavigation: {key: Wind, order: 2}\n---\n\nBlows.\n",
    "src/guide/2026-01-02-knots.md": "---\ntitle: Knots\neleventyNavigation: {key: Knots, parent: Wind}\n---\n\nTie. {.calm}\n",
    "src/guide/hidden.md": "---\npermalink: false\n---\n\nNot written.\n",
    "src/guide/lines.md": "---\ntitle: Lines\neleventyNavigation: {key: Lines, order: 1, title: Long lines}\n---\n\nHold.\n",
    "src/list.njk": "---\ntitle: List\n---\n{{ title }}\n",
    "README.md": "# For developers\n",
}


def constructs(done: Imported) -> list[str]:
    return [one.what for one in done.report.items if "front-matter-key" not in one.what]


def test_a_site_of_eleventy_keeps_its_addresses_its_navigation_and_its_data(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {**FILES, ".eleventy.js": CONFIG % ""})
    done = import_site(site)
    settings = done.plan.settings
    assert (done.plan.engine, settings["title"], settings["docs"], settings["static"]) == (
        "eleventy",
        "Kite",
        "src",
        "static",
    )
    assert constructs(done) == []
    assert [note.what for note in done.plan.notes] == ["Pages that are templates", "Filters and shortcodes (year)"]
    assert build_site(site, tmp_path / "out", has_search=False).is_published
    for name in ("index.html", "wind/now/index.html", "guide/knots/index.html", "guide/lines/index.html", "robots.txt"):
        assert (tmp_path / "out" / name).is_file(), name
    assert not (tmp_path / "out/guide/hidden/index.html").exists()
    assert "Welcome to Kite." in text_of((tmp_path / "out/index.html").read_text("utf-8"))
    assert 'class="calm"' in (tmp_path / "out/guide/knots/index.html").read_text("utf-8")


def test_words_of_nunjucks_are_read(tmp_path: Path) -> None:
    page = (
        "---\ntitle: Home\nkinds: [box, delta]\n---\n\n{# no words #}\n"
        '{% set name = "wind" %}{% if not none %}{% for one in kinds %}{{ loop.index }} {{ one | replace("box", "BOX") }}, {% endfor %}{% endif %}\n\n'
        '{% if "box" in kinds %}Of {{ name | upper }}.{% elif name %}No.{% endif %}\n\n{% include "note.njk" %}\n'
    )
    files = {**FILES, "src/index.md": page, "src/_parts/note.njk": "<p>{{ title }} note</p>\n"}
    files["eleventy.config.js"] = CONFIG % ', markdownTemplateEngine: "njk"'
    site = write(tmp_path / "site", files)
    assert constructs(import_site(site)) == []
    build_site(site, tmp_path / "out", has_search=False)
    shown = " ".join(text_of((tmp_path / "out/index.html").read_text("utf-8")).split())
    assert "1 BOX, 2 delta," in shown
    assert "Of WIND." in shown
    assert "Home note" in shown
    assert "no words" not in shown
