"""The state of the bridge: initialization, which session gets which message, and what is forwarded at once."""

from __future__ import annotations

from mcp.types import (
    ErrorData,
    JSONRPCError,
)

from apis.tests.unit.tool.bridge_messages import (
    ALL,
    NEWEST,
    A,
    B,
    C,
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
from tool_api.endpoint.bridge.calls import MAX_CALLS
from tool_api.endpoint.bridge.messages import ToClient
from tool_api.endpoint.bridge.state import BridgeState
from tool_api.store import Negotiated


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
