"""Comments in code that are meant for programs that draw it."""

from __future__ import annotations

import re
from html import unescape

import pytest

from octavo.content import ContentOptions, Dialect
from octavo.content.code.fences import parse_info, render_fence
from octavo.content.code.notations import info_of_dialect, take_notes, without_twoslash
from octavo.content.compile import compile_document
from tests.support.each import each


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


def text_of(source: str, *extensions: str) -> str:
    """Compile a page and give the text of its code."""
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(extensions))})
    body = compile_document(source, source_path="a.md", load=lambda _: None, options=options).body
    (code,) = re.findall(r"<code>(.*?)</code>", body, re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "", code))


@pytest.mark.parametrize(
    ("info", "code", "shown"),
    [
        ("rust", "# fn main() {\nlet a = 1;\n#\n#}\n", "let a = 1;"),
        ("rust,edition2024", "fn a() {\n    # b();\n    #[inline]\n}\n", "fn a() {\n    #[inline]\n}"),
        ("rust", "#![allow(x)]\n## a\n  ##b\n", "#![allow(x)]\n# a\n  #b"),
        ("python", "# a\nb\n", "# a\nb"),
        ("python,hidelines=!!!", "!!!import a\n  !!! b\nc ## d\n", "c ## d"),
        ("sh", "# rust\n", "# rust"),
    ],
)
def test_lines_that_a_book_hides_are_left_out(info: str, code: str, shown: str) -> None:
    assert text_of(f"```{info}\n{code}```\n", "mdbook") == shown
    assert text_of(f"```{info}\n{code}```\n") == code.rstrip("\n")


@pytest.mark.parametrize(
    ("info", "code", "shown"),
    [
        ("pycon", ">>> a()  # doctest: +SKIP\n1\n<BLANKLINE>\n2", ">>> a()\n1\n\n2"),
        ("", ">>> a() #doctest:+ELLIPSIS\n1...", ">>> a()\n1..."),
        ("python", "a()  # doctest: is here", "a()  # doctest: is here"),
    ],
)
def test_options_of_doctest_are_left_out(info: str, code: str, shown: str) -> None:
    assert text_of(f"```{info}\n{code}\n```\n", "myst") == shown
    assert text_of(f"```{info}\n{code}\n```\n") == code


def test_an_option_alone_behind_a_fence_is_no_language() -> None:
    info = parse_info('title="Running pixi info" hl_lines="2"')
    assert (info.language, info.title, info.highlighted) == ("", "Running pixi info", frozenset({2}))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("toml title=Cargo.toml", "Cargo.toml"),
        ("toml title=Cargo.toml {7}", "Cargo.toml"),
        ("toml filename=.cargo/config.toml{1-2}", ".cargo/config.toml"),
        ("toml, title=Cargo.toml", "Cargo.toml"),
        ("py title=a.py showLineNumbers", "a.py"),
        ("py title=a.py ins={2}", "a.py"),
        ("py title=a b.py", None),
        ('py title="a.py" title=b.py', "a.py"),
        ("py title=", None),
    ],
)
def test_a_title_of_one_word_needs_no_quotation_marks(text: str, title: str | None) -> None:
    assert parse_info(text).title == title


def test_lists_of_annotations_are_counted_in_quotes_too() -> None:
    text = "> ```py\n> fly()  # (1)!\n> ```\n>\n> 1. It flies,\n>    and lands.\n>\n> More.\n"
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["annotations"]))})
    document = compile_document(text, source_path="a.md", load=lambda _: None, options=options)
    assert document.diagnostics == []
    assert "It flies" in document.body


# Words after a fence → (lines to highlight, number of the first line, title).
OPTIONS = {
    "js showLineNumbers=true": ([], 1, None),
    "js showLineNumbers={true}": ([], 1, None),
    "js showLineNumbers=false": ([], None, None),
    "js showLineNumbers startLineNumber=5": ([], 5, None),
    "js startLineNumber=5": ([], None, None),
    "js showLineNumbers{10} {2}": ([2], 10, None),
    "js lineNumbers": ([], 1, None),
    "js lineNumbers=4 {1} {3}": ([1, 3], 4, None),
    "js lines highlight={1-2}": ([1, 2], 1, None),
    'js "some lines here" {1}': ([1], None, None),
    'js fileName="a.js"': ([], None, "a.js"),
    "js,linenos": ([], 1, None),
    "js,linenos,linenostart=20,hl_lines=3-4 8": ([3, 4, 8], 20, None),
    "js, hl_lines=2, name=a.js, linenos": ([2], 1, "a.js"),
    "rust,ignore": ([], None, None),
    'go {linenos=inline hl_lines=[3,"6-8"] linenostart=199}': ([3, 6, 7, 8], 199, None),
    'go {linenos=table,hl_lines=[8,"15-17"],linenostart=199}': ([8, 15, 16, 17], 199, None),
    "go{lineNos=true}": ([], 1, None),
    "go {linenos=false,hl_lines=2}": ([2], None, None),
    "js{1,3}": ([1, 3], None, None),
    'py "word" linenums="5"': ([], 5, None),
}


@each("text", OPTIONS)
def test_options_of_fences(text: str) -> None:
    info = parse_info(text)
    assert (sorted(info.highlighted), info.first_number, info.title) == OPTIONS[text]


# (extension, words after a fence) → as Octavo reads them.
NOTATIONS = {
    ("mintlify", 'js The file icon="x" lines {1}'): 'js title="The file" icon="x" lines {1}',
    ("mintlify", "js lines"): "js lines",
    ("mintlify", "js"): "js",
    ("mintlify", 'js a title="b"'): 'js a title="b"',
    ("vocs", "ts [a.ts] {1}"): 'ts title="a.ts" {1}',
    ("vocs", "ts"): "ts",
    ("eleventy", "js/1,3-4"): "js {1,3-4}",
    ("eleventy", "js/1/3"): "js ins={1} del={3}",
    ("eleventy", "js/0"): "js",
    ("vitepress", "ts [a.ts]"): "ts [a.ts]",
}


@each("given", NOTATIONS)
def test_notation_of_an_engine(given: tuple[str, str]) -> None:
    extension, text = given
    assert info_of_dialect(text, {extension}) == NOTATIONS[given]


def test_label_of_a_block_in_a_group_is_no_title_of_it() -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(["mintlify", "vocs"]))})
    for source in (
        "<CodeGroup>\n```js The file lines\nx\n```\n```py\ny\n```\n</CodeGroup>\n",
        ":::code-group\n```js [The file] lines\nx\n```\n```py\ny\n```\n:::\n",
    ):
        document = compile_document(source, source_path="docs/p.md", load={}.get, options=options)
        tabs = document.islands[0]
        assert [tab["label"] for tab in tabs.props["tabs"]] == ["The file", "py"]
        assert "figcaption" not in tabs.children[0]
        assert 'data-number="1"' in tabs.children[0]
        assert not document.diagnostics
