"""What a client has sent in the body of a request, and what is kept of its session."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from mcp.types import JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, jsonrpc_message_adapter
from pydantic import ValidationError
from starlette.types import Message, Receive

from tool_api.runtime.base import UnusableMessageError
from tool_api.runtime.reading import NOT_JSON, WrittenCall, mend, parse, read_call
from tool_api.store import Negotiated

VERSION_HEADER = "mcp-protocol-version"
"""Says which version a client has agreed upon."""


_BAD = "Bad Request: "


class Memory(Protocol):
    """Keeps what was agreed upon with the clients of one server, so that sessions outlive this process."""

    @property
    def calls_path(self) -> Path:
        """File of calls that have no answer yet."""
        ...

    def save(self, session_id: str, negotiated: Negotiated) -> None: ...
    def find(self, session_id: str) -> Negotiated | None: ...
    def forget(self, session_id: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Posted:
    """A body, and what it is."""

    body: bytes
    message: JSONRPCMessage | None = None
    """None for what cannot be read: the SDK's transports refuse it in their own words."""

    problem: str = ""
    """Why it is refused, where those would take it, and lose it, or could not say what is wrong."""

    answers: int | None = None
    """What it was meant to answer, if it cannot be read: the server would wait for that for ever."""

    @property
    def reason(self) -> str:
        """What is wrong with it."""
        return self.problem.removeprefix(_BAD) or NOT_JSON

    @property
    def request(self) -> JSONRPCRequest | None:
        """The message, if an answer to it is expected."""
        return self.message if isinstance(self.message, JSONRPCRequest) else None


def read_posted(body: bytes) -> Posted:
    """Read a body; what can be mended is, see `runtime.reading`."""
    if (call := read_call(body)) is not None:
        return Posted(body, WrittenCall(*call))
    try:
        message = jsonrpc_message_adapter.validate_json(body, by_name=False)
    except ValidationError:
        return _read_again(body)
    if isinstance(message, JSONRPCNotification) and b'"id"' in body:
        # The SDK takes a request with an id that it does not know for a notification: it would never be answered.
        return _read_again(body)
    return Posted(body, message)


def replay(body: bytes, receive: Receive) -> Receive:
    """A body that has been read, to be read again, and then what follows it."""
    messages: deque[Message] = deque([{"type": "http.request", "body": body, "more_body": False}])

    async def again() -> Message:
        return messages.popleft() if messages else await receive()

    return again


def _read_again(body: bytes) -> Posted:
    try:
        value = json.loads(body.decode("utf-8-sig"))
        if isinstance(value, list):
            return Posted(body, problem=f"{_BAD}send one message in a request, not a batch")
        if problem := _find_problem(value):
            return Posted(body, problem=problem)
        message = mend(value)
    except (ValueError, RecursionError):
        return _unusable(body)
    return Posted(message.model_dump_json(by_alias=True, exclude_unset=True).encode(), message)


def _unusable(body: bytes) -> Posted:
    """Find out what is wrong with a body, and what it was meant to answer."""
    match parse(body):
        case [UnusableMessageError() as found] if found.reason == NOT_JSON:
            return Posted(body, answers=found.answers)
        case [UnusableMessageError() as found]:
            return Posted(body, problem=f"{_BAD}{found.reason}", answers=found.answers)
        case _:
            return Posted(body)


def _find_problem(value: Any) -> str:
    if not isinstance(value, dict) or "method" not in value or "id" not in value:
        return ""
    found = value["id"]
    is_number = isinstance(found, int) and not isinstance(found, bool)
    if isinstance(found, str) or is_number or (isinstance(found, float) and found.is_integer()):
        return ""
    return f"{_BAD}the id of a request must be a text or an integer, not {json.dumps(found)[:40]}"
