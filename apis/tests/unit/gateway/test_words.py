"""The user's words in a request, and the keys by which later requests of the same chat are recognized."""

from __future__ import annotations

import json
from hashlib import sha256
from io import BytesIO

import pytest

from gateway_api.importing import lines
from gateway_api.importing.lines import read_lines
from gateway_api.recording.words import clean_text, equal_markers, thread_keys

ID = "0123abcd-0123-4567-89ab-0123456789ab"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("  as it is \n", "  as it is \n"),
        (" a < b ", " a < b "),
        ("<task>\n  Fix it. \n</task>", "Fix it."),
        (" \n<task>one</task> two <task>three</task>", "one"),
        ("say <task>one</task>", "say <task>one</task>"),
        ("<task>one", "<task>one"),
        ("<task>a\nb</task>\n<environment_details>c</environment_details>", "a\nb"),
        ("<environment_details>x</environment_details> one ", "one"),
        (
            "a<environment_details>1</environment_details>b<environment_details>2</environment_details>c",
            "abc",
        ),
        ("one <environment_details>x", "one <environment_details>x"),
        (
            "one<environment_details>x</environment_details><environment_details>y",
            "one<environment_details>y",
        ),
        ("</environment_details>one<environment_details>", "</environment_details>one<environment_details>"),
    ],
)
def test_words_are_what_the_user_has_written_within_tags(message: str, expected: str) -> None:
    assert clean_text(message) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Context: risky\n\nQuery: why? ", "why? "),  # sent again with these spaces
        ("Context: risky\n  \n \tQuery:  why?", " why?"),
        ("Context: risky\n\nQuery:why?", "why?"),
        ("\n Context: a\n\nQuery: b\n\nQuery: c", "b\n\nQuery: c"),
        ("Context: a\nQuery: b", "Context: a\nQuery: b"),
        ("Context: a\nQuery: b\n\nQuery: c", "c"),
        ("Context: a\n\nMy Query: b", "Context: a\n\nMy Query: b"),
        ("My Context: a\n\nQuery: b", "My Context: a\n\nQuery: b"),
        ("Query: b\n\nContext: a", "Query: b\n\nContext: a"),
        ("<task>Context: a\nQuery: b </task>", "b"),
        ("Context: a\n\nQuery: <task> b </task>", "b"),
    ],
)
def test_what_the_gateway_has_put_in_front_is_left_out(message: str, expected: str) -> None:
    assert clean_text(message) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("REDACTED<$abc> and REDACTED<def>.", "REDACTED<> and REDACTED<>."),
        ("REDACTED<a<b>", "REDACTED<a<b>"),
        ("redacted<a>", "redacted<a>"),
        (f"mail #{ID}# and #{ID}#", "mail ## and ##"),
        (f"mail #{ID.upper()}#", f"mail #{ID.upper()}#"),
        (f"mail #{ID}", f"mail #{ID}"),
        (f"REDACTED<a> of #{ID}#", "REDACTED<> of ##"),
        ("# Title", "# Title"),
    ],
)
def test_markers_of_redacted_texts_are_made_equal(message: str, expected: str) -> None:
    assert equal_markers(message) == expected


@pytest.mark.parametrize("provider", ["openai", 'é"', None])
def test_keys_are_hashes_of_the_beginnings(provider: str | None) -> None:
    words = ["first", 'sec"ond', "dritté \U0001f98a"]
    expected = [sha256(json.dumps([provider, *words[:count]]).encode()).hexdigest() for count in (1, 2, 3)]
    assert thread_keys(provider, words) == tuple(expected)
    assert thread_keys(provider, ()) == ()


def test_chat_is_known_by_its_words_and_not_by_its_markers() -> None:
    earlier = thread_keys("openai", [f"mail #{ID}#", "REDACTED<a>"])
    later = thread_keys("openai", [f"mail #{ID[::-1].replace('-', '0')[:8]}{ID[8:]}#", "REDACTED<b>", "and?"])
    assert later[1] == earlier[-1]
    assert len(later) == 3
    assert thread_keys("anthropic", ["one"]) != thread_keys("openai", ["one"]) != thread_keys(None, ["one"])


def test_line_that_is_too_long_is_read_to_the_byte_that_refuses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MOST_LINE_BYTES", 10)
    monkeypatch.setattr(lines, "_PIECE_BYTES", 4)
    file = BytesIO(b"short\n" + b"x" * 10 + b"\r\n" + b"y" * 30 + b"\nnext\n\nlast")
    assert list(read_lines(file)) == [b"short\n", b"x" * 10 + b"\r\n", b"y" * 12, b"next\n", b"\n", b"last"]
