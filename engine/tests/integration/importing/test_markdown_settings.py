"""Settings of Markdown engines that pages depend on."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .test_imported_sites import write


def _page(site: Path, route: str) -> str:
    done = build_site(site, site / "out", has_search=False, publishes_always=True)
    assert [one.message for one in done.diagnostics if one.code not in ("unset-url", "missing-alt")] == []
    return (site / "out" / route / "index.html").read_text(encoding="utf-8")


def test_snippets_lie_where_the_settings_of_mkdocs_are(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "mkdocs.yml": "site_name: Kite\nmarkdown_extensions:\n- pymdownx.snippets:\n    base_path: [!relative $config_dir, !relative '$docs_dir/parts']\n",
            "CHANGES.md": "Version **two** flies.\n",
            "docs/parts/low.md": "A low part.\n",
            "docs/index.md": '# Kite\n\n--8<-- "CHANGES.md"\n\n--8<-- "low.md"\n',
        },
    )
    import_site(tmp_path)
    page = _page(tmp_path, "")
    assert "Version <strong>two</strong> flies." in page
    assert "A low part." in page


def test_parameters_of_hugo_may_belong_to_the_language(tmp_path: Path) -> None:
    about = "A kite is a heavier-than-air craft. " * 12
    write(
        tmp_path,
        {
            "hugo.toml": f'title = "Kite"\ndefaultContentLanguage = "en"\n[params]\nkind = "any"\n[languages.en]\n[languages.en.params]\nwhatItIs = "{about}"\n',
            "content/_index.md": "---\ntitle: Kite\n---\n\n{{% param whatItIs %}}\n\nOf {{< param kind >}} kind.\n",
        },
    )
    import_site(tmp_path)
    page = _page(tmp_path, "")
    assert about.strip() in page
    assert "Of any kind." in page
