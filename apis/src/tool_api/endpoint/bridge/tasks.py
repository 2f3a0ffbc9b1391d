"""Whose the tasks of a server are: it has one client, and would show each client those of all others."""

from __future__ import annotations

from typing import Any

from mcp.types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from tool_api.runtime.reading import WrittenResponse

MOST_TASKS = 10_000
"""Tasks of which it is remembered whose they are; their clients may never ask for them."""

_LIST = "tasks/list"


class Tasks:
    """Owners of tasks, by the names that the server has given them."""

    def __init__(self) -> None:
        self._owners: dict[str, int] = {}

    def why_refused(self, session: int, request: JSONRPCRequest) -> str:
        """Why a request about a task is not for the server; empty if it is.

        A task of which the owner is not known may be asked for by its name, such as after a new start of this program.
        """
        name = (request.params or {}).get("taskId") if request.method.startswith("tasks/") else None
        owner = self._owners.get(name) if isinstance(name, str) else None
        return "" if owner is None or owner == session else "The task does not exist"

    def seen(
        self, session: int, request: JSONRPCRequest, answer: JSONRPCResponse | JSONRPCError
    ) -> JSONRPCResponse | JSONRPCError:
        """Note the task that an answer tells of. Returns: The answer, without tasks of other sessions."""
        if isinstance(answer, JSONRPCError) or not reads_answer(request):
            return answer
        known = answer.loaded() if isinstance(answer, WrittenResponse) else answer
        if request.method == _LIST:
            tasks = known.result.get("tasks")
            own = [task for task in tasks if self._owner(task) == session] if isinstance(tasks, list) else []
            return known.model_copy(update={"result": {**known.result, "tasks": own}})
        name = _name(known.result.get("task"))
        if name is not None:
            self._owners[name] = session
            if len(self._owners) > MOST_TASKS:
                del self._owners[next(iter(self._owners))]
        return answer

    def leave(self, session: int, *, is_up: bool) -> None:
        """A session ends; its tasks go on, and whoever knows their names may ask for them."""
        del is_up
        for name in [name for name, owner in self._owners.items() if owner == session]:
            del self._owners[name]

    def clear(self) -> None:
        """The server has ended, and its tasks with it."""
        self._owners.clear()

    def owners(self, name: Any) -> list[int]:
        """Return the sessions that get the status of a task: its owner, if that is known."""
        owner = self._owners.get(name) if isinstance(name, str) else None
        return [] if owner is None else [owner]

    def _owner(self, task: Any) -> int | None:
        name = _name(task)
        return None if name is None else self._owners.get(name)


def reads_answer(request: JSONRPCRequest) -> bool:
    """Whether the answer to a request tells of tasks."""
    return request.method == _LIST or (request.params or {}).get("task") is not None


def _name(task: Any) -> str | None:
    name = task.get("taskId") if isinstance(task, dict) else None
    return name if isinstance(name, str) else None
