"""How much of the server's log each client wants: the server knows one level, however many clients there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcp.types import JSONRPCRequest

from tool_api.endpoint.bridge.messages import Effects, own_request

SET_LEVEL = "logging/setLevel"

_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class LogLevels:
    """Levels of the sessions that have chosen one.

    The server is told the lowest of them, and lines below a session's own level are kept from that session. Sessions that
    have chosen none get what there is.

    Args:
        numbers: Unique in the bridge, for requests of its own.
        effects: Where messages go.
    """

    def __init__(self, numbers: Iterator[int], effects: Effects) -> None:
        self._numbers = numbers
        self._effects = effects
        self._levels: dict[int, int] = {}

    def choose(self, session: int, request: JSONRPCRequest) -> JSONRPCRequest:
        """A session chooses its level. Returns: What to ask of the server. It refuses a level that does not exist."""
        level = (request.params or {}).get("level")
        if level not in _LEVELS:
            return request
        self._levels[session] = _LEVELS.index(level)
        return request.model_copy(update={"params": {**(request.params or {}), "level": self._lowest()}})

    def leave(self, session: int, *, is_up: bool) -> None:
        """A session ends. Args: is_up: Whether the server can be told."""
        before = self._lowest()
        self._levels.pop(session, None)
        if is_up and self._lowest() != before:
            self.repeat()

    def repeat(self) -> None:
        """Tell the server the level, such as one that was started again."""
        if level := self._lowest():
            self._effects.to_server(own_request(next(self._numbers), SET_LEVEL, {"level": level}))

    def is_wanted(self, session: int, level: Any) -> bool:
        """Whether a line of the log is one for a session."""
        return level not in _LEVELS or _LEVELS.index(level) >= self._levels.get(session, 0)

    def _lowest(self) -> str:
        """The lowest level of all sessions; empty if none has chosen one."""
        return _LEVELS[min(self._levels.values())] if self._levels else ""
