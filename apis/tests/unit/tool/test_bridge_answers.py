"""Every call of the bridge gets one answer, is executed at most once, and is answered to nobody else."""

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
    JSONRPCRequest,
)

from apis.tests.unit.tool.bridge_messages import (
    NEWEST,
    A,
    B,
    call,
    code,
    handshake,
    initialize,
    notify,
    ready,
    request,
    result,
    send,
    timers,
    to_client,
    to_server,
)
from tool_api.endpoint.bridge import Bridge
from tool_api.endpoint.bridge.calls import MAX_CALLS, MAX_WAITING_BYTES
from tool_api.endpoint.bridge.messages import ToClient
from tool_api.endpoint.bridge.state import MAX_FAILED_STARTS, BridgeState
from tool_api.runtime.reading import WrittenCall, WrittenResponse
from tool_api.store import Negotiated

UNCONNECTED: Any = nullcontext
"""For bridges that are not run: they never connect to their server."""


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
