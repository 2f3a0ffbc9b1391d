"""The server's own requests (sampling, elicitation, roots), and whom they are for.

They do not name the call that caused them; stdio has no place for it. They go to a session only when it is the only one
that can have caused them:

- While several sessions have calls in progress, such a request is held until all but one session's calls have ended.
- A call that was cancelled may have asked before, or go on regardless. What then may be its question is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mcp.types import INTERNAL_ERROR, METHOD_NOT_FOUND, JSONRPCError, JSONRPCRequest, JSONRPCResponse, RequestId

from tool_api.endpoint.bridge.calls import Calls
from tool_api.endpoint.bridge.messages import Effects, error, notification, own_number, token_of, why_unanswerable
from tool_api.store import Negotiated

_AMBIGUOUS = "Calls of several clients are in progress, so it is not known which client this request is for"
_CANCELLED = (
    "A call that was cancelled may have caused this request, so it is not known whether it is for another client"
)

MOST_ELICITATIONS = 1000
"""Elicitations by URL of which it is remembered whom they are for; their users may never come back."""


@dataclass(slots=True)
class _Question:
    """A request of the server to a client that has not been answered."""

    request: JSONRPCRequest
    """As the server sent it."""

    candidates: frozenset[int]
    """Numbers of the calls that can have caused it."""

    notifier: int | None = None
    """Session whose notification can have caused it."""

    session: int | None = None
    """Who was asked; None while it is not known."""


class Questions:
    """All unanswered requests of one server.

    There are none while the connection is down, so an answer can always be sent.

    Args:
        calls: Of the clients.
        sessions: The clients, and what was agreed upon with them.
        numbers: Unique in the bridge; one is the id of a question at its client.
        effects: Where messages go.
    """

    def __init__(
        self, calls: Calls, sessions: Mapping[int, Negotiated | None], numbers: Iterator[int], effects: Effects
    ) -> None:
        self._calls = calls
        self._sessions = sessions
        self._numbers = numbers
        self._effects = effects
        self._questions: dict[int, _Question] = {}
        self._abandoned: dict[int, int] = {}  # cancelled call that the server may go on with → its session
        self._abandoned_timers: dict[int, int] = {}
        self._elicitations: dict[str, int] = {}  # id of an elicitation by URL → session that was sent to its address
        self.roots_notifier: int | None = None
        """Session whose notification may make the server ask for roots next."""
        self.were_asked = False
        """Whether the server has shown that it asks clients because of their calls."""

    @property
    def may_matter(self) -> bool:
        """Whether something may have to be decided about questions when a call begins or ends."""
        return self.were_asked or bool(self._questions)

    def sessions_asked(self) -> set[int]:
        """Sessions whose answer the server waits for."""
        return {question.session for question in self._questions.values() if question.session is not None}

    def abandon(self, number: int) -> None:
        """Note that a call was cancelled which the server may go on with for a while."""
        timer = next(self._numbers)
        self._abandoned[number] = self._calls[number].session
        self._abandoned_timers[timer] = number
        self._effects.start_timer(timer)

    def on_answered(self, number: int) -> None:
        """The server has answered a call, perhaps one that was abandoned."""
        self._abandoned.pop(number, None)

    def on_gone(self, session: int) -> None:
        """A client has left: what it was asked is refused."""
        for number in [key for key, question in self._questions.items() if question.session == session]:
            self._refuse(number, INTERNAL_ERROR, "The client has gone")
        if self.roots_notifier == session:
            self.roots_notifier = None
        for name in [name for name, owner in self._elicitations.items() if owner == session]:
            del self._elicitations[name]

    def on_lost(self) -> None:
        """Cancel the open questions of a server that has ended, at the clients that were asked."""
        for number, question in self._questions.items():
            if question.session is not None:
                params = {"requestId": number, "reason": "The server ended"}
                self._effects.to_client(question.session, notification("notifications/cancelled", params))
        self.clear()
        self._abandoned.clear()
        self._elicitations.clear()
        self.roots_notifier = None

    def clear(self) -> None:
        """Forget all questions."""
        self._questions.clear()

    def on_timeout(self, number: int) -> None:
        """The time of a question that could not be attributed, or of an abandoned call, has passed."""
        question = self._questions.get(number)
        if question is not None and question.session is None:
            self._refuse(number, INTERNAL_ERROR, _AMBIGUOUS)
        elif number in self._abandoned_timers:
            self._abandoned.pop(self._abandoned_timers.pop(number), None)

    def on_reply(self, session: int, message: JSONRPCResponse | JSONRPCError) -> None:
        """Pass a client's answer on to the server, if the client was asked."""
        number = own_number(message.id)
        question = self._questions.get(number) if number is not None else None
        if number is not None and question is not None and question.session == session:
            del self._questions[number]
            self._effects.to_server(message.model_copy(update={"id": question.request.id}))

    def is_progress(self, session: int, token: Any) -> bool:
        """Whether a token is that of a question which a session was asked, and has not answered."""
        asked = [question.request for question in self._questions.values() if question.session == session]
        return token is not None and any(token_of(request) == token for request in asked)

    def on_request(self, request: JSONRPCRequest) -> None:
        """The server asks something: find out whom."""
        candidates = frozenset((*self._calls.in_progress(), *self._abandoned))
        notifier = None
        if request.method == "roots/list":
            notifier, self.roots_notifier = self.roots_notifier, None
        self.were_asked = self.were_asked or bool(candidates) or notifier is None
        number = next(self._numbers)
        question = self._questions[number] = _Question(request, candidates, notifier)
        if not candidates and notifier is None:
            self._ask_outside_a_call(number)
            return
        self._attribute(number)
        if number not in self._questions or question.session is not None:
            return
        held = [key for key, other in self._questions.items() if other.session is None]
        if len(held) >= len(candidates) + (notifier is not None):
            # Each of these calls may wait for one of these answers: none of them would ever end.
            for key in held:
                self._refuse(key, INTERNAL_ERROR, _AMBIGUOUS)
        else:
            self._effects.start_timer(number)

    def on_withdrawn(self, params: Mapping[str, Any]) -> None:
        """Pass on that the server no longer wants an answer, to the client it asked."""
        for number, question in list(self._questions.items()):
            if question.request.id == params.get("requestId"):
                del self._questions[number]
                if question.session is not None:
                    cancelled = notification("notifications/cancelled", {**params, "requestId": number})
                    self._effects.to_client(question.session, cancelled)

    def note_elicitation(self, elicitation: str, session: int) -> None:
        """Note who was sent to the address of an elicitation."""
        self._elicitations[elicitation] = session
        if len(self._elicitations) > MOST_ELICITATIONS:
            del self._elicitations[next(iter(self._elicitations))]

    def find_elicited(self, elicitation: Any) -> set[int]:
        """Who is to be told that an elicitation has ended; all, where nobody is known: clients ignore those of others."""
        session = self._elicitations.get(elicitation) if isinstance(elicitation, str) else None
        return set(self._sessions) if session is None else {session}

    def attribute(self) -> None:
        """Ask clients what is no longer ambiguous."""
        for number in [key for key, question in self._questions.items() if question.session is None]:
            self._attribute(number)

    def _ask_outside_a_call(self, number: int) -> None:
        known = [session for session, negotiated in self._sessions.items() if negotiated is not None]
        if len(known) == 1:
            self._ask(number, known[0], None)
        elif known:
            self._refuse(number, INTERNAL_ERROR, _AMBIGUOUS)
        else:
            self._refuse(number, METHOD_NOT_FOUND, "No client is connected")

    def _attribute(self, number: int) -> None:
        """Ask the client, if only one can have caused the question."""
        question = self._questions[number]
        calls = [self._calls[key] for key in sorted(question.candidates) if key in self._calls]
        sessions = {call.session for call in calls}
        abandoned = {session for key, session in self._abandoned.items() if key in question.candidates}
        if question.notifier is not None and question.notifier in self._sessions:
            sessions.add(question.notifier)
        if abandoned and abandoned != sessions:
            # It cannot become clear: a server that stops such a call answers it, and leaves its question behind.
            self._refuse(number, INTERNAL_ERROR, _CANCELLED)
        elif len(sessions) == 1:
            (session,) = sessions
            self._ask(number, session, calls[-1].request_id if calls else None)
        elif not sessions:
            self._refuse(number, INTERNAL_ERROR, "The call that caused this request has ended")

    def _ask(self, number: int, session: int, related: RequestId | None) -> None:
        question = self._questions[number]
        negotiated = self._sessions[session]
        reason = why_unanswerable(negotiated.capabilities if negotiated else {}, question.request)
        if reason is not None:
            self._refuse(number, reason.code, reason.message)
            return
        question.session = session
        elicitation = (question.request.params or {}).get("elicitationId")
        if isinstance(elicitation, str):
            self.note_elicitation(elicitation, session)
        self._effects.to_client(session, question.request.model_copy(update={"id": number}), related)

    def _refuse(self, number: int, code: int, text: str) -> None:
        question = self._questions.pop(number)
        self._effects.to_server(error(question.request.id, code, text))
