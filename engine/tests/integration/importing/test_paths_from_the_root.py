"""Paths that begin with a slash, which MyST reads from the folder of `conf.py`, and VitePress from that of its pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write

_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"/>'
_PAGE = """# Wind

[Knots](/guide/knots/index), [files](/guide/knots/index.md) and [one](/guide/knots/bowline).

![Kite](/images/kite.svg)

```{figure} /images/kite.svg
A kite.
```

[The list](/images/list.txt)
"""


def test_vitepress_finds_files_among_its_pages(tmp_path: Path) -> None:
    files = {
        "docs/.vitepress/config.mjs": "export default { title: 'Kite', base: '/manual/' };\n",
        "docs/index.md": "# Kite\n\n![Kite](/images/kite.svg) ![Line](/line.svg)\n",
        "docs/images/kite.svg": _PICTURE,
        "docs/public/line.svg": _PICTURE,
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    result = build_site(site, tmp_path / "out", has_search=False)
    assert [one.message for one in result.diagnostics if one.code == "broken-asset"] == []
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert 'src="/manual/_octavo/files/kite.' in page
    assert 'src="/manual/line.svg"' in page


def test_paths_of_gitbook_that_climb_above_the_book_begin_at_it(tmp_path: Path) -> None:
    files = {
        "SUMMARY.md": "# Table of contents\n\n* [Kite](README.md)\n* [Wind](guide/wind.md)\n",
        "README.md": "# Kite\n",
        "guide/wind.md": "# Wind\n\n![Kite](../../../.gitbook/assets/kite.svg) ![Line](/.gitbook/assets/line.svg)\n",
        ".gitbook/assets/kite.svg": _PICTURE,
        ".gitbook/assets/line.svg": _PICTURE,
    }
    site = write(tmp_path / "site", files)
    assert import_site(site).plan.engine == "gitbook"
    result = build_site(site, tmp_path / "out", has_search=False)
    assert [one.message for one in result.diagnostics if one.code == "broken-asset"] == []


@pytest.mark.parametrize("folder", ["", "docs/"])
@pytest.mark.parametrize("html_dir", ["", "html_baseurl = 'https://kite.example/manual/en/'\n"])
def test_paths_from_the_root_are_those_of_sphinx(tmp_path: Path, folder: str, html_dir: str) -> None:
    files = {
        f"{folder}conf.py": f"project = 'Kite'\nextensions = ['myst_parser']\n{html_dir}",
        f"{folder}index.md": "# Kite\n\n```{toctree}\nguide/wind\nguide/knots/index\nguide/knots/bowline\n```\n",
        f"{folder}guide/wind.md": _PAGE,
        f"{folder}guide/knots/index.md": "# Knots\n",
        f"{folder}guide/knots/bowline.md": "# Bowline\n",
        f"{folder}images/kite.svg": _PICTURE,
        f"{folder}images/list.txt": "One.\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    result = build_site(site, tmp_path / "out", has_search=False)
    assert [one.message for one in result.diagnostics if one.code in {"broken-link", "broken-asset"}] == []
    page = (tmp_path / "out/guide/wind.html").read_text(encoding="utf-8")
    base = "/manual/en" if html_dir else ""
    assert page.count(f'href="{base}/guide/knots/index.html"') + page.count(f'href="{base}/guide/knots/"') >= 2
    assert page.count(f'src="{base}/_octavo/files/kite.') == 2
    assert f'href="{base}/_octavo/files/list.' in page


def test_a_file_of_the_static_folder_goes_first(tmp_path: Path) -> None:
    files = {
        "octavo.toml": 'title = "Kite"\n[markdown]\nextensions = ["myst"]\n',
        "docs/index.md": "# Kite\n\n![Kite](/kite.svg)\n",
        "docs/kite.svg": _PICTURE,
        "static/kite.svg": _PICTURE,
    }
    site = write(tmp_path / "site", files)
    build_site(site, tmp_path / "out", has_search=False)
    assert 'src="/kite.svg"' in (tmp_path / "out/index.html").read_text(encoding="utf-8")


def test_other_sites_name_files_of_the_static_folder_only(tmp_path: Path) -> None:
    files = {
        "octavo.toml": 'title = "Kite"\n[diagnostics]\nerrors = "warn"\n',
        "docs/index.md": "# Kite\n\n![Kite](/kite.svg)\n",
        "docs/kite.svg": _PICTURE,
    }
    site = write(tmp_path / "site", files)
    result = build_site(site, tmp_path / "out", has_search=False)
    assert "broken-asset" in [one.code for one in result.diagnostics]


def test_mintlify_finds_index_pages_by_the_names_of_their_files(tmp_path: Path) -> None:
    files = {
        "docs.json": '{"name": "Kite", "navigation": {"groups": [{"group": "Guide", "pages": ["index", "guide/knots/index"]}]}}',
        "index.mdx": "---\ntitle: Kite\n---\n\n[Knots](/guide/knots/index#bowline), [again](/guide/knots)\n",
        "guide/knots/index.mdx": "---\ntitle: Knots\n---\n\n## Bowline\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    result = build_site(site, tmp_path / "out", has_search=False)
    assert [one.message for one in result.diagnostics if one.code == "broken-link"] == []
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert 'href="/guide/knots/#bowline"' in page


def test_hugo_finds_pictures_among_its_pages_by_their_addresses(tmp_path: Path) -> None:
    """A section publishes its files at its own address; a path without a slash begins at that of the page."""
    files = {
        "hugo.toml": 'title = "Kite"\ndefaultContentLanguage = "en"\n[languages.en]\ncontentDir = "content/en"\n',
        "content/en/guide/_index.md": "---\ntitle: Guide\n---\n",
        "content/en/guide/fly.md": "---\ntitle: Fly\n---\n\n![Kite](/guide/kite.svg) ![Rope](../ropes/silk.svg)\n",
        "content/en/guide/kite.svg": _PICTURE,
        "content/en/guide/ropes/silk.svg": _PICTURE,
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    result = build_site(site, tmp_path / "out", has_search=False)
    assert [one.message for one in result.diagnostics if one.code == "broken-asset"] == []
