"""Requests that offer to change the protocol, which no server here does: they are read like all others.

Java's HTTP client offers HTTP/2 with each first request. httptools takes such a request for one without a body, so the
body would be lost, or read as the next request.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol

import httptools

_OF_BODIES = frozenset((b"content-length", b"transfer-encoding"))


class Reader(Protocol):
    """What has the callbacks of a parser, such as uvicorn's protocol."""

    parser: Any
    headers: list[tuple[bytes, bytes]]


class ReadingOn(httptools.HttpRequestParser):
    """A parser that goes on behind the head of such a request, in another parser, which it puts into its own place."""

    def __init__(self, reader: Reader, callbacks: object = None) -> None:
        super().__init__(callbacks or reader)
        with suppress(AttributeError):  # as uvicorn does, where httptools can
            self.set_dangerous_leniencies(lenient_data_after_close=True)
        self._reader = reader

    def feed_data(self, data: Any) -> None:
        """Parse bytes."""
        try:
            super().feed_data(data)
        except httptools.HttpParserUpgrade as offer:
            self._read_on(data[offer.args[0] :])

    def _read_on(self, rest: bytes) -> None:
        lines = [self.get_method() + b" / HTTP/1.1"]
        lines += [name + b": " + value for name, value in self._reader.headers if name in _OF_BODIES]
        parser = self._reader.parser = ReadingOn(self._reader, _BehindHead(self._reader))
        parser.feed_data(b"\r\n".join([*lines, b"", b""]) + rest)


class _BehindHead:
    """Callbacks for a parser that starts with a head which its reader has handled: everything after this head is passed on."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self._is_behind = False
        self.on_body = reader.on_body
        self.on_message_complete = reader.on_message_complete

    def on_message_begin(self) -> None:
        if self._is_behind:
            self._reader.on_message_begin()

    def on_url(self, url: bytes) -> None:
        if self._is_behind:
            self._reader.on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._is_behind:
            self._reader.on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._is_behind:
            self._reader.on_headers_complete()
        self._is_behind = True
