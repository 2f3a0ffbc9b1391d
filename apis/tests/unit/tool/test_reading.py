"""Messages that peers have written: what is meant is read, and of the rest it is known which call it concerns."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import JSONRPCNotification, jsonrpc_message_adapter

from tool_api.endpoint.posted import read_posted
from tool_api.runtime.base import UnusableMessageError
from tool_api.runtime.reading import (
    WrittenCall,
    WrittenResponse,
    escape_line_ends,
    parse,
    read_answer,
    read_call,
    written,
    written_call,
)

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def read(line: bytes | str) -> dict[str, Any]:
    (found,) = parse(line if isinstance(line, bytes) else line.encode())
    assert not isinstance(found, Exception)
    dumped: dict[str, Any] = found.model_dump(by_alias=True, exclude_unset=True)
    return dumped


def answer(text: str, **members: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 7, "result": {"text": "?"}} | members).replace("?", text)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (answer(r"\ud83d"), "\ufffd"),
        (answer(r"\ud83d\ude00 \ude00"), "\U0001f600 \ufffd"),
        (b"\xef\xbb\xbf" + answer("x").encode(), "x"),
        (answer("?").encode().replace(b"?", b"caf\xe9"), "caf\ufffd"),
        (answer("x", id=7.0), "x"),
    ],
)
def test_answer_that_a_strict_parser_refuses_is_mended(line: bytes | str, text: str) -> None:
    assert read(line) == {"jsonrpc": "2.0", "id": 7, "result": {"text": text}}


@pytest.mark.parametrize("is_ascii", [True, False])
@pytest.mark.parametrize("text", ["a", "\u00e9\u2028", '\U0001f600"\\\x00', "\ud83d", "\\ud83d"])
def test_large_answer_is_passed_on_as_a_small_one(text: str, is_ascii: bool) -> None:
    result = {"content": [{"type": "text", "text": text * 1000}], "n": 12345678901234567890123}
    line = json.dumps({"jsonrpc": "2.0", "id": 7, "result": result}, ensure_ascii=is_ascii)
    (found,) = parse(line.encode("utf-8", "surrogatepass"))
    assert not isinstance(found, Exception)
    passed = found.model_copy(update={"id": "x"}).model_dump_json(by_alias=True, exclude_unset=True)
    wanted = {"jsonrpc": "2.0", "id": "x", "result": result}
    if "\ud83d" not in text:
        assert json.loads(passed) == wanted
    # Half a character, and what looks like it, is left to the strict parser.
    if "\\ud" not in line and "\ud83d" not in text:
        assert isinstance(found, WrittenResponse)
        assert found.loaded().result == result


@pytest.mark.parametrize("member", ['"error":{"code":1,"message":"?"}', '"result":["?"]', '"result":{"a":"?","b":NaN}'])
def test_large_message_that_is_no_plain_answer_is_read_whole(member: str) -> None:
    (found,) = parse(f'{{"jsonrpc":"2.0","id":7,{member}}}'.replace("?", "x" * 1000).encode())
    assert not isinstance(found, WrittenResponse)


def test_batch_is_taken_apart() -> None:
    first, second, third = parse(json.dumps([PING, 5, PING | {"id": 2}]).encode())
    assert not isinstance(first, Exception)
    assert isinstance(second, UnusableMessageError)
    assert not isinstance(third, Exception)


@pytest.mark.parametrize(
    ("line", "answers", "asks"),
    [
        ('{"jsonrpc":"2.0","id":7,"result":{"x":' + "[" * 5000 + "]" * 5000 + "}}", 7, None),
        ('{"jsonrpc":"2.0","id":7,"result":{"x":', 7, None),
        ('{"result":{"x": undefined},"jsonrpc":"2.0","id":7}', 7, None),
        ('{"jsonrpc":"2.0","id":"7","result":[1]}', 7, None),
        ('{"jsonrpc":"2.0","id":7,"error":"it failed"}', 7, None),
        ('{"id":7,"result":{}}', 7, None),
        ('{"jsonrpc":"2.0","id":7}', 7, None),
        ('{"jsonrpc":"2.0","id":"s1","method":"roots/list","params":[]}', None, "s1"),
        ('{"jsonrpc":"2.0","id":null,"result":[]}', None, None),
        ('{"jsonrpc":"2.0","id":{},"result":{}}', None, None),
        ('{"jsonrpc":"1.0","method":"x"}', None, None),
        ("Starting server...", None, None),
        ("{}", None, None),
        ("[1]", None, None),
        ("null", None, None),
    ],
)
def test_of_what_cannot_be_used_the_id_is_found(line: str, answers: int | None, asks: str | None) -> None:
    (found,) = parse(line.encode())
    assert isinstance(found, UnusableMessageError)
    assert (found.answers, found.asks) == (answers, asks)


NOTE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'
ASKED = '{"jsonrpc":"2.0","id":"s1","method":"roots/list"}'
GIVEN = '{"jsonrpc":"2.0","id":8,"result":{"a":[{"id":1}]}}'
GIVEN_LAST = '{"result":{"a":[{"id":1}]},"jsonrpc":"2.0","id":8}'
CUT = '{"jsonrpc":"2.0","id":7,"resu'


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        # Two threads have written before either has ended its line.
        (NOTE + GIVEN, ["notifications/message", 8]),
        (GIVEN + answer("x"), [8, 7]),
        (GIVEN_LAST + GIVEN_LAST, [8, 8]),
        (NOTE + ASKED + GIVEN, ["notifications/message", "roots/list", 8]),
        # A text without an end of its line.
        ("Loading... " + GIVEN, ["not", 8]),
        ("{'a': 1} " + GIVEN_LAST, ["not", 8]),
        (GIVEN + " done", [8, "not"]),
        # A message that breaks off, and the next one.
        (CUT + GIVEN, ["fails 7", 8]),
        ('{"jsonrpc":"2.0","id":7,"result":{"a":[{"id":1},{"id":' + GIVEN, ["fails 7", 8]),
        ('{"jsonrpc":"2.0","id":"s2","me' + GIVEN, ["refuses s2", 8]),
        (CUT + ASKED + GIVEN, ["fails 7", "refuses s1", 8]),
        (CUT + NOTE, ["fails 7"]),
        (CUT, ["fails 7"]),
        (CUT.replace("resu", "e"), ["fails 7"]),
        (CUT.replace("resu", ""), ["not"]),
        # A request that a server has written into its log is not its own.
        ("Received " + ASKED, ["not"]),
        ("Received " + ASKED + " " + GIVEN, ["not", 8]),
        ('{"jsonrpc":"2.0","id":7,"result":null}' + GIVEN, ["fails 7", 8]),
    ],
)
def test_messages_are_found_in_a_line_that_is_not_one(line: str, wanted: list[object]) -> None:
    def say(item: object) -> object:
        if isinstance(item, UnusableMessageError):
            words = {"fails": item.answers, "refuses": item.asks}
            return next((f"{word} {found}" for word, found in words.items() if found is not None), "not")
        return getattr(item, "method", None) or getattr(item, "id", None)

    assert [say(item) for item in parse(line.encode())] == wanted


def test_line_of_many_broken_messages_is_read_in_the_time_of_a_few() -> None:
    line = ('{"jsonrpc":[' * 200_000).encode()
    started = time.monotonic()
    assert all(isinstance(item, UnusableMessageError) for item in parse(line))
    assert time.monotonic() - started < 5


@given(st.binary(max_size=60))
def test_no_line_stops_the_reader(line: bytes) -> None:
    for found in parse(line):
        assert isinstance(found, UnusableMessageError) or not isinstance(found, Exception)


@given(st.text(alphabet=st.sampled_from('ab\u2028\u2029\x85\u00e9\U0001f600"\\'), max_size=30))
def test_message_is_one_line_for_every_reader_and_means_the_same(text: str) -> None:
    escaped = escape_line_ends(json.dumps({"t": text}, ensure_ascii=False).encode())
    assert len(escaped.decode().splitlines()) == 1
    assert json.loads(escaped) == {"t": text}


@pytest.mark.parametrize("request_id", [None, 1.5, True, [], {}])
def test_request_with_an_id_that_is_none_is_refused_and_not_taken_for_a_notification(request_id: object) -> None:
    posted = read_posted(json.dumps(PING | {"id": request_id}).encode())
    assert posted.message is None
    assert "must be a text or an integer, not " + json.dumps(request_id) in posted.problem


def test_batch_of_a_client_is_refused() -> None:
    assert "not a batch" in read_posted(json.dumps([PING]).encode()).problem


@pytest.mark.parametrize("body", [b"", b"{", b"5", b'{"jsonrpc":"2.0"}', b"\xff", b"[" * 9999])
def test_body_that_is_no_message_is_left_to_the_transport(body: bytes) -> None:
    posted = read_posted(body)
    assert (posted.message, posted.body) == (None, body)


def test_request_is_mended() -> None:
    half = json.dumps(PING | {"id": 1.0, "params": {"t": "?"}}).replace("?", "\\ud83d")
    posted = read_posted(half.encode())
    assert posted.request is not None
    assert (posted.request.id, posted.request.params) == (1, {"t": "\ufffd"})
    assert json.loads(posted.body) == PING | {"params": {"t": "\ufffd"}}


@pytest.mark.parametrize("request_id", ["1" + "0" * 400, "-" + "9" * 4000, "1" * 5000])
def test_id_of_any_length_is_no_fault_of_this_program(request_id: str) -> None:
    """Larger than any float, and longer than Python reads."""
    bodies = [
        '{"jsonrpc":"1.0","id":?,"method":"ping"}',
        '{"jsonrpc":"2.0","id":?,"method":1}',
        '{"jsonrpc":"2.0","id":?,"method":"tools/call","params":{}}',
    ]
    for body in bodies:
        posted = read_posted(body.replace("?", request_id).encode())
        assert posted.request is None or str(posted.request.id) == request_id


def test_notification_may_speak_of_an_id() -> None:
    body = json.dumps({"jsonrpc": "2.0", "method": "n", "params": {"id": None}}).encode()
    posted = read_posted(body)
    assert isinstance(posted.message, JSONRPCNotification)
    assert json.loads(posted.body) == json.loads(body)


CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "arguments": {}}}


@pytest.mark.costly
@given(
    st.one_of(st.integers(), st.text(st.characters(exclude_categories=["Cs"]))),
    st.dictionaries(st.text(), st.recursive(st.one_of(st.none(), st.integers(), st.text()), st.lists, max_leaves=5)),
    st.booleans(),
)
def test_call_of_a_tool_means_the_same_read_as_written_or_by_the_protocols_parser(
    request_id: int | str, params: dict[str, Any], is_ascii: bool
) -> None:
    body = json.dumps(CALL | {"id": request_id, "params": params}, ensure_ascii=is_ascii)
    try:
        data = body.encode()
    except UnicodeEncodeError:
        return
    found = read_call(data)
    if found is not None:
        call = WrittenCall(*found)
        assert call.loaded() == jsonrpc_message_adapter.validate_json(data, by_name=False)
        (line,) = b"".join(written(call.numbered(7))).decode().splitlines()
        assert json.loads(line) == CALL | {"id": 7, "params": params}
        assert written_call(7, found[1]) == f"{line}\n".encode()
        assert json.loads(call.model_dump_json()) == CALL | {"id": request_id, "params": params}


def test_parameters_are_passed_on_as_they_are_written() -> None:
    call = read_call(b'{"method":"tools/call","params":{"a": 1.10, "b":12345678901234567890},"id":"x","jsonrpc":"2.0"}')
    assert call == ("x", b'{"a": 1.10, "b":12345678901234567890}')
    text = b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"a": 1.10, "b":12345678901234567890}}'
    assert b"".join(written(WrittenCall(*call).numbered(3))) == text


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85"])
def test_ends_of_lines_within_texts_are_escaped_in_both_directions(end: str) -> None:
    """A server that reads lines as Node does would take the rest of a call for another message."""
    text = json.dumps(CALL | {"params": {"a": end}}, ensure_ascii=False).encode()
    call = read_call(text)
    assert call is not None
    assert len(written_call(1, call[1]).decode().splitlines()) == 1
    assert json.loads(call[1]) == {"a": end}
    answer = read_answer(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"a": end}}, ensure_ascii=False).encode())
    assert answer is not None
    assert len(answer.data.decode().splitlines()) == 1
    assert json.loads(answer.data) == {"a": end}


@pytest.mark.parametrize(
    "body",
    [
        json.dumps(CALL | {"params": {"_meta": {"progressToken": 1}}}),
        json.dumps(CALL | {"params": {"meta": 1}}).replace("meta", r"\u005fmeta"),
        json.dumps(CALL | {"params": {"a": "?"}}).replace("?", r"\ud83d"),
        json.dumps(CALL, indent=1),
        json.dumps(CALL).replace('"name"', '\r"name"'),
        json.dumps(CALL | {"params": [1]}),
        json.dumps(CALL | {"params": None}),
        json.dumps(CALL | {"id": 1.0}),
        json.dumps(CALL | {"id": None}),
        json.dumps(CALL | {"id": True}),
        json.dumps(CALL | {"id": "?"}).replace("?", r"\ud83d"),
        json.dumps(CALL | {"method": "tools/list"}),
        json.dumps(CALL | {"jsonrpc": "1.0"}),
        json.dumps(CALL | {"more": 1}),
        json.dumps([CALL]),
        json.dumps(CALL | {"params": {"a": float("nan")}}),
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":' + "[" * 9999 + "]" * 9999 + "}}",
        '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
        "",
    ],
)
def test_call_that_is_more_than_plain_is_read_by_the_protocols_parser(body: str) -> None:
    assert read_call(body.encode()) is None


def test_call_that_is_not_utf8_is_not_passed_on_as_written() -> None:
    body = json.dumps(CALL | {"params": {"a": "?"}}).encode().replace(b"?", b"\xff")
    assert read_call(body) is None
    assert not isinstance(read_posted(body).message, WrittenCall)
