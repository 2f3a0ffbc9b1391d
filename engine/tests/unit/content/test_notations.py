"""Comments in code that are meant for programs that draw it."""

from __future__ import annotations

import re

import pytest

from octavo.content.code.fences import parse_info, render_fence
from octavo.content.code.notations import take_notes, without_twoslash


def drawn(code: str, info: str = "ts") -> tuple[list[tuple[str, str]], str]:
    """Draw a block; gives the classes and the text of each line, and what a reader would copy."""
    html, copied = render_fence(parse_info(info), code, {})
    lines = re.findall(r'<span class="line ?([^"]*)">(.*?)</span>(?=\n|</code>)', html)
    return [(classes, re.sub(r"<[^>]*>", "", text)) for classes, text in lines], copied


@pytest.mark.parametrize(
    ("written", "classes", "text"),
    [
        ("a() // [!code highlight]", "highlighted", "a()"),
        ("a() // [!code hl]", "highlighted", "a()"),
        ("a() // [!code focus]", "highlighted", "a()"),
        ("a() // [!code ++]", "added", "a()"),
        ("a() // [!code --]", "removed", "a()"),
        ("a() // [!code ++] [!code hl]", "added highlighted", "a()"),
        ("a() /* [!code error] */", "highlighted", "a()"),
        ("<b /> {/* [!code ++] */}", "added", "<b />"),
        ("a = 1 # [!code ++]", "added", "a = 1"),
        ("a: 1 #[!code warning]", "highlighted", "a: 1"),
        ("<b> <!-- [!code --] -->", "removed", "<b>"),
        ("a() -- [!code ++]", "added", "a()"),
        ("a() // [!code ++] why", "added", "a() // why"),
    ],
)
def test_notes_are_classes_of_their_line(written: str, classes: str, text: str) -> None:
    lines, copied = drawn(f"{written}\nb()")
    assert [(one, re.sub(r"&lt;", "<", shown).replace("&gt;", ">")) for one, shown in lines] == [
        (classes, text),
        ("", "b()"),
    ]
    assert copied == f"{text}\nb()"


def test_a_note_alone_is_about_the_lines_after_it() -> None:
    lines, copied = drawn("// [!code ++:2]\na()\nb()\nc()")
    assert lines == [("added", "a()"), ("added", "b()"), ("", "c()")]
    assert copied == "a()\nb()\nc()"


def test_words_are_marked() -> None:
    html, copied = render_fence(parse_info("ts"), "// [!code word:wind\\:north]\nblow('wind:north')", {})
    assert "<mark>" in html
    assert copied == "blow('wind:north')"


def test_notes_agree_with_other_marks_of_lines() -> None:
    assert drawn("// [!code hl]\na()\nb()\nc() // [!code ++]", "ts {3}")[0] == [
        ("highlighted", "a()"),
        ("highlighted", "b()"),
        ("added", "c()"),
    ]
    lines, _ = drawn("// highlight-next-line\na()\nb() // [!code ++]")
    assert lines == [("highlighted", "a()"), ("added", "b()")]


@pytest.mark.parametrize("code", ["a('[!code ++]')", "// [!code unheard]", "[!code hl]", "// [!note]", "x = y // z"])
def test_other_texts_stay(code: str) -> None:
    assert take_notes(code).code == code


def test_a_note_that_is_shown_has_two_signs() -> None:
    assert take_notes("a() // [!!code hl]").code == "a() // [!code hl]"


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("// @noErrors\n// @errors: 2345\na()\n//  ^?\nb()", "a()\nb()"),
        ("import a\n// ---cut---\na()", "a()"),
        ("import a\n// ---cut-before---\na()\n// ---cut-after---\nb()", "a()"),
        ("a()\n// ---cut-start---\nb()\n// ---cut-end---\nc()", "a()\nc()"),
        ("// @filename: a.ts\na()\n// a mail to b@c", "// @filename: a.ts\na()\n// a mail to b@c"),
    ],
)
def test_lines_of_twoslash_are_left_out(code: str, shown: str) -> None:
    assert without_twoslash("ts twoslash", code) == shown
    assert without_twoslash('ts title="a" twoslash {1}', code) == shown
    assert without_twoslash("ts", code) == code
    assert without_twoslash('ts title="twoslash.ts"', code) == code
