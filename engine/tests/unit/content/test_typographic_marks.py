"""Quotes, dashes and dots that an engine draws as typographers do, and what they must not change: code, addresses, ids."""

from __future__ import annotations

import re

from octavo.content import ContentOptions, Dialect, Document
from octavo.content.compile import compile_document
from tests.support.each import each


def compile_text(text: str, *extensions: str, slugs: str = "github", path: str = "a.md") -> Document:
    dialect = Dialect(extensions=frozenset(extensions), slugs=slugs)
    return compile_document(text, source_path=path, load=lambda _: None, options=ContentOptions(folders={"": dialect}))


@each(
    ("text", "drawn"),
    [
        ("It's \"so\" -- a --- b...", "It’s “so” – a — b…"),
        ("'90s *it*'s", "’90s <em>it</em>’s"),
        ("`it's...` \"a\"", "<code>it's...</code> “a”"),
        ('\\"as it is\\" \\-- \\...', '"as it is" -- ...'),
        ("no marks & <b>it's</b>", "no marks &amp; <b>it’s</b>"),
    ],
)  # fmt: skip
def test_marks_are_drawn(text: str, drawn: str) -> None:
    assert compile_text(text, "smart").body == f"<p>{drawn}</p>"


def test_without_the_extension_marks_stay_as_they_are() -> None:
    assert compile_text("It's -- so...").body == "<p>It's -- so...</p>"


@each(
    ("text", "href", "shown"),
    [
        ("https://kite.example/a--b's...x", "https://kite.example/a--b's...x", "https://kite.example/a--b's...x"),
        ('"https://kite.example/a--b"', "https://kite.example/a--b", "https://kite.example/a--b"),
        ("It's www.kite.example/a---b...", "http://www.kite.example/a---b", "www.kite.example/a---b"),
        ("'https://kite.example'", "https://kite.example", "https://kite.example"),
        ('"kim-lee@kite.example"', "mailto:kim-lee@kite.example", "kim-lee@kite.example"),
        ("[it's](https://kite.example/a--b)", "https://kite.example/a--b", "it’s"),
    ],
)  # fmt: skip
def test_addresses_stay_as_they_are(text: str, href: str, shown: str) -> None:
    document = compile_text(text, "smart")
    assert [link.href for link in document.links] == [href]
    assert re.findall(r"<a [^>]*>(.*?)</a>", document.body) == [shown]


@each(
    ("text", "slugs", "ids"),
    [
        ("## Don't fly -- yet", "docutils", "don-t-fly-yet"),
        ("## Don't fly -- yet", "github", "dont-fly----yet"),
        ("## Don't fly... \"yet\"", "vitepress", "don-t-fly-yet"),
        ("## Don’t fly", "docutils", "dont-fly"),
    ],
)  # fmt: skip
def test_ids_of_titles_are_those_of_what_is_written(text: str, slugs: str, ids: str) -> None:
    (heading,) = compile_text(text, "smart", slugs=slugs).headings
    assert heading.anchor == ids
    assert "’" in heading.text


def test_ids_of_titles_may_be_those_of_what_is_drawn() -> None:
    (heading,) = compile_text("## Don't fly -- yet", "smart", "smart_titles", slugs="docutils").headings
    assert (heading.anchor, heading.text) == ("dont-fly-yet", "Don’t fly – yet")
