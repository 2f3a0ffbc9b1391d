"""Top bar, icon and several projects of sites of Sphinx; settings that `conf.py` takes from other modules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from octavo.importing.model import Plan
from tests.support.each import each

from .planned import noted, pages, plan_of, sidebars

_REPOSITORY = {"label": "GitHub", "href": "https://github.com/a/kilns", "position": "right", "icon": "github"}


def sphinx(folder: Path, settings: str, files: dict[str, Any] | None = None) -> Plan:
    conf = 'project = "Kilns"\nextensions = []\n' + settings
    return plan_of(folder, {"docs/conf.py": conf, **pages("docs/index.md"), **(files or {})}, "sphinx")


@each(
    "settings, words",
    [
        ('copyright = "2024, Potters"', "© 2024, Potters"),
        ('copyright = "2024"\nauthor = "Ann"', "© 2024, Ann"),
        ('project_copyright = ["2019, A", "2020, B"]', "© 2019, A; 2020, B"),
        ('copyright = "Copyright 2024 Potters"', "Copyright 2024 Potters"),
        ('copyright = "2024, Potters"\nhtml_show_copyright = False', None),
    ],
)
def test_copyright(settings: str, words: str | None, tmp_path: Path) -> None:
    footer = sphinx(tmp_path, settings).settings.get("footer")
    assert footer == (words and {"copyright": words})


@each(
    "settings, logo",
    [
        ('html_logo = "_static/k.svg"', {"src": "/octavo-logo/k.svg", "alt": "Kilns"}),
        (
            'html_static_path = ["_static"]\nhtml_theme_options = {"light_logo": "k.svg", "dark_logo": "d.svg"}',
            {"src": "/octavo-logo/k.svg", "src_dark": "/octavo-logo/d.svg", "alt": "Kilns"},
        ),
        (
            'html_theme_options = {"logo": {"image_light": "_static/k.svg", "alt_text": "A kiln"}}',
            {"src": "/octavo-logo/k.svg", "alt": "A kiln"},
        ),
        ('html_logo = "https://kilns.example/k.svg"', {"src": "https://kilns.example/k.svg", "alt": "Kilns"}),
        ('html_logo = "_static/gone.svg"', None),
    ],
)
def test_logos(settings: str, logo: dict[str, str] | None, tmp_path: Path) -> None:
    files = {"docs/_static/k.svg": "<svg/>", "docs/_static/d.svg": "<svg/>"}
    plan = sphinx(tmp_path, settings, files)
    assert plan.settings["navbar"].get("logo") == logo
    if logo is None:
        assert any("no effect: html_logo" in note.what for note in plan.notes)


def test_icon(tmp_path: Path) -> None:
    plan = sphinx(tmp_path, 'html_favicon = "_static/k.ico"\n', {"docs/_static/k.ico": "x"})
    assert plan.settings["favicon"] == "/octavo-logo/k.ico"
    assert plan.copies["static/octavo-logo/k.ico"] == tmp_path / "docs/_static/k.ico"
    assert not any("html_favicon" in note.what for note in plan.notes)


@each(
    "settings, edit",
    [
        (
            'html_theme_options = {"source_repository": "https://github.com/a/kilns", "source_branch": "main", "source_directory": "docs/"}',
            "https://github.com/a/kilns/edit/main/",
        ),
        (
            'html_theme_options = {"repository_url": "https://github.com/a/kilns", "repository_branch": "dev", "path_to_docs": "docs", "use_edit_page_button": True}',
            "https://github.com/a/kilns/edit/dev/",
        ),
        (
            'html_context = {"display_github": True, "github_user": "a", "github_repo": "kilns", "github_version": "main", "conf_py_path": "/docs/"}',
            "https://github.com/a/kilns/edit/main/",
        ),
        ('html_theme_options = {"github_url": "https://github.com/a/kilns"}', None),
    ],
)
def test_repositories(settings: str, edit: str | None, tmp_path: Path) -> None:
    plan = sphinx(tmp_path, settings)
    assert plan.settings["navbar"]["items"] == [_REPOSITORY]
    assert plan.settings.get("edit_url") == edit


def test_options_without_effect_are_named(tmp_path: Path) -> None:
    plan = sphinx(tmp_path, 'html_theme_options = {"announcement": "New!"}\nhtml_context = {"banner": "x"}\n')
    what = "Options of the theme of Sphinx that have no effect: html_theme_options.announcement, html_context.banner"
    assert what in [note.what for note in plan.notes]


def test_projects_in_folders_have_a_sidebar_each(tmp_path: Path) -> None:
    conf = """extensions = ["multiproject"]
multiproject_projects = {"user": {"config": {"html_title": "For users"}}, "dev": {"config": {"project": "For makers"}}}
"""
    toc = "# {}\n\n```{{toctree}}\nz\na\n```\n"
    plan = plan_of(
        tmp_path,
        {
            "docs/conf.py": conf,
            "docs/user/index.md": toc.format("Use"),
            "docs/dev/index.md": toc.format("Make"),
            **pages("docs/user/a.md", "docs/user/z.md", "docs/dev/a.md", "docs/dev/z.md"),
        },
        "sphinx",
    )
    assert sidebars(plan) == {"user": ["Z=user/z", "A=user/a"], "dev": ["Z=dev/z", "A=dev/a"]}
    bar = [(one["label"], one["href"]) for one in plan.settings["navbar"]["items"]]
    assert bar == [("For users", "/user/"), ("For makers", "/dev/")]
    assert plan.settings["title"] == "For users"
    assert plan.settings["redirects"] == [{"from": "/", "to": "/user/"}]


def test_settings_from_modules_above_are_read(tmp_path: Path) -> None:
    files = {
        "docs/config/__init__.py": "",
        "docs/config/all.py": 'from gone.config import *\nproject = "Kilns"\nhtml_title = "All kilns"\n',
        "docs/en/conf.py": 'import sys, os\nsys.path.insert(0, os.path.abspath(".."))\nfrom config.all import *\nlanguage = "en"\n',
        "docs/en/index.rst": "Home\n====\n\n.. toctree::\n\n   a\n",
        "docs/en/a.rst": "A\n=\n",
    }
    plan = plan_of(tmp_path, files)
    assert (plan.engine, plan.settings["docs"], plan.settings["title"]) == ("sphinx", "docs/en", "All kilns")
    assert sidebars(plan) == {"docs": ["A=a"]}
    assert any("computed: all of gone.config" in note.what for note in plan.notes)
    assert noted(plan, "Pages in reStructuredText") == []


def test_modules_that_take_each_other_in_end(tmp_path: Path) -> None:
    plan = sphinx(tmp_path, "from other import *\n", {"docs/other.py": 'from conf import *\nhtml_title = "Kilns"\n'})
    assert plan.settings["title"] == "Kilns"


def test_directives_of_the_site_are_like_those_that_they_derive_from(tmp_path: Path) -> None:
    program = (
        "from sphinx.directives.code import CodeBlock\nfrom docutils.parsers.rst import Directive\n"
        "class Base(CodeBlock):\n    pass\nclass Usage(Base):\n    pass\nclass Other(Directive):\n    pass\n"
        'def setup(app):\n    app.add_directive("usage", Usage)\n    app.add_directive("other", Other)\n'
        '    app.add_directive("note", Usage)\n'
    )
    page = {"docs/a.rst": "A\n=\n"}
    assert sphinx(tmp_path / "one", program, page).settings["markdown"]["rst"]["directives"] == {"usage": "code-block"}
    # Their classes may be in a file beside conf.py, which takes it in.
    classes, setup = program[: program.index("def setup")], program[program.index("def setup") :]
    plan = sphinx(tmp_path / "two", f"from own import Usage\n{setup}", {**page, "docs/own.py": classes})
    assert plan.settings["markdown"]["rst"]["directives"] == {"usage": "code-block"}


def test_pages_that_tables_of_contents_name_in_vain_are_noted(tmp_path: Path) -> None:
    index = "# Kilns\n\n```{toctree}\n:hidden:\n\na\ngone\ngenindex\n```\n"
    plan = sphinx(tmp_path, "", {"docs/index.md": index, **pages("docs/a.md")})
    assert noted(plan, "Tables of contents name") == ["gone"]


def test_options_between_lines_of_hyphens_are_no_entries(tmp_path: Path) -> None:
    index = "# Kilns\n\n```{toctree}\n---\nhidden:\nmaxdepth: 2\ncaption: The guides\n---\na\n```\n"
    plan = sphinx(tmp_path, "", {"docs/index.md": index, **pages("docs/a.md")})
    assert noted(plan, "Tables of contents name") == []
    assert [one.get("category") for one in plan.settings["sidebars"][0]["items"]] == ["The guides"]


@each(
    "name, said",
    [
        ("_toc.yml", ""),
        ("own/_toc.yml", 'external_toc_path = "own/_toc.yml"\n'),
        ("_toc.yml.in", ""),
        ("_toc.yml", 'external_toc_path = "./_toc.yml"\n'),
    ],
)
def test_table_of_contents_in_a_file_of_its_own_is_the_sidebar(name: str, said: str, tmp_path: Path) -> None:
    toc = """root: index
subtrees:
- caption: Sails
  entries:
  - file: rig
    title: Rigging
    entries:
    - glob: ropes/*
  - url: https://example.org
    title: More
  - file: gone
"""
    files = {
        "docs/conf.py": f'extensions = ["sphinx_external_toc"]\n{said}',
        f"docs/{name}": toc,
        **pages("docs/index.md", "docs/rig.md", "docs/ropes/b.md", "docs/ropes/a.md", "docs/other.md"),
    }
    plan = plan_of(tmp_path / str(len(list(tmp_path.iterdir()))), files, "sphinx")
    shown = ["Index=index", ("Sails", ("Rigging>rig", "A=ropes/a", "B=ropes/b"), "https://example.org")]
    assert sidebars(plan) == {"docs": shown}
    notes = {note.what: note.files for note in plan.notes}
    assert not [what for what in notes if "external_toc" in what]
    assert ["gone"] in notes.values()


@each("text", ["- a\n", "root: [\n"])
def test_table_of_contents_that_cannot_be_read_is_left_out(text: str, tmp_path: Path) -> None:
    files = {"docs/conf.py": 'extensions = ["sphinx_external_toc"]\n', "docs/_toc.yml": text, **pages("docs/index.md")}
    plan = plan_of(tmp_path / str(len(list(tmp_path.iterdir()))), files, "sphinx")
    assert plan.settings["sidebars"] == [{"id": "docs", "items": [{"autogenerated": "."}]}]
