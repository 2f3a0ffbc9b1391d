"""Settings of Markdown engines that pages depend on."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import write


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


@pytest.mark.parametrize(
    ("files", "smart"),
    [
        ({"mkdocs.yml": "site_name: Kite\nmarkdown_extensions: [smarty]\n", "docs/index.md": ""}, ["smart"]),
        ({"mkdocs.yml": "site_name: Kite\n", "docs/index.md": ""}, []),
        ({"hugo.toml": 'title = "Kite"\n', "content/_index.md": ""}, ["smart"]),
        ({"hugo.toml": "[markup.goldmark.extensions]\ntypographer = false\n", "content/_index.md": ""}, []),
        ({"hugo.toml": "[markup.goldmark.extensions.typographer]\ndisable = true\n", "content/_index.md": ""}, []),
        ({"zola.toml": 'base_url = "/"\n[markdown]\nsmart_punctuation = true\n', "content/_index.md": "+++\n+++\n"}, ["smart"]),
        ({"zola.toml": 'base_url = "/"\n', "content/_index.md": "+++\n+++\n"}, []),
        ({"_config.yml": "title: Kite\n", "index.md": "---\n---\n"}, ["smart"]),
        ({"_config.yml": "title: Kite\nkramdown: {smart_quotes: 'apos,apos,quot,quot'}\n", "index.md": "---\n---\n"}, []),
        ({"_config.yml": "title: Kite\nkramdown:\n  gfm_quirks: [paragraph_end, no_auto_typographic]\n", "index.md": "---\n---\n"}, []),
        ({"_config.yml": "title: Kite\nmarkdown: CommonMark\n", "index.md": "---\n---\n"}, []),
        ({"book.toml": "[book]\ntitle = 'Kite'\n", "src/SUMMARY.md": "- [A](a.md)\n", "src/a.md": ""}, ["smart", "smart_titles"]),
        ({"book.toml": "[output.html]\ncurly-quotes = false\n", "src/SUMMARY.md": "- [A](a.md)\n", "src/a.md": ""}, []),
        ({"conf.py": "extensions = ['myst_parser']\n", "index.md": ""}, ["smart"]),
        ({"conf.py": "extensions = ['myst_parser']\nmyst_enable_extensions = ['smartquotes']\n", "index.md": ""}, ["smart", "smart_titles"]),
        ({"conf.py": "extensions = ['myst_parser']\nsmartquotes = False\n", "index.md": ""}, []),
        ({"conf.py": "extensions = ['myst_parser']\nlanguage = 'ja'\n", "index.md": ""}, []),
    ],
)  # fmt: skip
def test_engines_that_draw_quotation_marks_and_dashes(tmp_path: Path, files: dict[str, str], smart: list[str]) -> None:
    site = tmp_path / "site"
    write(
        site,
        {
            name: text + ("It's -- so.\n" if name.endswith(".md") and "SUMMARY" not in name else "")
            for name, text in files.items()
        },
    )
    done = import_site(site)
    extensions = done.plan.settings["markdown"]["extensions"]
    assert [one for one in extensions if one.startswith("smart")] == smart
    assert not [note for note in done.report.notes if "smart" in note.what or "typographer" in note.what]
    built = build_site(done.plan.site_dir, tmp_path / "out", has_search=False, publishes_always=True)
    assert not [one for one in built.diagnostics if "extension" in one.code]
    pages = [path.read_text(encoding="utf-8") for path in (tmp_path / "out").rglob("*.html") if path.name != "404.html"]
    assert any(("It’s – so." if smart else "It's -- so.") in page for page in pages)


_TABS_OF_MATERIAL = """site_name: Kite
markdown_extensions:
- toc:
    slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}
- pymdownx.tabbed:
    alternate_style: true
    combine_header_slug: true
    slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}
"""


@pytest.mark.parametrize(
    ("settings", "made_of", "slugs"),
    [
        (_TABS_OF_MATERIAL, "titles-and-labels", "pymdownx"),
        (_TABS_OF_MATERIAL.replace("    combine_header_slug: true\n", ""), "labels", "pymdownx"),
        ("site_name: Kite\nmarkdown_extensions:\n- pymdownx.tabbed\n", None, "python-markdown"),
    ],
)
def test_ids_of_tabs_and_of_repeated_titles_are_those_of_mkdocs(
    tmp_path: Path, settings: str, made_of: str | None, slugs: str
) -> None:
    page = '# Kite\n\n## Make\n\n=== "Of paper"\n\n    Fold.\n\n## Make\n\nSee [paper](#make-of-paper).\n'
    write(tmp_path, {"mkdocs.yml": settings, "docs/index.md": page})
    done = import_site(tmp_path)
    markdown = done.plan.settings["markdown"]
    assert (markdown.get("tab_ids"), markdown["slugs"]) == (made_of, slugs)
    if made_of == "titles-and-labels":
        html = _page(tmp_path, "")
        assert 'id="make-of-paper"' in html
        assert 'id="make_1"' in html


@pytest.mark.parametrize(
    ("slugify", "slugs", "noted"),
    [
        ("", "vitepress", False),
        ("slugify: (text) => text.toLowerCase().replace(/[^\\w ]/g, '')", "vitepress", True),
        ("slugify: (text) => text.normalize('NFKD').replace(/[\\u0300-\\u036F]/g, '').replace(/[\\s~`!@#$%^&*()\\-_+=[\\]{}|\\\\;:\"'<>,.?/]+/g, '-').replace(/^(\\d)/, '_$1')", "vitepress-cased", False),
        ("slugify: (text) => text.toLowerCase().replace(/[^\\p{L}\\d\\-_ ]/gu, '').replace(/ /g, '-')", "github", False),
        ("slugify: (text) => { throw new Error('no') }", "vitepress", True),
    ],
)  # fmt: skip
def test_ids_are_made_as_the_function_of_a_vitepress_site_does(
    tmp_path: Path, slugify: str, slugs: str, noted: bool
) -> None:
    anchor = f"anchor: {{ {slugify} }}"
    write(
        tmp_path,
        {
            ".vitepress/shared.mts": f"export default {{ title: 'Kite', markdown: {{ {anchor} }} }}\n",
            ".vitepress/config.mts": "import shared from './shared.mts'\nexport default () => ({ ...shared })\n",
            "index.md": "# Kite\n\n## Getting Started\n",
        },
    )
    done = import_site(tmp_path)
    assert done.plan.settings["markdown"]["slugs"] == slugs
    assert any("slugify" in note.what for note in done.report.notes) == noted


def test_a_page_of_vitepress_may_be_front_matter_without_an_end(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write(
        site,
        {
            ".vitepress/config.mts": "export default { title: 'Kite' }\n",
            "index.md": "---\nlayout: home\nhero:\n  name: Kite\n  text: It flies\n",
            "open.md": "---\ntitle: Open\n\n# Open\n\nA text: [with a bracket\n",
        },
    )
    import_site(site)
    done = build_site(site, tmp_path / "out", has_search=False, publishes_always=True)
    (unclosed,) = [one for one in done.diagnostics if one.code == "front-matter"]
    assert unclosed.span.path == "open.md"
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "It flies" in page
    assert "hero:" not in page
