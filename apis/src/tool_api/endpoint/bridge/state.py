"""The decisions of the bridge between many clients and one stdio server: events in, effects out, no I/O, no clock.

The server is one MCP peer with one initialization; every client has its own session. Each request of a client gets a
number that is unique in this bridge and travels as the request's id, so equal ids of different clients never meet.

A call is either *waiting* (the server has not seen it) or *sent*. From that follow the guarantees:

- A waiting call that is answered with an error (timeout, cancellation, client gone) is removed and never sent.
- A sent call is never sent again. When the connection breaks it is answered with an error.
- An answer of the server is delivered only for a call that is still sent, and only to the session that made it.

The server's own requests (sampling, elicitation, roots) do not name the call that caused them; stdio has no place for
it. They go to a session only when it is the only one that can have caused them:

- While several sessions have calls in progress, such a request is held until all but one session's calls have ended.
- A call that was cancelled may have asked before, or go on regardless. What then may be its question is refused.
- Once a server has shown that it makes such requests, calls of different sessions no longer overlap.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeAlias

from mcp.types import (
    CONNECTION_CLOSED,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    REQUEST_TIMEOUT,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION

from tool_api.runtime.reading import LargeResponse
from tool_api.store import Negotiated

MAX_CALLS = 4096
"""Calls in progress at one server; further ones are refused."""

MAX_FAILED_STARTS = 3
"""Times in a row that a server may end before it answers `initialize`; after that, waiting calls are refused."""

_MOST_DIGITS = 18
"""Of a number in a text; more are no number of this bridge."""

REQUEST_CANCELLED = -32800
"""Error code of a call that its client cancelled, as the MCP SDKs send it."""

ANNOUNCED: Mapping[str, Any] = {
    "roots": {"listChanged": True},
    "sampling": {"context": {}, "tools": {}},
    "elicitation": {"form": {}, "url": {}},
}
"""Client capabilities announced to the server: all that can be routed. A client without one answers with an error."""

_FEATURES = {"roots/list": "roots", "sampling/createMessage": "sampling", "elicitation/create": "elicitation"}
"""Request of the server → the client capability it needs."""

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


@dataclass(frozen=True, slots=True)
class ToServer:
    """Send a message to the server."""

    message: JSONRPCMessage


@dataclass(frozen=True, slots=True)
class ToClient:
    """Send a message to a session; `related` is the id of the client's request that it belongs to, if any."""

    session: int
    message: JSONRPCMessage
    related: RequestId | None = None


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Call `on_timeout` with this number once the time to get ready has passed."""

    number: int


Effect: TypeAlias = ToServer | ToClient | StartTimer


class _Link(Enum):
    """State of the connection to the server."""

    DOWN = auto()
    OPEN = auto()
    """Connected, `initialize` not sent."""
    HANDSHAKE = auto()
    """`initialize` sent, not answered."""
    UP = auto()


@dataclass(slots=True)
class _Call:
    """A request of a client that has not been answered."""

    session: int
    request_id: RequestId
    request: JSONRPCRequest
    """As it goes to the server: with the call's number as id and progress token."""

    progress_token: Any
    is_sent: bool = False
    has_timer: bool = False

    @property
    def may_ask(self) -> bool:
        return self.request.method not in _QUIET and self.request.method != "initialize"


@dataclass(slots=True)
class _Ask:
    """A request of the server to a client that has not been answered."""

    request: JSONRPCRequest
    """As the server sent it."""

    candidates: frozenset[int]
    """Numbers of the calls that can have caused it."""

    notifier: int | None = None
    """Session whose notification can have caused it."""

    session: int | None = None
    """Who was asked; None while it is not known."""


class BridgeState:
    """All sessions, calls and requests of one server. Every method is one event and returns what is to be done."""

    def __init__(self, client_name: str, client_version: str, *, first_number: int = 1) -> None:
        """Create the state of one server's bridge.

        Args:
            client_name: Name that the bridge gives to the server as its client.
            client_version: Version that goes with it.
            first_number: Of the calls; those of an earlier bridge to the same server must have had others.
        """
        self._client_info = {"name": client_name, "version": client_version}
        self._numbers = itertools.count(first_number)
        self._sessions: dict[int, Negotiated | None] = {}
        self._calls: dict[int, _Call] = {}
        self._by_id: dict[tuple[int, type, RequestId], int] = {}
        self._waiting: dict[int, _Call] = {}
        self._abandoned: dict[int, int] = {}  # cancelled call that the server may go on with → its session
        self._abandoned_timers: dict[int, int] = {}
        self._asks: dict[int, _Ask] = {}
        self._subscribers: dict[str, set[int]] = {}
        self._link = _Link.DOWN
        self._is_wanted = False
        self._handshake = 0
        self._result: dict[str, Any] | None = None
        self._is_confirmed = False
        self._has_been_confirmed = False
        self._failed_starts = 0
        self._is_closed = False
        self._asks_clients = False
        self._roots_notifier: int | None = None
        self._effects: list[Effect] = []

    # Events of clients

    def on_open(self, session: int, negotiated: Negotiated | None = None) -> list[Effect]:
        """A session begins.

        Args:
            session: Its number, never used before.
            negotiated: What was agreed upon earlier, for a session that is continued.
        """
        self._sessions[session] = negotiated
        return self._take()

    def on_gone(self, session: int) -> list[Effect]:
        """A client has left: its calls are cancelled, its unanswered questions refused."""
        if session not in self._sessions:
            return []
        del self._sessions[session]
        for number in [number for number, call in self._calls.items() if call.session == session]:
            self._cancel(number, "The client has gone")
        for number in [number for number, ask in self._asks.items() if ask.session == session]:
            self._refuse_ask(number, INTERNAL_ERROR, "The client has gone")
        for uri in [uri for uri, sessions in self._subscribers.items() if session in sessions]:
            self._unsubscribe(session, uri)
        if self._roots_notifier == session:
            self._roots_notifier = None
        self._advance()
        return self._take()

    def on_client(self, session: int, message: JSONRPCMessage) -> list[Effect]:
        """A client sent a message."""
        if session not in self._sessions:
            return []
        match message:
            case JSONRPCRequest():
                self._on_request(session, message)
            case JSONRPCNotification():
                self._on_notification(session, message)
            case JSONRPCResponse() | JSONRPCError():
                self._on_reply(session, message)
        self._advance()
        return self._take()

    def on_dropped(self, session: int, request_id: RequestId) -> list[Effect]:
        """A client closed the stream on which the answer to its request would have come."""
        number = self._find(session, request_id)
        if number is not None:
            self._cancel(number, "The client closed the connection")
            self._advance()
        return self._take()

    def negotiated(self, session: int) -> Negotiated | None:
        """What was agreed upon with a session; None before `initialize` is answered."""
        return self._sessions.get(session)

    def is_pending(self, session: int, request_id: RequestId) -> bool:
        """Whether a request of a session is still to be answered."""
        return self._find(session, request_id) is not None

    def count_calls(self) -> int:
        """Number of requests of clients that are still to be answered."""
        return len(self._calls)

    # Events of the server

    def on_ready(self) -> list[Effect]:
        """A connection to the server exists."""
        self._link = _Link.DOWN if self._is_closed else _Link.OPEN
        self._is_confirmed = False
        self._begin_handshake()
        return self._take()

    def on_lost(self) -> list[Effect]:
        """The connection has ended; nothing that was not written yet may still be written."""
        if self._link is _Link.HANDSHAKE:
            self._failed_starts += 1
        self._link = _Link.DOWN
        for number in [number for number, call in self._calls.items() if call.is_sent]:
            self._fail(number, CONNECTION_CLOSED, "The server ended before it answered; the call may have taken effect")
        for number, ask in self._asks.items():
            if ask.session is not None:
                params = {"requestId": number, "reason": "The server ended"}
                self._to_client(ask.session, _notification("notifications/cancelled", params))
        self._asks.clear()
        self._abandoned.clear()
        self._roots_notifier = None
        if self._failed_starts >= MAX_FAILED_STARTS:
            self._fail_waiting(f"The server ended {self._failed_starts} times before it answered initialize")
        return self._take()

    def on_server(self, message: JSONRPCMessage) -> list[Effect]:
        """The server sent a message."""
        if self._link is _Link.DOWN:
            return []
        match message:
            case JSONRPCResponse() | JSONRPCError() if self._is_handshake(message):
                self._on_handshake(message)
            case JSONRPCResponse() | JSONRPCError():
                self._on_answer(message)
            case JSONRPCRequest(method="ping"):
                # Answered in every state: a server may ping before it answers `initialize`.
                self._to_server(JSONRPCResponse(jsonrpc="2.0", id=message.id, result={}))
            case JSONRPCRequest():
                self._on_ask(message)
            case JSONRPCNotification():
                self._on_server_notification(message)
        self._advance()
        return self._take()

    def on_unusable(self, reason: str, *, answers: int | None = None, asks: RequestId | None = None) -> list[Effect]:
        """The server sent a message that was discarded.

        Args:
            reason: What it is, for the error.
            answers: Number of the call it answers, if it is an answer.
            asks: Id that the server gave it, if it is a request.
        """
        self._abandoned.pop(answers or 0, None)
        text = f"The server's answer is {reason}"
        if answers == self._handshake and self._link is _Link.HANDSHAKE:
            self._refuse_handshake(ErrorData(code=INTERNAL_ERROR, message=text))
        elif answers in self._calls and self._calls[answers].is_sent:
            self._fail(answers, INTERNAL_ERROR, text)
        elif asks is not None and self._link is not _Link.DOWN:
            self._to_server(_error(asks, INTERNAL_ERROR, f"The request is {reason}"))
        self._advance()
        return self._take()

    def on_timeout(self, number: int) -> list[Effect]:
        """The time that a `StartTimer` started has passed."""
        call = self._calls.get(number)
        ask = self._asks.get(number)
        if call is not None and not call.is_sent:
            reason = "the server was not ready" if self._link is not _Link.UP else "calls of other clients came first"
            self._fail(number, REQUEST_TIMEOUT, f"Not sent to the server in time: {reason}; the call had no effect")
        elif ask is not None and ask.session is None:
            self._refuse_ask(number, INTERNAL_ERROR, _AMBIGUOUS)
        elif number in self._abandoned_timers:
            self._abandoned.pop(self._abandoned_timers.pop(number), None)
        self._advance()
        return self._take()

    def on_closed(self) -> list[Effect]:
        """The server is being stopped on purpose: everything that is not answered is refused."""
        for number in list(self._calls):
            self._fail(number, CONNECTION_CLOSED, _STOPPING)
        self._link = _Link.DOWN
        self._is_closed = True
        self._asks.clear()
        return self._take()

    # Requests of clients

    def _on_request(self, session: int, request: JSONRPCRequest) -> None:
        if request.method == "initialize":
            self._on_initialize(session, request)
        elif self._sessions[session] is None and request.method == "ping":
            self._to_client(session, JSONRPCResponse(jsonrpc="2.0", id=request.id, result={}), request.id)
        elif self._sessions[session] is None:
            self._answer_error(session, request.id, INVALID_REQUEST, "Send initialize first")
        elif request.method == "resources/unsubscribe" and not self._is_last_subscriber(session, request):
            self._to_client(session, JSONRPCResponse(jsonrpc="2.0", id=request.id, result={}), request.id)
        else:
            self._add_call(session, request)

    def _on_initialize(self, session: int, request: JSONRPCRequest) -> None:
        self._add_call(session, request)
        if self._link is _Link.UP:
            self._answer_initialize()

    def _add_call(self, session: int, request: JSONRPCRequest) -> None:
        if self._is_closed:
            self._answer_error(session, request.id, CONNECTION_CLOSED, _STOPPING)
            return
        if len(self._calls) >= MAX_CALLS:
            text = f"{MAX_CALLS} calls are in progress at this server; try again later"
            self._answer_error(session, request.id, INTERNAL_ERROR, text)
            return
        key = (session, type(request.id), request.id)
        if key in self._by_id:
            self._answer_error(session, request.id, INVALID_REQUEST, "A request with this id is in progress")
            return
        number = next(self._numbers)
        params, token = _with_token(request.params, number)
        changed: dict[str, Any] = {"id": number} | ({} if params is None else {"params": params})
        call = _Call(session, request.id, request.model_copy(update=changed), token)
        self._by_id[key] = number
        self._calls[number] = self._waiting[number] = call
        self._is_wanted = True
        self._begin_handshake()
        uri = (request.params or {}).get("uri")
        if request.method == "resources/subscribe" and isinstance(uri, str):
            self._subscribers.setdefault(uri, set()).add(session)

    def _advance(self) -> None:
        """Send what can be sent, oldest first, and ask clients what is no longer ambiguous."""
        if self._link is _Link.UP:
            self._send_waiting()
        for number, call in self._waiting.items():
            if not call.has_timer:
                call.has_timer = True
                self._effects.append(StartTimer(number))
        for number in [number for number, ask in self._asks.items() if ask.session is None]:
            self._attribute(number)

    def _send_waiting(self) -> None:
        takes_turns = self._asks_clients and any(call.may_ask for call in self._waiting.values())
        busy = (
            {call.session for call in self._calls.values() if call.is_sent and call.may_ask} if takes_turns else set()
        )
        asked = {ask.session for ask in self._asks.values()}
        is_blocked = False
        for number, call in list(self._waiting.items()):
            if call.request.method == "initialize":
                continue
            if call.may_ask and takes_turns:
                # A session that is being asked goes first: its answer may depend on this call.
                if busy - {call.session} or (is_blocked and call.session not in asked):
                    is_blocked = True
                    continue
                busy.add(call.session)
            self._confirm(call.session)
            call.is_sent = True
            del self._waiting[number]
            self._to_server(call.request)

    def _on_notification(self, session: int, message: JSONRPCNotification) -> None:
        params = message.params or {}
        match message.method:
            case "notifications/initialized":
                if self._link is _Link.UP:
                    self._confirm(session)
            case "notifications/cancelled":
                number = self._find(session, params.get("requestId"))
                if number is not None and self._calls[number].request.method != "initialize":
                    self._cancel(number, params.get("reason"))
            case method if self._link is _Link.UP:
                if method == "notifications/roots/list_changed":
                    self._roots_notifier = session
                self._to_server(message)

    def _cancel(self, number: int, reason: Any) -> None:
        """Answer a call with an error and take it back from the server."""
        call = self._calls[number]
        if call.is_sent and self._link is _Link.UP:
            params = {"requestId": number} | ({"reason": reason} if isinstance(reason, str) else {})
            self._to_server(_notification("notifications/cancelled", params))
            if call.may_ask:
                timer = next(self._numbers)
                self._abandoned[number] = call.session
                self._abandoned_timers[timer] = number
                self._effects.append(StartTimer(timer))
        self._fail(number, REQUEST_CANCELLED, "Request cancelled")

    def _on_reply(self, session: int, message: JSONRPCResponse | JSONRPCError) -> None:
        """Pass a client's answer on to the server, if the client was asked."""
        ask = self._asks.get(message.id) if isinstance(message.id, int) else None
        if ask is not None and ask.session == session:
            del self._asks[message.id]  # type: ignore[arg-type]
            self._to_server(message.model_copy(update={"id": ask.request.id}))

    # Subscriptions: the server knows one subscriber of a resource, however many clients there are

    def _is_last_subscriber(self, session: int, request: JSONRPCRequest) -> bool:
        uri = str((request.params or {}).get("uri"))
        sessions = self._subscribers.get(uri, set())
        sessions.discard(session)
        if not sessions:
            self._subscribers.pop(uri, None)
        return not sessions

    def _unsubscribe(self, session: int, uri: str) -> None:
        params = {"uri": uri}
        request = JSONRPCRequest(jsonrpc="2.0", id=next(self._numbers), method="resources/unsubscribe", params=params)
        if self._is_last_subscriber(session, request) and self._link is _Link.UP:
            self._to_server(request)

    # Initialization of the server

    def _begin_handshake(self) -> None:
        if self._link is not _Link.OPEN or not self._is_wanted:
            return
        self._link = _Link.HANDSHAKE
        self._handshake = next(self._numbers)
        params = {
            "protocolVersion": LATEST_HANDSHAKE_VERSION,
            "capabilities": dict(ANNOUNCED),
            "clientInfo": self._client_info,
        }
        self._to_server(JSONRPCRequest(jsonrpc="2.0", id=self._handshake, method="initialize", params=params))

    def _is_handshake(self, answer: JSONRPCResponse | JSONRPCError) -> bool:
        return self._link is _Link.HANDSHAKE and str(answer.id) == str(self._handshake)

    def _on_handshake(self, answer: JSONRPCResponse | JSONRPCError) -> None:
        if isinstance(answer, JSONRPCError):
            self._refuse_handshake(answer.error)
            return
        self._link = _Link.UP
        self._failed_starts = 0
        self._result = (answer.loaded() if isinstance(answer, LargeResponse) else answer).result
        if self._has_been_confirmed:
            # A server that was started again; its clients are not told.
            self._confirm(None)
            self._resubscribe()
        self._answer_initialize()

    def _refuse_handshake(self, error: ErrorData) -> None:
        """Refuse what waits; the next request tries again."""
        self._link = _Link.OPEN
        self._is_wanted = False
        for number in list(self._waiting):
            self._answer(number, JSONRPCError(jsonrpc="2.0", id=0, error=error))

    def _answer_initialize(self) -> None:
        result = self._result or {}
        for number, call in list(self._waiting.items()):
            if call.request.method == "initialize":
                params = call.request.params or {}
                version = _common_version(params.get("protocolVersion"), result.get("protocolVersion"))
                capabilities = params.get("capabilities")
                self._sessions[call.session] = Negotiated(
                    version, capabilities if isinstance(capabilities, dict) else {}
                )
                self._answer(
                    number, JSONRPCResponse(jsonrpc="2.0", id=0, result={**result, "protocolVersion": version})
                )

    def _confirm(self, session: int | None) -> None:
        """Tell the server, once a connection, that its client is ready."""
        if self._is_confirmed:
            return
        self._is_confirmed = self._has_been_confirmed = True
        # Servers ask for the roots when they hear this.
        self._roots_notifier = session
        self._to_server(_notification("notifications/initialized", None))

    def _resubscribe(self) -> None:
        for uri in self._subscribers:
            number = next(self._numbers)
            self._to_server(JSONRPCRequest(jsonrpc="2.0", id=number, method="resources/subscribe", params={"uri": uri}))

    # Messages of the server

    def _on_answer(self, message: JSONRPCResponse | JSONRPCError) -> None:
        number = message.id
        if isinstance(number, str) and number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS:
            number = int(number)  # some servers keep ids as texts
        if not isinstance(number, int):
            return
        self._abandoned.pop(number, None)
        if number in self._calls and self._calls[number].is_sent:
            self._answer(number, message)

    def _on_server_notification(self, message: JSONRPCNotification) -> None:
        params = message.params or {}
        match message.method:
            case "notifications/progress":
                token = params.get("progressToken")
                call = self._calls.get(token) if isinstance(token, int) else None
                if call is not None and call.is_sent and call.progress_token is not None:
                    changed = {"params": {**params, "progressToken": call.progress_token}}
                    self._to_client(call.session, message.model_copy(update=changed), call.request_id)
            case "notifications/cancelled":
                self._withdraw(params)
            case "notifications/message":
                self._pass_on_log(message)
            case "notifications/resources/updated":
                self._send_to(self._find_subscribers(params.get("uri")), message)
            case _:
                self._send_to(self._sessions, message)

    def _pass_on_log(self, message: JSONRPCNotification) -> None:
        """Send a line of the server's log to those whose calls can have caused it, or to all while there are none.

        It may hold what a client has sent: clients without a call in progress must not see that.
        """
        calls: dict[int, list[RequestId]] = {}
        for call in self._calls.values():
            if call.is_sent and call.may_ask:
                calls.setdefault(call.session, []).append(call.request_id)
        if not calls:
            self._send_to(self._sessions, message)
        for session, request_ids in calls.items():
            self._to_client(session, message, request_ids[0] if len(request_ids) == 1 else None)

    def _find_subscribers(self, uri: Any) -> set[int]:
        """Sessions that have subscribed to a resource, or to one that it is a part of; all, where nobody is known.

        Sessions that are continued after a restart of this process may have subscribed before.
        """
        parents = (sessions for known, sessions in self._subscribers.items() if str(uri).startswith(known))
        return set().union(*parents) or set(self._sessions)

    def _send_to(self, sessions: Iterable[int], message: JSONRPCNotification) -> None:
        for session in sessions:
            if self._sessions.get(session) is not None:
                self._to_client(session, message)

    def _on_ask(self, request: JSONRPCRequest) -> None:
        """Find out whom the server asks."""
        in_progress = (key for key, call in self._calls.items() if call.is_sent and call.may_ask)
        candidates = frozenset((*in_progress, *self._abandoned))
        notifier = None
        if request.method == "roots/list":
            notifier, self._roots_notifier = self._roots_notifier, None
        self._asks_clients = self._asks_clients or bool(candidates) or notifier is None
        number = next(self._numbers)
        ask = self._asks[number] = _Ask(request, candidates, notifier)
        if not candidates and notifier is None:
            self._ask_outside_a_call(number)
            return
        self._attribute(number)
        if number not in self._asks or ask.session is not None:
            return
        held = [key for key, other in self._asks.items() if other.session is None]
        if len(held) >= len(candidates) + (notifier is not None):
            # Each of these calls may wait for one of these answers: none of them would ever end.
            for key in held:
                self._refuse_ask(key, INTERNAL_ERROR, _AMBIGUOUS)
        else:
            self._effects.append(StartTimer(number))

    def _ask_outside_a_call(self, number: int) -> None:
        known = [session for session, negotiated in self._sessions.items() if negotiated is not None]
        if len(known) == 1:
            self._ask(number, known[0], None)
        elif known:
            self._refuse_ask(number, INTERNAL_ERROR, _AMBIGUOUS)
        else:
            self._refuse_ask(number, METHOD_NOT_FOUND, "No client is connected")

    def _attribute(self, number: int) -> None:
        """Ask the client, if only one can have caused the question."""
        ask = self._asks[number]
        calls = [self._calls[key] for key in sorted(ask.candidates) if key in self._calls]
        sessions = {call.session for call in calls}
        abandoned = {session for key, session in self._abandoned.items() if key in ask.candidates}
        if ask.notifier is not None and ask.notifier in self._sessions:
            sessions.add(ask.notifier)
        if abandoned and abandoned != sessions:
            # It cannot become clear: a server that stops such a call answers it, and leaves its question behind.
            self._refuse_ask(number, INTERNAL_ERROR, _AMBIGUOUS)
        elif len(sessions) == 1:
            (session,) = sessions
            self._ask(number, session, calls[-1].request_id if calls else None)
        elif not sessions:
            self._refuse_ask(number, INTERNAL_ERROR, "The call that caused this request has ended")

    def _ask(self, number: int, session: int, related: RequestId | None) -> None:
        ask = self._asks[number]
        negotiated = self._sessions[session]
        if negotiated is None or not _supports(negotiated.capabilities, ask.request):
            text = f"The client does not support {ask.request.method}"
            self._refuse_ask(number, METHOD_NOT_FOUND, text)
            return
        ask.session = session
        self._to_client(session, ask.request.model_copy(update={"id": number}), related)

    def _withdraw(self, params: Mapping[str, Any]) -> None:
        """Pass on that the server no longer wants an answer, to the client it asked."""
        for number, ask in list(self._asks.items()):
            if ask.request.id == params.get("requestId"):
                del self._asks[number]
                if ask.session is not None:
                    cancelled = _notification("notifications/cancelled", {**params, "requestId": number})
                    self._to_client(ask.session, cancelled)

    # Answers

    def _answer(self, number: int, message: JSONRPCResponse | JSONRPCError) -> None:
        """Answer a call. The only place where a call ends."""
        call = self._calls.pop(number)
        self._waiting.pop(number, None)
        del self._by_id[call.session, type(call.request_id), call.request_id]
        if call.session in self._sessions:
            answer = message.model_copy(update={"id": call.request_id})
            self._to_client(call.session, answer, call.request_id)

    def _fail(self, number: int, code: int, text: str) -> None:
        self._answer(number, _error(None, code, text))

    def _fail_waiting(self, text: str) -> None:
        self._failed_starts = 0
        for number in list(self._waiting):
            self._fail(number, CONNECTION_CLOSED, text)

    def _refuse_ask(self, number: int, code: int, text: str) -> None:
        ask = self._asks.pop(number)
        if self._link is not _Link.DOWN:
            self._to_server(_error(ask.request.id, code, text))

    def _answer_error(self, session: int, request_id: RequestId, code: int, text: str) -> None:
        self._to_client(session, _error(request_id, code, text), request_id)

    def _find(self, session: int, request_id: Any) -> int | None:
        """Number of a session's call. The type counts: 1 and "1" are different ids."""
        is_id = isinstance(request_id, int | str)
        return self._by_id.get((session, type(request_id), request_id)) if is_id else None

    def _to_server(self, message: JSONRPCMessage) -> None:
        self._effects.append(ToServer(message))

    def _to_client(self, session: int, message: JSONRPCMessage, related: RequestId | None = None) -> None:
        self._effects.append(ToClient(session, message, related))

    def _take(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects


_STOPPING = "The server is being stopped"
_AMBIGUOUS = "Calls of several clients are in progress, so it is not known which client this request is for"


def _notification(method: str, params: dict[str, Any] | None) -> JSONRPCNotification:
    if params is None:
        return JSONRPCNotification(jsonrpc="2.0", method=method)
    return JSONRPCNotification(jsonrpc="2.0", method=method, params=params)


def _error(request_id: RequestId | None, code: int, text: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=text))


def _with_token(params: dict[str, Any] | None, number: int) -> tuple[dict[str, Any] | None, Any]:
    """Replace the client's progress token by the call's number.

    Returns:
        The parameters, and the client's token; None if there is none.
    """
    meta = (params or {}).get("_meta")
    if not isinstance(meta, dict) or meta.get("progressToken") is None:
        return params, None
    return {**(params or {}), "_meta": {**meta, "progressToken": number}}, meta["progressToken"]


def _common_version(wanted: Any, offered: Any) -> str:
    """Version for a client: the one it wants if the server's is not older, otherwise the server's."""
    newest = str(offered) if isinstance(offered, str) else LATEST_HANDSHAKE_VERSION
    if wanted not in HANDSHAKE_PROTOCOL_VERSIONS:
        return newest
    known = HANDSHAKE_PROTOCOL_VERSIONS
    is_older = newest in known and known.index(wanted) <= known.index(newest)
    return str(wanted) if is_older else newest


def _supports(capabilities: Mapping[str, Any], request: JSONRPCRequest) -> bool:
    feature = _FEATURES.get(request.method)
    if feature is None:
        return True
    declared = capabilities.get(feature)
    if not isinstance(declared, dict):
        return False
    if feature == "elicitation" and (request.params or {}).get("mode") == "url":
        return "url" in declared
    return True
