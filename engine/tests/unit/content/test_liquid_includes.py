"""Files that pages of Jekyll take in: names made of values, and their place between lines of HTML."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document

_FILES = {
    "_includes/icon.html": '<svg class="a" role="img">\n\t<use href="/x.svg#{{ include.name }}"></use>\n</svg>\n',
    "_includes/kites/silk.html": "<b>Silk</b>",
    "_includes/number.html": "{% increment shelf %}",
    "docs/parts/about.md": "About kites",
}


def compiled(text: str) -> Document:
    dialect = Dialect(extensions=frozenset(["jekyll"]), slugs="kramdown")
    options = ContentOptions(folders={"": dialect})
    return compile_document(text, source_path="docs/a.md", load=_FILES.get, options=options)


@pytest.mark.parametrize(
    "tag",
    [
        "{% include kites/{{ kind }}.html %}",
        "{% include kites/{{kind}}.html level=1 %}",
        '{% include {{ folder | append: "/" }}{{ kind }}.html %}',
    ],
)
def test_a_name_may_hold_values(tag: str) -> None:
    document = compiled(f'{{% assign kind = "silk" %}}{{% assign folder = "kites" %}}\n\n{tag}\n')
    assert document.diagnostics == []
    assert "<b>Silk</b>" in document.body


def test_a_name_beside_the_page_may_begin_with_a_value() -> None:
    document = compiled('{% assign place = "parts" %}\n\n{% include_relative {{place}}/about.md %}\n')
    assert document.diagnostics == []
    assert "About kites" in document.body


def test_lines_of_html_behind_an_include_are_no_code() -> None:
    document = compiled(
        "<div>\n  <div>\n    <h3>\n      {% include icon.html name='up' %}\n      What to do\n    </h3>\n    <p>Fly</p>\n  </div>\n</div>\n\nEnd *here*.\n"
    )
    assert document.diagnostics == []
    assert "<pre" not in document.body
    assert "<em>here</em>" in document.body


def test_markdown_behind_an_include_stays_markdown() -> None:
    document = compiled(
        "{% include icon.html name='up' %}\nThen **text**.\n\n- One\n    {% include icon.html name='up' %}\n"
    )
    assert "<strong>text</strong>" in document.body


def test_keys_of_the_page_have_the_capitals_with_which_they_are_written() -> None:
    """They were looked up in small letters, and what a page shows of them was left out without a word."""
    document = compiled("---\ntitle: A\nropeKind: silk\n---\n\nOf {{ page.ropeKind }}, {{ page.title }}.\n")
    assert "Of silk, A." in document.body


def test_macros_find_such_keys_too() -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["macros"]))})
    text = "---\nropeKind: silk\n---\n\nOf {{ ropeKind }}, {{ page.meta.ropeKind }}.\n"
    document = compile_document(text, source_path="docs/a.md", load={}.get, options=options)
    assert "Of silk, silk." in document.body


def test_a_missing_file_beside_the_page_is_named_as_such() -> None:
    document = compiled("{% include_relative gone.md %}\n")
    assert [one.message for one in document.diagnostics] == [
        'The file "gone.md" of this include is not in the folder of this page: it is left out.'
    ]


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{% increment a %} {% increment a %} {% increment b %}", "0 1 0"),
        ("{% decrement a %} {% decrement a %}", "-1 -2"),
        ("{% assign a = 7 %}{% increment a %} {{ a }}", "0 7"),
        ("{% increment shelf %} {% include number.html %} {% increment shelf %}", "0 1 2"),
        ('{% for one in (1..5) %}{% cycle "a", "b" %}{% endfor %}', "ababa"),
        ("{% for one in (1..3) %}{% cycle one, 'b' %}{% endfor %}", "1b3"),
        ('{% cycle "x": 1, 2 %}{% cycle "y": 1, 2 %}{% cycle "x": 1, 2 %}', "112"),
        ('{% cycle "a", "b" %}{% cycle "a", "c" %}', "aa"),
        ("x{% cycle %}y", "xy"),
    ],
)
def test_counters_and_cycles_are_shown_as_liquid_counts_them(template: str, text: str) -> None:
    document = compiled(f"{template}\n")
    assert document.diagnostics == []
    assert document.body.strip() == f"<p>{text}</p>"


def test_tag_of_a_later_liquid_is_a_finding() -> None:
    (finding,) = compiled("{% liquid assign a = 1 %}\n").diagnostics
    assert "{% liquid" in finding.message
