"""Sites of other engines: imported with one command, built with another, at the addresses they had."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from octavo.config import load_config
from octavo.errors import UsageError
from octavo.importing import Imported, examine_site, import_site
from octavo.importing.recognize import recognize
from octavo.publish import build_site

from .javascript_sites import DOCSIFY, DOCUSAURUS, FUMADOCS, MINTLIFY, NEXTRA, STARLIGHT, VITEPRESS, VUEPRESS
from .other_sites import BOOK, BOOK_IN_LANGUAGES, GITBOOK, HUGO, JEKYLL, MDBOOK, MKDOCS, PLAIN, SPHINX, SPHINX_RST
from .sites import Case, labels, text_of, write

CASES = [
    DOCUSAURUS,
    MKDOCS,
    VITEPRESS,
    VUEPRESS,
    DOCSIFY,
    STARLIGHT,
    NEXTRA,
    FUMADOCS,
    MDBOOK,
    HUGO,
    SPHINX,
    SPHINX_RST,
    JEKYLL,
    MINTLIFY,
    GITBOOK,
    BOOK,
    BOOK_IN_LANGUAGES,
    PLAIN,
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.engine}{number}" for number, case in enumerate(CASES)])
def test_site_is_imported_and_built(case: Case, tmp_path: Path) -> None:
    site = write(tmp_path / "site", case.files)
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    done = import_site(site)
    assert (done.plan.engine, done.plan.site_dir) == (case.engine, site.resolve())
    assert labels(done.plan.settings["sidebars"][0]["items"]) == case.sidebar
    assert {one.source: one.to for one in load_config(site).redirects if one.source in case.redirects} == case.redirects
    built = build_site(site, tmp_path / "out", has_search=False)
    assert built.is_published
    # Markdown in a static folder is the source of pages: MkDocs has one folder for both.
    assert [one.message for one in built.diagnostics if one.code == "duplicate-route"] == []
    published = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*")}
    assert set(case.pages) <= published
    for page, text in case.shown.items():
        assert text in text_of((tmp_path / "out" / page).read_text(encoding="utf-8"))
    assert {path: path.read_bytes() for path in before} == before


def test_pages_of_sphinx_keep_the_ids_and_link_to_the_objects_of_other_pages(tmp_path: Path) -> None:
    site = write(tmp_path / "site", SPHINX_RST.files)
    done = import_site(site)
    assert [(item.what, item.count) for item in done.report.items] == [('The directive "strange" [foreign-syntax]', 1)]
    built = build_site(site, tmp_path / "out", has_search=False)
    assert [str(one.span) for one in built.diagnostics if one.code == "foreign-syntax"] == ["docs/guides/wind.rst:11:1"]
    wind, index = ((tmp_path / "out" / name).read_text(encoding="utf-8") for name in ("guides/wind.html", "index.html"))
    assert [one for one in ("strong", "strong-wind", "wind") if f'id="{one}"' not in wind] == []
    links = re.findall(r'<a href="([^"]*)"', index[index.index("<h1") :])
    expected = ["/guides/wind.html", "/guides/wind.html#strong", "https://kite.example/issues/4", "/api.html#kite.Kite"]
    assert [one for one in expected if one not in links] == []


def test_doctor_writes_nothing(tmp_path: Path) -> None:
    site = write(tmp_path / "site", DOCUSAURUS.files)
    before = sorted(site.rglob("*"))
    found: Imported = examine_site(site)
    assert found.report.pages == 7
    assert sorted(site.rglob("*")) == before


def test_site_is_copied_where_that_is_asked_for(tmp_path: Path) -> None:
    site = write(tmp_path / "site", DOCUSAURUS.files)
    done = import_site(site, to=tmp_path / "copy")
    assert done.plan.site_dir == (tmp_path / "copy").resolve()
    assert not (site / "octavo.toml").exists()
    assert build_site(tmp_path / "copy", tmp_path / "out", has_search=False).is_published
    assert (tmp_path / "out/manual/start/index.html").is_file()


def test_notebooks_that_the_old_engine_ran_are_in_the_report(tmp_path: Path) -> None:
    def cells(*outputs: dict[str, str]) -> str:
        cell = {"cell_type": "code", "metadata": {}, "source": ["1 + 1"], "outputs": list(outputs)}
        return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    site = write(
        tmp_path / "site",
        {
            "conf.py": "extensions = ['nbsphinx']\nexclude_patterns = ['drafts']\n",
            "index.rst": "Kites\n=====\n\n.. toctree::\n\n   run\n   bare\n",
            "run.ipynb": cells({"output_type": "stream", "name": "stdout", "text": "2"}),
            "bare.ipynb": cells(),
            "drafts/other.ipynb": cells(),
        },
    )
    notes = [(one.count, one.files) for one in import_site(site).plan.notes if "without outputs" in one.what]
    assert notes == [(1, ["bare.ipynb"])]


def test_settings_that_are_there_are_not_written_over(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {**PLAIN.files, "octavo.toml": 'title = "Mine"\n'})
    with pytest.raises(UsageError, match="--force"):
        import_site(site)
    assert (site / "octavo.toml").read_text(encoding="utf-8") == 'title = "Mine"\n'


def test_folder_of_two_engines_asks_which(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {**MKDOCS.files, "docusaurus.config.js": "module.exports = {};"})
    with pytest.raises(UsageError, match="--engine"):
        import_site(site)
    assert import_site(site, engine="mkdocs").plan.engine == "mkdocs"


def test_links_without_the_ending_of_pages_lead_to_them(tmp_path: Path) -> None:
    page = "# A\n\n[wind](/guide/wind) [same](./guide/wind) [anchor](/guide/wind#wind) [other](/guide/none)\n"
    site = write(tmp_path / "site", {**VITEPRESS.files, "docs/a.md": page})
    import_site(site)
    built = build_site(site, tmp_path / "out", has_search=False)
    broken = [one.message for one in built.diagnostics if one.code == "broken-link" and one.span.path == "docs/a.md"]
    assert broken == ['link "/guide/none" leads to no document and no file.']
    html = (tmp_path / "out/a.html").read_text(encoding="utf-8")
    assert html.count('href="/guide/wind.html"') >= 2


def test_code_of_files_above_a_site_of_starlight_is_shown(tmp_path: Path) -> None:
    files = {
        ".git/HEAD": "ref: refs/heads/main\n",
        "examples/fly.ts": "export const fly = () => 'up';\n",
        "docs/package.json": '{"dependencies": {"@astrojs/starlight": "1"}}',
        "docs/astro.config.mjs": "import starlight from '@astrojs/starlight';\nimport { makePlugin } from 'starlight-typedoc';\n"
        "const [plugin, group] = makePlugin();\n"
        "export default { integrations: [starlight({ title: 'Kites', plugins: [plugin({})], sidebar: [{ slug: 'a' }, group] })] };\n",
        "docs/src/content/docs/a.mdx": "---\ntitle: A\n---\n\nimport { Code } from '@astrojs/starlight/components';\n"
        'import fly from \'../../../../examples/fly.ts?raw\';\n\n<Code lang="typescript" code={fly} title="Fly" />\n',
    }
    site = write(tmp_path / "site", files) / "docs"
    assert import_site(site).report.items == []
    assert tomllib.loads((site / "octavo.toml").read_text(encoding="utf-8"))["title"] == "Kites"
    assert build_site(site, tmp_path / "out", has_search=False).is_published
    assert "export const fly" in text_of((tmp_path / "out/a/index.html").read_text(encoding="utf-8"))


def test_code_above_the_documents_of_vitepress_is_shown(tmp_path: Path) -> None:
    """`@` is put before the rest as it is written: `@../../kite.txt` lies beside the folder of the documents."""
    files = {
        ".git/HEAD": "ref: refs/heads/main\n",
        "help/kite.txt": "Let it fly\n",
        "near.txt": "Let it land\n",
        "docs/.vitepress/config.ts": "export default { title: 'Kites' };\n",
        "docs/a/b.md": "# B\n\n<<< @../../help/kite.txt\n\n<<< @/../near.txt\n",
    }
    site = write(tmp_path / "site", files) / "docs"
    assert import_site(site).report.items == []
    build_site(site, tmp_path / "out", has_search=False)
    shown = text_of((tmp_path / "out/a/b.html").read_text(encoding="utf-8"))
    assert "Let it fly" in shown
    assert "Let it land" in shown


@pytest.mark.parametrize(
    ("files", "engine", "home"),
    [
        ({"SUMMARY.md": "# Summary\n", "website/docusaurus.config.js": ""}, "docusaurus", "website"),
        ({"hugo.toml": 'theme = "x"\n', "docs/hugo.yaml": "title: x", "docs/content/a.md": "# A"}, "hugo", "docs"),
        ({"packages/site/docusaurus.config.ts": "", "packages/site/docs/a.md": "# A"}, "docusaurus", "packages/site"),
        ({"tests/site/mkdocs.yml": "", "docs/a.md": "# A"}, "plain", "."),
        (
            {"source.config.ts": "import { defineDocs } from 'fumadocs-mdx/config'", "content/docs/a.mdx": ""},
            "fumadocs",
            ".",
        ),
    ],
)
def test_site_is_found_where_it_lies(tmp_path: Path, files: dict[str, str], engine: str, home: str) -> None:
    folder = write(tmp_path / "site", files)
    found = recognize(folder)
    assert (found.engine, found.home) == (engine, (folder / home).resolve())


def test_plain_folder_with_directives_of_myst_is_read_as_such(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"index.md": "# Kite\n\n:::{note}\nWind.\n:::\n"})
    imported = import_site(site)
    assert (imported.plan.engine, imported.report.clean_pages) == ("plain", 1)
    assert "myst" in imported.plan.settings["markdown"]["extensions"]


def test_folders_of_markdown_that_are_not_read_are_named(tmp_path: Path) -> None:
    more = {f"src/content/news/{name}.md": "# N\n" for name in "abc"}
    others = {f"node_modules/x/{name}.md": "# N\n" for name in "abc"} | {"src/content/few/a.md": "# F\n"}
    done = examine_site(write(tmp_path / "site", {**STARLIGHT.files, **more, **others}))
    notes = [one for one in done.plan.notes if one.what == "Markdown files in folders that are not read"]
    assert [(one.count, one.files) for one in notes] == [(3, ["src/content/news: 3"])]
    assert [
        one for one in examine_site(write(tmp_path / "own", STARLIGHT.files)).plan.notes if "not read" in one.what
    ] == []
