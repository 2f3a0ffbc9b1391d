"""Findings in documents that are made from other files: moved to where an author can mend them."""

from __future__ import annotations

import msgspec

from octavo.checks.made import at_origin, made_sources
from octavo.diagnostics import Diagnostic, Span
from octavo.site import Source
from tests.support.each import each

MADE = Source(
    "docs/made.md",
    "docs",
    is_page=False,
    made_from="kit/first.py",
    data=b"# Kiln\n\nHeats the clay slowly.\nAnother one\n\n`x.y` twice",
    maker="extension",
    origins=((3, "kit/second.py", 2), (4, "kit/second.py", 4), (5, "kit/third.py", 1)),
)
FILES = {
    "kit/first.py": ["one", "two Kiln", "# Kiln"],
    "kit/second.py": ["slowly heats the clay", "def heat():", "    Heats the clay slowly.", "slowly heats the clay", "the end"],
    "kit/third.py": ["a", "call x.y", "x.y twice"],
}  # fmt: skip


def moved(line: int, column: int = 1, message: str = "It is wrong.", source: Source = MADE) -> Diagnostic:
    finding = Diagnostic("kit", "warn", Span("docs/made.md", line, column), message, "Mend it.", "before", 3)
    return at_origin(finding, source, lambda path: FILES.get(path, []))


@each(
    "line, column, place, excerpt",
    [
        # The first of the lines that have most of the words.
        (1, 1, "kit/first.py:2:3", "two Kiln"),
        (1, 3, "kit/first.py:2:5", "two Kiln"),
        (3, 1, "kit/second.py:3:5", "    Heats the clay slowly."),
        (3, 11, "kit/second.py:3:15", "    Heats the clay slowly."),
        (3, 10, "kit/second.py:3:14", "    Heats the clay slowly."),
        # No line has enough of the words: the first that may be meant.
        (4, 1, "kit/second.py:4:1", "slowly heats the clay"),
        (5, 1, "kit/third.py:1:1", "a"),
        (6, 2, "kit/third.py:3:1", "x.y twice"),
        (99, 1, "kit/third.py:1:1", "a"),
        (0, 1, "kit/first.py:1:1", "one"),
    ],
)
def test_finding_is_at_the_line_that_its_line_is_made_from(line: int, column: int, place: str, excerpt: str) -> None:
    found = moved(line, column)
    assert (str(found.span), found.excerpt, found.excerpt_start) == (place, excerpt, 0)
    assert (
        found.message
        == f'It is wrong. It is in the document "docs/made.md", line {line}, which is made from this file.'
    )
    assert (found.code, found.level, found.suggestion) == ("kit", "warn", "Mend it.")


@each("message, shown", [("No", "No."), ("No! ", "No!"), ("Why?", "Why?"), ("And…", "And…"), ("Yes.", "Yes.")])
def test_message_of_an_extension_is_ended(message: str, shown: str) -> None:
    assert moved(1, message=message).message.partition(" It is in")[0] == shown


def test_half_of_the_words_is_enough() -> None:
    source = msgspec.structs.replace(MADE, origins=(), data=b"two three\ntwo three four\n--")
    assert [str(moved(line, source=source).span) for line in (1, 2, 3)] == [
        "kit/first.py:2:1",
        "kit/first.py:1:1",
        "kit/first.py:1:1",
    ]


def test_line_of_a_file_that_is_gone_is_shown_as_it_was_made() -> None:
    found = moved(3, source=msgspec.structs.replace(MADE, origins=((1, "kit/gone.py", 7),)))
    assert (str(found.span), found.excerpt) == ("kit/gone.py:7:1", "Heats the clay slowly.")


def test_documents_of_makers_that_write_markdown_are_made() -> None:
    class Page(msgspec.Struct):
        source: Source | None

    others = [msgspec.structs.replace(MADE, path=name, maker=name) for name in ("blog", "changes", "api")]
    file = msgspec.structs.replace(MADE, path="file", data=None)
    pages = [Page(None), *(Page(one) for one in (MADE, *others, file))]
    assert list(made_sources(pages)) == ["docs/made.md", "blog", "changes"]  # type: ignore[arg-type]  # only sources are read
