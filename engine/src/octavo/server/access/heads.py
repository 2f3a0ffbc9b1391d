"""Limits for the heads of requests, inside the HTTP protocol: no middleware sees a head that is not complete.

Without them a client can hold a connection open for ever by sending a head byte by byte (slowloris), and httptools puts
a header of any length together in memory.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from octavo.server.access.closing import end_by_closing
from octavo.server.access.upgrades import ReadingOn

LAST_LOOK_S = 1.0
"""Seconds between the end of the time for a head and its refusal."""

_END = b"\r\n\r\n"


class LimitedHttp(HttpToolsProtocol):
    """uvicorn's protocol, for `uvicorn.Config(http=…)`.

    Heads that are too large are answered 431, heads that are not complete in time 408; both close the connection.
    """

    max_head_bytes = 64 << 10
    """Longest request line with all headers."""
    head_timeout_s = 10.0
    """Longest wait for a whole head: from the connection on for the first, from the first byte on for later ones."""

    _is_in_head = True
    _head_bytes = 0
    _tail = b""
    _timer: asyncio.TimerHandle | None = None
    _is_last_look = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect the first head (asyncio's callback)."""
        super().connection_made(transport)
        self.parser = ReadingOn(self)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection (asyncio's callback)."""
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count bytes of heads before they are parsed (asyncio's callback)."""
        if self.transport.is_closing():
            return
        if self._is_in_head:
            self._start_timer()
            if self._head_bytes + len(data) > self.max_head_bytes and self._head_size(data) > self.max_head_bytes:
                self._refuse("431 Request Header Fields Too Large", f"larger than {self.max_head_bytes} bytes")
                return
            self._head_bytes += len(data)
            self._tail = data[-len(_END) + 1 :]
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """Go on with the body (httptools' callback)."""
        self._is_in_head = False
        self._stop_timer()
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

    def _start_timer(self) -> None:
        if self._timer is None:
            self._is_last_look = False
            self._timer = self.loop.call_later(self.head_timeout_s, self._end_waiting)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end_waiting(self) -> None:
        self._timer = None
        if not self._is_in_head or self.transport.is_closing():
            return
        if self._is_last_look:
            self._refuse("408 Request Timeout", f"not complete after {self.head_timeout_s:g} seconds")
            return
        # What came while this process was stopped, as when a machine sleeps, has not been read yet.
        self._is_last_look = True
        self._timer = self.loop.call_later(LAST_LOOK_S, self._end_waiting)

    def _refuse(self, status: str, reason: str) -> None:
        body = f"The head of this request is {reason}.\n"
        head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(f"{head}connection: close\r\n\r\n{body}".encode())
        self.transport.close()
