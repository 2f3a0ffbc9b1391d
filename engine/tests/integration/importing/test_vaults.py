"""Vaults of Obsidian, sites of Quartz, and folders whose pages are linked by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write

PAGES = {
    "index.md": "# Kites\n\nStart with [[First flight]], or [[tools/Reel#Wind up|wind up]]. ==Now==.\n\n![[kite.svg|40]]\n",
    "First flight.md": "# First flight\n\n> [!tip] Look [[index|up]]\n> It is there.\n\nSee [[Reel]] and [[Lost page]].\n",
    "tools/Reel.md": "# Reel\n\n## Wind up\n\nSlowly. %%Not yet written%%\n",
    "img/kite.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
}


@pytest.mark.parametrize("kind", ["obsidian", "quartz", "plain"])
def test_pages_are_found_by_their_names(tmp_path: Path, kind: str) -> None:
    home = "content/" if kind == "quartz" else ""
    files = {f"{home}{name}": text for name, text in PAGES.items()}
    if kind == "obsidian":
        files |= {".obsidian/app.json": "{}", ".obsidian/plugins/x/README.md": "# No page\n"}
    if kind == "quartz":
        files |= {"quartz.config.ts": "export default {}\n", "docs/about.md": "# Quartz itself\n"}
    site = write(tmp_path / "site", files)
    done = import_site(site)
    assert done.plan.engine == ("plain" if kind == "plain" else "obsidian")
    assert "obsidian" in done.plan.settings["markdown"]["extensions"]
    built = build_site(site, tmp_path / "out", has_search=False)
    assert [(one.code, Path(one.span.path).name) for one in built.diagnostics if one.code != "missing-alt"] == [
        ("broken-link", "First flight.md")
    ]
    assert done.report.pages == 3
    html = (tmp_path / "out/index.html").read_text()
    assert 'width="40"' in html
    assert "#wind-up" in html
    assert "Not yet" not in (tmp_path / "out/tools/Reel/index.html").read_text()


def test_a_new_page_is_found_by_pages_that_were_built_before(tmp_path: Path) -> None:
    site = write(tmp_path / "site", PAGES)
    import_site(site)
    build_site(site, tmp_path / "out", has_search=False)
    write(site, {"tools/Lost page.md": "# Lost page\n"})
    assert "broken-link" not in {one.code for one in build_site(site, tmp_path / "out", has_search=False).diagnostics}


def test_a_converted_vault_has_links_to_files(tmp_path: Path) -> None:
    site = write(tmp_path / "site", PAGES)
    import_site(site, to=tmp_path / "new")
    text = (tmp_path / "new/First flight.md").read_text()
    assert "[Reel](tools/Reel.md)" in text
    assert ":::tip[Look [up](index.md)]" in text.replace("::::::::::", ":::")


def test_plugins_of_mkdocs_read_links_by_name(tmp_path: Path) -> None:
    config = "site_name: Kites\nplugins:\n  - search\n  - roamlinks\n"
    site = write(
        tmp_path / "site",
        {"mkdocs.yml": config, "docs/index.md": "# A\n\nSee [[Reel]].\n", "docs/tools/Reel.md": "# Reel\n"},
    )
    done = import_site(site)
    assert done.plan.notes == []
    assert build_site(site, tmp_path / "out", has_search=False).diagnostics == []
    assert 'href="/tools/Reel/"' in (tmp_path / "out/index.html").read_text()


def test_components_of_nuxt_content_are_found_in_plain_folders(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"index.md": "# A\n\n::note\nLook **up**.\n::\n"})
    assert "mdc" in import_site(site).plan.settings["markdown"]["extensions"]
    assert build_site(site, tmp_path / "out", has_search=False).diagnostics == []


def test_templates_of_a_vault_are_no_pages(tmp_path: Path) -> None:
    files = {".obsidian/app.json": "{}", "index.md": "# A\n", "Templates/Day.md": "---\ndate: {{date}}\n---\n"}
    done = import_site(write(tmp_path / "site", files))
    assert done.report.pages == 1
    assert [note.files for note in done.plan.notes] == [["Templates"]]


def test_shortcodes_of_hugo_are_read_without_its_settings(tmp_path: Path) -> None:
    files = {
        "content/a.md": '# A\n\n{{< kite "red" >}}\n',
        "layouts/shortcodes/kite.html": "<p>A {{ .Get 0 }} kite</p>",
        "config.yaml.in": "baseURL: @URL@\n",
    }
    site = write(tmp_path / "site", files)
    done = import_site(site)
    assert done.plan.engine == "plain"
    assert build_site(site, tmp_path / "out", has_search=False).diagnostics == []
    assert "A red kite" in (tmp_path / "out/content/a/index.html").read_text()
