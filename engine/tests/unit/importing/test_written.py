"""Settings as text, tables of contents, and the comparison of built pages."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octavo.importing.summary import parse_summary, paths_of
from octavo.importing.toml_text import write_toml
from octavo.importing.verify import compare_built

_TEXT = st.text(st.characters(codec="utf-8"))
_VALUES = st.recursive(
    st.booleans() | st.integers(-(2**60), 2**60) | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)  # a busy machine makes values slowly
@given(st.dictionaries(st.sampled_from(["a", "b c", "sidebars", "items"]) | _TEXT, _VALUES, max_size=5))
def test_settings_are_read_back_as_they_were(given_settings: dict[str, object]) -> None:
    given_settings.pop("sidebars", None)
    assert tomllib.loads(write_toml(given_settings)) == _without_empty_tables(given_settings)


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
