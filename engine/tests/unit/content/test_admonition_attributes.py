"""Attributes of admonitions: `:::tip[Title]{#id .class icon="rocket"}`."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from octavo.content.translate.output import marked_label
from tests.support.each import each


def compile_text(text: str, *extensions: str) -> Document:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(extensions))})
    return compile_document(text, source_path="docs/a.md", load={}.get, options=options)


def titles(document: Document) -> list[str]:
    return [piece.partition("</svg>")[2].partition("</p>")[0] for piece in document.body.split('admonition-title"')[1:]]


@pytest.mark.parametrize(
    ("opening", "title"),
    [
        (':::tip{icon="rocket"}', "Tip"),
        (':::tip[Fire]{icon="rocket"}', "Fire"),
        (":::tip [Fire] { icon=rocket }", "Fire"),
        (":::tip{icon='rocket' .glow #kiln}", "Tip"),
    ],
)
def test_admonition_has_the_icon_that_its_author_chose(opening: str, title: str) -> None:
    document = compile_text(f"{opening}\nText.\n:::\n")
    assert document.diagnostics == []
    assert titles(document) == [title]
    assert 'class="admonition-icon icon icon-rocket"' in document.body


def test_admonition_has_the_classes_and_the_id_of_its_attributes() -> None:
    document = compile_text(":::note{#kiln .glow .wide}\nText.\n:::\n\n:::note[Fire]{.glow}\nText.\n:::\n")
    assert document.diagnostics == []
    assert '<div class="admonition admonition-note glow wide" role="note" id="kiln"' in document.body
    assert '<div class="admonition admonition-note glow" role="note" aria' in document.body
    assert titles(document) == ["Note", "Fire"]


def test_attribute_without_effect_is_a_finding() -> None:
    document = compile_text(
        ':::tip[Fire]{heat="9" icon="rocket"}\nText.\n:::\n\n:::details[Fire]{icon="rocket"}\nText.\n:::\n'
    )
    assert [(found.code, found.span.line, found.span.column, found.message) for found in document.diagnostics] == [
        ("foreign-syntax", 1, 7, '"heat" in {heat="9" icon="rocket"} after ":::tip" has no effect.'),
        ("foreign-syntax", 5, 11, '"icon" in {icon="rocket"} after ":::details" has no effect.'),
    ]
    assert document.body.count("icon-rocket") == 1


def test_icon_that_is_not_there_leaves_that_of_the_kind() -> None:
    document = compile_text(":::tip{icon=nosuch}\nText.\n:::\n")
    assert [found.code for found in document.diagnostics] == ["icon"]
    assert '<svg class="admonition-icon" ' in document.body


def test_braces_that_are_no_attributes_stay_in_a_title() -> None:
    document = compile_text(":::tip The set `{a}`\nText.\n:::\n\n:::tip[The set `{a}`]\nText.\n:::\n")
    assert document.diagnostics == []
    assert titles(document) == ["The set <code>{a}</code>"] * 2


def test_aside_of_starlight_has_the_icon_that_its_author_chose() -> None:
    document = compile_text('<Aside type="tip" icon="rocket">\nText.\n</Aside>\n', "starlight")
    assert document.diagnostics == []
    assert 'class="admonition-icon icon icon-rocket"' in document.body


def test_title_may_be_an_attribute() -> None:
    """As remark-directive and several themes of Astro write it."""
    found = compile_text(':::info{title="Scope *first*" .wide}\nText.\n:::\n\n:::tip{title=Fire}\nText.\n:::\n')
    assert "Scope <em>first</em>" in found.body
    assert "wide" in found.body
    assert "Fire" in found.body
    assert found.diagnostics == []
    twice = compile_text(':::info[One]{title="Two"}\nText.\n:::\n')
    assert [one.message for one in twice.diagnostics] == ['"title" in {title="Two"} after ":::info" has no effect.']


@each(
    "text, expected",
    [
        ("[a](b)  c", "[a](b) c"),
        ("a\nb", "a b"),
        ("[a] [b", r"\[a\] \[b"),
        ("a ] [ b", r"a \] \[ b"),
        (r"a \] b", r"a \] b"),
        ("[a [b] c]", "[a [b] c]"),
    ],
)
def test_brackets_of_a_title_are_those_of_links_or_are_escaped(text: str, expected: str) -> None:
    assert marked_label(text) == expected


def test_marks_that_close_nothing_stay_and_are_reported() -> None:
    text = "::::note\n\n:::\n\ntext\n\n::::\n\nafter\n"
    document = compile_text(text)
    assert [(found.code, str(found.span)) for found in document.diagnostics] == [("stray-end", "docs/a.md:3:1")]
    assert "<p>:::</p><p>text</p></div></div><p>after</p>" in document.body.replace("\n", "")
