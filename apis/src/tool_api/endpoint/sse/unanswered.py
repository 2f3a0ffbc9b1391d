"""Calls of event streams that have no answer yet, so that a client whose stream broke can be told that none will come.

They are kept in a file too: the process that has the streams may be killed, and its successor tells the clients.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from mcp.types import RequestId

from tool_api.logs import log

KEPT_S = 300
"""Seconds after the end of a stream for which its client may come back."""

MOST_STREAMS = 10_000
"""Streams that have ended with calls, and are kept; the oldest are discarded first."""

MOST_FILE_BYTES = 1024 * 1024
"""Size at which the file is written anew with what is still unanswered."""

_MOST_ID_CHARACTERS = 200
"""Of the id of a request that is kept in the file."""

_Calls = dict[RequestId, None]


class UnansweredCalls:
    """Calls by the name of the stream that their answer is expected on."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """Args: path: Of the file; without one, calls are only known to this process."""
        self._path = path
        self._clock = clock
        self._open: dict[str, _Calls] = {}
        self._lost: dict[str, tuple[float, _Calls]] = {}
        """Of streams that have ended, with the time of that, the oldest first."""
        self._file: int | None = None
        self._size = 0
        self._read()

    def open(self, stream: str, former: str = "") -> list[RequestId]:
        """A stream begins.

        Args:
            stream: Its name, which no other has.
            former: Stream that its client had before, if that is known.

        Returns:
            Calls of the former stream, which are calls of this one from now on.
        """
        self._forget_old()
        _, calls = self._lost.pop(former, (0.0, {}))
        self._open[stream] = calls
        if calls:
            self._write()
        return list(calls)

    def begin(self, stream: str, request_id: RequestId) -> None:
        """A call is about to be taken; nothing happens if there is no such stream."""
        if stream in self._open:
            self._open[stream][request_id] = None
            self._note(stream, request_id, is_open=True)

    def end(self, stream: str, request_id: RequestId) -> None:
        """A call has been answered, or was not taken after all."""
        if request_id in self._open.get(stream, ()):
            del self._open[stream][request_id]
            self._note(stream, request_id, is_open=False)

    def close(self, stream: str) -> None:
        """A stream has ended, and the calls that are open will not be answered."""
        if calls := self._open.pop(stream, None):
            self._lose(stream, calls)

    def close_file(self) -> None:
        """Keep the file as it is, for the next process."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._path = None

    def _lose(self, stream: str, calls: _Calls) -> None:
        self._lost[stream] = self._clock(), calls
        self._forget_old()

    def _forget_old(self) -> None:
        while self._lost:
            stream, (since, _) = next(iter(self._lost.items()))
            if len(self._lost) <= MOST_STREAMS and self._clock() - since <= KEPT_S:
                return
            del self._lost[stream]

    def _read(self) -> None:
        """Take over what an earlier process has left."""
        if self._path is None:
            return
        found: dict[str, _Calls] = {}
        with suppress(OSError):
            for line in self._path.read_bytes().splitlines():
                # The last line may have been cut off, and a damaged file must not keep the server from starting.
                with suppress(ValueError):
                    match json.loads(line):
                        case [str(stream), int() | str() as request_id, True]:
                            found.setdefault(stream, {})[request_id] = None
                        case [str(stream), int() | str() as request_id, False]:
                            found.setdefault(stream, {}).pop(request_id, None)
        for stream, calls in found.items():
            if calls:
                self._lose(stream, calls)

    def _note(self, stream: str, request_id: RequestId, *, is_open: bool) -> None:
        is_all_answered = not (self._lost or any(self._open.values()))
        self._write(b"" if is_all_answered else _line(stream, request_id, is_open=is_open))

    def _write(self, line: bytes = b"") -> None:
        """Add a line to the file, or write it anew with all that is unanswered."""
        if self._path is None:
            return
        try:
            is_new = self._file is None
            if self._file is None:
                self._path.parent.mkdir(mode=0o700, exist_ok=True)
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            if is_new or not line or self._size > MOST_FILE_BYTES:
                self._size = os.pwrite(self._file, self._lines(), 0)
                os.ftruncate(self._file, self._size)
            else:
                self._size += os.pwrite(self._file, line, self._size)
        except OSError as error:
            log("calls_not_kept", level="warning", reason=str(error))
            self._path = None

    def _lines(self) -> bytes:
        self._forget_old()
        streams = self._open | {stream: calls for stream, (_, calls) in self._lost.items()}
        return b"".join(
            _line(stream, request_id, is_open=True) for stream, calls in streams.items() for request_id in calls
        )


def _line(stream: str, request_id: RequestId, *, is_open: bool) -> bytes:
    if len(str(request_id)) > _MOST_ID_CHARACTERS:
        return b"\n"
    return json.dumps([stream, request_id, is_open]).encode() + b"\n"
