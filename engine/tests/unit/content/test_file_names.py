"""Comments that name the file of a block, as Expressive Code reads them."""

from __future__ import annotations

import pytest

from octavo.content import ContentOptions, Dialect
from octavo.content.code.notations import take_file_name
from octavo.content.compile import compile_document
from tests.support.each import each


@each(
    ("language", "line", "name"),
    [
        ("js", "// src/kite.mjs", "src/kite.mjs"),
        ("js", "  // kite.test.js  ", "kite.test.js"),
        ("js", "// File name: kite.js", "kite.js"),
        ("js", "// ファイル：kite.js", "kite.js"),
        ("js", "/* .eslintrc */", ".eslintrc"),
        ("html", "<!-- kite.html -->", "kite.html"),
        ("html", "<!--kite.html-->", "kite.html"),
        ("css", "/* styles/kite.css */", "styles/kite.css"),
        ("yaml", "# config/kite", "config/kite"),
        ("yaml", "# ~/.kite", "~/.kite"),
        ("bash", "# Script: ./run", "./run"),
        ("bat", r"# C:\kite\run.bat", r"C:\kite\run.bat"),
        ("rust", "// src/main.rs", "src/main.rs"),
        ("rust", "// In main.rs: main.rs", "main.rs"),
        ("", "// pages/[slug].astro", "pages/[slug].astro"),
        # Text that names no file, or one of another kind.
        ("js", "// kite.css", ""),
        ("js", "// kite", ""),
        ("js", "// Fly the kite.js", ""),
        ("js", "// https://kite.example/a.js", ""),
        ("js", "// File: src/kite", ""),
        ("js", "// Kite/Wind", ""),
        ("js", "// ...", ""),
        ("js", "// .../kite.js", ""),
        ("js", "// 1/2", ""),
        ("js", "kite.js", ""),
        ("bash", "#!/bin/bash", ""),
        ("bash", "# install", ""),
        ("js", "// " + "a/" * 200, ""),
    ],
)
def test_file_is_named_by_a_comment_of_its_kind(language: str, line: str, name: str) -> None:
    given, code = take_file_name(language, language, f"{line}\nfly()")
    if name:
        assert (given, code) == (f'{language} title="{name}"'.strip(), "fly()")
    else:
        assert (given, code) == (language, f"{line}\nfly()")


@pytest.mark.parametrize(
    ("language", "code", "left"),
    [
        ("js", "// a.js\n\nfly()", "fly()"),
        ("js", "// a.js\n\n\nfly()", "\nfly()"),
        ("js", "1\n2\n3\n// a.js\n5", "1\n2\n3\n5"),
        ("js", "1\n2\n3\n4\n// a.js", "1\n2\n3\n4\n// a.js"),
        ("md", "---\n# a.md\n---\n\nText", "Text"),
        ("md", "---\n# a.md\ntitle: A\n---\n", "---\ntitle: A\n---\n"),
        ("js", "---\n// a.js\n---\n", "---\n---\n"),
        ("js", "// a.js", ""),
    ],
)
def test_comment_goes_with_what_would_be_empty_without_it(language: str, code: str, left: str) -> None:
    assert take_file_name(language, language, code)[1] == left


def test_block_without_a_frame_keeps_its_comment() -> None:
    assert take_file_name('js frame="none"', "js", "// a.js") == ('js frame="none"', "// a.js")


@pytest.mark.parametrize(("extensions", "is_title"), [({"file_names"}, True), (set[str](), False)])
def test_only_sites_that_ask_for_it_have_titles_from_comments(extensions: set[str], *, is_title: bool) -> None:
    options = ContentOptions(folders={"": Dialect(extensions=frozenset(extensions))})
    text = '```js {1}\n// kite.js\nfly();\n```\n\n```js title="Own"\n// kite.js\n```\n'
    body = compile_document(text, source_path="a.md", load=lambda _: None, options=options).body
    assert body.count("// kite.js") == (1 if is_title else 2)
    assert (">kite.js<" in body) is is_title
    assert ">Own<" in body
