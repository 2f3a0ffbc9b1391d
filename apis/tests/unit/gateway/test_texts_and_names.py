"""Names, keys, moments and texts: functions without a database."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta, timezone

import pytest

from gateway_api.errors import InvalidError
from gateway_api.events import event_at
from gateway_api.recording import clean_text, equal_markers, thread_keys
from gateway_api.values.moments import from_us, now_us, to_us
from gateway_api.values.names import lookup_name, persona_name, workspace_name
from gateway_api.values.text import MARK, escape, key_of, unescape
from gateway_api.web.document import Methods
from gateway_api.web.guard import whole_path
from tests.support.each import each


@pytest.mark.parametrize(
    ("given", "stored"), [("alpha", "alpha"), (" Web-Shop_2 ", "web-shop_2"), ("DEFAULTS", "defaults")]
)
def test_workspace_names_are_stored_in_lower_case(given: str, stored: str) -> None:
    assert workspace_name(given) == stored
    assert lookup_name(given) == stored


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "cannot be empty"),
        ("  ", "cannot be empty"),
        ("default", "default is reserved"),
        ("active", "active is reserved"),
        ("Archive", "Archive is reserved"),
        ("archived", "archived is reserved"),
        ("a b", "is invalid"),
        ("a/b", "is invalid"),
        ("ü", "is invalid"),
        ("a\n", None),
    ],
)
def test_workspace_names_that_are_refused(given: str, said: str | None) -> None:
    if said is None:
        assert workspace_name(given) == given.strip()
        return
    with pytest.raises(InvalidError, match=said):
        workspace_name(given)


@pytest.mark.parametrize("given", ["", " ", "a/b", "ü", "a\n", "a!"])
def test_persona_names_that_are_refused(given: str) -> None:
    with pytest.raises(InvalidError, match="Persona name is invalid"):
        persona_name(given)


def test_persona_names_keep_their_case_and_spaces() -> None:
    assert persona_name("Data Analyst_2-b") == "Data Analyst_2-b"


@pytest.mark.parametrize("text", ["", "plain", "a\0b", "\0", MARK, f"{MARK}0", f"{MARK}1\0{MARK}", "\0\0é"])
def test_escaping_is_undone(text: str) -> None:
    written = escape(text, "\0")
    assert "\0" not in written
    assert unescape(written, "\0") == text


def test_plain_text_is_stored_as_it_is() -> None:
    assert escape("plain", "\0") == "plain"
    assert escape("a/b", "/") == f"a{MARK}0b"


def test_keys_are_hashes() -> None:
    assert key_of("ü") == hashlib.sha256("ü".encode()).hexdigest()


def test_moments_are_exact_to_the_microsecond() -> None:
    moment = datetime(2025, 5, 1, 12, 0, 0, 1, tzinfo=timezone(timedelta(hours=2)))
    assert to_us(moment) == 1_746_093_600_000_001
    assert from_us(to_us(moment)) == moment
    assert from_us(to_us(moment)).tzinfo is UTC
    assert to_us(datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)) == -1_000_000
    before = to_us(datetime.now(UTC))
    assert before <= now_us() <= to_us(datetime.now(UTC))


def test_events_name_the_moment() -> None:
    assert event_at(1_746_093_600_000_001) == b"data: New alert detected: 2025-05-01 10:00:00.000001+00:00\n\n"


@each(
    ("message", "words"),
    [
        ("Plain words.", "Plain words."),
        ("  kept as they are \n", "  kept as they are \n"),
        ("<task>\nDo it.\n</task>\n<environment_details>\nfiles\n</environment_details>", "Do it."),
        (
            "Ask.<environment_details>a</environment_details> And<environment_details>b</environment_details>",
            "Ask. And",
        ),
        ("a <task> in the middle", "a <task> in the middle"),
        ("Context: bad package.\n\n Query: Use it?", "Use it?"),
        ("Context: two\nlines.\n\nQuery: Use\n\nit?", "Use\n\nit?"),
        ("Context: a.\n\nQuery: b\n\nQuery: c", "b\n\nQuery: c"),
        ("<task>Context: a.\n\nQuery: b</task>", "b"),
        ("My Context: a.\n\nQuery: b", "My Context: a.\n\nQuery: b"),
        ("Context: no question follows", "Context: no question follows"),
        ("Context: a. Query: b", "Context: a. Query: b"),
        ("Context:\na.\n\nQuery: b", "b"),
        ("Context: a.\r\n\r\nQuery: b", "b"),
        ("Context: a.\nQuery: b", "Context: a.\nQuery: b"),
        ("Context: a.\n\nQuery: kept as it is \n", "kept as it is \n"),
        # Some extensions wrap the words in a task; then there is no empty line before them.
        (
            "<task>Context: a is bad.\nb is bad.\nQuery: Use\nit?</task><environment_details>x</environment_details>",
            "Use\nit?",
        ),
        ("<task>Context: a. Query: b</task>", "Context: a. Query: b"),
        ("Context: a.\n\nQuery: <task>Do it.</task>\n<environment_details>x</environment_details>", "Do it."),
        ("<environment_details>never closed", "<environment_details>never closed"),
        ("a</environment_details><environment_details>b</environment_details>c", "a</environment_details>c"),
    ],
)
def test_text_that_tools_add_is_left_out(message: str, words: str) -> None:
    assert clean_text(message) == words


def test_markers_become_equal() -> None:
    assert equal_markers("a REDACTED<$AAA> b REDACTED<#1-2#>") == "a REDACTED<> b REDACTED<>"
    assert equal_markers("REDACTED and <b>") == "REDACTED and <b>"
    assert equal_markers("REDACTED<REDACTED<#1#>") == "REDACTED<REDACTED<>"
    one, other = "0f0c9a1e-5b7d-4c52-9d0e-8a1f6b2c7d44", "77aa9a1e-5b7d-4c52-9d0e-8a1f6b2c7d44"
    assert equal_markers(f"mail #{one}# and #{other}#") == "mail ## and ##"  # personal data
    assert equal_markers(f"#{one} #{one}, #{one}#{other}#") == f"#{one} #{one}, ##{other}#"
    assert equal_markers("#1# and #include") == "#1# and #include"


@pytest.mark.costly
@each(
    "text",
    [
        *("REDACTED<", "<environment_details>", "<environment_details></environment_details>", "<task>", "#", " "),
        *("\n", "\n ", " \n\n", "\nQuery: ", "\n\nQuery", "\nContext: "),
        "#0f0c9a1e-5b7d-4c52-9d0e-8a1f6b2c7d44",
    ],
)
@each("start", ["", "Context: ", "<task>Context: ", "<environment_details>"])
def test_hostile_text_is_read_in_linear_time(start: str, text: str) -> None:
    message = start + text * (1_000_000 // len(text))  # one that goes back again and again would need hours
    equal_markers(clean_text(message))


def test_thread_keys_are_those_of_the_beginnings() -> None:
    keys = thread_keys("openai", ["a", "b", "c"])
    assert len(set(keys)) == 3
    assert thread_keys("openai", ["a", "b"]) == keys[:2]
    assert thread_keys("anthropic", ["a"])[0] != keys[0]
    assert thread_keys(None, ["a"])[0] not in keys
    assert thread_keys("openai", ["a, b"])[0] not in keys
    # Earlier releases have stored keys of this form.
    assert keys[1] == hashlib.sha256(b'["openai", "a", "b"]').hexdigest()


@pytest.mark.parametrize(
    ("raw", "path", "whole"),
    [
        (b"/a/b", "/a/b", "/a/b"),
        (b"/a%20b", "/a b", "/a b"),
        (b"/p/a%2Fb/models?x=%2f", "/p/a/b/models", f"/p/a{MARK}0b/models"),
        (b"/p/a%2fb", "/p/a/b", f"/p/a{MARK}0b"),
        (b"", "/a", "/a"),
    ],
)
def test_encoded_slashes_stay_in_their_segment(raw: bytes, path: str, whole: str) -> None:
    assert whole_path(raw, path) == whole
    assert unescape(whole, "/") == path


def test_methods_of_a_path() -> None:
    document = {"paths": {"/a/{name}": {"get": {}, "delete": {}}, "/a/fixed": {"post": {}}}}
    methods = Methods(document)
    assert methods.at("/a/x") == "DELETE, GET"
    assert methods.at("/a/fixed") == "POST"
    assert methods.at("/a/x/y") is None
    assert methods.at("/b") is None
