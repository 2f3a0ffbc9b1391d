"""Imported sites have the page that the links to all results lead to."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import text_of, write

_VITEPRESS = "export default { title: 'Kite', lang: 'fr' };\n"


@pytest.mark.parametrize(
    ("files", "word"),
    [
        ({"mkdocs.yml": "site_name: Kite\n", "docs/index.md": "# Kite\n"}, "Search"),
        ({"SUMMARY.md": "# Summary\n\n* [Kite](README.md)\n", "README.md": "# Kite\n"}, "Search"),
        ({".vitepress/config.mjs": _VITEPRESS, "index.md": "# Kite\n"}, "Rechercher"),
    ],
    ids=["folder of pages", "pages beside the settings", "French"],
)
def test_a_page_for_searches_is_written(tmp_path: Path, files: dict[str, str], word: str) -> None:
    site = write(tmp_path / "site", files)
    done = import_site(site)
    assert done.report.pages == 1
    found = build_site(site, tmp_path / "out")
    assert {one.code for one in found.diagnostics} <= {"unset-url"}
    html = (tmp_path / "out/search/index.html").read_text(encoding="utf-8")
    assert 'role="search"' in html
    assert text_of(html).startswith(word)
    # One that an author has changed stays as it is.
    page = site / "octavo-pages/search.md"
    page.write_text(page.read_text(encoding="utf-8") + "\nAsk us.\n", encoding="utf-8")
    import_site(site, force=True)
    assert "Ask us." in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "page",
    [
        {"docs/search.md": "# Ours\n"},
        {"docs/find.md": "---\nslug: /search\n---\n\n# Ours\n"},
    ],
    ids=["by its name", "by its slug"],
)
def test_a_page_of_the_old_site_at_this_address_stays(tmp_path: Path, page: dict[str, str]) -> None:
    config = 'module.exports = { title: "Kite", presets: [["classic", { docs: { routeBasePath: "/" } }]] };\n'
    site = write(tmp_path / "site", {"docusaurus.config.js": config, "docs/index.md": "# Kite\n", **page})
    import_site(site)
    assert not (site / "octavo-pages").exists()
    build_site(site, tmp_path / "out", has_search=False)
    assert "Ours" in text_of((tmp_path / "out/search/index.html").read_text(encoding="utf-8"))
