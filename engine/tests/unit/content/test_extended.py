"""Directives, fences and transforms of extensions in the compiler, with what they give at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from octavo.content import ContentOptions, Dialect, Document, Extended
from octavo.content.compile import compile_document
from octavo.diagnostics import Span
from tests.support.each import each

OPTIONS = ContentOptions(directives=frozenset({"box", "self"}), fences=frozenset({"data"}))


class Given:
    """Gives what a function makes of the argument, and notes all arguments."""

    def __init__(self, make: Callable[[dict[str, Any]], Any], change: Callable[[str], str] = str) -> None:
        self._make = make
        self._change = change
        self.arguments: list[dict[str, Any]] = []

    def call(self, kind: str, name: str, argument: dict[str, Any], span: Span) -> Extended:
        self.arguments.append(argument)
        return Extended(self._make(argument))

    def transform(self, path: str, text: str, fields: Mapping[str, Any]) -> Extended:
        return Extended(self._change(text))


def compiled(text: str, given: Given, options: ContentOptions = OPTIONS) -> Document:
    return compile_document(text, source_path="a.md", load=lambda _: None, options=options, extender=given)


def seen(text: str) -> dict[str, Any]:
    given = Given(lambda _: [("body", "")])
    assert compiled(text, given).diagnostics == []
    [argument] = given.arguments
    return {name: argument[name] for name in ("label", "attributes", "text", "line")}


def test_label_attributes_and_text_are_read_off_a_directive() -> None:
    assert seen('# T\n\n:::box[A *b* [c]]{#x .y .z k="v w"}\nInner `a`.\n\n    code\n:::') == {
        "label": "A *b* [c]",
        "attributes": {"id": "x", "class": "y z", "k": "v w"},
        "text": "Inner `a`.\n\n    code",
        "line": 3,
    }
    assert seen("::: box plain words\n:::") == {"label": "plain words", "attributes": {}, "text": "", "line": 1}
    assert seen("- x\n\n  ::box{k=v}\n") == {"label": "", "attributes": {"k": "v"}, "text": "", "line": 3}
    assert seen("- x\n\n  :::box\n  In a list.\n  :::\n")["text"] == "In a list."
    assert seen("::::box\n:::note\nN.\n:::\n::::")["text"] == ":::note\nN.\n:::"


@each(
    ("line", "message"),
    [
        ("::box[un]closed]{n=1}", '"closed]{n=1}" after the label of the directive "box" is left out.'),
        ("::box[a]{n=1} words", '"words" after the label of the directive "box" is left out.'),
        ("::box{n=1", '"{n=1" is taken for the label of the directive "box": its attributes are not read.'),
        (
            "::box words {n=1}",
            '"words {n=1}" is taken for the label of the directive "box": its attributes are not read.',
        ),
        ("::box[a", '"[a" is taken for the label of the directive "box": its bracket has no end.'),
        ("::box{a=1 .x a=2 .y}", '"a" is given more than once in "{a=1 .x a=2 .y}"; the last value counts.'),
        ("::box{#a id=b}", '"id" is given more than once in "{#a id=b}"; the last value counts.'),
    ],
)
def test_what_is_lost_of_the_first_line_of_a_directive_is_a_finding(line: str, message: str) -> None:
    for text in (line, f":{line}\nInner.\n:::"):
        found = compiled(f"# T\n\n{text}\n", Given(lambda _: [("body", "")])).diagnostics
        assert [(one.code, one.span.line, one.message) for one in found] == [("malformed-tag", 3, message)]


def test_directive_in_a_quote_is_called() -> None:
    given = Given(lambda argument: [("markdown", f"**{argument['label']}**")])
    document = compiled("> Word.\n>\n> ::box[of *a*]\n>\n> > ::box[b]\n", given)
    assert document.diagnostics == []
    assert [argument["line"] for argument in given.arguments] == [3, 5]
    assert "<blockquote><p>Word.</p><p><strong>of <em>a</em></strong></p><blockquote>" in document.body.replace(
        "\n", ""
    )


def test_parts_are_put_together_with_the_content_between() -> None:
    given = Given(
        lambda _: [
            ("html", '<div class="b"><a href="./b.md">B</a>'),
            ("body", ""),
            ("markdown", "**M**"),
            ("html", "</div>"),
        ]
    )
    document = compiled("Before.\n\n:::box\nInner.\n:::\n\nAfter.", given)
    assert document.body.replace("\n", "") == (
        '<p>Before.</p><div class="b"><a href="\0L0\0">B</a><p>Inner.</p><p><strong>M</strong></p></div><p>After.</p>'
    )
    assert [(link.href, str(link.span)) for link in document.links] == [("./b.md", "a.md:3:1")]
    assert [chunk.text for chunk in document.text] == ["Before.", "B", "Inner.", "M", "After."]
    assert document.markdown.strip() == "Before.\n\n[B](./b.md)\n\nInner.\n\n**M**\n\nAfter."
    assert document.diagnostics == []


def test_what_is_wrong_in_made_text_has_the_place_of_the_use() -> None:
    document = compiled("x\n\n  :::box\n:::\n", Given(lambda _: [("markdown", "a\n\nb\n\n![](x.png)")]))
    [problem] = document.diagnostics
    assert (problem.code, str(problem.span), problem.excerpt) == ("missing-alt", "a.md:3:3", "  :::box")


def test_html_that_is_not_closed_is_found() -> None:
    document = compiled(":::box\n:::\n", Given(lambda _: [("html", "<div>")]))
    assert [(one.code, str(one.span)) for one in document.diagnostics] == [("unclosed-html", "a.md:1:1")]


def test_directive_that_gives_itself_comes_to_an_end() -> None:
    given = Given(lambda _: [("markdown", "::self\n\n::self")])
    document = compiled("::self", given)
    assert {one.code for one in document.diagnostics} == {"too-deep"}
    assert len(given.arguments) < 1_000


def test_headings_of_made_text_are_those_of_the_page() -> None:
    document = compiled("# T\n\n::box\n", Given(lambda _: [("markdown", "## Made\n\nText.")]))
    assert [heading.anchor for heading in document.headings] == ["", "made"]


def test_fence_is_drawn_and_gets_its_words() -> None:
    given = Given(lambda argument: [("html", f"<b>{argument['text']}</b>")])
    document = compiled('```data a=1 title="x"\n1,2\n```\n\n```text\ncode\n```', given)
    assert document.body.startswith("<b>1,2</b>")
    assert [(one["info"], one["attributes"]) for one in given.arguments] == [
        ('a=1 title="x"', {"a": "1", "title": "x"})
    ]
    assert "code" in document.body


def test_fence_or_directive_that_fails_is_shown_as_if_it_were_not_registered() -> None:
    given = Given(lambda _: None)
    document = compiled("```data\n1,2\n```\n\n:::box\nInner.\n:::", given)
    assert "1,2" in document.body
    assert "<p>Inner.</p>" in document.body


def test_names_in_code_and_of_others_are_left_alone() -> None:
    given = Given(lambda _: [("html", "")])
    compiled("`::box`\n\n```text\n:::box\n::box\n```\n\n::other[x]\n\na ::box b\n\n:::note\nN.\n:::", given)
    assert given.arguments == []


def test_places_behind_a_transform_are_those_of_the_file() -> None:
    def change(text: str) -> str:
        return "New line.\n\n" + text.replace("MANY", "1\n\n2\n\n3").replace("gone\n\n", "")

    text = "---\ntitle: T\n---\n\nFirst ![](a.png)\n\nMANY\n\ngone\n\nLast ![](b.png) <x\n"
    document = compiled(text, Given(lambda _: None, change), ContentOptions(has_transforms=True))
    assert [str(one.span) for one in document.diagnostics if one.code == "missing-alt"] == ["a.md:5:7", "a.md:11:6"]
    assert "<p>New line.</p>" in document.body


@pytest.mark.costly
def test_hostile_uses_take_linear_time() -> None:
    given = Given(lambda _: [("body", "")])
    for text in ("::box[" * 20_000, ":::box\n" * 2_000, "::box{" + "a=" * 20_000, "::box\n\n" * 3_000):
        compiled(text, given)
    lines = "".join(f"{number % 7}\n\n" for number in range(6_000))
    reverse = Given(lambda _: None, lambda text: "\n".join(reversed(text.split("\n"))))
    compiled(lines, reverse, ContentOptions(has_transforms=True))


def test_dialect_of_made_text_is_that_of_its_page() -> None:
    options = ContentOptions(directives=frozenset({"box"}), folders={"": Dialect(is_mdx=True)})
    document = compiled(
        "::box", Given(lambda _: [("markdown", "<details><summary>S</summary>{'x'}</details>")]), options
    )
    assert "{'x'}" not in document.body


def test_objects_of_mkdocstrings_need_no_space_before_their_name() -> None:
    given = Given(lambda argument: [("markdown", argument["label"])])
    options = ContentOptions(directives=frozenset({"autodoc"}))
    document = compiled("# T\n\n:::kite.Line\n\n## :::kite.Reel\n\n:::note\nStays.\n:::\n", given, options)
    assert document.diagnostics == []
    assert [one["label"] for one in given.arguments] == ["kite.Line", "kite.Reel"]
    assert 'class="admonition admonition-note"' in document.body
    document = compiled("# T\n\n:::kite.Line\n\nText\n", given)
    assert [one.code for one in document.diagnostics] == ["foreign-syntax"]


def test_transform_that_changes_nothing_leaves_text_and_places() -> None:
    text = "# T\n\nA [b]().\n"
    for options in (ContentOptions(), ContentOptions(has_transforms=True)):
        document = compiled(text, Given(str), options)
        assert [(one.code, str(one.span)) for one in document.diagnostics] == [("empty-link", "a.md:3:3")]
