"""Settings as text, tables of contents, and the comparison of built pages."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.importing.colors import carry_accent, carry_accent_of_sheets, to_hex
from octavo.importing.common import carry_edit_url, load_settings, note_unread
from octavo.importing.convert import copy_site
from octavo.importing.model import EngineName, Plan
from octavo.importing.settings.toml_text import write_toml
from octavo.importing.summary import parse_summary, paths_of
from octavo.importing.verify import compare_built

_TEXT = st.text(st.characters(codec="utf-8"))
_VALUES = st.recursive(
    st.booleans() | st.integers(-(2**60), 2**60) | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.costly
@given(st.dictionaries(st.sampled_from(["a", "b c", "sidebars", "items"]) | _TEXT, _VALUES, max_size=5))
def test_settings_are_read_back_as_they_were(given_settings: dict[str, object]) -> None:
    assert tomllib.loads(write_toml(given_settings)) == _without_empty_tables(given_settings)


@pytest.mark.parametrize("value", [False, 3, "a", [], [1], [{"a": 1}, 2], [{"a": 1}, {}], [{}]])
def test_name_of_a_list_of_tables_may_have_any_value(value: object) -> None:
    assert tomllib.loads(write_toml({"versions": value, "b": {"c": 1}})) == {"versions": value, "b": {"c": 1}}


def _without_empty_tables(value: object) -> object:
    if not isinstance(value, dict):
        return value
    kept = {key: _without_empty_tables(one) for key, one in value.items()}
    return {key: one for key, one in kept.items() if one != {} or not isinstance(value[key], dict)}


def test_sidebars_are_written_one_entry_a_line() -> None:
    entries = [{"category": "G", "items": [{"doc": f"guides/number-{index}"} for index in range(9)]}, {"doc": "a"}]
    text = write_toml({"title": "T", "sidebars": [{"id": "docs", "items": entries}]}, "Head")
    assert text.startswith(
        '# Head\n\ntitle = "T"\n\n[[sidebars]]\nid = "docs"\nitems = [\n  { category = "G", items = [\n'
    )
    assert tomllib.loads(text)["sidebars"] == [{"id": "docs", "items": entries}]


def test_table_of_contents_is_read() -> None:
    parts = parse_summary(
        "# Summary\n\n[Preface](README.md)\n\n---\n\n# Part `one`\n\n- [A \\[x\\]](./a.md)\n\t- [B](<b c.md>)\n- [Draft]()\n<!-- - [C](c.md) -->\n"
    )
    assert [part.title for part in parts] == ["", "Part `one`"]
    first, draft = parts[1].chapters
    assert (first.title, first.inner[0].path, draft.path) == ("A [x]", "b c.md", "")
    assert paths_of(parts) == ["README.md", "a.md", "b c.md"]


@pytest.mark.parametrize(
    ("ours", "kind"),
    [
        ("<h1>A</h1><h2 id='b'>B</h2><p>some words <a href='https://x.example'>x</a></p><pre>x  =\n1</pre>", None),
        ("<h1>A</h1><h2 id='b'>B</h2><p>some <a href='https://x.example'>x</a></p><pre>x=1</pre>", "text"),
        ("<h1>A</h1><h2 id='c'>B</h2><p>some words <a href='https://x.example'>x</a></p><pre>x=1</pre>", "id"),
        ("<h1>A</h1><h3 id='b'>C</h3><p>B some words <a href='https://x.example'>x</a></p><pre>x=1</pre>", "heading"),
        ("<h1>A</h1><h2 id='b'>B</h2><p>some words x</p><pre>x=1</pre>", "link"),
        ("<h1>A</h1><h2 id='b'>B</h2><p>some words <a href='https://x.example'>x</a></p><pre>x=2</pre>", "code"),
        (None, "address"),
    ],
)
def test_pages_are_compared_with_those_of_the_old_engine(tmp_path: Path, ours: str | None, kind: str | None) -> None:
    theirs = "<h1>A</h1><h2 id='b'>B</h2><p>some words <a href='https://x.example'>x</a></p><pre>x = 1</pre>"
    for name, body in (("old", theirs), ("new", ours)):
        (tmp_path / name / "a").mkdir(parents=True)
        if body is not None:
            (tmp_path / name / "a/index.html").write_text(f"<nav>menu</nav><article>{body}</article>", encoding="utf-8")
    found = {difference.kind for difference in compare_built(tmp_path / "new", tmp_path / "old")}
    assert found == ({kind} if kind else set())


def test_what_lies_around_an_article_and_labels_of_tabs_are_not_compared(tmp_path: Path) -> None:
    pages = {
        "old": "<main><article><ul role='tablist'><li role='tab'>npm</li></ul><p>some words</p></article>"
        "<div class='toc'><a href='#b'>Heading again</a></div></main>",
        "new": "<main><article><div role='tablist'><button role='tab'>npm</button></div><p>some words</p></article></main>",
        "other": "<main><article><div role='tablist'><button>npm</button></div><p>some</p></article></main>",
    }
    for name, text in pages.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(text, encoding="utf-8")
    assert compare_built(tmp_path / "new", tmp_path / "old") == []
    (lost,) = compare_built(tmp_path / "other", tmp_path / "old")
    assert (lost.kind, lost.detail) == ("text", "1 of 2 words are missing: words")


def test_formulas_and_ids_of_lines_of_code_are_no_losses(tmp_path: Path) -> None:
    code = "<pre><span></span><code><a id='{0}-0-1' href='#{0}-0-1'></a>x = 1</code></pre>"
    theirs = [
        f"<p>some <span class='arithmatex'>\\(\\frac{{ab}}{{cd}}\\)</span> words</p>{code.format('__codelineno')}",
        f"<p>some <span class='math notranslate nohighlight'>\\(\\alpha\\)</span> words</p>{code.format('line')}",
        "<p>some <span class='katex'><math><mi>alpha</mi></math><span>alpha</span></span> words</p><pre>x = 1</pre>",
        "<p>some <mjx-container><svg></svg><mjx-assistive-mml>alpha</mjx-assistive-mml></mjx-container> words</p><pre>x = 1</pre>",
    ]
    for number, (old, new) in enumerate((one, "<math><mi>alpha</mi></math>") for one in theirs):
        for name, body in (
            ("old", old),
            ("new", f"<p>some {new} words</p><pre>x = 1</pre>"),
            ("lost", "<p>some words</p><pre>x = 1</pre>"),
        ):
            (tmp_path / f"{name}/{number}").mkdir(parents=True)
            (tmp_path / f"{name}/{number}/index.html").write_text(f"<article>{body}</article>", encoding="utf-8")
    assert compare_built(tmp_path / "new", tmp_path / "old") == []
    lost = [(one.kind, one.detail) for one in compare_built(tmp_path / "lost", tmp_path / "old")]
    assert lost == [("formula", "1 formulas were 0")] * len(theirs)


def test_pages_that_only_the_new_site_has_are_listed_and_are_no_loss(tmp_path: Path) -> None:
    for name, paths in (
        ("old", ("index.html", "a.html")),
        ("new", ("index.html", "a/index.html", "tags/b/index.html", "404.html")),
    ):
        for path in paths:
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text("<article><p>some words</p></article>", encoding="utf-8")
    (tmp_path / "new/old.html").write_text('<meta http-equiv="refresh" content="0; url=/a/">', encoding="utf-8")
    found = compare_built(tmp_path / "new", tmp_path / "old")
    assert [(one.address, one.kind, one.is_loss) for one in found] == [("/tags/b/", "added", False)]


def test_words_that_docusaurus_adds_are_not_compared(tmp_path: Path) -> None:
    pages = {
        "old": "<article><h2>\U0001f4c4\ufe0f <!-- --> Kite</h2><p class='text--truncate cardDescription_PWke'>excerpt</p>"
        "<section><h2 class='sr-only' id='footnote-label'>Footnotes</h2><ol><li>note</li></ol></section></article>",
        "new": "<article><h2>Kite</h2><ol><li>note</li></ol></article>",
    }
    for name, text in pages.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(text, encoding="utf-8")
    assert compare_built(tmp_path / "new", tmp_path / "old") == []


def test_marks_that_engines_add_are_not_compared(tmp_path: Path) -> None:
    pages = {
        "old": "<main id='furo-main-content' role='main'><h1>Kite <a class='headerlink'>¶</a></h1><section id='id3'>"
        "<div class='toctree-wrapper'><ul><li>Elsewhere</li></ul></div>"
        "<input id='tab-set--0-input--1'><label class='tab-label'>bash</label><label data-title='npm' for='tab-4bxr2JP'>npm</label><i id='tab-4bxr2JP'></i><i id='tab-17'></i><i id='reffn_1'></i><span class='lang'>js</span><p id='index-0'>words</p>"
        "<span class='versionmodified'>Added in version 2:</span> flies"
        "<a class='viewcode-link'>[source]</a><table class='highlighttable'><tr><td class='linenos'>1</td>"
        "<td><pre>x = 1 # (1)!</pre></td></tr></table>"
        "<pre><code><span class='boring'>fn main() {</span>let a = 1;</code></pre>"
        "<p id='footnote-a'>note</p></section></main>",
        "new": "<article><h1>Kite</h1><p>words</p>New in 2: flies<pre>x = 1 # (1)</pre><pre>let a = 1;</pre><p>note</p></article>",
    }
    for name, text in pages.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(text, encoding="utf-8")
    (tmp_path / "old/py-modindex.html").write_text(pages["old"], encoding="utf-8")
    assert compare_built(tmp_path / "new", tmp_path / "old") == []
    (tmp_path / "old/my-index.html").write_text(pages["old"], encoding="utf-8")
    assert [one.address for one in compare_built(tmp_path / "new", tmp_path / "old")] == ["/my-index.html"]


def test_pages_without_a_main_part_are_compared_and_redirects_are_not(tmp_path: Path) -> None:
    pages = {
        "old/index.html": "<body><nav>menu</nav><section><h1>Kite</h1><p>some words</p></section></body>",
        "old/gone.html": "<head><meta http-equiv=refresh content='0; url=/'></head><body>Redirecting to <a>home</a></body>",
        "new/index.html": "<main><article><h1>Kite</h1><p>some</p></article></main>",
    }
    for name, text in pages.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (lost,) = compare_built(tmp_path / "new", tmp_path / "old")
    assert (lost.address, lost.detail) == ("/", "1 of 3 words are missing: words")


def test_what_themes_write_into_the_main_part_is_not_compared(tmp_path: Path) -> None:
    for name in "abcdefgh":
        around = "<p>Shared by all <a href='https://e.example'>place</a></p>"
        marks = (
            "<a class='sl-anchor-link' href='#k'><span class='sr-only'>Section titled Kite</span></a>"
            "<div class='edit-page'><a href='https://e.example/edit/a.md'>Edit this page</a></div>"
            "<a class='btn' href='/b' rel='prev'>Before</a>"
        )
        for folder, text in (
            ("old", f"<h1 id='_top'>{name}{name}</h1>{marks}{around}"),
            ("new", f"<h1>{name}{name}</h1>"),
        ):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / f"{name}.html").write_text(f"<main>{text}</main>", encoding="utf-8")
    assert compare_built(tmp_path / "new", tmp_path / "old") == []
    (tmp_path / "old/h.html").unlink()
    assert {one.kind for one in compare_built(tmp_path / "new", tmp_path / "old")} == {"text", "link", "added"}


def test_notes_beside_the_text_are_compared_and_menus_there_are_not(tmp_path: Path) -> None:
    pages = {
        "old": "<main><article><header><h1>Kite</h1></header><aside class='starlight-aside starlight-aside--tip'>strong wind</aside>"
        "<aside class='footnote brackets'>string</aside><aside class='toc'>Contents</aside><p>flies</p></article></main>",
        "new": "<main><article><h1>Kite</h1><p>flies</p></article></main>",
    }
    for name, text in pages.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(text, encoding="utf-8")
    (lost,) = compare_built(tmp_path / "new", tmp_path / "old")
    assert lost.detail == "3 of 5 words are missing: strong, wind, string"


def test_redirect_to_another_page_is_a_lost_address(tmp_path: Path) -> None:
    pages = {
        "old/index.html": "<main><h1>Welcome</h1><p>Kites for all who have wind</p></main>",
        "old/moved.html": "<main><h1>Kite</h1><p>flies</p></main>",
        "new/index.html": "<meta http-equiv=refresh content='0; url=/kite/#a'>",
        "new/moved.html": '<meta http-equiv="refresh" content="0; url=/kite">',
        "old/start.html": "<main><h1>Start</h1><p>Kites for all</p></main>",
        "new/start.html": "<meta http-equiv=refresh content='0; url=/base/kite/index.html'>",
        "new/kite/index.html": "<main><h1>Kite</h1><p>flies</p></main>",
    }
    for name, text in pages.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert [lost.text for lost in compare_built(tmp_path / "new", tmp_path / "old")] == [
        "/: address: it leads to /kite/#a, which is another page",
        "/start.html: address: it leads to /base/kite/index.html, which is another page",
        "/kite/: added: only the new site has this page",
    ]


def test_menus_of_pages_without_a_main_part_are_not_compared(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        for folder, text in (
            (
                "old",
                f"<div>Menu <a href='https://e.example'>all</a></div><h1 id='k'>Kite {name} 🔗︎</h1><p>flies {name}</p>",
            ),
            ("new", f"<main><h1 id='k'>Kite {name}</h1><p>{name}</p></main>"),
        ):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / f"{name}.html").write_text(f"<body>{text}</body>", encoding="utf-8")
    (tmp_path / "old/c.html").write_text(
        "<body><div>Menu all</div><h1>Kite c</h1><p>falls</p></body>", encoding="utf-8"
    )
    found = compare_built(tmp_path / "new", tmp_path / "old")
    assert [(one.address, one.kind, one.detail[:33]) for one in found if one.kind != "link"] == [
        ("/a.html", "text", "1 of 1 words are missing: flies"),
        ("/b.html", "text", "1 of 1 words are missing: flies"),
        ("/c.html", "text", "1 of 1 words are missing: falls"),
    ]


def test_table_of_contents_without_links_is_a_group_where_the_engine_has_them() -> None:
    text = "* **Guides**\n  * [Wind](wind.md)\n* [Else](https://e.example)\n"
    guides, other = parse_summary(text, has_plain=True)[0].chapters
    assert (guides.title, guides.path, guides.inner[0].path, other.path) == (
        "Guides",
        "",
        "wind.md",
        "https://e.example",
    )
    assert [one.title for one in parse_summary(text)[0].chapters] == ["Wind", "Else"]


@pytest.mark.parametrize(
    ("value", "color"),
    [
        ("#0A3", "#00aa33"),
        ("#00aa33cc", "#00aa33"),
        ("rgb(0, 170, 51)", "#00aa33"),
        ("rgba(0 170 51 / 0.5)", "#00aa33"),
        ("rgb(0% 100% 20%)", "#00ff33"),
        ("hsl(138deg 100% 33.3%)", "#00aa33"),
        ("222.2 47.4% 11.2%", "#0f172a"),
        ("oklch(0.6 0.1 20)", None),
        ("currentColor", None),
        ("", None),
    ],
)
def test_colors_of_css_are_read(value: str, color: str | None) -> None:
    assert to_hex(value) == color


@pytest.mark.parametrize(
    ("engine", "sheet", "accent"),
    [
        (
            "docusaurus",
            ":root { --ifm-color-primary: #1a56db; } [data-theme='dark'] { --ifm-color-primary: #76a9fa }",
            ("#1a56db", "#76a9fa"),
        ),
        (
            "docusaurus",
            ":root { --own: #1a56db; /* --ifm-color-primary: red; */ --ifm-color-primary: var(--own); }",
            ("#1a56db",),
        ),
        (
            "starlight",
            ":root { --sl-color-accent: #76a9fa; } :root[data-theme='light'] { --sl-color-accent: #1a56db; }",
            ("#1a56db", "#76a9fa"),
        ),
        (
            "vitepress",
            "html:not(.dark) { --vp-c-brand-1: hsl(221 79% 48%); } @media print { a { color: red } }",
            ("#1a57db",),
        ),
        ("vuepress", "$accentColor = #1a56db\n$textColor = #222\n", ("#1a56db",)),
        ("hugo", "// $primary: #fff;\n$blue: #1a56db;\n$primary: $blue !default;\n", ("#1a56db",)),
        ("mkdocs", '[data-md-color-scheme="slate"] { --md-primary-fg-color: #76a9fa }', ("#76a9fa",)),
        ("mkdocs", "a { color: red }", ()),
    ],
)
def test_accent_of_style_sheets_is_carried_over(
    engine: EngineName, sheet: str, accent: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "own.css"
    path.write_text(sheet, encoding="utf-8")
    plan = Plan(engine, tmp_path, {})
    found = carry_accent_of_sheets(plan, [path, tmp_path / "none.css"], is_dark_first=engine == "starlight")
    assert (found, tuple(plan.settings.get("theme", {}).get("accent", {}).values())) == (bool(accent), accent)


@pytest.mark.parametrize("value", ["var(--vp-c-green-1)", "oklch(62% 0.2 255)"])
def test_accent_that_cannot_be_read_is_noted(value: str, tmp_path: Path) -> None:
    path = tmp_path / "own.css"
    path.write_text(f":root {{ --vp-c-brand-1: {value}; }}", encoding="utf-8")
    plan = Plan("vitepress", tmp_path, {})
    assert not carry_accent_of_sheets(plan, [path])
    assert [value in note.what for note in plan.notes] == [True]
    carry_accent(plan, value)
    assert [note.count for note in plan.notes] == [2]
    assert "theme" not in plan.settings


def test_settings_that_cannot_be_read_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    assert load_settings(path) == ({}, "")
    path.write_text("title: [", encoding="utf-8")
    settings, problem = load_settings(path)
    assert settings == {}
    plan = Plan("vuepress", tmp_path, {})
    note_unread(plan, path, problem)
    assert [(note.files, "This is not YAML" in note.what) for note in plan.notes] == [(["config.yml"], True)]
    path.write_text("title: A", encoding="utf-8")
    assert load_settings(path) == ({"title": "A"}, "")


@pytest.mark.parametrize(
    ("address", "base", "expected"),
    [
        ("https://g.example/k/edit/main/docs/", "docs", "https://g.example/k/edit/main/"),
        ("https://g.example/k/edit/main/www", ".", "https://g.example/k/edit/main/www/"),
        ("https://g.example/k/edit/main/a/docs", "a/docs", "https://g.example/k/edit/main/"),
        ("https://g.example/k/edit/main/src", "docs", None),
    ],
)
def test_links_to_edit_begin_at_the_folder_of_the_settings(
    address: str, base: str, expected: str | None, tmp_path: Path
) -> None:
    plan = Plan("mkdocs", tmp_path, {})
    carry_edit_url(plan, address, base)
    assert plan.settings.get("edit_url") == expected
    assert len(plan.notes) == (expected is None)


def test_copy_has_folders_that_lie_within_others_and_no_packages(tmp_path: Path) -> None:
    site, copy = tmp_path / "site", tmp_path / "copy"
    for file in ("docs/index.md", "docs/assets/kite.png", "docs/node_modules/tail/index.md", "other/notes.md"):
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        (site / file).write_text(file, encoding="utf-8")
    plan = Plan("docusaurus", site, {"docs": "docs", "static": "docs/assets", "pages": "nowhere"})
    copy_site(plan, copy, site)
    assert plan.site_dir == copy.resolve()
    files = sorted(path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file())
    assert files == ["docs/assets/kite.png", "docs/index.md"]
