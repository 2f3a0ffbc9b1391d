"""Strings in values of components have the escapes of JavaScript."""

from __future__ import annotations

import json

import pytest

from octavo.content.scan.jsx import NotLiteralError, parse_expression


def read(written: str) -> object:
    return parse_expression(f"{{{written}}}", 0, {})[0]


@pytest.mark.parametrize("text", ["100 °C", "漢字", "a\u2028b", "😀 x", 'a "b" \\ \n\t', "\x7f\x00"])
def test_json_is_read_as_it_was_written(text: str) -> None:
    # Rendered pages cannot hold NUL.
    assert read(json.dumps(text)) == text.replace("\0", "\ufffd")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"'\xb0\u{b0}\u00B0'", "°°°"),
        (r"'\u{1F600}'", "😀"),
        (r"'\ud83d\ude00'", "😀"),
        (r"`\u00b0`", "°"),
        (r"'\q\''", "q'"),
    ],
)
def test_escapes_of_javascript_are_read(written: str, text: str) -> None:
    assert read(written) == text


@pytest.mark.parametrize("written", [r"'\u00'", r"'\x1'", r"'\u{110000}'", r"'\u{}'", r"'\ud83d'", "'\\"])
def test_what_is_no_character_is_no_literal(written: str) -> None:
    with pytest.raises(NotLiteralError):
        read(written)


def test_backslashes_of_raw_texts_are_text() -> None:
    assert parse_expression("{String.raw`run \\\n  --all \\n ${1}`}", 0, {})[0] == "run \\\n  --all \\n 1"
