"""Who has subscribed to which resource: the server knows one subscriber, however many clients there are."""

from __future__ import annotations

from collections.abc import Iterator


class Subscriptions:
    """Sessions by the URI that they have subscribed to."""

    def __init__(self) -> None:
        self._sessions: dict[str, set[int]] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._sessions)

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

    def of_session(self, session: int) -> list[str]:
        """URIs that a session has subscribed to."""
        return [uri for uri, sessions in self._sessions.items() if session in sessions]

    def find(self, uri: object) -> set[int]:
        """Sessions that have subscribed to a resource, or to one that it is a part of."""
        parents = (sessions for known, sessions in self._sessions.items() if str(uri).startswith(known))
        return set().union(*parents)
