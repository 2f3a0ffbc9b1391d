"""Whom the bridge asks what a server wants to know, and who waits meanwhile."""

from __future__ import annotations

import pytest
from mcp.types import (
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
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
from tool_api.endpoint.bridge.messages import Effect, ToClient
from tool_api.endpoint.bridge.questions import MOST_ELICITATIONS
from tool_api.endpoint.bridge.state import BridgeState
from tool_api.store import Negotiated

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
    (refused,) = to_server(effects)
    assert isinstance(refused, JSONRPCError)
    assert code(refused) == -32603
    assert refused.error.message.startswith("A call that was cancelled may have caused this request")
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


@pytest.mark.parametrize(
    ("declared", "asked", "is_asked"),
    [
        # An empty object is the one of the first version that had it: forms.
        ({}, {"mode": "url"}, False),
        ({}, {}, True),
        ({"applyDefaults": True}, {}, True),
        ({"form": {}}, {"mode": "url"}, False),
        ({"form": {}}, {"mode": "form"}, True),
        ({"form": {}, "url": None}, {"mode": "url"}, False),
        ({"url": {}}, {"mode": "url"}, True),
        ({"url": {}}, {"mode": "form"}, False),
        ({"url": {}}, {}, False),
        ({"url": {}, "form": {}}, {}, True),
        ({"url": {}, "form": {}}, {"mode": "voice"}, False),
    ],
)
def test_elicitation_needs_a_client_that_knows_its_mode(
    declared: dict[str, object], asked: dict[str, object], is_asked: bool
) -> None:
    state = ready(A, elicitation=declared)
    send(state, A, call(1))
    effects = ask(state, message="Secret?", **asked)
    assert bool(to_client(effects, A)) is is_asked
    if not is_asked:
        (refused,) = to_server(effects)
        assert code(refused) == -32602
        assert str(asked.get("mode", "form")) in refused.error.message


@pytest.mark.parametrize(
    ("declared", "asked", "is_asked"),
    [
        ({}, {}, True),
        ({}, {"includeContext": "allServers"}, True),  # a client may leave that out
        ({}, {"tools": []}, False),
        ({}, {"toolChoice": {"mode": "auto"}}, False),
        ({}, {"tools": None}, True),
        ({"tools": None}, {"tools": []}, False),
        ({"tools": {}}, {"tools": []}, True),
    ],
)
def test_sampling_with_tools_needs_a_client_that_declares_them(
    declared: dict[str, object], asked: dict[str, object], is_asked: bool
) -> None:
    state = ready(A, sampling=declared)
    send(state, A, call(1))
    effects = ask(state, "sampling/createMessage", messages=[], **asked)
    assert bool(to_client(effects, A)) is is_asked
    if not is_asked:
        (refused,) = to_server(effects)
        assert (code(refused), refused.error.message) == (
            -32602,
            "The client does not support tools in sampling/createMessage",
        )


@pytest.mark.parametrize(("declared", "is_asked"), [({"sampling": {}}, False), ({"tasks": {}}, True)])
def test_questions_about_tasks_need_a_client_that_has_them(declared: dict[str, object], is_asked: bool) -> None:
    state = ready(A, **declared)
    send(state, A, call(1))
    effects = ask(state, "tasks/list")
    assert bool(to_client(effects, A)) is is_asked
    assert [code(message) for message in to_server(effects)] == ([] if is_asked else [-32601])


def completed(state: BridgeState, name: str) -> list[int]:
    effects = state.on_server(notify("elicitation/complete", elicitationId=name))
    return [effect.session for effect in effects if isinstance(effect, ToClient)]


def test_end_of_an_elicitation_by_url_is_told_to_who_was_asked() -> None:
    state = ready(A, B, elicitation={"url": {}})
    send(state, B, call(1))
    ask(state, mode="url", url="https://example.com", elicitationId="e1")
    assert completed(state, "e1") == [B]
    assert completed(state, "e2") == [A, B], "of whom is not known: clients ignore what is not theirs"
    state.on_gone(B)
    assert completed(state, "e1") == [A]


def test_end_of_an_elicitation_is_told_to_whose_call_was_answered_with_its_address() -> None:
    state = ready(A, B, elicitation={"url": {}})
    number = send(state, B, call(1))
    elicitations = [{"mode": "url", "elicitationId": "e1", "url": "https://example.com"}]
    needs = ErrorData(code=-32042, message="Go there first", data={"elicitations": [*elicitations, 5, {}]})
    state.on_server(JSONRPCError(jsonrpc="2.0", id=number, error=needs))
    assert completed(state, "e1") == [B]
    state.on_lost()
    handshake(state, state.on_ready())
    assert completed(state, "e1") == [A, B], "a server that was started again has others"


@pytest.mark.parametrize("data", [None, 5, {"elicitations": 5}, {"elicitations": [{"elicitationId": []}]}])
def test_odd_data_of_an_error_about_an_address_are_passed_on(data: object) -> None:
    state = ready(A)
    number = send(state, A, call(1))
    needs = ErrorData(code=-32042, message="Go there first", data=data)
    effects = state.on_server(JSONRPCError(jsonrpc="2.0", id=number, error=needs))
    assert to_client(effects, A) == [JSONRPCError(jsonrpc="2.0", id=1, error=needs)]


@pytest.mark.costly
def test_few_elicitations_are_remembered_the_last_ones() -> None:
    state = ready(A, B, elicitation={"url": {}})
    for number in range(MOST_ELICITATIONS + 1):
        send(state, B, call(number))
        ask(state, mode="url", url="https://example.com", elicitationId=f"e{number}", number=f"s{number}")
    assert completed(state, "e0") == [A, B]
    assert completed(state, "e1") == [B]


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


def test_progress_that_names_no_question_is_not_told() -> None:
    state = ready(A)
    send(state, A, call(1))
    assert to_client(state.on_server(request("sampling/createMessage", "q", messages=[])), A)
    assert state.on_client(A, notify("progress", progress=1)) == []


def test_calls_take_turns_after_a_question_also_those_that_are_sent_at_once() -> None:
    state = ready(A, B)
    number = state.send_at_once(A, 1)
    assert number is not None
    assert to_client(state.on_server(request("sampling/createMessage", "q", messages=[])), A)
    assert state.send_at_once(B, 1) is None
    assert state.end_at_once(number) is None
    assert to_client(state.on_server(result(number)), A) == [result(1)]


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
