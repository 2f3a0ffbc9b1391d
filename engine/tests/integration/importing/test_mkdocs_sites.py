"""Sites of MkDocs and Material for MkDocs: ids, plugins, tabs, texts of each page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.importing import examine_site, import_site
from octavo.publish import build_site

from .other_sites import MKDOCS
from .sites import text_of, write


def test_headings_keep_the_ids_that_python_markdown_gave_them(tmp_path: Path) -> None:
    site = write(tmp_path / "site", MKDOCS.files)
    import_site(site)
    build_site(site, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/guides/wind/index.html").read_text(encoding="utf-8")
    assert [one for one in ("a-b", "a-b_1", "own") if f'id="{one}"' not in html] == []


@pytest.mark.parametrize("member", ["::: kite", ":::kite.wing"])
def test_doctor_reads_a_site_that_needs_an_extension(tmp_path: Path, member: str) -> None:
    files = {
        "mkdocs.yml": "site_name: Kite\nplugins:\n  - mkdocstrings\n",
        "docs/index.md": f"# Kite\n\n{member}\n",
        "kite/__init__.py": '"""A kite on a string."""\n',
        "kite/wing.py": '"""What carries it."""\n',
    }
    done = examine_site(write(tmp_path, files))
    assert (done.report.clean_pages, done.plan.settings["extensions"]) == (1, ["octavo.shipped.python_api"])


def test_copy_reads_docstrings_as_they_are_written_and_keeps_an_icon_of_another_host(tmp_path: Path) -> None:
    files = {
        "mkdocs.yml": "site_name: Kite\ntheme:\n  favicon: https://kite.example/i.png\nmarkdown_extensions:\n  - admonition\nplugins:\n  - mkdocstrings\n",
        "docs/index.md": "# Kite\n\n::: kite\n",
        "kite/__init__.py": '"""A kite.\n\n!!! warning\n    It flies.\n"""\n',
    }
    done = import_site(write(tmp_path / "site", files), to=tmp_path / "copy")
    built = build_site(tmp_path / "copy", tmp_path / "out", has_search=False)
    assert [one.code for one in built.diagnostics if one.code != "unset-url"] == []
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "admonition-warning" in html
    assert done.plan.settings["favicon"] == "https://kite.example/i.png"
    assert '<link rel="icon" href="https://kite.example/i.png">' in html


def test_name_in_the_navigation_of_mkdocs_comes_before_that_of_front_matter(tmp_path: Path) -> None:
    front = "---\ntitle: From the page\n---\n"
    files = {
        "mkdocs.yml": "site_name: Kite\nnav:\n  - index.md\n  - From the navigation: wind.md\n  - Short: rain.md\n  - sun.md\n",
        "docs/index.md": "# Kite\n",
        "docs/wind.md": f"{front}\nIt blows.\n",
        "docs/rain.md": f"{front}\n# From the text\n\nIt rains.\n",
        "docs/sun.md": f"{front}\nIt shines.\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    build_site(site, tmp_path / "out", has_search=False)
    titles = {}
    for name in ("wind", "rain", "sun"):
        html = (tmp_path / f"out/{name}/index.html").read_text(encoding="utf-8")
        titles[name] = text_of(re.findall(r"<h1.*?</h1>", html, re.DOTALL)[0])
    assert titles == {"wind": "From the navigation", "rain": "From the text", "sun": "From the page"}


def test_readme_beside_an_index_is_no_page_of_mkdocs(tmp_path: Path) -> None:
    files = {
        "mkdocs.yml": "site_name: Kite\n",
        "docs/README.md": "# Of the folder\n",
        "docs/index.md": "# Kite\n\nWelcome.\n",
        "docs/wind/README.md": "# Wind\n",
    }
    site = write(tmp_path / "site", files)
    assert import_site(site).report.items == []
    assert build_site(site, tmp_path / "out", has_search=False).is_published
    assert "Welcome." in text_of((tmp_path / "out/index.html").read_text(encoding="utf-8"))
    assert (tmp_path / "out/wind/index.html").exists()


def test_variables_of_the_plugin_macros_have_their_values(tmp_path: Path) -> None:
    files = {
        "mkdocs.yml": "site_name: Kite\nextra: {release: {tag: v1.4}}\nplugins:\n  - macros: {include_yaml: [data: values.yaml]}\n",
        "values.yaml": "region: Bergen\n",
        "docs/index.md": "# Kite\n\n{{ release.tag }} of {{ config.site_name }} from {{ data.region }}\n\n```sh\nget {{ release.tag }}\n```\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    assert build_site(site, tmp_path / "out", has_search=False).is_published
    text = text_of((tmp_path / "out/index.html").read_text(encoding="utf-8"))
    assert "v1.4 of Kite from Bergen" in text
    assert "get v1.4" in text


def test_tabs_and_sections_of_material_are_sidebars_and_entries_of_the_top_bar(tmp_path: Path) -> None:
    files = {
        "mkdocs.yml": """
site_name: Kite
theme:
  name: material
  features: [navigation.tabs, navigation.indexes, navigation.sections, header.autohide, content.code.copy, toc.integrate]
nav:
  - index.md
  - Guides:
      - guides/index.md
      - guides/wind.md
      - Storms: [guides/storms/README.md, guides/storms/gale.md]
  - Shop: https://shop.example
""",
        "docs/index.md": "# Kite\n",
        "docs/guides/index.md": "# Guides\n",
        "docs/guides/wind.md": "# Wind\n",
        "docs/guides/storms/README.md": "# Storms\n",
        "docs/guides/storms/gale.md": "# Gale\n",
    }
    done = import_site(write(tmp_path, files))
    settings = done.plan.settings
    assert settings["navbar"]["hide_on_scroll"] is True
    assert settings["navbar"]["items"] == [
        {"label": "Kite", "href": "/"},
        {"label": "Guides", "sidebar": "tab-2"},
        {"label": "Shop", "href": "https://shop.example"},
    ]
    first, second = settings["sidebars"]
    assert first == {"id": "docs", "items": [{"doc": "index"}, {"href": "https://shop.example", "label": "Shop"}]}
    assert second["label"] == "Guides"
    assert second["items"] == [
        {"doc": "guides/index"},
        {"doc": "guides/wind"},
        {
            "category": "Storms",
            "link": {"type": "doc", "id": "guides/storms/README"},
            "items": [{"doc": "guides/storms/gale"}],
            "is_collapsed": False,
            "is_collapsible": False,
        },
    ]
    [note] = [one.what for one in done.plan.notes if "Features" in one.what]
    assert note == "Features of Material's theme that have no counterpart: toc.integrate"
    assert build_site(tmp_path, tmp_path / "out", has_search=False).is_published


def test_text_that_mkdocs_adds_to_each_page_is_added(tmp_path: Path) -> None:
    added = "markdown_extensions:\n  - pymdownx.snippets:\n      auto_append: [includes/words.md]\n  - abbr\n"
    files = {
        "mkdocs.yml": f"site_name: Kite\n{added}",
        "docs/index.md": "# Kite\n\nThe [wind][] of HTML.\n",
        "includes/words.md": "[wind]: https://wind.example\n*[HTML]: Markup\n",
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    assert build_site(site, tmp_path / "out", has_search=False).is_published
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert 'href="https://wind.example"' in html
    assert '<abbr title="Markup"' in html


def test_page_with_the_name_of_its_folder_keeps_its_address(tmp_path: Path) -> None:
    files = {"mkdocs.yml": "site_name: Kite\n", "docs/index.md": "# Kite\n", "docs/wings/wings.md": "# Wings\n"}
    site = write(tmp_path / "site", files)
    import_site(site)
    build_site(site, tmp_path / "out", has_search=False)
    assert (tmp_path / "out/wings/wings/index.html").is_file()


def test_report_names_projects_whose_inventories_are_missing(tmp_path: Path) -> None:
    urls = "[https://docs.example/3/objects.inv, {url: https://b.example/objects.inv, domains: [std]}]"
    files = {
        "mkdocs.yml": f"site_name: Kite\nplugins:\n  - mkdocstrings:\n      handlers:\n        python:\n          inventories: {urls}\n",
        "docs/index.md": "# Kite\n\n::: kite\n",
        "kite/__init__.py": '"""A kite on a string."""\n',
    }
    of_sphinx = {
        "conf.py": 'project = "Kite"\nextensions = ["myst_parser", "sphinx.ext.intersphinx"]\n'
        'intersphinx_mapping = {"a": ("https://docs.example/3/", None), "b": ("https://b.example", None)}\n',
        "index.md": "# Kite\n",
    }
    for name, site in {"mkdocs": files, "sphinx": of_sphinx}.items():
        notes = examine_site(write(tmp_path / name, site)).plan.notes
        [note] = [one for one in notes if "other projects" in one.what]
        assert "under [inventories]: https://docs.example/3, https://b.example." in note.remedy


def test_labels_in_html_are_their_text(tmp_path: Path) -> None:
    nav = (
        '  - Home: index.md\n  - \'<span class="new">Wind <img src="/a.svg" alt="Beta"></span>\': wind.md\n'
        "  - '<b>Deep</b> &amp; more':\n    - '<i class=\"icon\" title=\"Rain\"></i>': rain.md\n    - 'The <a> of <T>': a.md\n"
    )
    files = {
        "mkdocs.yml": f"site_name: Kite\nnav:\n{nav}",
        **{f"docs/{name}.md": "Text.\n" for name in ("index", "wind", "rain", "a")},
    }
    site = write(tmp_path / "site", files)
    done = import_site(site)
    labels = re.findall(r"'(?:label|category)': ['\"](.*?)['\"][,}]", str(done.plan.settings["sidebars"]))
    titles = [*labels, *done.plan.settings["routing"].get("titles", {}).values()]
    assert "Wind" in titles
    assert "Deep & more" in titles
    assert "Rain" in titles
    assert "The <a> of <T>" in titles
    assert not [one for one in titles if "span" in one or "&amp;" in one]
