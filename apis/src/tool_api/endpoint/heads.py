"""Heads of requests that are known by their bytes, because the same client has sent the same head before."""

from __future__ import annotations

import re
from typing import Any

from starlette.types import Scope

from tool_api.endpoint.direct import MOST_BODY_BYTES, TakeRequest


class RepeatedHead:
    """The head of a request, to know the next request of the same client by, and its parts, as the parser has read them.

    Programs send the same head each time, but for the length of the body. To read it again took a third of the time
    that a port takes for a call.
    """

    __slots__ = ("_after", "_before", "_headers", "_last", "_place", "_scope", "take")

    def __init__(self, scope: Scope, before: bytes, after: bytes, place: int, take: TakeRequest) -> None:
        """Args: before, after: All bytes around the length. place: Of the length among the headers of the scope.

        take: Who may take requests with this head.
        """
        self.take = take
        self._scope = {**scope}
        self._headers = list(scope["headers"])
        self._before, self._after = before, after
        self._place = place
        self._last = (before + b"\0", -1)
        """The last head that was found, with its length; at first one that is none."""

    def find(self, data: bytes) -> bytes | None:
        """Body of the request that data is; None where it is any other one, or not exactly one."""
        head, length = self._last
        if len(data) == len(head) + length and data.startswith(head):
            return data[len(head) :]
        start, length = self._measure(data)
        if start == 0 or len(data) - start != length:
            return None
        self._last = (data[:start], length)
        return data[start:]

    def is_begun(self, data: bytes) -> bool:
        """Whether data is the whole head of such a request, and less than its body: many clients send the two apart."""
        head, length = self._last
        if data == head:
            return length > 0
        start, length = self._measure(data)
        return start > 0 and len(data) - start < length

    def _measure(self, data: bytes) -> tuple[int, int]:
        """Bytes of a head and of the body that it announces; 0 and 0 where it is any other one."""
        before, after = self._before, self._after
        if not data.startswith(before):
            return 0, 0
        end = data.find(b"\r\n", len(before), len(before) + _MOST_DIGITS + 2)
        digits = data[len(before) : end]
        if end < 0 or not digits.isdigit() or not data.startswith(after, end) or int(digits) > MOST_BODY_BYTES:
            return 0, 0
        return end + len(after), int(digits)

    def make_scope(self, data: bytes) -> Scope:
        """Scope of a request that was found, as the parser would have read it.

        Args:
            data: All of it.
        """
        digits = data[len(self._before) : data.index(b"\r\n", len(self._before))]
        headers = self._headers.copy()
        headers[self._place] = (b"content-length", digits)
        return {**self._scope, "headers": headers}


def repeated_head(data: bytes, scope: dict[str, Any] | Scope, take: TakeRequest) -> RepeatedHead | None:
    """The head of a plain request, if it can be known by its bytes.

    Args:
        data: A whole request, and nothing else.
        scope: The same as the parser has read it; nobody else has seen it yet.
        take: Who may take requests with this head.
    """
    head, end, body = data.partition(b"\r\n\r\n")
    lengths = _LENGTH.findall(head + end)
    places = [place for place, (name, _) in enumerate(scope["headers"]) if name == b"content-length"]
    if len(lengths) != 1 or len(places) != 1:
        return None
    before, length, after = lengths[0]
    # Else the head ends elsewhere than the parser has found.
    return RepeatedHead(scope, before, after, places[0], take) if int(length) == len(body) else None


_LENGTH = re.compile(rb"(?is)\A(.*\r\ncontent-length:[ \t]*)([0-9]+)(\r\n.*)\Z")
_MOST_DIGITS = 5
