"""Small things that importers read: texts of templates, repositories, logos, abbreviations, descriptions of operations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from octavo.importing.components.unusable import UnusableError
from octavo.importing.components.vue_names import Names
from tests.support.each import each

from .planned import pages, plan_of, sidebars

APP = "import { defineConfig } from 'astro/config';\nimport starlight from '@astrojs/starlight';\n"
NAMES = Names.of("const wind = ref('north');\nconst knots = 3;\n", set())


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("`wind of ${wind} at ${knots + 1}`", "`wind of ${wind.value} at ${$u(knots) + 1}`"),
        ("`\\`${`in ${gust}`}` + knots", "`\\`${`in ${$p.gust}`}` + $u(knots)"),
        ("`${{ wind }.wind}`", "`${{ wind: wind.value }.wind}`"),
    ],
)
def test_texts_in_backticks_keep_their_words(code: str, written: str) -> None:
    assert NAMES.rewritten(code, frozenset()) == written


def test_text_in_backticks_without_an_end_is_not_guessed() -> None:
    with pytest.raises(UnusableError, match="a text in backticks is never closed"):
        NAMES.rewritten("`wind of ${wind}", frozenset())


def test_repository_of_an_early_vitepress_leads_to_its_sources(tmp_path: Path) -> None:
    config = "module.exports = { title: 'A', themeConfig: { repo: 'a/b', docsDir: 'docs', docsBranch: 'next', editLinks: true } }\n"
    plan = plan_of(tmp_path, {"docs/.vitepress/config.js": config, **pages("docs/index.md")}, "vitepress")
    assert plan.settings["edit_url"] == "https://github.com/a/b/edit/next/"
    assert [one["href"] for one in plan.settings["navbar"]["items"]] == ["https://github.com/a/b"]


def test_links_of_vitepress_begin_with_the_base_of_their_sidebar(tmp_path: Path) -> None:
    groups = {
        "/g/": {"base": "/g/", "items": [{"text": "One", "link": "one"}, {"text": "Two", "link": "/two"}]},
        "/h": {"base": "/h/x-", "items": [{"text": "P", "link": "p"}]},
        "/k": [
            {
                "text": "S",
                "base": "/g",
                "link": "/two",
                "collapsed": True,
                "items": [
                    {"text": "O", "link": "/one"},
                    {"text": "Part", "link": "/one#part"},
                    {"text": "None", "link": "/gone"},
                    {"text": "Web", "link": "https://x.example"},
                    {"base": "/h/", "items": [{"text": "Within", "link": "x-p"}]},
                ],
            }
        ],
    }
    config = f"export default {{ title: 'A', themeConfig: {{ sidebar: {json.dumps(groups)} }} }}\n"
    files = pages("index.md", "g/one.md", "g/two.md", "h/x-p.md", "k/index.md")
    plan = plan_of(tmp_path, {".vitepress/config.mjs": config, **files}, "vitepress")
    assert sidebars(plan) == {
        "g": ["One=g/one", "Two=g/two"],
        "h": ["P=h/x-p"],
        "k": [("S>g/two", "O=g/one", "/g/one.html#part", "/g/gone", "https://x.example", "Within=h/x-p")],
    }
    assert plan.settings["sidebars"][2]["items"][0]["is_collapsed"] is True


@pytest.mark.parametrize(
    ("file", "address"),
    [("src/assets/mark.svg", "/octavo-logo/mark.svg"), ("public/mark.svg", "/mark.svg"), ("other.svg", None)],
)
def test_logo_of_starlight_is_copied_or_found(tmp_path: Path, file: str, address: str | None) -> None:
    source = "./src/assets/mark.svg" if file.startswith("src") else "/mark.svg"
    config = f"{APP}export default defineConfig({{ integrations: [starlight({{ title: 'A', logo: {{ src: '{source}' }} }})] }});\n"
    files = {"astro.config.mjs": config, file: "<svg/>", **pages("src/content/docs/index.md")}
    plan = plan_of(tmp_path, files, "starlight")
    assert plan.settings["navbar"].get("logo") == (address and {"src": address, "alt": "A"})
    copied = {target: path.relative_to(tmp_path).as_posix() for target, path in plan.copies.items()}
    assert copied == ({"public/octavo-logo/mark.svg": file} if file.startswith("src") else {})


def test_abbreviations_of_myst_are_no_page(tmp_path: Path) -> None:
    project = "version: 1\nproject:\n  title: A\n  abbreviations:\n    WND: Wind speed\n"
    plan = plan_of(tmp_path, {"myst.yml": project, **pages("index.md")}, "sphinx")
    [name] = plan.settings["markdown"]["append"]
    assert plan.files[name] == "*[WND]: Wind speed\n"
    assert name in plan.settings["exclude"]
    assert "abbr" in plan.settings["markdown"]["extensions"]


@pytest.mark.parametrize("others", [1, 2])
def test_operation_whose_description_is_made_before_a_build_has_the_only_one_that_fits(
    tmp_path: Path, others: int
) -> None:
    described = '{"openapi": "3.1.0", "info": {"title": "Wind", "version": "1"}, "paths": {"/gusts": {"get": {"responses": {}}}}}'
    page = '---\ntitle: Gusts\n---\n\n<APIPage document={"./made.json"} operations={[{"path":"/gusts","method":"get"}]} />\n'
    files = {
        "package.json": '{"dependencies": {"fumadocs-ui": "15", "next": "15"}}',
        "source.config.ts": "export const docs = defineDocs({ dir: 'content/docs' });\n",
        "next.config.mjs": "export default {};\n",
        "content/docs/gusts.mdx": page,
        "content/docs/meta.json": '{"pages": ["gusts"]}',
        **{f"openapi/wind{number}.json": described for number in range(others)},
    }
    plan = plan_of(tmp_path, files, "fumadocs")
    assert [one["spec"] for one in plan.settings.get("openapi", [])] == (
        ["api-descriptions/wind0.json"] if others == 1 else []
    )


@each(
    "settings, ending",
    [
        ("", "/"),
        ("build: { format: 'directory' }", "/"),
        ("trailingSlash: 'never'", ""),
        ("build: { format: 'file' }", ".html"),
        ("build: { format: 'file' }, trailingSlash: 'never'", ".html"),
    ],
)
def test_format_of_files_of_astro_is_the_ending_of_addresses(tmp_path: Path, settings: str, ending: str) -> None:
    config = f"{APP}export default defineConfig({{ {settings + ', ' if settings else ''}integrations: [starlight({{ title: 'A' }})] }});\n"
    folder = tmp_path / str(len(list(tmp_path.iterdir())))
    plan = plan_of(folder, {"astro.config.mjs": config, **pages("src/content/docs/sail.md")}, "starlight")
    assert plan.settings["routing"]["ending"] == ending


def test_entries_of_gitbook_lead_to_headings(tmp_path: Path) -> None:
    table = "# Summary\n\n* [Sail](sail.md)\n  * [Rig](sail.md#rig)\n* [Reef](sail.md#reef)\n  * [Line](line.md#ends)\n"
    plan = plan_of(tmp_path, {"SUMMARY.md": table, "README.md": "# A\n", **pages("sail.md", "line.md")}, "gitbook")
    sail, reef = plan.settings["sidebars"][0]["items"]
    assert sail["link"] == {"type": "doc", "id": "sail"}
    assert sail["items"] == [{"href": "/sail#rig", "label": "Rig"}]
    assert reef == {"category": "Reef", "items": [{"doc": "line", "label": "Line"}]}
