"""Messages that a server has written on several lines: their calls are answered nevertheless."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp.types import JSONRPCError, JSONRPCResponse

from tests.support.each import each
from tool_api.runtime import stdio
from tool_api.runtime.base import UnreadAnswer, UnusableMessageError
from tool_api.runtime.reading import written
from tool_api.runtime.stdio import STDOUT, AttachedWire, Broken

ANSWER = {"jsonrpc": "2.0", "id": 7, "result": {"content": [{"type": "text", "text": 'a } \\ " {'}], "more": [[], {}]}}
ID_LAST = {"result": {"text": "["}, "jsonrpc": "2.0", "id": 7}
REFUSAL = {"jsonrpc": "2.0", "id": 7, "error": {"code": 1, "message": "no"}}
WHOLE = b'{"jsonrpc":"2.0","method":"notifications/a"}'


def read(*lines: bytes) -> list[Any]:
    """All that is found in some lines, the last of which may be half a message."""
    broken = Broken()
    found = [item for line in lines if line.strip() for item in broken.read(line.strip())]
    return [*found, *broken.take()]


@each("message", [ANSWER, ID_LAST, REFUSAL])
@each("indent", [0, 1, 4])
def test_answer_in_a_form_for_people_is_an_answer(message: dict[str, Any], indent: int) -> None:
    (found,) = read(*json.dumps(message, indent=indent).encode().split(b"\n"))
    assert isinstance(found, JSONRPCResponse | JSONRPCError)
    line = b"".join(written(found))
    assert json.loads(line) == message
    assert b"\n" not in line


def test_line_end_in_a_text_belongs_to_it() -> None:
    (found,) = read(b'{"jsonrpc":"2.0","id":7,"result":{"text":"a {', b'b\tc"}}')
    assert isinstance(found, JSONRPCResponse)
    assert json.loads(b"".join(written(found))) == {"jsonrpc": "2.0", "id": 7, "result": {"text": "a {\nb\tc"}}


def test_message_that_breaks_off_before_its_id_is_completed_by_the_rest() -> None:
    (found,) = read(b'{"result":{"content":[{"type":"text","te', b'xt":"x"}]},"jsonrpc":"2.0","id":7}')
    assert isinstance(found, JSONRPCResponse)
    assert found.id == 7


def test_message_by_itself_ends_one_that_goes_on() -> None:
    first, second = read(b'{"jsonrpc":"2.0","id":7,"result":{', WHOLE)
    assert isinstance(first, UnusableMessageError)
    assert first.answers == 7
    assert second.method == "notifications/a"


def test_what_goes_on_for_too_long_is_read_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "MOST_BROKEN_BYTES", 60)
    first, second, third = read(b'{"jsonrpc":"2.0","id":7,"result":{', b'"a": "' + b"b" * 50, WHOLE)
    assert (first.answers, second.answers) == (7, None)
    assert third.method == "notifications/a"
    (long,) = read(b'{"jsonrpc":"2.0","id":7,"result":{' + b'"a":' * 50)
    assert long.answers == 7


@each(
    ("message", "asks"),
    [
        ({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {}}, 7),
        ({"jsonrpc": "2.0", "method": "notifications/a", "params": {}}, None),
    ],
)
def test_request_in_a_form_for_people_is_one_that_the_server_has_received(
    message: dict[str, Any], asks: int | None
) -> None:
    (found,) = read(*json.dumps(message, indent=2).encode().split(b"\n"))
    assert isinstance(found, UnusableMessageError)
    assert (found.answers, found.asks) == (None, asks)


@each("lines", [[b"{'a': {", b"'b': 1", b"}}"], [b"{", b"}}"], [b"{not", b"}"]])
def test_other_output_with_brackets_is_no_message(lines: list[bytes]) -> None:
    *others, last = read(*lines, WHOLE)
    assert all(isinstance(item, UnusableMessageError) and item.answers is None for item in others)
    assert last.method == "notifications/a"


def test_line_with_brackets_that_match_is_read_once() -> None:
    refused, message = read(b"{not}", WHOLE)
    assert isinstance(refused, UnusableMessageError)
    assert message.method == "notifications/a"
    assert len(read(b"{not}", b"{neither}", b"{", b"}")) == 3


def frame(line: bytes) -> bytes:
    payload = line + b"\n"
    return bytes([STDOUT, 0, 0, 0]) + len(payload).to_bytes(4, "big") + payload


def test_half_a_message_is_read_when_the_rest_does_not_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "BROKEN_S", 0.01)

    async def work() -> list[Any]:
        wire, said = AttachedWire(1000), asyncio.Queue[Any]()
        carrying = asyncio.create_task(wire.carry(said.put_nowait))
        await asyncio.sleep(0)
        wire.data_received(frame(b'{"jsonrpc":"2.0","id":7,"result":{"a":'))
        found = [await said.get()]
        # In the order in which they came, also where what follows is plainly right.
        for line in (b'{"jsonrpc":"2.0","id":8,"result":{"a":', b'{"jsonrpc":"2.0","id":9,"result":{}}'):
            wire.data_received(frame(line))
        found += [said.get_nowait(), said.get_nowait()]
        wire.data_received(frame(b'{"jsonrpc":"2.0","id":10,"result":{"a":'))
        wire.connection_lost(None)
        await carrying
        return [*found, said.get_nowait()]

    first, second, third, fourth = asyncio.run(work())
    assert [first.answers, second.answers, fourth.answers] == [7, 8, 10]
    assert third == UnreadAnswer(9, b"{}")
