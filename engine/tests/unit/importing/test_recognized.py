"""Which engine a folder is taken for."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.errors import UsageError
from octavo.importing.model import EngineName
from octavo.importing.recognize import other_sites, recognize, site_above
from tests.support.each import each


def write(folder: Path, names: dict[str, str]) -> Path:
    for name, text in names.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


DOCUMENTS = '---\nconst docs = await getCollection("docs");\n---\n'
NEXT = '{"dependencies": {"next": "15"'


@pytest.mark.costly
@each(
    "files, engine, home",
    [
        ({"mkdocs.yml": ""}, "mkdocs", "."),
        ({"docs/mkdocs.yml": ""}, "mkdocs", "docs"),
        ({"mkdocs.en.yml": "INHERIT: mkdocs.base.yml", "mkdocs.base.yml": ""}, "mkdocs", "."),
        ({"config.toml": 'base_url = "/"\n', "content/a.md": ""}, "zola", "."),
        ({"config.toml": 'baseURL = "/"\n', "content/a.md": ""}, "hugo", "."),
        ({"hugo.toml": "", "content/a.md": ""}, "hugo", "."),
        ({"config/_default/hugo.toml": "", "content/a.md": ""}, "hugo", "."),
        ({"hugo.toml": 'contentDir = "text"\n', "text/a.md": ""}, "hugo", "."),
        ({"config.toml": "x = 1\n", "content/a.md": ""}, "plain", "."),
        ({"hugo.toml": "", "a.md": ""}, "plain", "."),
        ({"config.toml": 'base_url = "/"\n', "a.md": ""}, "plain", "."),
        ({"_config.yml": "title: x", "a.md": ""}, "jekyll", "."),
        ({"_config.yml": "title: x", "_toc.yml": ""}, "sphinx", "."),
        ({"source/conf.py": "extensions = []", "a.md": ""}, "sphinx", "source"),
        ({"conf.py": "# for sphinx", "a.md": ""}, "sphinx", "."),
        ({"conf.py": "x = 1", "a.md": ""}, "plain", "."),
        ({"docs.json": '{"navigation": []}'}, "mintlify", "."),
        ({"docs.json": "{}", "a.md": ""}, "plain", "."),
        ({"index.html": "window.$docsify = {}", "a.md": ""}, "docsify", "."),
        ({"index.html": "", "a.md": ""}, "plain", "."),
        ({"astro.config.mjs": "import starlight from '@astrojs/starlight'"}, "starlight", "."),
        ({"astro.config.mjs": "", "a.md": ""}, "plain", "."),
        (
            {"astro.config.mjs": "", "src/content/docs/a.md": "", "src/pages/[...slug].astro": DOCUMENTS},
            "starlight",
            ".",
        ),
        ({"astro.config.mjs": "", "src/content/docs/a.md": "", "src/pages/[slug].astro": DOCUMENTS}, "plain", "."),
        ({"astro.config.mjs": "", "src/content/blog/a.md": "", "src/pages/[...slug].astro": DOCUMENTS}, "plain", "."),
        ({"astro.config.mjs": "", "src/content/docs/a.md": "", "src/pages/[...slug].astro": ""}, "plain", "."),
        ({"nuxt.config.ts": "", "content/deep/a.md": ""}, "nuxt", "."),
        ({"nuxt.config.ts": "", "a.md": ""}, "plain", "."),
        ({"SUMMARY.md": ""}, "gitbook", "."),
        ({"book.json": "{}", "zh/SUMMARY.md": ""}, "gitbook", "."),
        ({"book.json": "{}", "a.md": ""}, "plain", "."),
        ({"book.toml": "", "src/SUMMARY.md": "", "SUMMARY.md": ""}, "mdbook", "."),
        # Files that are found beside anything: a site in the usual folders comes first.
        ({"SUMMARY.md": "", "docs/mkdocs.yml": ""}, "mkdocs", "docs"),
        ({"next.config.mjs": "import nextra from 'nextra'", "package.json": NEXT + "}}"}, "nextra", "."),
        ({"next.config.mjs": "", "package.json": NEXT + ', "fumadocs-ui": "1"}}'}, "fumadocs", "."),
        ({"next.config.mjs": "", "pages/_meta.json": "{}", "a.md": ""}, "nextra", "."),
        ({"next.config.mjs": "import mdx from '@next/mdx'", "app/a/page.mdx": ""}, "nextra", "."),
        ({"next.config.mjs": "", "app/a/page.mdx": ""}, "plain", "."),
        ({"next.config.mjs": "nextra", "package.json": '{"dependencies": {"astro": "5"}}', "a.md": ""}, "plain", "."),
        # Deeper than where sites usually lie, the one with the most pages; none that is a pattern for others.
        ({"x/y/z/mkdocs.yml": "", "x/y/w/mkdocs.yml": "", "x/y/w/docs/a.md": ""}, "mkdocs", "x/y/w"),
        ({"x/_own/mkdocs.yml": "", "x/a.md": ""}, "mkdocs", "x/_own"),
        ({"x/_build/mkdocs.yml": "", "a.md": ""}, "plain", "."),
        ({"x/y/templates/mkdocs.yml": "", "a.md": ""}, "plain", "."),
        ({"a/b/c/d/e/f/mkdocs.yml": "", "a.md": ""}, "plain", "."),
    ],
)
def test_engine_is_told_by_its_files(tmp_path: Path, files: dict[str, str], engine: str, home: str) -> None:
    folder = write(tmp_path / str(len(list(tmp_path.iterdir()))), files)
    found = recognize(folder)
    assert (found.engine, found.home.relative_to(folder.resolve()).as_posix()) == (engine, home)
    assert (found.config is None) == (engine == "plain")


@each(
    "files, engine, reason",
    [
        ({}, None, "contains no Markdown files and no configuration of a known engine."),
        ({"a.rst": "", "b.rst": ""}, None, "It holds 2 files in reStructuredText, which are not read"),
        ({"a.htm": ""}, None, "It holds 1 HTML files"),
        ({"mkdocs.yml": "", "_config.yml": ""}, None, "contains files of several engines: mkdocs (mkdocs.yml), jekyll (_config.yml). Choose one"),
        ({"mkdocs.yml": ""}, "hugo", "It looks like a mkdocs site:"),
        ({"a.md": ""}, "mkdocs", "contains no mkdocs site: neither it nor the usual folders of sites contain mkdocs.yml"),
        ({"a.md": ""}, "hugo", "hugo.toml, hugo.yaml, hugo.yml and its other names."),
    ],
)  # fmt: skip
def test_folder_that_is_not_what_was_said_is_explained(
    tmp_path: Path, files: dict[str, str], engine: EngineName | None, reason: str
) -> None:
    folder = write(tmp_path / str(len(list(tmp_path.iterdir()))), files)
    folder.mkdir(exist_ok=True)
    with pytest.raises(UsageError) as caught:
        recognize(folder, engine)
    assert reason in str(caught.value)


def test_choice_of_the_caller_comes_first(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        {"mkdocs.yml": "", "_config.yml": "", "docs/mkdocs.yml": "", "x/y/z/hugo.toml": "", "x/y/z/content/a.md": ""},
    )
    assert recognize(folder, "jekyll").engine == "jekyll"
    assert recognize(folder, "plain").config is None
    assert recognize(folder, "hugo").home == (folder / "x/y/z").resolve()
    found = recognize(folder, "mkdocs")
    assert found.home == folder.resolve()
    others = [(one.engine, one.home.relative_to(folder.resolve()).as_posix()) for one in other_sites(folder, found)]
    assert others == [("mkdocs", "docs")]
    with pytest.raises(UsageError, match="is not a folder"):
        recognize(folder / "mkdocs.yml")


@each(
    "files, above",
    [
        ({".vitepress/config.ts": "", "docs/a.md": ""}, ("vitepress", ".")),
        ({"mkdocs.yml": "", "docs/a.md": ""}, ("mkdocs", ".")),
        # Files that are found beside anything say nothing of the folders below.
        ({"SUMMARY.md": "", "docs/a.md": ""}, None),
        ({"docs/a.md": ""}, None),
    ],
)
def test_site_of_which_a_folder_is_a_part(
    files: dict[str, str], above: tuple[EngineName, str] | None, tmp_path: Path
) -> None:
    # What is above the repository does not count.
    write(tmp_path, {"mkdocs.yml": ""})
    home = write(tmp_path / str(len(list(tmp_path.iterdir()))), files)
    (home / ".git").mkdir()
    found = site_above(home / "docs")
    assert (found and (found.engine, found.home.relative_to(home).as_posix())) == above
