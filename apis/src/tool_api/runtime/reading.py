"""Reading messages that peers have written: most are plainly right, some can be mended, of the rest the id is found.

A call must be answered, whatever its server writes. So an answer that this program's parser does not take is mended
where its meaning is clear, and otherwise becomes an error that names the call.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

import msgspec
from mcp.types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import PrivateAttr, ValidationError

from tool_api.runtime.base import OversizedMessageError, UnreadAnswer, UnusableMessageError

_LINE_ENDS = (("\u2028".encode(), rb"\u2028"), ("\u2029".encode(), rb"\u2029"), ("\x85".encode(), rb"\u0085"))
"""Characters that JSON allows inside of texts, and that some readers of lines take for ends of lines."""

NOT_JSON = "not JSON"

_START = re.compile(r'\{\s*"(?:jsonrpc|id|method|params|result|error)"\s*:')
_MOST_FAILURES = 16
"""Beginnings of messages in a line that turn out to be none; each may cost as much as the line is long."""

_MOST_OF_AN_END = 1024
"""Characters in which the id of a message is looked for."""

# Not strict: ends of lines and tabs in texts, which should be escaped, are clear.
_values = json.JSONDecoder(strict=False)


class WrittenResponse(JSONRPCResponse):
    """An answer whose result is kept as the server has written it: it is neither read nor written anew."""

    _data: bytes = PrivateAttr(default=b"{}")

    def __init__(self, request_id: RequestId, data: bytes) -> None:
        """Args: data: The JSON of the result: UTF-8, on one line for every reader."""
        super().__init__(jsonrpc="2.0", id=request_id, result={})
        self._data = data

    @property
    def size(self) -> int:
        """Bytes of the result."""
        return len(self._data)

    def loaded(self) -> JSONRPCResponse:
        """The same with its result."""
        return JSONRPCResponse(jsonrpc="2.0", id=self.id, result=json.loads(self._data))

    def parts(self) -> tuple[bytes, bytes, bytes]:
        """The message in parts to be written one after the other: joined, the large one would be copied."""
        return response_start(self.id), self._data, b"}"

    def model_dump_json(self, **_: Any) -> str:
        return b"".join(self.parts()).decode()


def response_start(request_id: RequestId) -> bytes:
    """An answer up to its result."""
    return b'{"jsonrpc":"2.0","id":%b,"result":' % _written_id(request_id)


def _written_id(request_id: RequestId) -> bytes:
    return b"%d" % request_id if isinstance(request_id, int) else json.dumps(request_id).encode()


CALL_TOOL = "tools/call"


class WrittenCall(JSONRPCRequest):
    """A call of a tool whose parameters are kept as the client has written them: nothing here looks at them."""

    _data: bytes = PrivateAttr(default=b"{}")

    def __init__(self, request_id: RequestId, data: bytes) -> None:
        """Args: data: The JSON of the parameters, an object: UTF-8, on one line for every reader, without `_meta`."""
        super().__init__(jsonrpc="2.0", id=request_id, method=CALL_TOOL, params={})
        self._data = data

    @property
    def size(self) -> int:
        """Bytes of the parameters."""
        return len(self._data)

    def numbered(self, number: int) -> WrittenCall:
        """The same with another id."""
        return WrittenCall(number, self._data)

    def loaded(self) -> JSONRPCRequest:
        """The same with its parameters."""
        return JSONRPCRequest(jsonrpc="2.0", id=self.id, method=CALL_TOOL, params=json.loads(self._data))

    def parts(self) -> tuple[bytes, bytes, bytes]:
        """The message in parts to be written one after the other."""
        head = b'{"jsonrpc":"2.0","id":%b,"method":"tools/call","params":' % _written_id(self.id)
        return head, self._data, b"}"

    def model_dump_json(self, **_: Any) -> str:
        return b"".join(self.parts()).decode()


class _Envelope(msgspec.Struct, forbid_unknown_fields=True):
    jsonrpc: Literal["2.0"]
    id: int
    result: msgspec.Raw


_envelopes = msgspec.json.Decoder(_Envelope)


class _CallEnvelope(msgspec.Struct, forbid_unknown_fields=True):
    jsonrpc: Literal["2.0"]
    id: int | str
    method: Literal["tools/call"]
    params: msgspec.Raw


_calls = msgspec.json.Decoder(_CallEnvelope)
_NOT_AS_WRITTEN = (b"_meta", b'"task"', b"\\u", b"\n", b"\r")
"""In parameters: what the bridge has to read, or may be that or half a character; ends of lines."""


def read_call(body: bytes) -> tuple[RequestId, bytes] | None:
    """Read a call of a tool whose parameters can go to the server as they are: its id, and they; None for all else."""
    try:
        found = _calls.decode(body)
        data = bytes(found.params)
        if not data.startswith(b"{") or any(part in data for part in _NOT_AS_WRITTEN):
            return None
        if isinstance(found.id, str):
            found.id.encode()  # half a character cannot be
        if not data.isascii():
            data.decode()
            data = escape_line_ends(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found.id, data


def written_call(number: int, data: bytes) -> bytes:
    """A call of a tool as a line for its server.

    Args:
        number: Its id.
        data: See `WrittenCall`.
    """
    return b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%b}\n' % (number, data)


def escape_line_ends(data: bytes) -> bytes:
    """Escape what Node's readline and Python's `splitlines` take for the end of a line, in the JSON of messages."""
    if data.isascii():  # told in a fraction of the time of a search
        return data
    for character, escaped in _LINE_ENDS:
        if character in data:
            data = data.replace(character, escaped)
    return data


def written(message: JSONRPCMessage) -> tuple[bytes, ...]:
    """Parts of a message, on one line for every reader."""
    if isinstance(message, WrittenResponse | WrittenCall):
        return message.parts()
    return (escape_line_ends(message.model_dump_json(by_alias=True, exclude_unset=True).encode()),)


def parse(line: bytes) -> list[JSONRPCMessage | Exception]:
    """Read a line.

    Returns:
        Its message; several for a batch, or where the line contains several; an exception for each that cannot be used.
        Servers print other things, too.
    """
    if (answer := read_answer(line)) is not None:
        return [WrittenResponse(answer.number, answer.data)]
    try:
        return [jsonrpc_message_adapter.validate_json(line, by_name=False)]
    except ValidationError:
        pass
    try:
        value = json.loads(line.decode("utf-8-sig", "replace"), strict=False)
    except (ValueError, RecursionError):
        return _find_messages(line.decode("utf-8-sig", "replace"))
    return [_read_value(item) for item in value] if isinstance(value, list) else [_read_value(value)]


def _find_messages(text: str) -> list[JSONRPCMessage | Exception]:
    """Read a line that is not JSON.

    Threads of a server may have written into one line, something else may have been printed there before, or a message
    breaks off. Answers are taken from anywhere in the line, since a client would wait for them for ever. Requests and notifications
    are taken only behind whole messages, since servers print what they have received as well.
    """
    found: list[JSONRPCMessage | Exception] = []
    may_be_cut = text.lstrip().startswith("{")
    end = position = failures = 0
    while failures < _MOST_FAILURES and (start := _START.search(text, position)):
        try:
            value, after = _values.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            failures += 1
            position = start.end()
            continue
        position = after
        message = _read_value(value)
        before = text[end : start.start()].strip()
        is_answer = isinstance(message, JSONRPCResponse | JSONRPCError)
        if isinstance(message, Exception) or not (is_answer or not before or may_be_cut):
            continue
        if before:
            found.append(_unread(before))
        if is_answer or not before:
            found.append(message)
        elif isinstance(message, JSONRPCRequest):
            found.append(UnusableMessageError(NOT_JSON, asks=message.id))
        end = after
    rest = text[end:].strip()
    return [*found, _unread(rest)] if rest else found


def _unread(text: str) -> UnusableMessageError:
    """Describe a part of a line that cannot be read."""
    answers, asks = find_id(text[:_MOST_OF_AN_END].encode(), text[-_MOST_OF_AN_END:].encode())
    return UnusableMessageError(NOT_JSON, answers=answers, asks=asks)


def read_answer(line: bytes) -> UnreadAnswer | None:
    """Read an answer that is plainly right; None for all else."""
    try:
        found = _envelopes.decode(line)
        # An escape of a half character is checked by the strict parser.
        if b"\\ud" in line or b"\\uD" in line:
            return None
        result = bytes(found.result)
        if not result.startswith(b"{"):
            return None
        if not result.isascii():
            result.decode()
            result = escape_line_ends(result)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return UnreadAnswer(found.id, result)


def mend(value: Any) -> JSONRPCMessage:
    """Read a value that was parsed by a generous parser.

    Raises:
        ValueError: It is not a message; the text says why.
    """
    if not isinstance(value, dict):
        raise ValueError("a message is a JSON object")  # noqa: TRY004 - what a peer has sent is not a programming error
    found = value.get("id")
    if isinstance(found, float) and found.is_integer():
        value = {**value, "id": int(found)}
    # Texts that were cut in the middle of a character: half of one cannot be written as UTF-8.
    text = json.dumps(value, ensure_ascii=False).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    try:
        return jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError:
        raise ValueError(_problem(value)) from None


def _problem(value: dict[str, Any]) -> str:
    if value.get("jsonrpc") != "2.0":
        return '"jsonrpc" must be "2.0"'
    if "method" in value:
        return '"method" must be a text, and "params" an object'
    if "error" in value:
        return '"error" must be an object with an integer "code" and a text "message"'
    return 'it needs "method", "result" (an object) or "error"'


def _read_value(value: Any) -> JSONRPCMessage | Exception:
    try:
        return mend(value)
    except (ValueError, RecursionError) as error:
        found = value.get("id") if isinstance(value, dict) else None
        is_request = isinstance(value, dict) and "method" in value
        reason = f"no message of the protocol: {error}"
        if is_request:
            return UnusableMessageError(reason, asks=found if isinstance(found, int | str) else None)
        return UnusableMessageError(reason, answers=_own(found))


# Members of a message in the orders in which the SDKs write them: the id near either end, beside `jsonrpc`.
_ID = rb'"id"\s*:\s*(\d+|"(?:[^"\\]|\\.)*")'
_VERSION = rb'"jsonrpc"\s*:\s*"2\.0"'
_ID_FIRST = re.compile(
    rb"\s*\{\s*(?:" + _VERSION + rb"\s*,\s*)?" + _ID + rb"\s*,\s*(?:" + _VERSION + rb'\s*,\s*)?"(\w+)"'
)
_ID_LAST = re.compile(rb"[,{]\s*" + _ID + rb"\s*(?:,\s*" + _VERSION + rb"\s*)?\}\s*$")
_ID_CUT = re.compile(
    rb"\s*\{\s*(?:" + _VERSION + rb"\s*,\s*)?" + _ID + rb"\s*,\s*(?:" + _VERSION + rb'\s*,\s*)?"(\w+)$'
)
_FIRST_MEMBER = re.compile(rb"\s*\{\s*(?:" + _VERSION + rb'\s*,\s*)?"(\w+)"')


_MEMBERS = (b"result", b"error", b"method", b"params")


def find_id(head: bytes, tail: bytes) -> tuple[int | None, RequestId | None]:
    """Find out from the ends of a message which request it answers, or which it is."""
    if found := _ID_FIRST.match(head) or _ID_CUT.match(head):
        text, member = found.groups()
        member = next((name for name in _MEMBERS if name.startswith(member)), b"")
    elif (first := _FIRST_MEMBER.match(head)) and (last := _ID_LAST.search(tail)):
        text, member = last[1], first[1]
    else:
        return None, None
    try:
        request_id = json.loads(text)
    except ValueError:
        return None, None
    if member in {b"result", b"error"}:
        return _own(request_id), None
    return None, request_id if member in {b"method", b"params"} else None


def oversized(head: bytes, tail: bytes, limit: int) -> OversizedMessageError:
    """Find out from the ends of a message that was too long what it was."""
    answers, asks = find_id(head, tail)
    return OversizedMessageError(limit, answers=answers, asks=asks)


def _own(request_id: Any) -> int | None:
    """The number of a call, which some servers give back as a text; the bridge gives numbers only."""
    if isinstance(request_id, str) and re.fullmatch("[0-9]{1,18}", request_id):
        return int(request_id)
    return request_id if isinstance(request_id, int) else None
