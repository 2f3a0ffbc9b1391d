"""Limits for the heads of requests, inside the server: no middleware sees a head that is not complete.

httptools puts a header together from its pieces, without a limit: a header of 150 MB would cost twice as much memory
and hold up everybody else for seconds.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service_guard.closing import end_by_closing
from service_guard.upgrades import ReadingOn
from service_guard.waiting import LAST_LOOK_S

KEEP_ALIVE_S = 130
"""Seconds for which a server keeps a connection without requests, for `uvicorn.Config(timeout_keep_alive=…)`.

Longer than clients and balancers keep theirs (5 s in httpx, 60 s in nginx, 90 s in Go, 120 s in Caddy): if the server is the
first to close, a request that is on its way just then is lost, and its client cannot know whether it was executed.
"""

_LOGGER = logging.getLogger("service_guard")
_END = b"\r\n\r\n"


class LimitedHttp(HttpToolsProtocol):
    """uvicorn's protocol, for `uvicorn.Config(http=LimitedHttp)`.

    Heads that are too large are answered 431, heads that are not complete in time 408; both close the connection.
    Subclasses may set other limits.
    """

    max_head_bytes = 65_536
    """Longest request line with all headers."""
    head_timeout_s = 10.0
    """Longest wait for a whole head, from the connection or the first byte on."""

    _is_in_head = True
    _head_bytes = 0
    _tail = b""
    _clock: asyncio.TimerHandle | None = None
    _is_last_look = False

    @property
    def is_between_requests(self) -> bool:
        """Whether the next byte is the first one of a head."""
        return self._is_in_head and not self._head_bytes

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.parser = ReadingOn(self)
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._is_in_head:
            if self._head_bytes + len(data) > self.max_head_bytes and self._head_size(data) > self.max_head_bytes:
                self._refuse(
                    431, "Request Header Fields Too Large", f"The head is larger than {self.max_head_bytes} bytes"
                )
                return
            self._head_bytes += len(data)
            self._tail = data[-len(_END) + 1 :]
        super().data_received(data)
        # Not before: most heads are whole.
        if self._is_in_head and self._head_bytes and not self.transport.is_closing():
            self._start_clock()

    def on_headers_complete(self) -> None:
        """Go on with the body (httptools' callback)."""
        self._is_in_head = False
        self._stop_clock()
        super().on_headers_complete()
        if self.scope["http_version"] == "1.0":
            end_by_closing(self.cycle)

    def on_message_complete(self) -> None:
        """Expect the next head (httptools' callback)."""
        if self.parser.should_upgrade():
            return  # its body has not been read yet, see `upgrades`
        self._is_in_head, self._head_bytes, self._tail = True, 0, b""
        super().on_message_complete()

    def _head_size(self, data: bytes) -> int:
        end = (self._tail + data).find(_END)
        return self._head_bytes + (len(data) if end < 0 else end - len(self._tail) + len(_END))

    def _start_clock(self) -> None:
        if self._clock is None:
            self._is_last_look = False
            self._clock = self.loop.call_later(self.head_timeout_s, self._late)

    def _stop_clock(self) -> None:
        if self._clock:
            self._clock.cancel()
            self._clock = None

    def _late(self) -> None:
        self._clock = None
        if not self._is_in_head or self.transport.is_closing():
            return
        if self._is_last_look:
            self._refuse(408, "Request Timeout", f"The head was not complete after {self.head_timeout_s:g} seconds")
            return
        # What came while this process was stopped has not been read yet.
        self._is_last_look = True
        self._clock = self.loop.call_later(LAST_LOOK_S, self._late)

    def _refuse(self, status: int, reason: str, detail: str) -> None:
        _LOGGER.warning(detail)
        self.transport.write(_response(status, reason, detail))
        self.transport.close()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.max_head_bytes <= 0 or cls.head_timeout_s <= 0:
            raise ValueError("limits must be positive")


def _response(status: int, reason: str, detail: str) -> bytes:
    body = f"{detail}\n".encode()
    head = (
        f"HTTP/1.1 {status} {reason}\r\ncontent-type: text/plain; charset=utf-8\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
