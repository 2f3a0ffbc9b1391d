"""Sites of Hugo whose templates list pages."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .test_imported_sites import text_of, write

FILES = {
    "hugo.yaml": "title: Kite\ndefaultContentLanguage: en\nlanguages: {en: {contentDir: content/en}}\nparams:\n  kinds: [box, delta]\n",
    "content/en/_index.md": "---\ntitle: Kite\n---\n\n{{< pages >}}\n\n{{< kinds >}}\n",
    "content/en/docs/_index.md": "---\ntitle: Documents\n---\n\n{{< pages >}}\n",
    "content/en/docs/wind.md": "---\ntitle: Wind\nweight: 2\n---\n\nBlows.\n",
    "content/en/docs/lines/index.md": "---\ntitle: Lines\nweight: 1\n---\n\nHold.\n",
    "layouts/shortcodes/pages.html": "<p>{{ range .Page.Pages }}<a href='{{ .RelPermalink }}'>{{ .Title }} in {{ .Section }}</a> {{ end }}</p>\n",
    "layouts/shortcodes/kinds.html": "<p>{{ range site.Params.kinds }}{{ . }}, {{ end }}</p>\n",
}


def test_templates_list_the_pages_of_a_section_and_new_ones_as_well(tmp_path: Path) -> None:
    site = write(tmp_path / "site", FILES)
    assert import_site(site).report.items == []
    out = tmp_path / "out"
    assert build_site(site, out, has_search=False).is_published
    html = (out / "docs/index.html").read_text(encoding="utf-8")
    assert "Lines in docs Wind in docs" in " ".join(text_of(html).split())
    assert 'href="/docs/lines/"' in html
    assert "Documents in docs box, delta," in " ".join(text_of((out / "index.html").read_text("utf-8")).split())

    (site / "content/en/docs/knots.md").write_text("---\ntitle: Knots\nweight: 3\n---\n\nTie.\n", encoding="utf-8")
    assert build_site(site, out, has_search=False).is_published
    html = (out / "docs/index.html").read_text(encoding="utf-8")
    assert "Wind in docs Knots in docs" in " ".join(text_of(html).split())


def test_files_of_the_default_language_may_name_it(tmp_path: Path) -> None:
    files = {
        "hugo.yaml": "title: Kite\ndefaultContentLanguage: en\nlanguages:\n  en: {weight: 1}\n  de: {weight: 2}\n",
        "content/_index.en.md": "---\ntitle: Home\n---\n\nWind.\n",
        "content/_index.de.md": "---\ntitle: Start\n---\n\nBrise.\n",
        "content/guide/_index.en.md": "---\ntitle: Guide\n---\n\nFire.\n",
        "content/guide/_index.de.md": "---\ntitle: Anleitung\n---\n\nFeuer.\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    assert build_site(site, tmp_path / "out", has_search=False).pages == 4
    shown = {"index": "Wind.", "de/index": "Brise.", "guide/index": "Fire.", "de/guide/index": "Feuer."}
    for page, word in shown.items():
        assert word in text_of((tmp_path / f"out/{page}.html").read_text(encoding="utf-8"))


def test_files_of_the_only_language_may_name_it(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site",
        {"hugo.yaml": "title: Kite\n", "content/_index.en.md": "# Home\n", "content/fire.en.md": "# Fire\n"},
    )
    import_site(site)
    build_site(site, tmp_path / "out", has_search=False)
    assert (tmp_path / "out/index.html").is_file()
    assert (tmp_path / "out/fire/index.html").is_file()
