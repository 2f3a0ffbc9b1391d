"""Who has subscribed to which resource: the server knows one subscriber, however many clients there are."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from mcp.types import JSONRPCRequest

from tool_api.endpoint.bridge.messages import Effects, own_request


class Subscriptions:
    """Sessions by the URI that they have subscribed to.

    Args:
        numbers: Unique in the bridge, for requests of its own.
        effects: Where messages go.
    """

    def __init__(self, numbers: Iterator[int], effects: Effects) -> None:
        self._numbers = numbers
        self._effects = effects
        self._sessions: dict[str, set[int]] = {}

    def add(self, session: int, uri: str) -> None:
        """Note that a session subscribes."""
        self._sessions.setdefault(uri, set()).add(session)

    def remove(self, session: int, uri: str) -> bool:
        """Note that a session no longer subscribes.

        Returns:
            Whether nobody else does, so that the server has to be told.
        """
        sessions = self._sessions.get(uri, set())
        sessions.discard(session)
        if not sessions:
            self._sessions.pop(uri, None)
        return not sessions

    def end(self, session: int, request: JSONRPCRequest) -> bool:
        """A session asks to end a subscription. Returns: As `remove`."""
        return self.remove(session, str((request.params or {}).get("uri")))

    def leave(self, session: int, *, is_up: bool) -> None:
        """A session ends. Args: is_up: Whether the server can be told."""
        for uri in [uri for uri, sessions in self._sessions.items() if session in sessions]:
            if self.remove(session, uri) and is_up:
                self._effects.to_server(own_request(next(self._numbers), "resources/unsubscribe", {"uri": uri}))

    def repeat(self) -> None:
        """Tell a server that was started again."""
        for uri in self._sessions:
            self._effects.to_server(own_request(next(self._numbers), "resources/subscribe", {"uri": uri}))

    def find(self, uri: object, sessions: AbstractSet[int]) -> AbstractSet[int]:
        """Sessions that have subscribed to a resource, or to one that it is a part of; all of these where nobody is known.

        Sessions that are continued after a restart of this process may have subscribed before.
        """
        parents = (found for known, found in self._sessions.items() if str(uri).startswith(known))
        return set().union(*parents) or sessions
