"""Projects that are empty, wrong, damaged or several at once: imported with notes, or refused with a reason and a remedy."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from octavo.errors import UsageError
from octavo.importing import EngineName, import_site
from octavo.publish import build_site
from tests.support.each import each

from .sites import text_of, write

_MKDOCS = {"mkdocs.yml": "site_name: Kite\n", "docs/index.md": "# Kite\n"}
_CLASSIC = 'module.exports = { title: "Kite", presets: [["classic", { docs: { sidebarPath: "sidebars.js" } }]] };'
_DOCUSAURUS = {"docusaurus.config.js": 'module.exports = { title: "Kite" };\n', "docs/index.md": "# Kite\n"}


@pytest.mark.parametrize(
    ("files", "engine", "message"),
    [
        ({}, None, "contains no Markdown files"),
        ({"a.rst": "A\n=\n", "b.rst": "B\n=\n"}, None, "It holds 2 files in reStructuredText"),
        (_MKDOCS, "hugo", "It looks like a mkdocs site"),
        (_MKDOCS | {"book.toml": "[book]\n"}, None, "Choose one with --engine"),
        ({"mkdocs.yml": "- a\n- b\n", "docs/index.md": ""}, None, "mkdocs.yml contains no settings"),
        ({"mkdocs.yml": "nav: &n\n  - A: *n\n", "docs/index.md": ""}, None, "lead in a circle"),
        ({"book.toml": "[book]\n"}, None, "SUMMARY.md cannot be read: No such file"),
        ({"conf.py": "extensions = [\n", "index.md": ""}, None, "conf.py:1: This is not Python"),
    ],
)
def test_refused_with_a_reason(files: dict[str, str], engine: EngineName | None, message: str, tmp_path: Path) -> None:
    write(tmp_path, files)
    with pytest.raises(UsageError) as raised:
        import_site(tmp_path, engine=engine)
    assert message in str(raised.value)
    assert not (tmp_path / "octavo.toml").exists()


@pytest.mark.parametrize(
    ("files", "note"),
    [
        (_DOCUSAURUS | {"docusaurus.config.js": "module.exports = {\n  title: [,\n"}, "docusaurus.config.js:3:1: Unexpected token"),
        (_DOCUSAURUS | {"docusaurus.config.js": 'throw new Error("no wind")\n'}, "Error: no wind"),
        (_DOCUSAURUS | {"docusaurus.config.js": _CLASSIC, "versions.json": "[1,"}, "The versions could not be read"),
        (_MKDOCS | {"website/docusaurus.config.js": "module.exports = {}"}, "Another site, of docusaurus"),
        (_MKDOCS | {"mkdocs.yml": "site_name: K\nnav: [gone.md, other.md]\n"}, "nav names files that do not exist"),
        (_DOCUSAURUS | {"docusaurus.config.js": "module.exports = {title: 'T', wild: {a: 1}, themeConfig: {algolia: {appId: 'x'}, navbar: {style: 'dark'}}};"}, "have no effect: themeConfig.algolia, themeConfig.navbar.style, wild"),
        ({".vitepress/config.mts": "export default {title: 'T', themeConfig: {logo: '/a.svg', carbonAds: {code: 'x'}}}", "a.md": "# A"}, "have no effect: themeConfig.carbonAds"),
        ({"properdocs.yml": "site_name: K\nextra_css: [a.css]\n", "docs/index.md": "# K\n"}, "extra_css"),
        (_MKDOCS | {"docs/a.ipynb": "{}", "docs/_b.ipynb": "{}", "docs/c.html": "<p>"}, "Pages in notebooks of Jupyter"),
        ({"hugo.toml": "title='K'", "content/a.md": "# A", "content/b.adoc": "= B", "content/c.html": "<p>"}, "Pages in HTML"),
        ({"hugo.toml": "title='K'\n[[module.mounts]]\nsource='docs'\ntarget='content/docs'", "content/a.md": "# A"}, "Mounts (docs as content/docs)"),
        ({"hugo.toml": "title='K'", "content/a.md": "# A", "content/docs/_content.gotmpl": "{{ $.AddPage (dict) }}"}, "Content adapters"),
        (_DOCUSAURUS | {"docusaurus.config.js": "module.exports = {title: 'T', clientModules: ['./wind.js']};"}, "have no effect: clientModules"),
        ({"mkdocs.yml": "site_name: K\n", "wind/a.md": "# A\n"}, "The folder docs_dir does not exist"),
        ({"conf.py": "import os\nproject = 'K'\nextensions = ['myst_parser', 'kites']\n", "index.md": "# K\n"}, "The extension kites"),
        ({"conf.py": "import os\nextensions = ['myst_parser']\nhtml_context = dict(a=os.name)\n", "index.md": "# K\n"}, "that are computed: html_context"),
        ({"conf.py": "extensions = ['myst_parser']\nhtml_logo = 'a.svg'\n", "index.md": "# K\n"}, "have no effect: html_logo"),
        ({"README.rst": "Kite\n====\n", "a.md": "# A"}, "Pages in reStructuredText"),
        (_DOCUSAURUS | {"docusaurus.config.js": _CLASSIC, "sidebars.js": "module.exports = {kites: require('./made/sidebar')}"}, "sidebars.js takes in files that are not there: made/sidebar. What"),
        (_DOCUSAURUS | {"docusaurus.config.js": "const made = require('./made.json'); module.exports = {title: made.title}"}, "docusaurus.config.js takes in files that are not there: made.json. What"),
        ({"book.toml": '[output.html.redirect]\n"/../x" = "a.html"\n', "src/SUMMARY.md": "[A](a.md)", "src/a.md": "# A"}, ""),
    ],
)  # fmt: skip
def test_imported_with_a_note(files: dict[str, str], note: str, tmp_path: Path) -> None:
    write(tmp_path, files)
    done = import_site(tmp_path)
    assert done.report.pages == 1
    assert any(note in one.what for one in done.report.notes) or not note


def test_part_of_a_site_names_the_whole(tmp_path: Path) -> None:
    write(tmp_path, {".vitepress/config.mts": "export default {title: 'T'}", "guide/a.md": "# A"})
    done = import_site(tmp_path / "guide")
    [note] = [one for one in done.report.notes if "is part of a site of vitepress" in one.what]
    assert note.remedy.endswith(f"octavo import {tmp_path.as_posix()}/guide/..")
    assert note.files == ["../.vitepress/config.mts"]
    assert not [
        one
        for one in import_site(tmp_path / "guide", engine="plain", force=True).report.notes
        if "is part of" in one.what
    ]


@each(
    "sidebars",
    [
        "import made from './made.json' with {type: 'json'}\nexport default made",
        "module.exports = {docs: require('./made').items}",
        "module.exports = {docs: [...require('./made'), 'a', ...require('./other').map((one) => one.id), require('./made')]}",
    ],
)
def test_sidebar_of_a_missing_file_lists_documents(sidebars: str, tmp_path: Path) -> None:
    write(tmp_path, _DOCUSAURUS | {"docusaurus.config.js": _CLASSIC, "sidebars.js": sidebars})
    import_site(tmp_path, force=True)
    (found,) = tomllib.loads((tmp_path / "octavo.toml").read_text())["sidebars"]
    assert found["id"] == "docs"
    assert found["items"] in ([{"autogenerated": "."}], [{"doc": "a"}])


_SHARED = "\n".join(f"{name}{i} = [{name}{i - 1}, {name}{i - 1}]" for name in "ab" for i in range(1, 60))
_NESTED = "(True and " * 150 + "'Kite'" + ")" * 150


@pytest.mark.parametrize(
    "project",
    [
        "'%s' % (a59,)",
        "'{}'.format(a59)",
        "str(a59)",
        "'K' if a59 == b59 else 'L'",
        "'K' if a59 in [b59] else 'L'",
        _NESTED,
    ],
)
def test_expressions_of_settings_end(project: str, tmp_path: Path) -> None:
    """Lists that share their parts are small, and endless where they are written out or compared."""
    settings = f"extensions = ['myst_parser']\na0 = b0 = ['a']\n{_SHARED}\nproject = {project}\n"
    plan = import_site(write(tmp_path, {"conf.py": settings, "index.md": "# Kite\n"})).plan
    computed = any("computed: project" in note.what for note in plan.notes)
    assert computed or plan.settings["title"] == "Kite"


@pytest.mark.parametrize(
    ("files", "damaged", "reason"),
    [
        (
            {"package.json": '{"dependencies": {"nextra": "4", "next": "15"}}', "next.config.mjs": "export default {}", "content/index.mdx": "# K\n"},
            {"content/_meta.json": '{"index": "K",,}'},
            "content/_meta.json:1:",
        ),
        (
            {"package.json": '{"dependencies": {"fumadocs-ui": "15", "fumadocs-core": "15"}}', "source.config.ts": "", "content/docs/index.mdx": "# K\n"},
            {"content/docs/meta.json": "{pages}"},
            "content/docs/meta.json:1:",
        ),
        ({"_config.yml": "title: K\n", "a.md": "---\n---\n\n# K\n"}, {"_data/navigation.yml": "docs: [\n"}, "_data/navigation.yml:2:1"),
        (
            _MKDOCS | {"mkdocs.yml": "site_name: K\ntheme: {name: material}\nplugins: [blog]\n", "docs/blog/index.md": "# N\n", "docs/blog/posts/a.md": "---\ndate: 2024-02-03\nauthors: [ada]\n---\n\n# A\n"},
            {"docs/blog/.authors.yml": "authors: {\n"},
            "docs/blog/.authors.yml:2:1",
        ),
    ],
)  # fmt: skip
def test_files_of_an_order_that_cannot_be_read_are_noted(
    files: dict[str, str], damaged: dict[str, str], reason: str, tmp_path: Path
) -> None:
    write(tmp_path, files | damaged)
    (file,) = damaged
    notes = [one for one in import_site(tmp_path).report.notes if one.what == f"{file} cannot be read"]
    assert [one.files for one in notes] == [[file]]
    assert reason in notes[0].remedy


def test_marks_and_line_ends_of_windows(tmp_path: Path) -> None:
    page = '---\ntitle: Wind\n---\n\n!!! note "Mind"\n    It blows.\n\n## Next\n'
    write(tmp_path, {"mkdocs.yml": "", "docs/index.md": ""})
    settings = "site_name: Kite\nmarkdown_extensions:\n  - admonition\n"
    (tmp_path / "mkdocs.yml").write_bytes(settings.replace("\n", "\r\n").encode("utf-8-sig"))
    (tmp_path / "docs/index.md").write_bytes(page.replace("\n", "\r\n").encode("utf-8-sig"))
    done = import_site(tmp_path)
    assert done.plan.settings["title"] == "Kite"
    assert (done.report.pages, done.report.clean_pages, done.report.items) == (1, 1, [])


def test_site_deep_in_a_repository_is_found(tmp_path: Path) -> None:
    home = "packages/kite/src/docs"
    write(
        tmp_path,
        {"README.md": "# Repository\n", f"{home}/.vitepress/config.ts": 'export default { title: "Kite" }', f"{home}/index.md": "# Kite\n"},
    )  # fmt: skip
    done = import_site(tmp_path)
    assert (done.plan.engine, done.plan.settings["title"]) == ("vitepress", "Kite")


def test_includes_that_take_themselves_in_end(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "_config.yml": "title: Kite\n",
            "index.md": "---\ntitle: Kite\n---\n\nBefore. {% include a.html %} After.\n",
            "_includes/a.html": "First {% include b.html %}",
            "_includes/b.html": "second {% include a.html %}",
        },
    )
    done = import_site(tmp_path)
    assert any("takes itself in" in item.what for item in done.report.items)


def test_lines_for_programs_of_mdbook_are_findings(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "book.toml": '[preprocessor.kites]\ncommand = "./kites"\n[output.html.redirect]\n"./old.html" = "a.html#top"\n',
            "src/SUMMARY.md": "[A](a.md)",
            "src/a.md": "# A\n\n{{#kites ./wind.go}}\n\n{{%segment outline}}\n\nText {{#kites}} in it.\n\n```hbs\n{{#each kites}}\n```\n",
        },
    )
    done = import_site(tmp_path)
    assert done.plan.settings["redirects"] == [
        {"from": "/old.html", "to": "/a.html#top"},
        {"from": "/", "to": "/a.html"},
    ]
    assert sum(item.count for item in done.report.items) == 3


def test_roles_that_are_links_are_carried_where_all_pages_are_markdown(tmp_path: Path) -> None:
    conf = 'extensions = ["myst_parser", "sphinx.ext.extlinks"]\nextlinks = {"pr": ("https://kite.example/%s", "PR #%s")}\n'
    write(tmp_path / "sphinx", {"conf.py": conf, "index.md": "# K\n\n{pr}`12` {fa-solid}`plane`\n"})
    config = "sphinx:\n  config:\n    extlinks:\n      pr: ['https://kite.example/%s', 'PR #%s']\n"
    write(tmp_path / "book", {"_config.yml": config, "_toc.yml": "root: index\n", "index.md": "# K\n\n{pr}`12`\n"})
    for done in (import_site(tmp_path / "sphinx"), import_site(tmp_path / "book")):
        assert done.plan.settings["markdown"]["rst"] == {"extlinks": {"pr": ["https://kite.example/%s", "PR #%s"]}}


def test_commands_of_formulas_are_carried(tmp_path: Path) -> None:
    write(
        tmp_path / "book",
        {
            "book.toml": '[preprocessor.katex]\nmacros = "macros.txt"\n',
            "macros.txt": "# Sets\n\\R:{\\mathbb{R}}\n",
            "src/SUMMARY.md": "[A](a.md)",
            "src/a.md": "# A\n\n$x \\in \\R$\n",
        },
    )
    macros = "{'tex': {'macros': {'R': r'\\mathbb{R}', 'norm': [r'|#1|', 1]}}}"
    conf = f"extensions = ['myst_parser']\nmathjax3_config = {macros}\n"
    write(tmp_path / "sphinx", {"conf.py": conf, "index.md": "# K\n\n{math}`\\norm{x} \\in \\R`\n"})
    book, sphinx = import_site(tmp_path / "book"), import_site(tmp_path / "sphinx")
    assert book.plan.settings["markdown"]["formula_macros"] == {r"\R": r"{\mathbb{R}}"}
    assert sphinx.plan.settings["markdown"]["formula_macros"] == {r"\R": r"\mathbb{R}", r"\norm": "|#1|"}
    assert [book.report.items, sphinx.report.items] == [[], []]


def test_content_of_a_language_may_lie_in_the_folder_of_all(tmp_path: Path) -> None:
    hugo = "title = 'K'\n[languages.en]\ncontentDir = 'content/en'\n"
    write(tmp_path, {"hugo.toml": hugo, "content/a.md": '# A\n\n{{< youtube id="abc?mute=1" >}}\n'})
    done = import_site(tmp_path)
    assert (done.plan.settings["docs"], done.report.pages, done.report.items) == ("content", 1, [])


def test_front_matter_of_hugo_may_have_empty_lines_above_it(tmp_path: Path) -> None:
    head = '+++\ntitle = "A"\nweight = 2\naliases = ["/old/"]\n+++\n'
    write(tmp_path, {"hugo.toml": "title = 'K'\n", "content/a.md": f"\n{head}\nText.\n", "content/b.md": "# B\n"})
    assert import_site(tmp_path).plan.settings["redirects"] == [
        {"from": "/old/", "to": "/a/"},
        {"from": "/", "to": "/a/"},
    ]


def test_jekyll_has_formulas_where_a_page_or_a_layout_says_so(tmp_path: Path) -> None:
    files = {"_config.yml": "title: K\n", "a.md": "---\ntitle: A\n---\n\n$HOME/$USER\n"}
    write(tmp_path, files)
    assert "math" not in import_site(tmp_path).plan.settings["markdown"]["extensions"]
    write(tmp_path, {"_includes/head.html": '<script src="https://cdn.example/MathJax.js"></script>'})
    assert "math" in import_site(tmp_path, force=True).plan.settings["markdown"]["extensions"]


def test_templates_of_shortcodes_write_markdown_and_shortcodes(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "hugo.toml": "title = 'K'\n",
            "content/a.md": "# A\n\n{{% notes %}}\n\n{{% film abc %}}\n\n{{< source a/b.c >}}\n",
            "layouts/_shortcodes/notes.html": '{{ $x := "x" }}\n<div>\n  <p>Box</p>\n</div>\n\n### Notes\n\n1. First:\n   1. **Inner** {{ $x }}\n',
            "layouts/_shortcodes/film.html": '{{ $film := printf "{{< youtube id=\\"%s\\" >}}" (.Get 0) }}\n## Film\n\n{{ $.Page.RenderString $film }}\n',
            "layouts/_shortcodes/source.html": '<a href="https://kite.example/{{ urlquery (.Get 0) }}">{{ .Get 0 }}</a>',
        },
    )
    done = import_site(tmp_path)
    assert done.report.items == []
    build_site(done.plan.site_dir, tmp_path / "out", has_search=False)
    page = (tmp_path / "out/a/index.html").read_text(encoding="utf-8")
    assert '<h3 id="notes"' in page
    assert "<strong>Inner</strong> x" in page
    assert "youtube-nocookie.com/embed/abc" in page
    assert "https://kite.example/a%2Fb.c" in page


@pytest.mark.parametrize(
    "template",
    [
        '{{ $x := "a" }}{{ range seq 1000 }}{{ $x = printf "%s%s" $x $x }}{{ end }}{{ $x }}',
        '{{ $x := slice "a" }}{{ range seq 40 }}{{ $x = slice $x $x }}{{ end }}{{ $x }}',
        '{{ $x := strings.Repeat 90000 "a" }}{{ range seq 1000 }}{{ $x }}{{ end }}',
        '{{ range seq 900 }}{{ partial "a.html" . }}{{ end }}',
    ],
)
def test_templates_that_write_without_an_end_are_findings(template: str, tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "hugo.toml": "title = 'K'\n",
            "content/a.md": "# A\n\n{{< loop >}}\n",
            "layouts/_shortcodes/loop.html": template,
            "layouts/_partials/a.html": '{{ range seq 900 }}{{ partial "a.html" . }}{{ end }}',
        },
    )
    assert [item.what for item in import_site(tmp_path).report.items] == ['The shortcode "loop" [foreign-syntax]']


def test_files_of_the_project_above_the_folder_are_taken_in(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "secret.txt": "Hidden.\n",
            "kite/pyproject.toml": "",
            "kite/CHANGES.rst": "First\n-----\n\n- Fly.\n",
            "kite/wind.rs": "fn blow() {}\n",
            "kite/docs/conf.py": "project = 'K'\nextensions = []\n",
            "kite/docs/index.rst": "K\n=\n\n.. include:: ../CHANGES.rst\n\n.. include:: ../../secret.txt\n",
            "kite/book/book.toml": "",
            "kite/book/src/SUMMARY.md": "[A](a.md)",
            "kite/book/src/a.md": "# A\n\n```rust\n{{#include ../../wind.rs}}\n```\n",
        },
    )
    sphinx, book = import_site(tmp_path / "kite/docs"), import_site(tmp_path / "kite/book")
    assert [one.plan.settings["markdown"]["files_above"] for one in (sphinx, book)] == [1, 1]
    assert [sum(item.count for item in one.report.items) for one in (sphinx, book)] == [1, 0]
    for done, page, text in ((sphinx, "index.html", "Fly."), (book, "a.html", "blow")):
        build_site(done.plan.site_dir, tmp_path / "out", has_search=False)
        html = (tmp_path / "out" / page).read_text(encoding="utf-8")
        assert text in html
        assert "Hidden." not in html


CONF = "extensions = ['myst_parser']\nproject = 'Kite'\n"


@pytest.mark.parametrize(
    ("files", "levels"),
    [
        ({"README.md": "x", "kite/docs/conf.py": CONF, "kite/setup.py": ""}, 1),
        ({"README.md": "x", "kite/docs/conf.py": CONF, "kite/.git/HEAD": ""}, 0),
        ({".git/HEAD": "", "README.md": "x", "kite/docs/conf.py": CONF, "kite/setup.py": ""}, 2),
        ({"README.md": "x", "kite/docs/conf.py": CONF, "kite/docs/.git/HEAD": ""}, 0),
        ({"kite/docs/conf.py": CONF}, 0),
    ],
    ids=["project", "repository", "part of a repository", "repository of documents", "neither"],
)
def test_files_above_the_project_are_not_taken_in(files: dict[str, str], levels: int, tmp_path: Path) -> None:
    page = "# Kite\n\n```{include} ../../notes.md\n```\n\n```{include} ../../.env\n```\n"
    if levels == 1:
        page += "\n```{include} ../near.md\n```\n"
    more = {"notes.md": "Notes", ".env": "Secret", "kite/near.md": "Near", "kite/docs/index.md": page}
    write(tmp_path, {**files, **more})
    done = import_site(tmp_path / "kite/docs", engine="sphinx")
    assert done.plan.settings["markdown"].get("files_above", 0) == levels
    build_site(done.plan.site_dir, tmp_path / "out", has_search=False)
    shown = text_of((tmp_path / "out/index.html").read_text(encoding="utf-8"))
    assert "Secret" not in shown
    assert ("Notes" in shown) == (levels == 2)
    assert ("Near" in shown) == (levels == 1)


def test_change_of_a_file_above_the_folder_is_seen_by_the_next_build(tmp_path: Path) -> None:
    write(tmp_path, {"README.md": "# K\n", "CHANGES.rst": "One.\n", "docs/conf.py": "project = 'K'\nextensions = []\n"})
    write(tmp_path, {"docs/index.rst": "K\n=\n\n.. include:: ../CHANGES.rst\n"})
    site = import_site(tmp_path / "docs").plan.site_dir
    build_site(site, tmp_path / "out", has_search=False)
    write(tmp_path, {"CHANGES.rst": "Second.\n"})
    build_site(site, tmp_path / "out", has_search=False)
    assert "Second." in (tmp_path / "out/index.html").read_text(encoding="utf-8")


def test_pages_take_in_files_of_the_project_behind_a_link(tmp_path: Path) -> None:
    kite = write(
        tmp_path / "kite",
        {
            ".git/HEAD": "",
            "examples/fly.py": "fly = 'high'\n",
            "examples/.key": "Secret",
            "docs/hugo.toml": "title = 'Kite'\nbaseURL = 'https://kite.example/'\n",
            "docs/layouts/shortcodes/example.html": '<pre>{{ readFile (.Get "src") }}</pre>',
            "docs/content/_index.md": '# Kite\n\n{{< example src="examples/fly.py" >}}\n\n{{< example src="examples/.key" >}}\n\n{{< example src="out/x.py" >}}\n',
        },
    )
    write(tmp_path / "out", {"x.py": "Outside."})
    (kite / "docs/examples").symlink_to("../examples")
    (kite / "docs/out").symlink_to("../../out")
    done = import_site(kite / "docs")
    assert done.plan.settings["markdown"]["files_above"] == 1
    build_site(done.plan.site_dir, tmp_path / "build", has_search=False)
    shown = text_of((tmp_path / "build/index.html").read_text(encoding="utf-8"))
    assert "fly = 'high'" in shown
    assert "Secret" not in shown
    assert "Outside." not in shown


def test_pages_of_nextra_are_where_their_order_is(tmp_path: Path) -> None:
    files = {
        "next.config.mjs": "import nextra from 'nextra';\nexport default nextra({})({});\n",
        "package.json": '{"dependencies": {"nextra": "3"}}',
    }
    write(
        tmp_path,
        {
            **files,
            "src/content/part.mdx": "Part",
            "src/pages/_meta.json": '{"index": "Home", "a": "A"}',
            "src/pages/index.mdx": "# Home\n\nText\n",
            "src/pages/a.mdx": "import Part from '../content/part.mdx';\n\n# A\n\n<Part />\n",
        },
    )
    done = import_site(tmp_path)
    assert (done.plan.settings["docs"], done.report.pages) == ("src/pages", 2)


@pytest.mark.parametrize(
    ("version", "is_old"), [("2.4.0", True), ("^2.4.3", True), ("3.8.1", False), ("20.1.0", False)]
)
def test_braces_are_text_in_sites_of_docusaurus_2(version: str, is_old: bool, tmp_path: Path) -> None:
    config = (
        "module.exports = {title: 'Kite', url: 'https://kite.example', baseUrl: '/', presets: [['classic', {}]]};\n"
    )
    package = f'{{"dependencies": {{"@docusaurus/core": "{version}"}}}}'
    write(tmp_path, {"docusaurus.config.js": config, "package.json": package, "docs/a.md": "# A\n\nTo {wind}.\n"})
    done = import_site(tmp_path)
    assert ("mdx1" in done.plan.settings["markdown"]["extensions"]) == is_old
    assert (done.report.clean_pages == done.report.pages) == is_old


def test_redirects_of_rediraffe_are_carried(tmp_path: Path) -> None:
    conf = "extensions = ['myst_parser']\nrediraffe_redirects = {'old/a.md': 'a.md', 'a.md': 'index.md', 'x.rst': 'gone.md'}\n"
    write(tmp_path, {"conf.py": conf, "index.md": "# K\n", "a.md": "# A\n"})
    redirects = import_site(tmp_path).plan.settings["redirects"]
    assert {"from": "/old/a.html", "to": "/a.html"} in redirects
    assert [one["from"] for one in redirects if one["from"] != "/"] == ["/old/a.html"]


def test_components_of_partials_are_found(tmp_path: Path) -> None:
    files = {
        "docs/a.mdx": "import Part from './_part.mdx';\n\n# A\n\n<Part />\n",
        "docs/_part.mdx": "import Card from '@site/src/Card';\nimport Other from '@site/shared/other.mdx';\n\n<Card /> <Other />\n",
        "shared/other.mdx": "import Clock from '@site/src/Clock';\n\n<Clock>Late</Clock>\n",
        "src/Card.jsx": "export default function Card() { return <b>Taken over</b>; }\n",
        "src/Clock.jsx": "import now from 'unheard';\nexport default function Clock() { return <b>{now()}</b>; }\n",
    }
    write(tmp_path, _DOCUSAURUS | {"docusaurus.config.js": _CLASSIC} | files)
    done = import_site(tmp_path)
    folder = tmp_path / done.plan.settings["components"]
    assert sorted(path.name for path in folder.glob("C*")) == ["Card.mdx", "Clock.mdx"]
    assert "Taken over" in (folder / "Card.mdx").read_text(encoding="utf-8")
    assert [item.what.partition(" ")[0] for item in done.report.items] == ['"<Clock>"']


def test_pages_of_mkdocs_without_a_title_are_called_as_there(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "mkdocs.yml": "site_name: K\nnav:\n  - Welcome: index.md\n  - more/low-wind.md\n  - Own: own.md\n",
            "docs/index.md": "It flies.\n",
            "docs/more/low-wind.md": "```sh\n# no title\n```\n",
            "docs/own.md": "# Title\n",
        },
    )
    done = import_site(tmp_path)
    assert done.plan.settings["routing"]["titles"] == {"docs/index.md": "Welcome", "docs/more/low-wind.md": "Low wind"}
    build_site(tmp_path, tmp_path / "out", has_search=False)
    pages = {
        name: (tmp_path / "out" / name).read_text(encoding="utf-8")
        for name in ("index.html", "more/low-wind/index.html")
    }
    assert [re.findall("<h1[^>]*>([^<]*)", html) for html in pages.values()] == [["Welcome"], ["Low wind"]]


def test_titles_keep_their_ids_where_the_old_engine_gives_them_some(tmp_path: Path) -> None:
    page = "# Wind speed\n\n## Wind speed\n"
    write(tmp_path, {"book.toml": "", "src/SUMMARY.md": "[A](a.md)", "src/a.md": page})
    import_site(tmp_path)
    build_site(tmp_path, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/a.html").read_text(encoding="utf-8")
    assert re.findall(r'<h[12][^>]* id="([^"]*)"', html) == ["wind-speed", "wind-speed-1"]


def test_references_from_code_without_settings_of_mkdocs(tmp_path: Path) -> None:
    """A project may keep the settings of mkdocstrings elsewhere; its pages and its package tell enough."""
    site = write(
        tmp_path / "kite",
        {
            "README.md": "# Kite\n",
            "docs/api.md": "# API\n\n::: kite.Wind\n",
            "docs/index.md": "# Guide\n\n## Wind + sail\n\nSee [the wind][kite.Wind] and [it](#wind-sail).\n",
            "src/kite/__init__.py": '"""Kites."""\n\n\nclass Wind:\n    """Blows from the west."""\n',
        },
    )
    import_site(site)
    made = build_site(site, tmp_path / "out")
    assert [one.message for one in made.diagnostics if one.code != "unset-url"] == []
    assert "Blows from the west." in text_of((tmp_path / "out/docs/api/index.html").read_text(encoding="utf-8"))
    assert 'href="/docs/api#kite.Wind"' in (tmp_path / "out/docs/index.html").read_text(encoding="utf-8")
