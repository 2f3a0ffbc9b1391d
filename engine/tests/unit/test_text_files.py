"""Reading what authors write by hand: special files, and texts that parsers of JSON, YAML and TOML trip over."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.text_files import (
    UNSHOWN,
    SyntaxMistakeError,
    parse_json,
    parse_toml,
    parse_yaml,
    read_plain,
    replace_unshown,
)

DIGITS = "9" * 5000


def test_file_is_read_whole_or_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a\r\nb\x00")
    assert read_plain(tmp_path / "a") == b"a\r\nb\x00"
    assert read_plain(tmp_path / "a", most=2) == b"a\r"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a pipe, a socket or a device") as caught:
        read_plain(tmp_path / "pipe")
    assert caught.value.filename == str(tmp_path / "pipe")


def test_folder_and_missing_file_are_errors_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_plain(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_plain(tmp_path / "none")


def next_descriptor() -> int:
    """Give the number that the next file to be opened gets: another one where a file was left open."""
    descriptor = os.open(os.devnull, os.O_RDONLY)
    os.close(descriptor)
    return descriptor


def test_files_are_closed_whatever_they_are(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    first = next_descriptor()
    with pytest.raises(IsADirectoryError) as caught:
        read_plain(tmp_path)
    assert caught.value.filename == str(tmp_path)
    read_plain(tmp_path / "a")
    assert next_descriptor() == first


MANY = "a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9))
"""Nine references to nine references, and so on: 43 million values."""


def test_references_and_stars_in_texts_are_no_mistakes() -> None:
    assert parse_yaml("a: &a {b: 1}\nc: [*a, *a]\nd: '*x *y'") == {"a": {"b": 1}, "c": [{"b": 1}] * 2, "d": "*x *y"}


@pytest.mark.parametrize(
    ("parse", "text", "line", "column", "message"),
    [
        (parse_json, '{\n "a": }', 2, 7, "it is not valid JSON: Expecting value"),
        (parse_json, f'{{\n "a": {DIGITS}}}', 2, 7, "this number has too many digits"),
        (parse_json, "[" * 100_000, 1, 1, "it is nested too deeply"),
        (parse_yaml, "a: b\nc: d: e", 2, 5, "mapping values are not allowed in this context"),
        (parse_yaml, f"a: b\nc: {DIGITS}", 2, 4, "this number has too many digits"),
        (
            parse_yaml,
            "a: 2024-01-31\nb: 2024-02-30",
            2,
            4,
            '"2024-02-30" is not a date (day is out of range for month); put it in quotes if it is a text',
        ),
        (parse_yaml, 'a: b\nc: "d\ne: f', 2, 4, "found unexpected end of stream while scanning a quoted scalar"),
        (parse_yaml, "a: b\n? [c]\n: d", 2, 3, "found unhashable key"),
        (parse_yaml, "a: b\nc: &c {d: *c}", 2, 11, "its references (&, *) lead in a circle, or make it huge"),
        (parse_yaml, "a: b\nc: &c [1, *c]", 2, 11, "its references (&, *) lead in a circle, or make it huge"),
        (parse_yaml, MANY, 2, 10, "its references (&, *) lead in a circle, or make it huge"),
    ],
)
def test_mistake_has_its_place(parse: Callable[[str], Any], text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(SyntaxMistakeError) as caught:
        parse(text)
    assert (str(caught.value), caught.value.line, caught.value.column) == (message, line, column)


@pytest.mark.parametrize("parse", [parse_json, parse_yaml])
def test_no_character_is_nul(parse: Callable[[str], Any]) -> None:
    assert parse('{"a\\u0000": ["b\\u0000c", {"d": 1}], "e": "\\\\u0000"}') == {
        "a\ufffd": ["b\ufffdc", {"d": 1}],
        "e": "\\u0000",
    }


def test_no_character_of_settings_is_nul() -> None:
    assert parse_toml('a = "b\\u0000"\n[c]\nd = ["\\U00000000"]') == {"a": "b\ufffd", "c": {"d": ["\ufffd"]}}
    with pytest.raises(tomllib.TOMLDecodeError):
        parse_toml("a = b")


def test_nul_can_be_refused_at_its_place() -> None:
    assert parse_toml("a = '\\u0000'", refuses_nul=True) == {"a": "\\u0000"}, "a literal string has no escape sequences"
    with pytest.raises(tomllib.TOMLDecodeError, match=r"the character NUL.* \(at line 2, column 6\)"):
        parse_toml('a = 1\nb = "\\u0000"', refuses_nul=True)
    for parse in (parse_json, parse_yaml):
        with pytest.raises(SyntaxMistakeError) as caught:
            parse('{"a":\n ["\\u0000"]}', refuses_nul=True)
        assert (caught.value.line, caught.value.column) == (2, 4)


def test_references_of_references_are_replaced_once() -> None:
    levels = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 5))
    with pytest.raises(SyntaxMistakeError):
        parse_yaml(f'a0: &a0 "x\\0"\n{levels}', refuses_nul=True)
    found = parse_yaml(f'a0: &a0 "x\\0"\n{levels}')
    assert found["a1"] == ["x\ufffd"] * 9
    assert found["a4"][0] is found["a4"][8]


@given(st.text(st.sampled_from("ab\n\t\x00\x07\x0b\x0c\x1f\x7fé\ufffe\uffff字\ud800")))
def test_unshown_characters_are_those_of_the_pattern(text: str) -> None:
    assert replace_unshown(text, "?") == UNSHOWN.sub("?", text)
