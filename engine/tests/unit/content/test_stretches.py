"""Parts of a text that are found by their ends: code, comments, elements, the addresses of links."""

from __future__ import annotations

import re

from octavo.content.audit.places import Places, comments_in, fenced, raw_code
from octavo.content.compile import ContentOptions, compile_document
from octavo.content.escape import inline_code
from octavo.content.plain import code_in, stretches, without_code, without_comments
from octavo.content.scan.plain_lines import in_address
from tests.support.each import each


def found(text: str) -> list[str]:
    return [text[code.start : code.end] for code in code_in(text)]


@each(
    "text, code",
    [
        ("a `b` c ``d`e`` f", ["`b`", "``d`e``"]),
        ("```\na\n```\n\n`b`", ["```\na\n```", "`b`"]),
        ("- ```js\n  a\n  ```\nb", ["- ```js\n  a\n  ```"]),
        ("> ~~~\n> `a`\n> ~~~~\nb", ["> ~~~\n> `a`\n> ~~~~"]),
        ("````\n```\na\n```\n````\n", ["````\n```\na\n```\n````"]),
        ("~~~ a\nb `c`", ["`c`"]),
        ("``` a\n`b`\n", ["`b`"]),
        ("```a``` b\n`c\n`", ["```a```"]),
        ("````\na\n~~~\n`b`\n~~~\n", ["~~~\n`b`\n~~~"]),
        ("no code", []),
    ],
)
def test_code_is_found(text: str, code: list[str]) -> None:
    assert found(text) == code


def test_mark_of_a_fence_is_told() -> None:
    text = "a `b`\n\n  - ~~~js\n    c\n    ~~~\n"
    assert [text[slice(*code.fence)] if code.fence else "" for code in code_in(text)] == ["", "~~~"]


def test_code_and_comments_leave_spaces() -> None:
    assert without_code("a `b`\n```\nc\n```\nd") == "a    \n   \n \n   \nd"
    assert without_comments("a<!-- b\nc -->d{/* e */}f<!-- g") == "a      \n     d         f<!-- g"


def test_opening_without_an_ending_hides_none_of_the_others() -> None:
    opening = re.compile(r"<(?P<name>[a-z]+)>")
    text = "<a><b>x</b><a><b>y</b>"
    assert [one.inner() for one in stretches(text, opening, lambda match: f"</{match['name']}>")] == ["x", "y"]
    assert [one.span() for one in stretches(text, opening, "</b>")] == [(0, 11), (11, 22)]


def test_code_in_html_and_between_fences_is_found() -> None:
    text = '<PRE class="a">\n<samp>b</samp></pre> <kbd> <code>c</code>'
    assert [text[start:end] for start, end in raw_code(text)] == [text[:36], "<code>c</code>"]
    text = "~~~ a\n```\n~~~\n```\nb\n``` c\n````\n```\nd\n"
    assert [text[start:end] for start, end in fenced(text)] == ["~~~ a\n```\n~~~", "```\nb\n``` c\n````"]
    assert list(comments_in("a <!-- b --> `<!--` <!-- c --> <!-- d")) == [(2, 12), (20, 30)]


def test_places_hold_what_is_between_their_ends() -> None:
    places = Places([(5, 8), (1, 7), (10, 11)])
    assert [at for at in range(13) if places.hold(at)] == [1, 2, 3, 4, 5, 6, 7, 10]


@each(
    "text, is_in_one",
    [
        ("[a](/b/", True),
        ("[a]( /b/", True),
        ("[a](/b ", False),
        ("[a](b) ", False),
        ("[a](b(c)d", True),
        ("[a](b](c)d", True),
        ("[a](b\n", False),
        ("a(b", False),
        ("[a](" + "b" * 1_900, True),
    ],
)
def test_place_in_an_address(text: str, is_in_one: bool) -> None:
    assert in_address(f"x\n{text}{{c}}", 2 + len(text)) is is_in_one


def test_each_word_with_a_hyphen_is_kept_whole() -> None:
    assert inline_code("a --b-c d e-f") == (
        '<code>a <span class="whole">--b-c</span> d <span class="whole">e-f</span></code>'
    )


def test_words_behind_a_fence_that_are_too_many_are_a_finding() -> None:
    words = 'title="a" ' * 500
    document = compile_document(f"```js {words}\nx\n```\n", source_path="p.md", load={}.get, options=ContentOptions())
    assert [(one.code, str(one.span), one.message) for one in document.diagnostics] == [
        ("fence-option", "p.md:1:1", "There are 5002 characters behind this fence; only the language is read.")
    ]
    assert 'data-language="js"' in document.body
