"""The decisions of the bridge between many clients and one stdio server: events in, effects out, no I/O, no clock.

The server is one MCP peer with one initialization; every client has its own session. Each request of a client gets a
number that is unique in this bridge and travels as the request's id, so equal ids of different clients never meet.

A call is either *waiting* (the server has not seen it) or *sent*. From that follow the guarantees:

- A waiting call that is answered with an error (timeout, cancellation, client gone) is removed and never sent.
- A sent call is never sent again. When the connection breaks it is answered with an error.
- An answer of the server is delivered only for a call that is still sent, and only to the session that made it.

The server's own requests are in `questions`. Once a server has shown that it makes such requests, calls of different
sessions no longer overlap.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from enum import Enum, auto
from typing import Any

from mcp.types import (
    CONNECTION_CLOSED,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    REQUEST_TIMEOUT,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from mcp.types.version import LATEST_HANDSHAKE_VERSION

from tool_api.endpoint.bridge.calls import MAX_CALLS, Call, Calls
from tool_api.endpoint.bridge.levels import SET_LEVEL, LogLevels
from tool_api.endpoint.bridge.messages import (
    ANNOUNCED,
    REQUEST_CANCELLED,
    Effect,
    Effects,
    common_version,
    elicitations_of,
    error,
    notification,
    own_number,
    own_request,
)
from tool_api.endpoint.bridge.questions import Questions
from tool_api.endpoint.bridge.subscriptions import Subscriptions
from tool_api.endpoint.bridge.tasks import Tasks, reads_answer
from tool_api.runtime.reading import WrittenResponse
from tool_api.store import Negotiated

MAX_FAILED_STARTS = 3
"""Times in a row that a server may end before it answers `initialize`; after that, waiting calls are refused."""

_STOPPING = "The server is being stopped"


class _Link(Enum):
    """State of the connection to the server."""

    DOWN = auto()
    OPEN = auto()
    """Connected, `initialize` not sent."""
    HANDSHAKE = auto()
    """`initialize` sent, not answered."""
    UP = auto()


class BridgeState:
    """All sessions, calls and requests of one server. Every method is one event and returns what is to be done."""

    def __init__(self, client_name: str, client_version: str, *, first_number: int = 1) -> None:
        """Args: client_name: Name that the bridge gives to the server as its client. client_version: Goes with it.

        first_number: Of the calls; those of an earlier bridge to the same server must have had others.
        """
        self._client_info = {"name": client_name, "version": client_version}
        self._numbers = itertools.count(first_number)
        self._sessions: dict[int, Negotiated | None] = {}
        self._effects = Effects()
        self._calls = Calls()
        self._questions = Questions(self._calls, self._sessions, self._numbers, self._effects)
        self._subscriptions = Subscriptions(self._numbers, self._effects)
        self._levels = LogLevels(self._numbers, self._effects)
        self._tasks = Tasks()
        self._link = _Link.DOWN
        self._is_wanted = False
        self._handshake = 0
        self._result: dict[str, Any] | None = None
        self._is_confirmed = False
        self._has_been_confirmed = False
        self._failed_starts = 0
        self._is_closed = False

    # Events of clients

    def on_open(self, session: int, negotiated: Negotiated | None = None) -> list[Effect]:
        """A session begins, with a number never used before; `negotiated` is that of a session that is continued, which may turn out later."""
        self._sessions[session] = negotiated
        return self._effects.take()

    def on_gone(self, session: int) -> list[Effect]:
        """A client has left: its calls are cancelled, its unanswered questions refused."""
        if session not in self._sessions:
            return []
        del self._sessions[session]
        for number in self._calls.of_session(session):
            self._cancel(number, "The client has gone")
        self._questions.on_gone(session)
        for kept in (self._subscriptions, self._levels, self._tasks):
            kept.leave(session, is_up=self._link is _Link.UP)
        self._advance()
        return self._effects.take()

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
                self._questions.on_reply(session, message)
        self._advance()
        return self._effects.take()

    def on_dropped(self, session: int, request_id: RequestId) -> list[Effect]:
        """A client closed the stream on which the answer to its request would have come."""
        number = self._calls.find(session, request_id)
        if number is not None:
            self._cancel(number, "The client closed the connection")
            self._advance()
        return self._effects.take()

    def negotiated(self, session: int) -> Negotiated | None:
        """What was agreed upon with a session; None before `initialize` is answered."""
        return self._sessions.get(session)

    def is_pending(self, session: int, request_id: RequestId) -> bool:
        """Whether a request of a session is still to be answered."""
        return self._calls.find(session, request_id) is not None

    def pending_id(self, session: int, text: str) -> RequestId | None:
        """Id of a session's request in progress that reads like this text."""
        return self._calls.find_id(session, text)

    def count_calls(self) -> int:
        """Number of requests of clients that are still to be answered."""
        return len(self._calls)

    # Events of the server

    def on_ready(self) -> list[Effect]:
        """A connection to the server exists."""
        self._link = _Link.DOWN if self._is_closed else _Link.OPEN
        self._is_confirmed = False
        self._begin_handshake()
        return self._effects.take()

    def on_lost(self) -> list[Effect]:
        """The connection has ended; nothing that was not written yet may still be written."""
        if self._link is _Link.HANDSHAKE:
            self._failed_starts += 1
        self._link = _Link.DOWN
        for number in self._calls.sent():
            self._fail(number, CONNECTION_CLOSED, "The server ended before it answered; the call may have taken effect")
        self._questions.on_lost()
        self._tasks.clear()
        if self._failed_starts >= MAX_FAILED_STARTS:
            self._fail_waiting(f"The server ended {self._failed_starts} times before it answered initialize")
        return self._effects.take()

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
                self._effects.to_server(JSONRPCResponse(jsonrpc="2.0", id=message.id, result={}))
            case JSONRPCRequest():
                self._questions.on_request(message)
            case JSONRPCNotification():
                self._on_server_notification(message)
        self._advance()
        return self._effects.take()

    def on_unusable(self, reason: str, *, answers: int | None = None, asks: RequestId | None = None) -> list[Effect]:
        """The server sent a message that was discarded.

        Args:
            reason: What it is, for the error.
            answers: Number of the call it answers, if it is an answer.
            asks: Id that the server gave it, if it is a request.
        """
        self._questions.on_answered(answers or 0)
        text = f"The server's answer is {reason}"
        if answers == self._handshake and self._link is _Link.HANDSHAKE:
            self._refuse_handshake(ErrorData(code=INTERNAL_ERROR, message=text))
        elif answers is not None and self._calls.find_sent(answers):
            self._fail(answers, INTERNAL_ERROR, text)
        elif asks is not None and self._link is not _Link.DOWN:
            self._effects.to_server(error(asks, INTERNAL_ERROR, f"The request is {reason}"))
        self._advance()
        return self._effects.take()

    def on_unsent(self, number: RequestId) -> list[Effect]:
        """A request was not written, because the server does not read what was written before."""
        if self._calls.find_sent(number):
            self._fail(int(number), INTERNAL_ERROR, "The server does not read its input; the call had no effect")
            self._advance()
        return self._effects.take()

    def on_timeout(self, number: int) -> list[Effect]:
        """The time that a `StartTimer` started has passed."""
        if number in self._calls.waiting:
            reason = "the server was not ready" if self._link is not _Link.UP else "calls of other clients came first"
            self._fail(number, REQUEST_TIMEOUT, f"Not sent to the server in time: {reason}; the call had no effect")
        else:
            self._questions.on_timeout(number)
        self._advance()
        return self._effects.take()

    def on_closed(self) -> list[Effect]:
        """The server is being stopped on purpose: everything that is not answered is refused."""
        for number in list(self._calls):
            self._fail(number, CONNECTION_CLOSED, _STOPPING)
        self._link = _Link.DOWN
        self._is_closed = True
        self._questions.clear()
        return self._effects.take()

    # What most calls are: nothing but the call and its answer

    def send_at_once(self, session: int, request_id: RequestId) -> int | None:
        """Send a call of a tool with the number that is returned, as `on_client` would; None where that has to decide."""
        calls, is_known = self._calls, self._is_confirmed and self._sessions.get(session) is not None
        is_new = len(calls) < MAX_CALLS and calls.find(session, request_id) is None
        if not (is_known and is_new and self._is_plain_course()):
            return None
        number = next(self._numbers)
        calls.add_sent(number, session, request_id)
        return number

    def _is_plain_course(self) -> bool:
        """Whether calls begin and end without a consequence for others."""
        return self._link is _Link.UP and not self._calls.waiting and not self._questions.may_matter

    def end_at_once(self, number: int) -> Call | None:
        """End the call that the server has answered, as `on_server` would; None where that has to decide."""
        call = self._calls.find_sent(number)
        if call is None or call.session not in self._sessions or reads_answer(call.request):
            return None
        return self._calls.end(number) if self._is_plain_course() else None

    # Requests of clients

    def _on_request(self, session: int, request: JSONRPCRequest) -> None:
        if request.method == "initialize":
            self._add_call(session, request)
            if self._link is _Link.UP:
                self._answer_initialize()
        elif self._sessions[session] is None and request.method == "ping":
            self._effects.to_client(session, JSONRPCResponse(jsonrpc="2.0", id=request.id, result={}), request.id)
        elif self._sessions[session] is None:
            self._answer_error(session, request.id, INVALID_REQUEST, "Send initialize first")
        elif refusal := self._tasks.why_refused(session, request):
            self._answer_error(session, request.id, INVALID_PARAMS, refusal)
        elif request.method == "resources/unsubscribe" and not self._subscriptions.end(session, request):
            self._effects.to_client(session, JSONRPCResponse(jsonrpc="2.0", id=request.id, result={}), request.id)
        else:
            self._add_call(session, request)

    def _add_call(self, session: int, request: JSONRPCRequest) -> None:
        if self._is_closed:
            self._answer_error(session, request.id, CONNECTION_CLOSED, _STOPPING)
            return
        if text := self._calls.why_full():
            self._answer_error(session, request.id, INTERNAL_ERROR, text)
            return
        if self._calls.find(session, request.id) is not None:
            self._answer_error(session, request.id, INVALID_REQUEST, "A request with this id is in progress")
            return
        if request.method == SET_LEVEL:
            request = self._levels.choose(session, request)
        self._calls.add(next(self._numbers), session, request)
        self._is_wanted = True
        self._begin_handshake()
        uri = (request.params or {}).get("uri")
        if request.method == "resources/subscribe" and isinstance(uri, str):
            self._subscriptions.add(session, uri)

    def _advance(self) -> None:
        """Send what can be sent, oldest first, and ask clients what is no longer ambiguous."""
        if self._link is _Link.UP and self._calls.waiting:
            self._send_waiting()
        for number in self._calls.keep_waiting():
            self._effects.start_timer(number)
        self._questions.attribute()

    def _send_waiting(self) -> None:
        waiting = self._calls.waiting
        takes_turns = self._questions.were_asked and any(call.may_ask for call in waiting.values())
        busy = {call.session for call in self._calls.in_progress().values()} if takes_turns else set()
        asked = self._questions.sessions_asked()
        is_blocked = False
        for number, call in list(waiting.items()):
            if call.request.method == "initialize":
                continue
            if call.may_ask and takes_turns:
                # A session that is being asked goes first: its answer may depend on this call.
                if busy - {call.session} or (is_blocked and call.session not in asked):
                    is_blocked = True
                    continue
                busy.add(call.session)
            self._confirm(call.session)
            self._calls.mark_sent(number)
            self._effects.to_server(call.request)

    def _on_notification(self, session: int, message: JSONRPCNotification) -> None:
        params = message.params or {}
        is_known = self._link is _Link.UP and self._sessions[session] is not None
        match message.method:
            case "notifications/initialized":
                if is_known:
                    self._confirm(session)
            case "notifications/cancelled":
                number = self._calls.find(session, params.get("requestId"))
                if number is not None and self._calls[number].request.method != "initialize":
                    self._cancel(number, params.get("reason"))
            case "notifications/progress":
                if self._questions.is_progress(session, params.get("progressToken")):
                    self._effects.to_server(message)
            case method if is_known:
                if method == "notifications/roots/list_changed":
                    self._questions.roots_notifier = session
                self._effects.to_server(message)

    def _cancel(self, number: int, reason: Any) -> None:
        """Answer a call with an error and take it back from the server."""
        call = self._calls[number]
        if call.is_sent and self._link is _Link.UP:
            params = {"requestId": number} | ({"reason": reason} if isinstance(reason, str) else {})
            self._effects.to_server(notification("notifications/cancelled", params))
            if call.may_ask:
                self._questions.abandon(number)
        self._fail(number, REQUEST_CANCELLED, "Request cancelled")

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
        self._effects.to_server(own_request(self._handshake, "initialize", params))

    def _is_handshake(self, answer: JSONRPCResponse | JSONRPCError) -> bool:
        return self._link is _Link.HANDSHAKE and str(answer.id) == str(self._handshake)

    def _on_handshake(self, answer: JSONRPCResponse | JSONRPCError) -> None:
        if isinstance(answer, JSONRPCError):
            self._refuse_handshake(answer.error)
            return
        self._link = _Link.UP
        self._failed_starts = 0
        self._result = (answer.loaded() if isinstance(answer, WrittenResponse) else answer).result
        if self._has_been_confirmed:
            # A server that was started again; its clients are not told.
            self._confirm(None)
            self._subscriptions.repeat()
            self._levels.repeat()
        self._answer_initialize()

    def _refuse_handshake(self, error: ErrorData) -> None:
        """Refuse what waits; the next request tries again."""
        self._link = _Link.OPEN
        self._is_wanted = False
        for number in list(self._calls.waiting):
            self._answer(number, JSONRPCError(jsonrpc="2.0", id=0, error=error))

    def _answer_initialize(self) -> None:
        result = self._result or {}
        for number, call in list(self._calls.waiting.items()):
            if call.request.method == "initialize":
                params = call.request.params or {}
                asked, capabilities = params.get("protocolVersion"), params.get("capabilities")
                version = common_version(asked, result.get("protocolVersion"))
                self._sessions[call.session] = Negotiated(
                    version,
                    capabilities if isinstance(capabilities, dict) else {},
                    asked if isinstance(asked, str) else "",
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
        self._questions.roots_notifier = session
        self._effects.to_server(notification("notifications/initialized", None))

    # Messages of the server

    def _on_answer(self, message: JSONRPCResponse | JSONRPCError) -> None:
        number = own_number(message.id)
        if number is None:
            return
        self._questions.on_answered(number)
        if call := self._calls.find_sent(number):
            for elicitation in elicitations_of(message.error) if isinstance(message, JSONRPCError) else ():
                self._questions.note_elicitation(elicitation, call.session)
            self._answer(number, self._tasks.seen(call.session, call.request, message))

    def _on_server_notification(self, message: JSONRPCNotification) -> None:
        params = message.params or {}
        match message.method:
            case "notifications/progress":
                token = params.get("progressToken")
                call = self._calls.find_sent(own_number(token) if isinstance(token, str) else token)
                if call is not None and call.progress_token is not None:
                    changed = {"params": {**params, "progressToken": call.progress_token}}
                    self._effects.to_client(call.session, message.model_copy(update=changed), call.request_id)
            case "notifications/cancelled":
                self._questions.on_withdrawn(params)
            case "notifications/message":
                self._pass_on_log(message)
            case "notifications/resources/updated":
                self._send_to(self._subscriptions.find(params.get("uri"), self._sessions.keys()), message)
            case "notifications/tasks/status":
                self._send_to(self._tasks.owners(params.get("taskId")), message)
            case "notifications/elicitation/complete":
                self._send_to(self._questions.find_elicited(params.get("elicitationId")), message)
            case _:
                self._send_to(self._sessions, message)

    def _pass_on_log(self, message: JSONRPCNotification) -> None:
        """Send a line of the server's log to those whose calls can have caused it, or to all while there are none.

        It may hold what a client has sent: clients without a call in progress must not see that.
        """
        level = (message.params or {}).get("level")
        calls = self._calls.ids_in_progress()
        if not calls:
            self._send_to([one for one in self._sessions if self._levels.is_wanted(one, level)], message)
        for session, request_ids in calls.items():
            if self._levels.is_wanted(session, level):
                self._effects.to_client(session, message, request_ids[0] if len(request_ids) == 1 else None)

    def _send_to(self, sessions: Iterable[int], message: JSONRPCNotification) -> None:
        for session in sessions:
            if self._sessions.get(session) is not None:
                self._effects.to_client(session, message)

    # Answers

    def _answer(self, number: int, message: JSONRPCResponse | JSONRPCError) -> None:
        """Answer a call. The only place where a call ends."""
        call = self._calls.end(number)
        if call.session in self._sessions:
            # Nobody else has this message, and a copy takes as long as all else that is done here.
            message.id = call.request_id
            self._effects.to_client(call.session, message, call.request_id)

    def _fail(self, number: int, code: int, text: str) -> None:
        self._answer(number, error(None, code, text))

    def _fail_waiting(self, text: str) -> None:
        self._failed_starts = 0
        for number in list(self._calls.waiting):
            self._fail(number, CONNECTION_CLOSED, text)

    def _answer_error(self, session: int, request_id: RequestId, code: int, text: str) -> None:
        self._effects.to_client(session, error(request_id, code, text), request_id)
