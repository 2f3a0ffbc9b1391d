"""Tasks of one server's clients: none sees those of another."""

from __future__ import annotations

from typing import Any

import pytest

from apis.tests.unit.tool.bridge_messages import (
    ALL,
    A,
    B,
    call,
    code,
    handshake,
    notify,
    ready,
    request,
    result,
    send,
    to_client,
    to_server,
)
from tool_api.endpoint.bridge import tasks as tasks_module
from tool_api.endpoint.bridge.messages import ToClient
from tool_api.endpoint.bridge.state import BridgeState
from tool_api.runtime.reading import WrittenResponse, read_call


def begin(state: BridgeState, session: int, name: str) -> None:
    """Call a tool as a task."""
    number = send(state, session, call(1, task={"ttl": 60_000}))
    answer = WrittenResponse(number, b'{"task":{"taskId":"%b","status":"working"}}' % name.encode())
    (found,) = to_client(state.on_server(answer), session)
    assert found.id == 1
    assert found.loaded().result["task"]["taskId"] == name


def listed(state: BridgeState, session: int, *names: str) -> list[str]:
    """Names of the tasks that a session sees when the server lists these."""
    number = send(state, session, request("tasks/list", 2))
    tasks: list[Any] = [{"taskId": name} for name in names]
    (found,) = to_client(state.on_server(result(number, tasks=[*tasks, 5, {"taskId": []}], nextCursor="c")), session)
    assert found.result["nextCursor"] == "c"
    return [task["taskId"] for task in found.result["tasks"]]


def told(state: BridgeState, name: object) -> list[int]:
    effects = state.on_server(notify("tasks/status", taskId=name, status="working"))
    return [effect.session for effect in effects if isinstance(effect, ToClient)]


def test_client_sees_its_own_tasks_only() -> None:
    state = ready(A, B)
    begin(state, A, "a")
    begin(state, B, "b")
    assert listed(state, A, "a", "b", "c") == ["a"]
    assert listed(state, B, "a", "b", "c") == ["b"]
    assert (told(state, "a"), told(state, "b"), told(state, "c"), told(state, [])) == ([A], [B], [], [])


@pytest.mark.parametrize("method", ["tasks/get", "tasks/result", "tasks/cancel"])
def test_task_of_another_client_does_not_exist(method: str) -> None:
    state = ready(A, B)
    begin(state, A, "a")
    effects = state.on_client(B, request(method, 3, taskId="a"))
    assert to_server(effects) == []
    assert [code(message) for message in to_client(effects, B)] == [-32602]
    number = send(state, A, request(method, 3, taskId="a"))
    assert to_client(state.on_server(result(number, content=[])), A) == [result(3, content=[])]
    assert send(state, B, request(method, 4, taskId="of an earlier process"))


def test_task_of_a_client_that_has_left_is_for_who_knows_its_name() -> None:
    state = ready(A, B)
    begin(state, A, "a")
    state.on_gone(A)
    assert listed(state, B, "a") == []
    assert send(state, B, request("tasks/result", 3, taskId="a"))


def test_server_that_is_started_again_has_other_tasks() -> None:
    state = ready(A, B)
    begin(state, A, "1")
    state.on_lost()
    handshake(state, state.on_ready())
    begin(state, B, "1")
    assert (listed(state, A, "1"), listed(state, B, "1")) == ([], ["1"])


def test_few_tasks_are_remembered_the_last_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks_module, "MOST_TASKS", 2)
    state = ready(A)
    for name in ("1", "2", "3"):
        begin(state, A, name)
    assert listed(state, A, "1", "2", "3") == ["2", "3"]


def test_answer_without_a_task_is_passed_on() -> None:
    state = ready(A)
    number = send(state, A, call(1, task={}))
    answer = WrittenResponse(number, b'{"content":[]}')
    assert to_client(state.on_server(answer), A) == [answer]
    number = send(state, A, request("tasks/list", 2))
    assert to_client(state.on_server(result(number, tasks=None)), A) == [result(2, tasks=[])]


def test_call_as_a_task_is_none_of_those_that_need_no_decision() -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"%b}}'
    assert read_call(body % b"") is not None
    assert read_call(body % b',"task":{}') is None
    state = ready(A, **ALL)
    number = send(state, A, call(1, task={}))
    assert state.end_at_once(number) is None
    number = send(state, A, request("tasks/list", 2))
    assert state.end_at_once(number) is None
