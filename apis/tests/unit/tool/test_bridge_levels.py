"""What each client of one server wants of its log."""

from __future__ import annotations

from typing import Any

import pytest

from apis.tests.unit.tool.bridge_messages import (
    A,
    B,
    C,
    call,
    handshake,
    notify,
    ready,
    request,
    result,
    send,
    to_client,
    to_server,
)
from tool_api.endpoint.bridge.messages import ToClient
from tool_api.endpoint.bridge.state import BridgeState


def choose(state: BridgeState, session: int, level: object) -> Any:
    """Choose a level; returns the one that the server is asked for, and lets it agree."""
    (sent,) = to_server(state.on_client(session, request("logging/setLevel", 9, level=level)))
    assert to_client(state.on_server(result(sent.id)), session) == [result(9)]
    return sent.params["level"]


def told(state: BridgeState, level: object) -> list[int]:
    effects = state.on_server(notify("message", level=level, data="x"))
    return [effect.session for effect in effects if isinstance(effect, ToClient)]


def test_server_is_told_the_lowest_level_and_each_client_gets_its_own() -> None:
    state = ready(A, B, C)
    assert choose(state, A, "warning") == "warning"
    assert choose(state, B, "debug") == "debug"
    assert choose(state, A, "error") == "debug"
    assert told(state, "debug") == [B, C], "a client that has chosen nothing gets what there is"
    assert told(state, "warning") == [B, C]
    assert told(state, "error") == [A, B, C]
    assert told(state, "emergency") == [A, B, C]
    assert told(state, "loud") == told(state, None) == told(state, []) == [A, B, C]


def test_line_of_a_call_is_kept_from_a_client_that_does_not_want_it() -> None:
    state = ready(A, B)
    choose(state, A, "error")
    choose(state, B, "info")
    send(state, A, call(1))
    assert told(state, "info") == []
    send(state, B, call(1))
    assert told(state, "info") == [B]


@pytest.mark.parametrize("level", ["loud", None, [], {"a": 1}])
def test_level_that_does_not_exist_is_for_the_server_to_refuse(level: object) -> None:
    state = ready(A, B)
    choose(state, A, "error")
    assert choose(state, B, level) == level
    assert told(state, "debug") == [B]


def test_level_of_a_client_that_leaves_no_longer_counts() -> None:
    state = ready(A, B)
    choose(state, A, "error")
    choose(state, B, "debug")
    (sent,) = to_server(state.on_gone(B))
    assert (sent.method, sent.params) == ("logging/setLevel", {"level": "error"})
    assert state.on_server(result(sent.id)) == []
    assert to_server(state.on_gone(A)) == [], "nobody has another wish"


def test_client_that_leaves_changes_nothing_if_another_one_wants_as_much() -> None:
    state = ready(A, B)
    choose(state, A, "error")
    choose(state, B, "error")
    assert to_server(state.on_gone(B)) == []


def test_server_that_is_started_again_is_told_the_level_again() -> None:
    state = ready(A, B)
    choose(state, A, "error")
    choose(state, B, "debug")
    state.on_lost()
    assert to_server(state.on_gone(B)) == [], "there is nobody to tell"
    sent = to_server(handshake(state, state.on_ready()))
    assert [message.params for message in sent if message.method == "logging/setLevel"] == [{"level": "error"}]


def test_server_that_is_started_again_is_told_no_level_where_none_was_chosen() -> None:
    state = ready(A)
    state.on_lost()
    sent = to_server(handshake(state, state.on_ready()))
    assert [message.method for message in sent] == ["notifications/initialized"]
