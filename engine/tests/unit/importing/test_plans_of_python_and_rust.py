"""What becomes of sites of Sphinx, of MyST without Sphinx, of Zola and of mdBook."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from octavo.importing.model import Plan
from tests.support.each import each

from .planned import noted, pages, plan_of, sidebars

CONF = """project = "Kilns"
html_title = "All kilns"
html_baseurl = "https://example.org/kilns/"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_kiln"]
exclude_patterns = ["drafts", "*.inc"]
html_theme_options = {"light_css_variables": {"color-brand-primary": "#aa0000"}}
html_logo = "logo.svg"
html_short_title = make_title()
"""


def sphinx(folder: Path, files: dict[str, Any], settings: str = "") -> Plan:
    return plan_of(folder, {"docs/conf.py": CONF + settings, **files}, "sphinx")


class TestSphinx:
    def test_settings_are_those_of_conf(self, tmp_path: Path) -> None:
        plan = sphinx(tmp_path, {"docs/index.md": "(top)=\n# Home\n\n(Some Label)=\n## Part\n", **pages("docs/a.md")})
        settings = plan.settings
        chosen = {key: settings[key] for key in ("title", "url", "base_url", "docs", "static", "navbar")}
        assert chosen == {
            "title": "All kilns",
            "url": "https://example.org",
            "base_url": "/kilns/",
            "docs": "docs",
            "static": "static",
            "navbar": {"title": "All kilns"},
        }
        assert {"docs/drafts", "docs/drafts/**", "docs/*.inc", "docs/*.inc/**"} <= set(settings["exclude"])
        assert settings["routing"]["ending"] == ".html"
        assert settings["markdown"]["slugs"] == "docutils"
        assert settings["markdown"]["references"] == {
            "top": "docs/index.md#top",
            "some label": "docs/index.md#some-label",
        }
        notes = [note.what for note in plan.notes]
        assert "The extension sphinx_kiln" in notes
        assert not any("autodoc" in note or "myst_parser" in note for note in notes)
        assert "Settings of conf.py that are computed: html_short_title" in notes
        assert "Settings of the old site that have no effect: html_logo" in notes

    @each(
        "enabled, language, extensions",
        [
            ([], "en", ["attr_list", "def_list", "myst", "smart"]),
            (["smartquotes", "dollarmath"], "en", ["attr_list", "def_list", "math", "myst", "smart", "smart_titles"]),
            (["amsmath"], "pt_BR", ["attr_list", "def_list", "math", "myst", "smart"]),
            (["smartquotes"], "de", ["attr_list", "def_list", "myst"]),
            (["smartquotes"], 'en"\nsmartquotes = False\nx = "', ["attr_list", "def_list", "myst"]),
        ],
    )
    def test_extensions_of_markdown_are_those_that_are_enabled(
        self, tmp_path: Path, enabled: list[str], language: str, extensions: list[str]
    ) -> None:
        more = f'language = "{language}"\nmyst_enable_extensions = {enabled!r}\n'
        plan = sphinx(tmp_path / language[:2], pages("docs/index.md"), more)
        assert [one for one in plan.settings["markdown"]["extensions"] if one != "rst"] == extensions

    def test_formulas_written_as_roles_need_no_setting(self, tmp_path: Path) -> None:
        plan = sphinx(tmp_path, {"docs/index.md": "# Home\n\nSome {math}`x`.\n"})
        assert "math" in plan.settings["markdown"]["extensions"]

    def test_commands_of_formulas_and_substitutions_are_taken_over(self, tmp_path: Path) -> None:
        more = (
            'mathjax3_config = {"tex": {"macros": {"R": "\\\\mathbb{R}", "v": ["\\\\vec{#1}", 1], "x1": "no"}}}\n'
            'mathjax_config = {"TeX": {"Macros": {"N": "n"}}}\n'
            'myst_substitutions = {"Name": "Kiln", "n": 3, "l": [1]}\n'
        )
        markdown = sphinx(tmp_path, pages("docs/index.md"), more).settings["markdown"]
        assert markdown["formula_macros"] == {"\\R": "\\mathbb{R}", "\\v": "\\vec{#1}", "\\N": "n"}
        assert markdown["variables"] == {"name": "Kiln", "n": "3"}

    def test_substitutions_lie_in_files_that_conf_reads(self, tmp_path: Path) -> None:
        more = 'import yaml\nwith open("subs.yml") as file:\n    more = yaml.safe_load(file)\nwith open("bad.yml") as file:\n    yaml.safe_load(file)\nmyst_substitutions = {"a": "1"}\n'
        files = {"docs/subs.yml": "b: two\n", "docs/bad.yml": "{", **pages("docs/index.md")}
        assert sphinx(tmp_path, files, more).settings["markdown"]["variables"] == {"a": "1", "b": "two"}

    def test_tables_of_contents_are_the_sidebar(self, tmp_path: Path) -> None:
        home = (
            "# Home\n\n```{toctree}\n:caption: Guides\n:maxdepth: 1\n\na\nSecond <b.md>\nself\nhttps://example.org\n"
            "Web <https://example.net>\ngone\n```\n\n:::{toctree}\n/deep/index\n:::\n\n"
            "```{toctree}\n:glob:\n:reversed:\n\nmore/*\nmore/y\n```\n"
        )
        files = {
            "docs/index.md": home,
            "docs/deep/index.md": "# Deep\n\n```{toctree}\nc\n../a\n```\n",
            **pages("docs/a.md", "docs/b.md", "docs/deep/c.md", "docs/more/x.md", "docs/more/y.md", "docs/other.md"),
        }
        assert sidebars(sphinx(tmp_path, files))["docs"] == [
            ("Guides", "A=a", "Second=b", "https://example.org", "https://example.net"),
            ("Deep>deep/index", "C=deep/c"),
            "Y=more/y",
            "X=more/x",
        ]
        assert sidebars(sphinx(tmp_path / "flat", pages("docs/index.md", "docs/a.md")))["docs"] == ["."]

    def test_redirects_lead_to_pages_that_exist(self, tmp_path: Path) -> None:
        more = 'rediraffe_redirects = "moved.txt"\n'
        files = {"docs/moved.txt": '"old.md" "a.md"\nb.md a.md\nlost.md gone.md\n', **pages("docs/a.md", "docs/b.md")}
        plan = sphinx(tmp_path, files, more)
        moved = {one["from"]: one["to"] for one in plan.settings["redirects"]}
        assert moved == {"/": "/a.html", "/old.html": "/a.html"}
        assert noted(plan, "Redirects to pages that do not exist") == ["lost.md → gone.md"]
        table = sphinx(tmp_path / "table", files, 'rediraffe_redirects = {"x.md": "a.md"}\nroot_doc = "b"\n')
        assert {one["from"]: one["to"] for one in table.settings["redirects"]} == {"/": "/b.html", "/x.html": "/a.html"}


class TestRst:
    def test_tables_of_contents_of_rst_are_the_sidebar(self, tmp_path: Path) -> None:
        home = (
            "Home\n====\n\n.. toctree::\n   :caption: Guides\n   :maxdepth: 1\n\n   a\n   The *second* `b` <b>\n"
            "   .. no\n   https://example.org\n\n.. toctree::\n   :glob:\n\n   more/*\n   /deep/**\n"
        )
        files = {
            "docs/index.rst": home,
            **{f"docs/{name}.rst": f"{name[-1].upper()}\n=\n" for name in ("a", "b", "more/x", "more/y", "deep/er/z")},
        }
        assert sidebars(sphinx(tmp_path, files))["docs"] == [
            ("Guides", "A=a", "The second b=b", "https://example.org"),
            "X=more/x",
            "Y=more/y",
            "Z=deep/er/z",
        ]

    def test_settings_of_rst_are_those_of_conf(self, tmp_path: Path) -> None:
        more = (
            'extensions = ["sphinx_issues", "exts.kites"]\nissues_github_path = "kites/kite"\nrst_prolog = "\\n.. |k| replace:: Kite\\n"\n'
            'rst_epilog = None\ndefault_role = "any"\nhighlight_language = "cpp"\nprimary_domain = "c"\nrelease = "2.1"\n'
            'today = "today"\nextlinks = {"wiki": ("https://w.example/%s", "wiki %s"), "bad": ("https://w.example", None), "bare": ("https://b.example/%s",)}\n'
            'intersphinx_mapping = {"python": ("https://docs.python.org/3", None), "local": ("../x", None), "old": "https://old.example"}\n'
            'autodoc_default_flags = ["members"]\nautodoc_default_options = {"undoc-members": True, "private-members": False, "exclude-members": ["a", "b"], "member-order": "bysource"}\n'
        )
        files = {
            "docs/index.rst": "Home\n====\n\n.. _Some Label:\n\nPart\n----\n\n.. math:: x\n\n.. kite:: one\n\nSee :kite:`one` of |today|.\n",
            "pyproject.toml": '[project]\nversion = "3.4"\n',
            "docs/exts/kites.py": 'def setup(app):\n    app.add_object_type("wing", "wing")\n',
        }
        markdown = sphinx(tmp_path, files, more).settings["markdown"]
        assert {"rst", "math"} <= set(markdown["extensions"])
        assert markdown["references"] == {"some label": "docs/index.rst#some-label"}
        assert markdown["variables"] == {"release": "2.1", "version": "3.4", "today": "today"}
        table = markdown["rst"]
        chosen = {
            key: table[key] for key in ("root", "prolog", "default_role", "highlight", "domain", "projects", "autodoc")
        }
        assert chosen == {
            "root": "docs",
            "prolog": ".. |k| replace:: Kite",
            "default_role": "any",
            "highlight": "cpp",
            "domain": "c",
            "projects": {"python": "https://docs.python.org/3", "old": "https://old.example"},
            "autodoc": {"members": "", "undoc-members": "", "exclude-members": "a, b", "member-order": "bysource"},
        }
        links = table["extlinks"]
        assert links["wiki"] == ["https://w.example/%s", "wiki %s"]
        assert links["bare"] == ["https://b.example/%s", ""]
        assert links["issue"] == ["https://github.com/kites/kite/issues/%s", "#%s"]
        assert links["user"] == ["https://github.com/%s", "@%s"]
        assert "bad" not in links
        assert {"kite", "wing"} <= set(table["objects"])

    def test_usual_settings_of_rst_are_left_out(self, tmp_path: Path) -> None:
        more = 'highlight_language = "default"\nprimary_domain = "py"\nextensions = ["sphinx_issues"]\n'
        table = sphinx(tmp_path, {"docs/index.rst": "Home\n====\n"}, more).settings["markdown"]["rst"]
        assert not {"highlight", "domain", "prolog", "autodoc", "projects", "objects"} & set(table)
        assert table["extlinks"].keys() == {"user"}


class TestMyst:
    def test_project_of_mystmd(self, tmp_path: Path) -> None:
        config = """project:
  title: Kilns
  github: kilns/book
  exclude: [drafts/**]
  substitutions: {who: we}
  references: {numpy: {url: "https://numpy.org/doc/"}, python: "https://docs.python.org/3/"}
  toc:
    - file: index.md
    - title: Guides
      children:
        - file: guides/01-first.md
        - file: guides/first.md
          title: Again
        - url: https://example.org
    - file: deep/index.md
      children:
        - file: deep/a.md
    - children:
        - file: gone.md
        - url: https://example.net
          title: Net
"""
        names = ("index.md", "guides/01-first.md", "guides/first.md", "deep/index.md", "deep/a.md", "Other Page.md")
        plan = plan_of(tmp_path, {"myst.yml": config, **pages(*names)}, "sphinx")
        assert sidebars(plan)["docs"] == [
            "Index=index",
            ("Guides", "01-First=guides/01-first", "Again=guides/first", "https://example.org"),
            ("Index>deep/index", "A=deep/a"),
            "https://example.net",
        ]
        settings = plan.settings
        assert settings["title"] == "Kilns"
        assert settings["markdown"]["references"]["xref:numpy"] == "https://numpy.org/doc/"
        assert settings["markdown"]["references"]["xref:python"] == "https://docs.python.org/3/"
        assert settings["markdown"]["variables"] == {"who": "we"}
        assert settings["navbar"]["items"][0]["href"] == "https://github.com/kilns/book"
        assert {"drafts/**", "_build"} <= set(settings["exclude"])
        assert settings["routing"]["ending"] == "/"
        exact = settings["routing"]["exact"]
        # Addresses have the name of the file only, with a number where that is taken.
        assert exact["guides/01-first.md"] == "/first/"
        assert exact["guides/first.md"] == "/first-1/"
        assert exact["deep/a.md"] == "/a/"
        assert exact["Other Page.md"] == "/other-page/"
        assert "index.md" not in exact

    def test_addresses_keep_their_folders_where_the_site_says_so(self, tmp_path: Path) -> None:
        config = "project: {toc: [{file: a.md}]}\nsite: {title: Site, options: {folders: true}}\n"
        settings = plan_of(tmp_path, {"myst.yml": config, **pages("a.md", "b/c.md")}, "sphinx").settings
        assert (settings["title"], settings["routing"]["ending"]) == ("Site", ".html")
        assert "exact" not in settings["routing"]
        assert settings["redirects"] == [{"from": "/", "to": "/a.html"}]

    def test_book_of_jupyter(self, tmp_path: Path) -> None:
        files = {
            "_config.yml": "title: Kilns\nexclude_patterns: [drafts]\nrepository: {url: https://github.com/a/b}\n"
            "html: {baseurl: https://example.org/book}\nsphinx: {config: {myst_substitutions: {who: we}}}\n",
            "_toc.yml": "format: jb-book\nroot: intro\nparts:\n  - caption: One\n    chapters:\n      - file: a\n"
            "        sections:\n          - file: b\n      - url: https://example.net\n",
            **pages("intro.md", "a.md", "b.md"),
        }
        plan = plan_of(tmp_path, files, "sphinx")
        assert sidebars(plan)["docs"] == ["Intro=intro", ("One", ("A>a", "B=b"), "https://example.net")]
        settings = plan.settings
        assert (settings["title"], settings["base_url"]) == ("Kilns", "/book/")
        assert settings["navbar"]["items"][0]["href"] == "https://github.com/a/b"
        assert settings["markdown"]["variables"] == {"who": "we"}
        assert "drafts/**" in settings["exclude"]

    def test_look_of_a_book_comes_along_and_the_rest_is_named(self, tmp_path: Path) -> None:
        config = (
            "title: Kilns\nlogo: _static/k.png\nauthor: A\nexecute: {timeout: 1}\nlaunch_buttons: {colab_url: x}\n"
            "repository: {url: https://github.com/a/b, path_to_book: book, branch: main}\n"
            "html: {favicon: _static/k.ico, use_edit_page_button: true, announcement: Hot}\n"
            "sphinx: {config: {html_theme_options: {twitter: k}}}\n"
        )
        files = {
            "_config.yml": config,
            "_toc.yml": "root: intro\n",
            "_static/k.png": "",
            "_static/k.ico": "",
            **pages("intro.md"),
        }
        plan = plan_of(tmp_path, {f"book/{name}": text for name, text in files.items()}, "sphinx")
        settings = plan.settings
        assert settings["navbar"]["logo"]["src"] == "/octavo-logo/k.png"
        assert settings["favicon"] == "/octavo-logo/k.ico"
        assert settings["edit_url"] == "https://github.com/a/b/edit/main/"
        assert [one["href"] for one in settings["navbar"]["items"]] == ["https://github.com/a/b"]
        notes = [note.what for note in plan.notes]
        assert "Settings of the old site that have no effect: html.announcement, launch_buttons" in notes
        assert "Options of the theme of Sphinx that have no effect: html_theme_options.twitter" in notes

    def test_bar_of_mystmd_is_taken_over(self, tmp_path: Path) -> None:
        config = (
            "project: {title: K, github: a/b, toc: [{file: a.md}]}\n"
            "site:\n  options: {logo: k.png, logo_dark: d.png, hide_toc: true}\n"
            "  nav: [{title: Guide, children: [{title: A, url: /a}]}, {title: Web, url: https://k.example}]\n"
            "  actions: [{title: Try, url: https://try.example}]\n"
        )
        plan = plan_of(tmp_path, {"myst.yml": config, "k.png": "", "d.png": "", **pages("a.md")}, "sphinx")
        bar = plan.settings["navbar"]
        assert (bar["logo"]["src"], bar["logo"]["src_dark"]) == ("/octavo-logo/k.png", "/octavo-logo/d.png")
        assert [(one["label"], one.get("href"), one.get("position")) for one in bar["items"]] == [
            ("Guide", None, None),
            ("Web", "https://k.example", None),
            ("Try", "https://try.example", "right"),
            ("GitHub", "https://github.com/a/b", "right"),
        ]
        assert [note.what for note in plan.notes] == [
            "Settings of the old site that have no effect: site.options.hide_toc"
        ]


class TestZola:
    def test_site_is_laid_out_as_those_of_hugo(self, tmp_path: Path) -> None:
        config = """base_url = "https://example.org/kilns"
title = "Kilns"
description = "All of them"
[markdown]
smart_punctuation = true
[extra]
katex = true
"""
        files = {
            "config.toml": config,
            "content/_index.md": "+++\ntitle = 'Home'\n+++\n",
            "content/guides/_index.md": "+++\ntitle = 'Guides'\nweight = 2\n+++\n",
            "content/guides/b.md": "+++\ntitle = 'B'\nweight = 1\n+++\n",
            "content/guides/a.md": "+++\ntitle = 'A'\nweight = 2\n+++\n",
            "templates/shortcodes/kiln.html": "<b></b>",
            "themes/t/templates/shortcodes/more.md": "x",
        }
        plan = plan_of(tmp_path, files, "zola")
        settings = plan.settings
        chosen = {key: settings[key] for key in ("title", "tagline", "url", "base_url")}
        assert chosen == {
            "title": "Kilns",
            "tagline": "All of them",
            "url": "https://example.org",
            "base_url": "/kilns/",
        }
        extensions = settings["markdown"]["extensions"]
        assert {"zola", "math", "smart"} <= set(extensions)
        assert "hugo" not in extensions
        assert "variables" not in settings["markdown"]
        assert noted(plan, "Templates of shortcodes") == [
            "templates/shortcodes/kiln.html",
            "themes/t/templates/shortcodes/more.md",
        ]

    def test_plain_site_has_neither_formulas_nor_other_quotation_marks(self, tmp_path: Path) -> None:
        files = {"config.toml": 'base_url = "/"\n', "content/a.md": "+++\ntitle = 'A'\n+++\n"}
        settings = plan_of(tmp_path, files, "zola").settings
        assert not {"math", "smart"} & set(settings["markdown"]["extensions"])
        assert "tagline" not in settings


BOOK = """[book]
title = "Kilns"
description = "All of them"
[preprocessor.katex]
macros = "macros.txt"
[preprocessor.own]
command = "python3 marks.py"
[output.html]
git-repository-url = "https://github.com/kilns/book"
edit-url-template = "https://github.com/kilns/book/edit/main/{path}"
additional-css = ["a.css", "b.css"]
additional-js = ["a.js"]
[output.html.redirect]
"/old/page.html" = "../guides/b.html#part"
"./bare.html" = "https://example.org/"
"""


class TestMdbook:
    def test_chapters_of_the_summary_are_the_pages(self, tmp_path: Path) -> None:
        summary = "# Summary\n\n[Preface](preface.md)\n\n# Part one\n\n- [A](a.md)\n  - [B](guides/b.md)\n- [Gone](gone.md)\n- [Draft]()\n"
        files = {
            "book.toml": BOOK,
            "macros.txt": "\\R:{\\mathbb{R}}\nno macro\n",
            "marks.py": 'def run(text):\n    return text.replace("{{#WIND}}", "strong")\n',
            "src/SUMMARY.md": summary,
            **pages("src/preface.md", "src/a.md", "src/guides/b.md", "src/left-out.md"),
        }
        plan = plan_of(tmp_path, files, "mdbook")
        settings = plan.settings
        assert (settings["title"], settings["tagline"], settings["docs"]) == ("Kilns", "All of them", "src")
        assert sidebars(plan)["docs"][0] == "Preface=preface"
        assert str(sidebars(plan)["docs"][1:]).count("guides/b") == 1
        assert "src/left-out.md" in settings["exclude"]
        assert noted(plan, "Chapters of SUMMARY.md whose file is missing") == ["gone.md"]
        moved = {one["from"]: one["to"] for one in settings["redirects"]}
        assert moved == {
            "/old/page.html": "/guides/b.html#part",
            "/bare.html": "https://example.org/",
            "/": "/preface.html",
        }
        assert settings["navbar"]["items"][0]["href"] == "https://github.com/kilns/book"
        assert settings["markdown"]["formula_macros"] == {"\\R": "{\\mathbb{R}}"}
        assert settings["markdown"]["variables"] == {"wind": "strong"}
        notes = {note.what: note.count for note in plan.notes}
        assert (notes["additional-css"], notes["additional-js"]) == (2, 1)
        assert "The preprocessor own" in notes
        assert "The preprocessor katex" not in notes

    def test_book_without_settings_has_neither(self, tmp_path: Path) -> None:
        files = {"book.toml": "[book]\n", "src/SUMMARY.md": "- [Home](index.md)\n", **pages("src/index.md")}
        settings = plan_of(tmp_path, files, "mdbook").settings
        assert not {"redirects", "tagline", "edit_url"} & set(settings)
        assert "items" not in settings["navbar"]
        assert not {"formula_macros", "variables"} & set(settings["markdown"])
