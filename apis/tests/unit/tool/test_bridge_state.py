"""The bridge's decisions: every call gets one answer, is executed at most once, and is answered to nobody else."""

from __future__ import annotations

import asyncio
import json
from contextlib import nullcontext
from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp.types import (
    REQUEST_TIMEOUT,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from tool_api.endpoint.bridge import Bridge
from tool_api.endpoint.bridge.calls import MAX_CALLS, MAX_WAITING_BYTES
from tool_api.endpoint.bridge.messages import Effect, StartTimer, ToClient, ToServer
from tool_api.endpoint.bridge.state import MAX_FAILED_STARTS, BridgeState
from tool_api.runtime.reading import WrittenCall, WrittenResponse
from tool_api.store import Negotiated

A, B, C = 1, 2, 3
UNCONNECTED: Any = nullcontext
"""For bridges that are not run: they never connect to their server."""
ALL = {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {}}
NEWEST = "2025-11-25"


def request(method: str, number: int | str = 1, **params: object) -> JSONRPCRequest:
    return JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=params or None)


def call(number: int | str = 1, tool: str = "t", **params: object) -> JSONRPCRequest:
    return request("tools/call", number, name=tool, **params)


def notify(method: str, **params: object) -> JSONRPCNotification:
    return JSONRPCNotification(jsonrpc="2.0", method=f"notifications/{method}", params=params or None)


def result(number: Any, **values: object) -> JSONRPCResponse:
    return JSONRPCResponse(jsonrpc="2.0", id=number, result=values)


def initialize(number: int | str = 0, version: str = NEWEST, **capabilities: object) -> JSONRPCRequest:
    return request("initialize", number, protocolVersion=version, capabilities=capabilities, clientInfo={"name": "c"})


def to_server(effects: list[Effect]) -> list[Any]:
    return [effect.message for effect in effects if isinstance(effect, ToServer)]


def to_client(effects: list[Effect], session: int) -> list[Any]:
    return [effect.message for effect in effects if isinstance(effect, ToClient) and effect.session == session]


def timers(effects: list[Effect]) -> list[int]:
    return [effect.number for effect in effects if isinstance(effect, StartTimer)]


def handshake(state: BridgeState, effects: list[Effect], version: str = NEWEST) -> list[Effect]:
    """Answer the server's `initialize`, which is the last of the effects."""
    message = to_server(effects)[-1]
    assert message.method == "initialize"
    return state.on_server(result(message.id, protocolVersion=version, capabilities={"tools": {}}, serverInfo={}))


def ready(*sessions: int, **capabilities: object) -> BridgeState:
    """Make a state with initialized sessions at a running server."""
    state = BridgeState("bridge", "1")
    state.on_ready()
    for session in sessions:
        state.on_open(session)
        effects = state.on_client(session, initialize(**(capabilities or ALL)))
        if to_server(effects):
            handshake(state, effects)
        state.on_client(session, notify("initialized"))
    return state


def send(state: BridgeState, session: int, message: JSONRPCMessage) -> int:
    """Send a request that goes to the server at once; returns its number there."""
    (sent,) = to_server(state.on_client(session, message))
    assert isinstance(sent, JSONRPCRequest)
    assert isinstance(sent.id, int)
    return sent.id


def code(message: JSONRPCMessage) -> int:
    assert isinstance(message, JSONRPCError), message
    return message.error.code


def test_only_the_answer_to_initialize_ends_the_handshake() -> None:
    state = BridgeState("c", "1")
    state.on_open(A)
    state.on_client(A, initialize())
    (first,) = to_server(state.on_ready())
    assert first.method == "initialize"
    assert state.on_server(result(first.id + 1, protocolVersion=NEWEST)) == []
    assert state.negotiated(A) is None
    answer = result(str(first.id), protocolVersion=NEWEST, capabilities={}, serverInfo={"name": "s", "version": "1"})
    assert [message.id for message in to_client(state.on_server(answer), A)] == [0]
    assert state.negotiated(A) is not None


# Answers


def test_answer_goes_to_the_session_that_called_with_the_id_it_used() -> None:
    state = ready(A, B)
    first, second = send(state, A, call(7)), send(state, B, call(7))
    assert first != second
    effects = state.on_server(result(second, text="b"))
    assert (to_client(effects, A), to_client(effects, B)) == ([], [result(7, text="b")])
    effects = state.on_server(result(first, text="a"))
    assert (to_client(effects, A), to_client(effects, B)) == ([result(7, text="a")], [])


def test_answer_names_the_request_whose_stream_it_belongs_to() -> None:
    state = ready(A)
    (effect,) = state.on_server(result(send(state, A, call("x")), text="a"))
    assert isinstance(effect, ToClient)
    assert effect.related == "x"


def test_error_of_the_server_is_an_answer() -> None:
    state = ready(A)
    error = ErrorData(code=-5, message="no")
    effects = state.on_server(JSONRPCError(jsonrpc="2.0", id=send(state, A, call(7)), error=error))
    assert to_client(effects, A) == [JSONRPCError(jsonrpc="2.0", id=7, error=error)]


def test_second_answer_to_a_call_is_discarded() -> None:
    state = ready(A)
    number = send(state, A, call(7))
    assert len(state.on_server(result(number))) == 1
    assert state.on_server(result(number)) == []


@pytest.mark.parametrize("number", [999, "1", None])
def test_answer_to_nothing_is_discarded(number: object) -> None:
    state = ready(A)
    send(state, A, call(1))
    message: Any = JSONRPCError(jsonrpc="2.0", id=number, error=ErrorData(code=1, message="x"))  # type: ignore[arg-type]
    assert state.on_server(message) == []


def test_answer_to_a_call_that_was_not_sent_is_discarded() -> None:
    """A server that guesses numbers answers nothing."""
    state = ready(A)
    state.on_lost()
    (number,) = timers(state.on_client(A, call(7)))
    state.on_ready()
    assert to_client(state.on_server(result(number)), A) == []


def test_id_in_progress_is_refused_and_the_type_of_an_id_counts() -> None:
    state = ready(A)
    send(state, A, call(7))
    effects = state.on_client(A, call(7))
    assert [code(message) for message in to_client(effects, A)] == [-32600]
    assert to_server(effects) == []
    assert send(state, A, call("7"))


def test_more_calls_than_the_limit_are_refused() -> None:
    state = ready(A)
    for number in range(MAX_CALLS):
        send(state, A, call(number))
    effects = state.on_client(A, call("over"))
    assert [code(message) for message in to_client(effects, A)] == [-32603]
    assert to_server(effects) == []


# Readiness: what is refused is never executed


def test_call_without_a_server_waits_and_is_sent_once() -> None:
    state = ready(A)
    state.on_lost()
    effects = state.on_client(A, call(7))
    assert to_server(effects) == []
    assert len(timers(effects)) == 1
    effects = handshake(state, state.on_ready())
    assert [message.method for message in to_server(effects)] == ["notifications/initialized", "tools/call"]
    assert to_server(handshake(state, (state.on_lost(), state.on_ready())[1])) == [notify("initialized")]


@pytest.mark.parametrize("is_read", [True, False])
def test_calls_that_wait_take_a_limited_amount_of_memory(*, is_read: bool) -> None:
    """A server that is not ready keeps what its clients have sent; four thousand calls may each have megabytes."""
    state = ready(A)
    state.on_lost()
    size = MAX_WAITING_BYTES // 4

    def large(number: int) -> JSONRPCRequest:
        text = "x" * size
        return call(number, text=text) if is_read else WrittenCall(number, json.dumps({"text": text}).encode())

    refused: list[Any] = []
    for number in range(6):
        refused += to_client(state.on_client(A, large(number)), A)
    assert [message.id for message in refused] == [4, 5]
    assert {code(message) for message in refused} == {-32603}
    assert "wait for this server" in refused[0].error.message

    state.on_client(A, notify("cancelled", requestId=0))
    assert to_client(state.on_client(A, large(7)), A) == []
    sent = to_server(handshake(state, state.on_ready()))
    assert len([message for message in sent if message.method == "tools/call"]) == 4
    state.on_lost()
    assert to_client(state.on_client(A, large(8)), A) == []


def test_call_that_timed_out_is_never_sent() -> None:
    state = ready(A)
    state.on_lost()
    (number,) = timers(state.on_client(A, call(7)))
    (refused,) = to_client(state.on_timeout(number), A)
    assert (refused.id, code(refused)) == (7, -32001)
    assert [message.method for message in to_server(handshake(state, state.on_ready()))] == [
        "notifications/initialized"
    ]


def test_timeout_of_a_call_leaves_that_of_another_client_with_the_same_id() -> None:
    state = ready(A, B)
    state.on_lost()
    (number,) = timers(state.on_client(A, call(7)))
    state.on_client(B, call(7, "b"))
    effects = state.on_timeout(number)
    assert ([code(message) for message in to_client(effects, A)], to_client(effects, B)) == ([-32001], [])
    sent = [message for message in to_server(handshake(state, state.on_ready())) if isinstance(message, JSONRPCRequest)]
    assert [(message.params or {})["name"] for message in sent] == ["b"]
    (answer,) = to_client(state.on_server(result(sent[0].id, text="b")), B)
    assert answer == result(7, text="b")


def test_timeout_of_a_call_that_was_sent_changes_nothing() -> None:
    state = ready(A)
    state.on_lost()
    (number,) = timers(state.on_client(A, call(7)))
    handshake(state, state.on_ready())
    assert state.on_timeout(number) == []
    assert to_client(state.on_server(result(number)), A) == [result(7)]


def test_call_that_is_sent_at_once_needs_no_timer() -> None:
    assert timers(ready(A).on_client(A, call(7))) == []


def test_crash_answers_what_was_sent_with_an_error_and_keeps_what_waits() -> None:
    state = ready(A, B)
    send(state, A, call(7))
    send(state, B, call(8))
    effects = state.on_lost()
    assert [(message.id, code(message)) for message in to_client(effects, A)] == [(7, -32000)]
    assert [(message.id, code(message)) for message in to_client(effects, B)] == [(8, -32000)]
    state.on_client(A, call(9))
    assert state.on_lost() == []
    assert [message.method for message in to_server(handshake(state, state.on_ready()))][1:] == ["tools/call"]


def test_answer_from_before_a_crash_is_discarded() -> None:
    state = ready(A)
    number = send(state, A, call(7))
    state.on_lost()
    assert state.on_server(result(number)) == []
    handshake(state, state.on_ready())
    assert state.on_server(result(number)) == []


def test_answer_to_a_call_of_an_earlier_bridge_is_discarded() -> None:
    """A bridge that is killed leaves a server behind that may go on with its calls."""

    def first_call(bridge: Bridge) -> int:
        bridge.state.on_ready()
        bridge.state.on_open(A)
        handshake(bridge.state, bridge.state.on_client(A, initialize()))
        bridge.state.on_client(A, notify("initialized"))
        return send(bridge.state, A, call(7))

    earlier, later = (Bridge("probe", UNCONNECTED, ready_timeout_s=1) for _ in range(2))
    number = first_call(earlier)
    assert first_call(later) != number
    assert later.state.on_server(result(number)) == []


class HurriedLoop(asyncio.SelectorEventLoop):
    """A loop that keeps the delays it is asked for, and for which one of them is over at once."""

    def __init__(self) -> None:
        super().__init__()
        self.delays: list[float] = []

    def call_later(self, delay: float, *arguments: Any, **options: Any) -> asyncio.TimerHandle:
        self.delays.append(delay)
        return super().call_later(0 if delay == 54_321 else delay, *arguments, **options)


def test_call_that_cannot_be_sent_waits_as_long_as_the_settings_say() -> None:
    async def work() -> list[Any]:
        bridge = Bridge("probe", UNCONNECTED, ready_timeout_s=54_321)
        session, said = bridge.open(Negotiated(NEWEST, {})), Heard()
        sender, receiver = anyio.create_memory_object_stream[SessionMessage | Exception]()
        with sender, receiver:
            serving = asyncio.create_task(session.serve(receiver, sender))
            session.call(call(7), said)
            await asyncio.wait_for(said.heard.wait(), 30)
        await serving
        return [(message.id, code(message)) for message in said.messages]

    loop = HurriedLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        assert runner.run(work()) == [(7, REQUEST_TIMEOUT)]
    assert 54_321 in loop.delays


class Heard:
    """Keeps what is said to a call."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.kept: list[Any] = []
        self.heard = asyncio.Event()

    def add(self, message: Any, /) -> None:
        self.messages.append(message)
        self.heard.set()

    def answer(self, request_id: Any, data: bytes, /) -> None:
        self.add(WrittenResponse(request_id, data))

    def keep(self, message: Any, /) -> None:
        self.kept.append(message)

    def close(self) -> None:
        return


def test_what_comes_after_a_client_has_gone_is_kept_in_the_same_step() -> None:
    """A client that comes back at any moment finds the answer, or may still wait for it."""

    async def work() -> None:
        session = Bridge("probe", UNCONNECTED, ready_timeout_s=60).open(Negotiated(NEWEST, {}))
        progress = notify("progress", progressToken=7, progress=1)
        gone, again = Heard(), Heard()
        session.call(call(7), gone)
        session.hang_up(7, gone)
        session.send(progress, 7)
        session.send(result(7), 7)
        assert (gone.messages, gone.kept) == ([], [progress, result(7)])
        session.send(result(7), 7)  # only one answer ends a call; another one goes the way of all other messages
        assert gone.kept == [progress, result(7)]
        session.call(call(8), gone)
        session.hang_up(8, gone)
        session.listen(8, again)
        session.send(result(8), 8)
        assert (again.messages, gone.kept[2:]) == ([result(8)], [])
        session.call(call(9), gone)
        session.hang_up(9, again)  # somebody else listens
        session.send(progress, 9)
        assert gone.messages == [progress]
        session.hang_up(9, gone)
        session.drop(9)
        session.send(progress, 9)
        assert progress not in gone.kept[2:]
        sender, receiver = anyio.create_memory_object_stream[SessionMessage | Exception]()
        with sender, receiver:
            serving = asyncio.create_task(session.serve(receiver, sender))
        await serving

    asyncio.run(work())


def test_server_that_keeps_ending_before_initialize_refuses_what_waits() -> None:
    state = ready(A)
    state.on_lost()
    state.on_client(A, call(7))
    for _ in range(MAX_FAILED_STARTS - 1):
        state.on_ready()
        assert to_client(state.on_lost(), A) == []
    state.on_ready()
    assert [(message.id, code(message)) for message in to_client(state.on_lost(), A)] == [(7, -32000)]
    state.on_client(A, call(8))
    assert len(to_server(handshake(state, state.on_ready()))) == 2


def test_ping_before_initialize_is_answered() -> None:
    state = ready(A)
    state.on_lost()
    effects = state.on_ready()
    assert to_server(state.on_server(request("ping", "p"))) == [result("p")]
    assert to_server(handshake(state, effects)) == [notify("initialized")]


def test_stopping_answers_everything_and_refuses_what_follows() -> None:
    state = ready(A)
    send(state, A, call(7))
    assert [(message.id, code(message)) for message in to_client(state.on_closed(), A)] == [(7, -32000)]
    effects = state.on_client(A, call(8))
    assert [(message.id, code(message)) for message in to_client(effects, A)] == [(8, -32000)]
    state.on_lost()
    assert to_server(state.on_ready()) == []


def test_answer_that_is_too_large_fails_one_call_only() -> None:
    state = ready(A, B)
    first, second = send(state, A, call(7)), send(state, B, call(7))
    (refused,) = to_client(state.on_unusable("larger than 1000 bytes", answers=first), A)
    assert (refused.id, code(refused)) == (7, -32603)
    assert "1000 bytes" in refused.error.message
    assert to_client(state.on_server(result(second)), B) == [result(7)]
    assert state.on_unusable("larger than 1000 bytes") == []
    assert state.on_unusable("larger than 1000 bytes", answers=first) == []


def test_request_of_the_server_that_is_too_large_is_refused() -> None:
    state = ready(A)
    send(state, A, call(7))
    effects = state.on_unusable("larger than 1000 bytes", asks="s1")
    assert [(message.id, code(message)) for message in to_server(effects)] == [("s1", -32603)]
    assert to_client(effects, A) == []


def test_answer_that_cannot_be_read_fails_its_call_and_initialize_as_well() -> None:
    state = BridgeState("bridge", "1")
    state.on_ready()
    state.on_open(A)
    (asked,) = to_server(state.on_client(A, initialize(0)))
    (refused,) = to_client(state.on_unusable("not JSON", answers=asked.id), A)
    assert (refused.id, code(refused), refused.error.message) == (0, -32603, "The server's answer is not JSON")
    (again,) = to_server(state.on_client(A, initialize(1)))
    assert to_client(state.on_server(result(str(again.id), protocolVersion=NEWEST)), A)[0].id == 1


def test_server_may_introduce_itself_at_length() -> None:
    state = BridgeState("bridge", "1")
    state.on_ready()
    state.on_open(A)
    (asked,) = to_server(state.on_client(A, initialize(0)))
    text = json.dumps({"protocolVersion": NEWEST, "instructions": "x" * 100_000})
    (answer,) = to_client(state.on_server(WrittenResponse(asked.id, text.encode())), A)
    assert answer.result["instructions"] == "x" * 100_000


def test_server_may_give_a_number_back_as_a_text() -> None:
    state = ready(A)
    first = send(state, A, call(7))
    assert to_client(state.on_server(result(str(first))), A) == [result(7)]
    assert state.on_server(result("9" * 5000)) == []
    assert state.on_server(result("\u0663")) == []


# Cancellation


def test_cancelled_call_is_answered_and_cancelled_under_the_server_s_number() -> None:
    state = ready(A, B)
    first, second = send(state, A, call(7)), send(state, B, call(7))
    effects = state.on_client(A, notify("cancelled", requestId=7, reason="slow"))
    assert to_server(effects) == [notify("cancelled", requestId=first, reason="slow")]
    assert [(message.id, code(message)) for message in to_client(effects, A)] == [(7, -32800)]
    assert state.on_server(result(first)) == []
    assert to_client(state.on_server(result(second)), B) == [result(7)]


def test_call_that_is_cancelled_while_it_waits_is_never_sent() -> None:
    state = ready(A)
    state.on_lost()
    state.on_client(A, call(7))
    effects = state.on_client(A, notify("cancelled", requestId=7))
    assert [code(message) for message in to_client(effects, A)] == [-32800]
    assert to_server(effects) == []
    assert len(to_server(handshake(state, state.on_ready()))) == 1


@pytest.mark.parametrize("wanted", ["7", 8, None, [7], {"id": 7}])
def test_cancellation_of_something_else_changes_nothing(wanted: object) -> None:
    state = ready(A)
    send(state, A, call(7))
    assert state.on_client(A, notify("cancelled", requestId=wanted)) == []


def test_client_that_leaves_cancels_its_calls_and_no_others() -> None:
    state = ready(A, B)
    first, second = send(state, A, call(7)), send(state, B, call(7))
    effects = state.on_gone(A)
    assert to_server(effects) == [notify("cancelled", requestId=first, reason="The client has gone")]
    assert to_client(effects, A) == []
    assert state.on_server(result(first)) == []
    assert to_client(state.on_server(result(second)), B) == [result(7)]
    assert state.on_gone(A) == []
    assert state.on_client(A, call(9)) == []


def test_client_that_leaves_while_its_call_waits_has_it_discarded() -> None:
    state = ready(A, B)
    state.on_lost()
    state.on_client(A, call(7))
    assert to_server(state.on_gone(A)) == []
    assert len(to_server(handshake(state, state.on_ready()))) == 1


def test_closed_stream_cancels_its_call_only() -> None:
    state = ready(A)
    first, second = send(state, A, call(7)), send(state, A, call(8))
    effects = state.on_dropped(A, 7)
    assert to_server(effects) == [notify("cancelled", requestId=first, reason="The client closed the connection")]
    assert to_client(state.on_server(result(second)), A) == [result(8)]
    assert state.on_dropped(A, 8) == []


# Requests of the server


def ask(
    state: BridgeState, method: str = "elicitation/create", number: int | str = "s1", **params: object
) -> list[Effect]:
    return state.on_server(request(method, number, **params))


def test_question_goes_to_the_session_whose_call_is_in_progress_and_its_answer_back() -> None:
    state = ready(A, B)
    send(state, B, call(7))
    (effect,) = ask(state, message="Secret?")
    assert isinstance(effect, ToClient)
    assert (effect.session, effect.related) == (B, 7)
    assert isinstance(effect.message, JSONRPCRequest)
    number = effect.message.id
    assert state.on_client(A, result(number, action="accept", content={"secret": "of A"})) == []
    answer = result(number, action="accept", content={"secret": "of B"})
    assert to_server(state.on_client(B, answer)) == [result("s1", action="accept", content={"secret": "of B"})]
    assert state.on_client(B, answer) == [], "answered once"


def test_question_waits_while_calls_of_two_clients_are_in_progress() -> None:
    state = ready(A, B)
    send(state, A, call(1, "asks"))
    long = send(state, B, call(1, "long"))
    effects = ask(state)
    assert to_client(effects, A) == to_client(effects, B) == []
    effects = state.on_server(result(long))
    assert [message.method for message in to_client(effects, A)] == ["elicitation/create"]
    assert to_client(effects, B) == [result(1)]


def test_list_in_progress_does_not_make_a_question_ambiguous() -> None:
    state = ready(A, B)
    send(state, A, call(1))
    send(state, B, request("tools/list", 1))
    assert [message.method for message in to_client(ask(state), A)] == ["elicitation/create"]


def test_two_calls_of_one_client_are_no_ambiguity() -> None:
    state = ready(A, B)
    send(state, A, call(1))
    send(state, A, call(2))
    assert len(to_client(ask(state), A)) == 1


def test_call_that_begins_after_the_question_does_not_count() -> None:
    state = ready(A, B)
    send(state, A, call(1))
    second = send(state, B, call(2))
    ask(state)
    state.on_open(C, Negotiated(NEWEST, ALL))
    state.on_client(C, call(3))
    effects = state.on_server(result(second))
    assert [message.method for message in to_client(effects, A)] == ["elicitation/create"]


def test_question_that_may_be_a_cancelled_call_s_is_refused() -> None:
    """The server may have asked before it heard of the cancellation."""
    state = ready(A, B)
    send(state, A, call(1))
    send(state, B, call(2))
    ask(state)
    effects = state.on_client(A, notify("cancelled", requestId=1))
    assert to_client(effects, B) == []
    assert [code(message) for message in to_server(effects) if isinstance(message, JSONRPCError)] == [-32603]


@pytest.mark.parametrize("is_answered", [True, False])
def test_cancelled_call_counts_until_the_server_answers_it_or_for_some_time(is_answered: bool) -> None:
    """A server may go on with it regardless, and ask."""
    state = ready(A, B)
    number = send(state, A, call(1))
    (timer,) = timers(state.on_gone(A))
    send(state, B, call(2))
    effects = ask(state)
    assert to_client(effects, B) == []
    assert [code(message) for message in to_server(effects)] == [-32603]
    if is_answered:
        state.on_server(result(number))
    else:
        state.on_timeout(timer)
    assert len(to_client(ask(state, number="s2"), B)) == 1


def test_question_of_a_cancelled_call_alone_is_refused() -> None:
    state = ready(A)
    send(state, A, call(1))
    state.on_client(A, notify("cancelled", requestId=1))
    effects = ask(state)
    assert to_client(effects, A) == []
    assert [code(message) for message in to_server(effects)] == [-32603]


def test_questions_that_would_block_each_other_are_refused() -> None:
    state = ready(A, B)
    send(state, A, call(1))
    send(state, B, call(1))
    ask(state, number="s1")
    refused = to_server(ask(state, number="s2"))
    assert sorted((message.id, code(message)) for message in refused) == [("s1", -32603), ("s2", -32603)]


def test_question_that_stays_ambiguous_is_refused_in_the_end() -> None:
    state = ready(A, B)
    send(state, A, call(1))
    send(state, B, call(1))
    (number,) = timers(ask(state))
    (refused,) = to_server(state.on_timeout(number))
    assert (refused.id, code(refused)) == ("s1", -32603)


def test_calls_of_different_clients_take_turns_once_a_server_asks() -> None:
    state = ready(A, B)
    first = send(state, A, call(1))
    ask(state)
    effects = state.on_client(B, call(1))
    assert to_server(effects) == []
    assert len(timers(effects)) == 1
    assert [message.method for message in to_server(state.on_client(B, request("tools/list", 2)))] == ["tools/list"]
    effects = state.on_server(result(first))
    assert [message.method for message in to_server(effects)] == ["tools/call"]


def test_turns_are_taken_in_the_order_of_the_calls() -> None:
    state = ready(A, B)
    first = send(state, A, call(1))
    number = to_client(ask(state), A)[0].id
    state.on_client(A, result(number))
    state.on_client(B, call(1, "b"))
    assert to_server(state.on_client(A, call(2, "a"))) == [], "the call of B came first"
    (sent,) = to_server(state.on_server(result(first)))
    assert sent.params["name"] == "b"
    (sent,) = to_server(state.on_server(result(sent.id)))
    assert sent.params["name"] == "a"


def test_client_that_is_being_asked_may_call_before_it_answers() -> None:
    """Otherwise its answer would wait for a call that waits for the answer."""
    state = ready(A, B)
    send(state, A, call(1))
    ask(state, "sampling/createMessage")
    assert to_server(state.on_client(B, call(1))) == []
    assert len(to_server(state.on_client(A, call(2)))) == 1


def test_call_that_never_gets_its_turn_is_refused_and_not_sent() -> None:
    state = ready(A, B)
    first = send(state, A, call(1))
    ask(state)
    (number,) = timers(state.on_client(B, call(1)))
    assert [code(message) for message in to_client(state.on_timeout(number), B)] == [-32001]
    assert to_server(state.on_server(result(first))) == []


def test_question_to_a_client_that_cannot_answer_is_refused() -> None:
    state = ready(A, sampling={})
    send(state, A, call(1))
    effects = ask(state, "elicitation/create")
    assert to_client(effects, A) == []
    assert [code(message) for message in to_server(effects)] == [-32601]
    assert len(to_client(ask(state, "sampling/createMessage", "s2"), A)) == 1


@pytest.mark.parametrize(("declared", "is_asked"), [({}, False), ({"form": {}}, False), ({"url": {}}, True)])
def test_elicitation_by_url_needs_a_client_that_says_so(declared: dict[str, object], is_asked: bool) -> None:
    state = ready(A, elicitation=declared)
    send(state, A, call(1))
    assert bool(to_client(ask(state, mode="url", url="https://example.com"), A)) is is_asked


def test_questions_outside_of_calls() -> None:
    state = ready(A)
    assert len(to_client(ask(state), A)) == 1, "the only client"
    state.on_open(B)
    state.on_client(B, initialize(**ALL))
    assert [code(message) for message in to_server(ask(state, number="s2"))] == [-32603], "which of the two?"
    state.on_gone(A)
    state.on_gone(B)
    assert [code(message) for message in to_server(ask(state, number="s3"))] == [-32601], "nobody is there"


def test_roots_are_asked_of_the_client_that_announced_them() -> None:
    state = ready(A, B)
    assert [message.method for message in to_client(ask(state, "roots/list"), A)] == ["roots/list"], "it came first"
    state.on_client(B, notify("roots/list_changed"))
    assert [message.method for message in to_client(ask(state, "roots/list", "s2"), B)] == ["roots/list"]
    assert [code(message) for message in to_server(ask(state, "roots/list", "s3"))] == [-32603], "of whom?"


def test_roots_asked_during_another_client_s_call_wait_until_it_ends() -> None:
    state = ready(A, B)
    number = send(state, B, call(1))
    effects = ask(state, "roots/list")
    assert to_client(effects, A) == to_client(effects, B) == []
    assert [message.method for message in to_client(state.on_server(result(number)), A)] == ["roots/list"]


def test_roots_at_the_start_do_not_make_clients_take_turns() -> None:
    state = ready(A, B)
    ask(state, "roots/list")
    send(state, A, call(1))
    send(state, B, call(1))


def test_crash_withdraws_questions_and_late_answers_go_nowhere() -> None:
    state = ready(A)
    send(state, A, call(1))
    number = to_client(ask(state), A)[0].id
    effects = state.on_lost()
    assert notify("cancelled", requestId=number, reason="The server ended") in to_client(effects, A)
    handshake(state, state.on_ready())
    assert state.on_client(A, result(number)) == []


def test_client_that_leaves_refuses_what_it_was_asked() -> None:
    state = ready(A, B)
    send(state, A, call(1))
    ask(state)
    refused = [message for message in to_server(state.on_gone(A)) if isinstance(message, JSONRPCError)]
    assert [(message.id, code(message)) for message in refused] == [("s1", -32603)]


def test_server_s_cancellation_reaches_the_client_that_was_asked_only() -> None:
    state = ready(A, B)
    send(state, A, call(1))
    number = to_client(ask(state), A)[0].id
    effects = state.on_server(notify("cancelled", requestId="s1"))
    assert to_client(effects, A) == [notify("cancelled", requestId=number)]
    assert to_client(effects, B) == []
    assert state.on_client(A, result(number)) == []


def test_equal_ids_of_questions_are_kept_apart() -> None:
    """A server that was started again counts from the beginning."""
    state = ready(A)
    send(state, A, call(1))
    before = to_client(ask(state, number=0), A)[0].id
    state.on_lost()
    handshake(state, state.on_ready())
    send(state, A, call(1))
    after = to_client(ask(state, number=0), A)[0].id
    assert before != after
    assert state.on_client(A, result(before)) == []
    assert to_server(state.on_client(A, result(after))) == [result(0)]


# Initialization


def test_each_client_gets_the_version_it_wants_if_the_server_s_is_not_older() -> None:
    state = BridgeState("bridge", "1")
    state.on_ready()
    state.on_open(A)
    effects = state.on_client(A, initialize(version="2024-11-05"))
    assert to_server(effects)[0].params["protocolVersion"] == NEWEST
    answered = to_client(handshake(state, effects, "2025-06-18"), A)
    versions = [answered[0].result["protocolVersion"]]
    for session, wanted in ((B, "2025-06-18"), (C, NEWEST), (4, "1999-01-01"), (5, 7)):
        state.on_open(session)
        (answer,) = to_client(state.on_client(session, initialize(version=wanted)), session)  # type: ignore[arg-type]
        versions.append(answer.result["protocolVersion"])
    assert versions == ["2024-11-05", "2025-06-18", "2025-06-18", "2025-06-18", "2025-06-18"]


def test_server_is_told_what_the_bridge_can_route_whoever_comes_first() -> None:
    state = BridgeState("bridge", "1")
    state.on_ready()
    state.on_open(A)
    (message,) = to_server(state.on_client(A, initialize()))
    assert set(message.params["capabilities"]) == {"roots", "sampling", "elicitation"}
    assert message.params["clientInfo"] == {"name": "bridge", "version": "1"}


def test_server_is_initialized_once_for_clients_that_come_at_the_same_time() -> None:
    state = BridgeState("bridge", "1")
    state.on_ready()
    state.on_open(A)
    state.on_open(B)
    effects = state.on_client(A, initialize(3))
    assert to_server(state.on_client(B, initialize(4))) == []
    effects = handshake(state, effects)
    assert [message.id for message in to_client(effects, A)] == [3]
    assert [message.id for message in to_client(effects, B)] == [4]
    assert to_server(state.on_client(A, notify("initialized"))) == [notify("initialized")]
    assert to_server(state.on_client(B, notify("initialized"))) == []


def test_first_call_of_a_client_that_does_not_confirm_confirms_first() -> None:
    state = BridgeState("bridge", "1")
    state.on_ready()
    state.on_open(A)
    handshake(state, state.on_client(A, initialize()))
    sent = to_server(state.on_client(A, call(1)))
    assert [message.method for message in sent] == ["notifications/initialized", "tools/call"]


def test_request_before_initialize_is_refused_but_ping() -> None:
    state = ready(B)
    state.on_open(A)
    assert [code(message) for message in to_client(state.on_client(A, call(1)), A)] == [-32600]
    assert to_client(state.on_client(A, request("ping", 2)), A) == [result(2)]


def test_initialize_waits_for_a_server_and_times_out() -> None:
    state = BridgeState("bridge", "1")
    state.on_open(A)
    (number,) = timers(state.on_client(A, initialize(3)))
    assert [(message.id, code(message)) for message in to_client(state.on_timeout(number), A)] == [(3, -32001)]
    effects = handshake(state, state.on_ready())
    assert to_client(effects, A) == []


def test_initialize_cannot_be_cancelled() -> None:
    state = BridgeState("bridge", "1")
    state.on_open(A)
    state.on_client(A, initialize(3))
    assert state.on_client(A, notify("cancelled", requestId=3)) == []


def test_server_that_refuses_initialize_is_asked_again_by_the_next_client() -> None:
    state = BridgeState("bridge", "1")
    state.on_ready()
    state.on_open(A)
    (message,) = to_server(state.on_client(A, initialize(3)))
    error = ErrorData(code=-1, message="no key")
    effects = state.on_server(JSONRPCError(jsonrpc="2.0", id=message.id, error=error))
    assert to_client(effects, A) == [JSONRPCError(jsonrpc="2.0", id=3, error=error)]
    assert to_client(handshake(state, state.on_client(A, initialize(4))), A)[0].id == 4


def test_continued_session_calls_without_initialize() -> None:
    state = BridgeState("bridge", "1")
    state.on_open(A, Negotiated("2025-06-18", ALL))
    assert to_server(state.on_ready()) == []
    effects = handshake(state, state.on_client(A, call(7)))
    assert [message.method for message in to_server(effects)] == ["notifications/initialized", "tools/call"]
    assert state.negotiated(A) == Negotiated("2025-06-18", ALL)


# Notifications and progress


def test_progress_goes_to_the_caller_with_its_own_token() -> None:
    state = ready(A, B)
    first = send(state, A, call(1, _meta={"progressToken": "p", "other": 1}))
    second = send(state, B, call(1, _meta={"progressToken": "p"}))
    assert first != second
    effects = state.on_server(notify("progress", progressToken=second, progress=1))
    assert to_client(effects, A) == []
    assert to_client(effects, B) == [notify("progress", progressToken="p", progress=1)]
    state.on_server(result(second))
    assert state.on_server(notify("progress", progressToken=second, progress=2)) == []


def test_progress_of_a_server_that_keeps_tokens_as_texts_goes_to_the_caller() -> None:
    state = ready(A, B)
    number = send(state, A, call(1, _meta={"progressToken": "p"}))
    effects = state.on_server(notify("progress", progressToken=str(number), progress=1))
    assert to_client(effects, A) == [notify("progress", progressToken="p", progress=1)]
    assert state.on_server(notify("progress", progressToken="p", progress=1)) == []


def test_progress_token_of_the_server_is_the_call_s_number() -> None:
    state = ready(A)
    (sent,) = to_server(state.on_client(A, call(1, _meta={"progressToken": "p", "other": 1})))
    assert sent.params["_meta"] == {"progressToken": sent.id, "other": 1}


def test_call_without_a_token_gets_no_progress() -> None:
    state = ready(A)
    number = send(state, A, call(1))
    assert state.on_server(notify("progress", progressToken=number, progress=1)) == []


def test_other_notifications_go_to_all_initialized_clients() -> None:
    state = ready(A, B)
    state.on_open(C)
    effects = state.on_server(notify("tools/list_changed"))
    assert [effect.session for effect in effects if isinstance(effect, ToClient)] == [A, B]


def test_log_goes_to_those_whose_calls_can_have_caused_it() -> None:
    state, line = ready(A, B), notify("message", level="info", data="secret of A")
    first = send(state, A, call(7))
    (effect,) = state.on_server(line)
    assert effect == ToClient(A, line, 7)
    second = send(state, A, call(8))
    assert state.on_server(line) == [ToClient(A, line, None)]
    state.on_server(result(first))
    state.on_server(result(second))
    assert [len(to_client(state.on_server(line), session)) for session in (A, B)] == [1, 1]


def test_changed_resource_is_told_to_its_subscribers() -> None:
    state = ready(A, B)
    state.on_server(result(send(state, A, request("resources/subscribe", 1, uri="file:///a"))))
    state.on_server(result(send(state, B, request("resources/subscribe", 1, uri="file:///b"))))
    effects = state.on_server(notify("resources/updated", uri="file:///a/part"))
    assert [len(to_client(effects, session)) for session in (A, B)] == [1, 0]
    unknown = state.on_server(notify("resources/updated", uri="file:///c"))
    assert [len(to_client(unknown, session)) for session in (A, B)] == [1, 1]


def test_notification_of_a_client_is_passed_on() -> None:
    state = ready(A)
    assert to_server(state.on_client(A, notify("roots/list_changed"))) == [notify("roots/list_changed")]
    state.on_lost()
    assert state.on_client(A, notify("roots/list_changed")) == []


def test_client_that_has_not_introduced_itself_says_nothing_to_the_server() -> None:
    state = BridgeState("bridge", "1")
    state.on_ready()
    state.on_open(A)
    state.on_open(B)
    handshake(state, state.on_client(A, initialize(**ALL)))
    for message in (notify("roots/list_changed"), notify("initialized"), notify("x")):
        assert state.on_client(B, message) == []
    # Whose roots the server asks for next is not for it to say either.
    assert to_server(state.on_client(A, notify("initialized"))) == [notify("initialized")]
    effects = state.on_server(request("roots/list", 5))
    assert [message.method for message in to_client(effects, A)] == ["roots/list"]


def test_progress_that_names_no_question_is_not_told() -> None:
    state = ready(A)
    send(state, A, call(1))
    assert to_client(state.on_server(request("sampling/createMessage", "q", messages=[])), A)
    assert state.on_client(A, notify("progress", progress=1)) == []


# What most calls are


def test_call_is_sent_at_once_only_where_nothing_has_to_be_decided() -> None:
    state = ready(A, B)
    number = state.send_at_once(A, 1)
    assert number is not None
    assert state.send_at_once(A, 1) is None, "an id in progress"
    other = state.send_at_once(A, "1")
    assert other is not None
    assert state.is_pending(A, 1)
    assert state.count_calls() == 2
    assert state.send_at_once(C, 1) is None, "no such session"
    state.on_open(C)
    assert state.send_at_once(C, 1) is None, "not introduced"
    ended = state.end_at_once(number)
    assert ended is not None
    assert (ended.session, ended.request_id) == (A, 1)
    assert state.end_at_once(number) is None
    assert state.end_at_once(999) is None
    state.on_gone(A)
    assert state.end_at_once(other) is None
    state.on_lost()
    assert state.send_at_once(B, 1) is None, "no connection"


def test_calls_take_turns_after_a_question_also_those_that_are_sent_at_once() -> None:
    state = ready(A, B)
    number = state.send_at_once(A, 1)
    assert number is not None
    assert to_client(state.on_server(request("sampling/createMessage", "q", messages=[])), A)
    assert state.send_at_once(B, 1) is None
    assert state.end_at_once(number) is None
    assert to_client(state.on_server(result(number)), A) == [result(1)]


def test_call_that_was_sent_at_once_is_cancelled_and_lost_as_any_other() -> None:
    state = ready(A)
    numbers = [state.send_at_once(A, key) for key in (1, 2)]
    effects = state.on_client(A, notify("cancelled", requestId=1))
    assert to_server(effects) == [notify("cancelled", requestId=numbers[0])]
    (lost,) = to_client(state.on_lost(), A)
    assert (lost.id, code(lost)) == (2, -32000)


def test_call_is_not_sent_at_once_to_a_server_that_has_not_been_told_of_its_client() -> None:
    state = BridgeState("bridge", "1")
    state.on_open(A, Negotiated(NEWEST, {}))
    effects = state.on_ready()
    assert effects == []
    assert state.send_at_once(A, 1) is None
    handshake(state, state.on_client(A, call(1)))
    assert state.send_at_once(A, 2) is not None
    state.on_closed()
    assert state.send_at_once(A, 3) is None


def test_number_of_calls_is_limited_also_for_those_that_are_sent_at_once() -> None:
    state = ready(A)
    assert all(state.send_at_once(A, key) is not None for key in range(MAX_CALLS))
    assert state.send_at_once(A, MAX_CALLS) is None


def test_progress_of_a_question_is_told_by_who_was_asked_only() -> None:
    state = ready(A, B)
    send(state, A, call())
    question = request("sampling/createMessage", "q", _meta={"progressToken": 7}, messages=[])
    (asked,) = to_client(state.on_server(question), A)
    told = notify("progress", progressToken=7, progress=1)
    assert state.on_client(B, told) == []
    assert state.on_client(A, notify("progress", progressToken=8, progress=1)) == []
    assert to_server(state.on_client(A, told)) == [told]
    state.on_client(A, result(asked.id))
    assert state.on_client(A, told) == []


def test_client_may_give_the_number_of_a_question_back_as_a_text() -> None:
    state = ready(A, B)
    send(state, A, call())
    (asked,) = to_client(state.on_server(request("elicitation/create", "q")), A)
    assert state.on_client(B, result(str(asked.id))) == []
    for text in ("", "x", " 1", "\u0661", "9" * 5000):
        assert state.on_client(A, result(text)) == []
    assert to_server(state.on_client(A, result(str(asked.id), a=1))) == [result("q", a=1)]


# Subscriptions


def test_unsubscribing_leaves_other_clients_subscribed() -> None:
    state = ready(A, B)
    for session in (A, B):
        state.on_server(result(send(state, session, request("resources/subscribe", 1, uri="file:///x"))))
    effects = state.on_client(A, request("resources/unsubscribe", 2, uri="file:///x"))
    assert to_server(effects) == []
    assert to_client(effects, A) == [result(2)]
    assert send(state, B, request("resources/unsubscribe", 2, uri="file:///x"))


def test_last_subscriber_that_leaves_unsubscribes() -> None:
    state = ready(A, B)
    for session in (A, B):
        state.on_server(result(send(state, session, request("resources/subscribe", 1, uri="file:///x"))))
    assert to_server(state.on_gone(A)) == []
    (sent,) = to_server(state.on_gone(B))
    assert (sent.method, sent.params) == ("resources/unsubscribe", {"uri": "file:///x"})
    assert state.on_server(result(sent.id)) == []


def test_restarted_server_is_subscribed_to_again() -> None:
    state = ready(A)
    state.on_server(result(send(state, A, request("resources/subscribe", 1, uri="file:///x"))))
    state.on_lost()
    sent = to_server(handshake(state, state.on_ready()))
    assert [message.method for message in sent] == ["notifications/initialized", "resources/subscribe"]
