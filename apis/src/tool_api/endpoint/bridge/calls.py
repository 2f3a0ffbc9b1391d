"""The requests of clients that have not been answered.

Each has a number that is unique in its bridge and travels as the request's id, so equal ids of different clients never
meet. A call is either *waiting* (the server has not seen it) or *sent*, and never goes back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mcp.types import JSONRPCRequest, RequestId

from tool_api.endpoint.bridge.messages import with_token
from tool_api.endpoint.events import weigh
from tool_api.runtime.reading import CALL_TOOL, WrittenCall

MAX_CALLS = 4096
"""Calls in progress at one server; further ones are refused."""

MAX_WAITING_BYTES = 64 * 1024 * 1024
"""What may wait for a server that is not ready, beside the call that came last; further calls are refused."""

_QUIET = frozenset(
    (
        "ping",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/subscribe",
        "resources/unsubscribe",
        "logging/setLevel",
    )
)
"""Requests that never make a server ask its client something. All others may."""


_TOOL = JSONRPCRequest(jsonrpc="2.0", id=0, method=CALL_TOOL)
"""Stands for the request of a call whose request is not needed any more."""


@dataclass(slots=True)
class Call:
    """A request of a client that has not been answered."""

    session: int
    request_id: RequestId
    request: JSONRPCRequest
    """As it goes to the server: with the call's number as id and progress token. Only its method counts once it is sent."""

    progress_token: Any
    is_sent: bool = False
    size: int = 0
    """Bytes, estimated, while it waits."""

    @property
    def may_ask(self) -> bool:
        return self.request.method not in _QUIET and self.request.method != "initialize"


class Calls:
    """All calls of one bridge, by their numbers."""

    def __init__(self) -> None:
        self._calls: dict[int, Call] = {}
        self._by_id: dict[tuple[int, type, RequestId], int] = {}
        self.waiting: dict[int, Call] = {}
        """Those that the server has not seen, oldest first."""
        self.waiting_bytes = 0
        """Size, estimated, of those for which `keep_waiting` was called."""

    def __len__(self) -> int:
        return len(self._calls)

    def __iter__(self) -> Iterator[int]:
        return iter(self._calls)

    def __contains__(self, number: object) -> bool:
        return number in self._calls

    def __getitem__(self, number: int) -> Call:
        return self._calls[number]

    def find(self, session: int, request_id: Any) -> int | None:
        """Number of a session's call. The type counts: 1 and "1" are different ids."""
        is_id = isinstance(request_id, int | str)
        return self._by_id.get((session, type(request_id), request_id)) if is_id else None

    def find_id(self, session: int, text: str) -> RequestId | None:
        """Id of a session's call that reads like this text: one may have more digits than Python reads."""
        ids = (self._calls[number].request_id for number in self.of_session(session))
        return next((request_id for request_id in ids if str(request_id) == text), None)

    def find_sent(self, number: Any) -> Call | None:
        """A call that the server has seen."""
        call = self._calls.get(number) if isinstance(number, int) else None
        return call if call is not None and call.is_sent else None

    def of_session(self, session: int) -> list[int]:
        """Numbers of a session's calls."""
        return [number for number, call in self._calls.items() if call.session == session]

    def sent(self) -> list[int]:
        """Numbers of the calls that the server has seen."""
        return [number for number, call in self._calls.items() if call.is_sent]

    def in_progress(self) -> dict[int, Call]:
        """The calls because of which the server may ask or report something now."""
        return {number: call for number, call in self._calls.items() if call.is_sent and call.may_ask}

    def ids_in_progress(self) -> dict[int, list[RequestId]]:
        """Ids of these calls by their sessions."""
        found: dict[int, list[RequestId]] = {}
        for call in self.in_progress().values():
            found.setdefault(call.session, []).append(call.request_id)
        return found

    def add(self, number: int, session: int, request: JSONRPCRequest) -> None:
        """Note a request that waits; its session has no other one with this id."""
        numbered, token = _numbered(request, number)
        call = Call(session, request.id, numbered, token)
        self._by_id[session, type(request.id), request.id] = number
        self._calls[number] = self.waiting[number] = call

    def add_sent(self, number: int, session: int, request_id: RequestId) -> None:
        """Note a call of a tool that the server has seen, as `add` and `mark_sent` do, without keeping what it says."""
        self._by_id[session, type(request_id), request_id] = number
        self._calls[number] = Call(session, request_id, _TOOL, None, is_sent=True)

    def why_full(self) -> str | None:
        """Why no further call can be added; None if one can."""
        if len(self._calls) >= MAX_CALLS:
            return f"{MAX_CALLS} calls are in progress at this server; try again later"
        if self.waiting_bytes >= MAX_WAITING_BYTES:
            return f"Calls of {MAX_WAITING_BYTES} bytes wait for this server already; try again later"
        return None

    def keep_waiting(self) -> list[int]:
        """Note that calls could not be sent at once. Returns: The numbers of those that were added since the last time."""
        new = [number for number, call in self.waiting.items() if not call.size]
        for number in new:
            call = self.waiting[number]
            call.size = weigh(call.request)
            self.waiting_bytes += call.size
        return new

    def mark_sent(self, number: int) -> None:
        """Note that the server sees a waiting call from now on."""
        self._leave_waiting(number)
        self._calls[number].is_sent = True

    def end(self, number: int) -> Call:
        """Forget a call; who does that answers it."""
        call = self._calls.pop(number)
        self._leave_waiting(number)
        del self._by_id[call.session, type(call.request_id), call.request_id]
        return call

    def _leave_waiting(self, number: int) -> None:
        if call := self.waiting.pop(number, None):
            self.waiting_bytes -= call.size


def _numbered(request: JSONRPCRequest, number: int) -> tuple[JSONRPCRequest, Any]:
    """A request as it goes to the server, and the client's progress token; None if there is none."""
    if isinstance(request, WrittenCall):
        return request.numbered(number), None
    params, token = with_token(request.params, number)
    changed: dict[str, Any] = {"id": number} | ({} if params is None else {"params": params})
    return request.model_copy(update=changed), token
