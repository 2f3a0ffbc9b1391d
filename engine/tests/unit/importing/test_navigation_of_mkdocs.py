"""Navigation and languages of MkDocs that plug-ins read from files, its blog, Markdown and the features of Material."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.each import each

from .planned import noted, pages, plan_of, sidebars

LITERATE = "site_name: Kite\nplugins:\n  - literate-nav\n"


def navigation(folder: Path, files: dict[str, Any], settings: str = LITERATE) -> list[Any]:
    return sidebars(plan_of(folder, {"mkdocs.yml": settings, **files}, "mkdocs"))["docs"]


def test_lists_of_links_are_the_navigation(tmp_path: Path) -> None:
    summary = (
        "* [Home](index.md)\n* Guides\n    * [A](guides/a.md)\n    * [Web](https://example.org)\n* [Deep](deep/)\n"
    )
    files = {
        "docs/SUMMARY.md": summary,
        "docs/deep/SUMMARY.md": "* [X](x.md)\n",
        **pages("docs/index.md", "docs/guides/a.md", "docs/deep/x.md", "docs/other.md"),
    }
    assert navigation(tmp_path, files) == [
        "Home=index",
        ("Guides", "A=guides/a", "https://example.org"),
        ("Deep", "X=deep/x"),
    ]


def test_patterns_in_lists_stand_for_what_is_not_named_in_one_folder(tmp_path: Path) -> None:
    files = {
        "docs/SUMMARY.md": "* [Home](index.md)\n* *.md\n* [Last](z.md)\n* *\n",
        "docs/deep/SUMMARY.md": "* [Y](y.md)\n* *.md\n",
        **pages("docs/index.md", "docs/b.md", "docs/a.md", "docs/z.md", "docs/deep/x.md", "docs/deep/y.md"),
        **pages("docs/own-part/index.md", "docs/own-part/c.md", "docs/own-part/more/d.md"),
    }
    assert navigation(tmp_path, files) == [
        "Home=index",
        "a",
        "b",
        "Last=z",
        ("Deep", "Y=deep/y", "deep/x"),
        ("Own part", "own-part/index", "own-part/c", ("More", "own-part/more/d")),
    ]


def test_patterns_may_mean_folders_only_or_those_of_another_folder(tmp_path: Path) -> None:
    files = {
        "docs/SUMMARY.md": "* */\n* Parts\n    * one/*.md\n",
        **pages("docs/index.md", "docs/one/a.md", "docs/two/b.md"),
    }
    assert navigation(tmp_path, files) == [("One", "one/a"), ("Two", "two/b")]
    files["docs/SUMMARY.md"] = "* Parts\n    * one/*.md\n* */\n"
    assert navigation(tmp_path, files) == [("Parts", "one/a"), ("Two", "two/b")]


def test_settings_name_folders_whose_lists_are_read(tmp_path: Path) -> None:
    settings = "site_name: K\nplugins:\n  literate-nav: { nav_file: NAV.md }\nnav:\n  - index.md\n  - Guides: guides/\n  - Deep: [deep/x.md, deep/*.md]\n  - More: more/*\n"
    files = {
        "docs/guides/NAV.md": "* [A](a.md)\n",
        **pages("docs/index.md", "docs/guides/a.md", "docs/deep/w.md", "docs/deep/x.md", "docs/more/m.md"),
    }
    assert navigation(tmp_path, files, settings) == [
        "index",
        ("Guides", "A=guides/a"),
        ("Deep", "deep/x", "deep/w"),
        ("More", "more/m"),
    ]


def test_settings_of_folders_are_the_navigation(tmp_path: Path) -> None:
    parts = "title: Depth\nnav:\n  - b.md\n  - First: a.md\n  - Web: https://example.org\n  - Part: [c.md]\n  - ...\n"
    files = {
        "docs/.pages": "order: desc\n",
        "docs/deep/.pages": parts,
        "docs/hid/.pages": "hide: true\n",
        "docs/arr/.pages": "arrange: [z.md]\n",
        "docs/bad/.pages": "a: [\n",
        **pages("docs/index.md", "docs/deep/a.md", "docs/deep/b.md", "docs/deep/c.md", "docs/deep/d.md", "docs/zz.md"),
        **pages("docs/hid/x.md", "docs/arr/y.md", "docs/arr/z.md", "docs/bad/q.md"),
    }
    plan = plan_of(tmp_path, {"mkdocs.yml": "site_name: K\nplugins: [awesome-pages]\n", **files})
    assert sidebars(plan)["docs"] == [
        ("Depth", "deep/b", "First=deep/a", "https://example.org", ("Part", "deep/c"), "deep/d"),
        ("Bad", "bad/q"),
        ("Arr", "arr/z", "arr/y"),
        "zz",
        "index",
    ]
    assert [note.what for note in plan.notes] == ["bad/.pages cannot be read"]


def test_patterns_in_settings_of_folders_stand_for_what_is_not_named(tmp_path: Path) -> None:
    settings = 'nav:\n  - index.md\n  - "*.md"\n  - deep\n  - https://example.org\n'
    files = {"docs/.nav.yml": settings, **pages("docs/index.md", "docs/zz.md", "docs/deep/a.md")}
    found = navigation(tmp_path, files, "site_name: K\nplugins: [awesome-nav]\n")
    assert found == ["index", "zz", ("Deep", "deep/a"), "https://example.org"]


@each(
    "options, files, locales, missing",
    [
        (
            "languages: [{locale: fr, name: Français}, {locale: en, name: English, default: true}, {locale: de}, {locale: es, build: false}]",
            ["docs/index.md", "docs/index.fr.md", "docs/index.es.md"],
            [{"id": "en", "label": "English"}, {"id": "fr", "label": "Français", "path": "fr", "suffix": "fr"}],
            "Languages without translated files: de, es",
        ),
        (
            "docs_structure: folder, languages: [{locale: en, default: true}, {locale: pt_BR, name: Português}]",
            ["docs/en/index.md", "docs/pt_BR/index.md"],
            [
                {"id": "en", "label": "en"},
                {"id": "pt-BR", "label": "Português", "path": "pt_BR", "folders": {"docs/en": "docs/pt_BR"}},
            ],
            "",
        ),
        (
            "default_language: en, languages: {fr: {name: Français}, en: English}",
            ["docs/index.md", "docs/index.fr.md"],
            [{"id": "en", "label": "en"}, {"id": "fr", "label": "Français", "path": "fr", "suffix": "fr"}],
            "",
        ),
        ("languages: [{locale: en, default: true}]", ["docs/index.md"], None, ""),
        ("languages: [{locale: en}, {locale: ../x}]", ["docs/index.md"], None, ""),
    ],
)
def test_languages_are_those_that_have_files(
    tmp_path: Path, options: str, files: list[str], locales: Any, missing: str
) -> None:
    folder = tmp_path / str(abs(hash(options)))
    plan = plan_of(folder, {"mkdocs.yml": f"site_name: K\nplugins:\n  - i18n: {{{options}}}\n", **pages(*files)})
    assert plan.settings.get("locales") == locales
    assert [note.what for note in plan.notes] == ([missing] if missing else [])


def test_navigation_of_jekyll_is_read_from_its_data_and_old_addresses_lead_on(tmp_path: Path) -> None:
    navigation = "one:\n  - title: A\n    url: /a\n  - /b\ntwo: [{title: T, children: [{title: B, url: /b/}]}]\n"
    config = "title: K\ntheme: just-the-docs\naux_links:\n  Git: [https://github.com/a/b]\n  Own: [/x]\n"
    files = {
        "_config.yml": config,
        "_data/nav.yml": navigation,
        "a.md": "---\ntitle: A\nredirect_from: [/old, older/]\n---\n",
        "b.md": "---\ntitle: B\n---\n",
        "c.html": "---\nlayout: x\n---\n",
        "_plugins/x.rb": "",
        "_sass/a.scss": "",
    }
    plan = plan_of(tmp_path, files)
    assert sidebars(plan) == {"docs": ["A=a", "B=b", ("T", "B=b")]}
    assert plan.settings["redirects"] == [
        {"from": "/old", "to": "/a.html"},
        {"from": "/older/", "to": "/a.html"},
        {"from": "/", "to": "/a.html"},
    ]
    assert [(one["label"], one["href"], one.get("icon")) for one in plan.settings["navbar"]["items"]] == [
        ("Git", "https://github.com/a/b", "github"),
        ("Own", "/x", None),
    ]
    assert noted(plan, "Pages written in HTML") == ["c.html"]
    assert {note.what for note in plan.notes} >= {"Custom style sheets", "Plug-ins in _plugins"}


NAV = "site_name: Kite\nnav:\n  - Home: index.md\n  - Guides:\n      - guides/index.md\n      - A: guides/a.md\n  - Web: https://example.org\n  - b.md\n"
NAMED = pages("docs/index.md", "docs/guides/index.md", "docs/guides/a.md", "docs/b.md")


def featured(folder: Path, *features: str) -> Any:
    settings = f"{NAV}theme:\n  name: material\n  features: [{', '.join(features)}]\n"
    return plan_of(folder, {"mkdocs.yml": settings, **NAMED}, "mkdocs")


def test_features_of_material_arrange_the_navigation(tmp_path: Path) -> None:
    plain = featured(tmp_path / "plain", "header.autohide", "search.share", "no.such")
    assert sidebars(plain)["docs"] == [
        "Home=index",
        ("Guides", "guides/index", "A=guides/a"),
        "https://example.org",
        "b",
    ]
    assert plain.settings["navbar"]["hide_on_scroll"]
    notes = [note.what for note in plain.notes if "no counterpart" in note.what]
    assert notes == ["Features of Material's theme that have no counterpart: no.such"]
    indexes = featured(tmp_path / "indexes", "navigation.indexes", "navigation.sections")
    assert sidebars(indexes)["docs"][1] == ("Guides>guides/index", "A=guides/a")
    guides = indexes.settings["sidebars"][0]["items"][1]
    assert (guides["is_collapsed"], guides["is_collapsible"]) == (False, False)
    assert "hide_on_scroll" not in indexes.settings["navbar"]


def test_tabs_of_material_have_a_sidebar_and_an_entry_of_the_top_bar_each(tmp_path: Path) -> None:
    plan = featured(tmp_path, "navigation.tabs", "navigation.indexes")
    assert sidebars(plan) == {
        "docs": ["Home=index", "https://example.org", "b"],
        "tab-2": ["guides/index", "A=guides/a"],
    }
    assert [(one["label"], one.get("sidebar") or one["href"]) for one in plan.settings["navbar"]["items"]] == [
        ("Home", "/"),
        ("Guides", "tab-2"),
        ("Web", "https://example.org"),
        ("B", "/b/"),
    ]


BLOG = """site_name: Kite
theme: {name: material}
plugins:
  - blog: {pagination_per_page: 3, post_url_date_format: yyyy/MM}
"""
POST = "---\ndate: 2026-02-03\ncategories: [New Kites]\n---\n# A *first* `kite`\n\nText.\n"


def test_posts_of_material_keep_their_addresses(tmp_path: Path) -> None:
    files = {
        "mkdocs.yml": BLOG,
        "docs/index.md": "# Home\n",
        "docs/blog/index.md": "# News\n\nWhat is new.\n",
        "docs/blog/.authors.yml": "authors:\n  ann: {name: Ann, description: Maintainer, avatar: https://example.org/a.png}\n",
        "docs/blog/posts/first.md": POST,
        "docs/blog/posts/second.md": "---\ndate: {created: 2025-01-02}\nslug: own\n---\nText\n",
        "docs/blog/posts/third_one.md": "---\ndate: 2024-01-02\n---\nText\n\n# Late title\n",
        "docs/blog/posts/undated.md": "# No date\n",
        "docs/blog/posts/wrong.md": "---\ndate: soon\ntitle: Wrong\n---\n",
    }
    plan = plan_of(tmp_path, files, "mkdocs")
    assert plan.settings["routing"]["exact"] == {
        "docs/blog/posts/first.md": "/blog/2026/02/a-first-kite/",
        "docs/blog/posts/second.md": "/blog/2025/01/own/",
        "docs/blog/posts/third_one.md": "/blog/2024/01/third-one/",
    }
    [blog] = plan.settings["blogs"]
    assert (blog["folder"], blog["title"], blog["posts_per_page"]) == ("blog", "News", 3)
    assert blog["introduction"] == "docs/blog/index.md"
    assert blog["authors"]["ann"]["name"] == "Ann"
    assert "docs/blog/index.md" in plan.settings["exclude"]
    moved = {one["from"]: one["to"] for one in plan.settings["redirects"]}
    assert {moved[f"/blog/{one}/"] for one in ("category/new-kites", "archive/2026", "archive/2024")} == {"/blog/"}


def test_blog_that_is_the_whole_site_is_its_documents(tmp_path: Path) -> None:
    plan = plan_of(
        tmp_path,
        {"mkdocs.yml": BLOG.replace("{pagination", "{blog_dir: ., pagination"), "docs/posts/first.md": POST},
        "mkdocs",
    )
    assert "blogs" not in plan.settings
    assert "The plug-in blog" in [note.what for note in plan.notes]
    bare = {"docs/index.md": "# H\n", "docs/blog/index.md": "# Log\n", "docs/blog/posts/first.md": POST}
    [blog] = plan_of(tmp_path / "bare", {"mkdocs.yml": BLOG, **bare}, "mkdocs").settings["blogs"]
    assert (blog["title"], "introduction" in blog) == ("Log", False)


MACROS = """site_name: Kite
extra: {color: red, deep: {n: 1}}
plugins:
  - macros: {module_name: mymacros, include_yaml: [data.yml, {more: more.yml}, gone.yml], j2_variable_start_string: "[["}
"""
PROGRAM = """def define_env(env):
    wind = "strong"
    env.variables["sail"] = wind + " sail"
    env.variables.kite = f"kite in {env.variables.color}"
    env.variables.update({"line": 3})
    env.variables["never"] = compute()

    def helper():
        "A helper."
        return wind

    @env.macro
    def weather():
        if wind == "weak":
            return "weak"
        now = helper()
        return now + " wind"

    @env.macro
    def greet(name):
        return "Hello " + name

    @env.macro
    def endless():
        return endless()

    @env.macro
    def deep():
        return env.variables["deep"]["n"] + "!"
"""


def test_macros_find_the_values_of_settings_files_and_programs(tmp_path: Path) -> None:
    files = {"mkdocs.yml": MACROS, "mymacros.py": PROGRAM, "data.yml": "mast: {high: 4}", "more.yml": "x: 5", **NAMED}
    plan = plan_of(tmp_path, files, "mkdocs")
    markdown = plan.settings["markdown"]
    variables = markdown["variables"]
    expected = {
        "color": "red", "deep.n": "1", "config.extra.color": "red", "config.site_name": "Kite", "sail": "strong sail",
        "kite": "kite in red", "line": "3", "mast.high": "4", "more.x": "5", "weather()": "strong wind", "deep()": "1!",
    }  # fmt: skip
    assert {name: variables.get(name) for name in expected} == expected
    assert not {"never", "greet()", "endless()", "helper()"} & set(variables)
    assert markdown["macro_marks"][0] == "[["
    assert "macros" in markdown["extensions"]
    assert "include_yaml names gone.yml, which does not exist" in [note.what for note in plan.notes]
    plain = plan_of(
        tmp_path / "plain",
        {"mkdocs.yml": "site_name: K\nplugins: [macros: {render_by_default: false}]\n", **NAMED},
        "mkdocs",
    )
    assert "variables" not in plain.settings["markdown"]


def test_extensions_of_markdown_are_told_apart(tmp_path: Path) -> None:
    settings = """site_name: Kite
theme: {name: material, features: [content.code.annotate]}
plugins: [include-markdown, callouts, table-reader, mkdocstrings]
markdown_extensions:
  - markdown.extensions.attr_list
  - pymdownx.blocks.tab
  - pymdownx.smartsymbols
  - no.such
  - toc: {slugify: pymdownx.slugs.slugify}
  - pymdownx.tabbed: {slugify: x, combine_header_slug: true}
  - markdown_version_annotations: {admonition_tag: "???"}
"""
    plan = plan_of(tmp_path, {"mkdocs.yml": settings, **NAMED}, "mkdocs")
    markdown = plan.settings["markdown"]
    assert {
        "loose",
        "attr_list",
        "blocks",
        "annotations",
        "snippets",
        "callouts",
        "table_reader",
        "autorefs",
        "version_notes",
    } <= set(markdown["extensions"])
    assert "macros" not in markdown["extensions"]
    assert (markdown["slugs"], markdown["tab_ids"]) == ("pymdownx", "titles-and-labels")
    notes = [note.what for note in plan.notes]
    assert "The Markdown extension no.such" in notes
    assert "The Markdown extension pymdownx.smartsymbols" in notes
    assert not any("attr_list" in note or "blocks" in note for note in notes)


def test_sections_without_a_name_are_called_by_their_first_page(tmp_path: Path) -> None:
    settings = """site_name: Kite
nav:
- index.md
- "":
  - learn/index.md
  - a.md
  - "": [learn/wind/x.md]
- "":
  - https://example.org
"""
    files = {
        **pages("docs/index.md", "docs/a.md", "docs/learn/wind/x.md"),
        "docs/learn/index.md": "# Learn *to* fly\n",
    }
    assert navigation(tmp_path, files, settings) == [
        "index",
        ("Learn to fly", "learn/index", "a", ("Wind", "learn/wind/x")),
        ("…", "https://example.org"),
    ]


def test_sites_that_the_navigation_takes_in_lie_at_their_names(tmp_path: Path) -> None:
    settings = """site_name: Kite
plugins: [monorepo]
nav:
- index.md
- Parts: '*include ./parts/*/mkdocs.yml'
- Wind: '!include ./wind/mkdocs.yml'
- Gone: '!include ./gone/mkdocs.yml'
"""
    files = {
        **pages("docs/index.md", "parts/a/docs/README.md", "parts/b/docs/x.md", "wind/pages/gust.md", "wind/rain/docs/d.md"),
        "parts/a/mkdocs.yml": "site_name: Part A\nnav:\n- Home: README.md\n",
        "parts/b/mkdocs.yml": "site_name: Part B\n",
        "parts/c/mkdocs.yml": "site_name: Part C\n",
        "wind/mkdocs.yml": "site_name: sky/Wind\ndocs_dir: pages\nnav:\n- gust.md\n- Rain: '!include ./rain/mkdocs.yml'\n",
        "wind/rain/mkdocs.yml": "site_name: Rain\nnav: [d.md]\n",
    }  # fmt: skip
    plan = plan_of(tmp_path, {"mkdocs.yml": settings, **files}, "mkdocs")
    assert plan.settings["mounts"] == {
        "parts/a/docs": "/part-a",
        "parts/b/docs": "/part-b",
        "wind/pages": "/sky/wind",
        "wind/rain/docs": "/rain",
    }
    assert sidebars(plan)["docs"] == [
        "index",
        ("Parts", ("Part A", "Home=parts/a/docs/README"), ("Part B", "parts/b/docs")),
        ("Wind", "wind/pages/gust", ("Rain", "wind/rain/docs/d")),
    ]
    assert noted(plan, "nav takes in sites that do not exist") == ["./gone/mkdocs.yml"]
    assert [note.what for note in plan.notes if "parts/c" in note.what]
    assert not [note for note in plan.notes if "monorepo" in note.what]


def test_status_of_pages_is_shown_in_the_sidebar(tmp_path: Path) -> None:
    files = {
        "docs/index.md": "# A\n",
        "docs/b.md": "---\nstatus: new\n---\n# B\n",
        "docs/c.md": "---\nstatus: deprecated\n---\n# C\n",
    }
    settings = "site_name: K\nextra:\n  status:\n    new: Recently added\nnav:\n- index.md\n- More: [b.md, c.md]\n"
    plan = plan_of(tmp_path, {"mkdocs.yml": settings, **files}, "mkdocs")
    (more,) = [one for one in plan.settings["sidebars"][0]["items"] if "items" in one]
    assert [one.get("badge") for one in more["items"]] == ["Recently added", "Deprecated"]
    assert not any("extra.status" in note.what for note in plan.notes)
