"""Calls of event streams that have no answer yet, so that a client whose stream broke can be told that none will come.

They are kept in a file too: the process that has the streams may be killed, and its successor tells the clients.
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mcp.types import RequestId

from tool_api.logs import log

KEPT_S = 120
"""Seconds after the end of a stream for which its client may come back."""

MOST_LOST = 10_000
"""Calls of ended streams that are kept; the oldest are discarded first."""

MOST_FILE_BYTES = 1024 * 1024
"""Size at which the file is written anew with what is still unanswered."""

_MOST_ID_CHARACTERS = 200
"""Of the id of a request that is kept in the file."""


@dataclass(frozen=True, slots=True)
class _Lost:
    """A call of a stream that has ended."""

    client: str
    request_id: RequestId
    since: float


class UnansweredCalls:
    """Calls by the stream that their answer is expected on."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """Args: path: Of the file; without one, calls are only known to this process."""
        self._path = path
        self._clock = clock
        self._clients: dict[str, str] = {}
        self._open: dict[str, dict[RequestId, None]] = {}
        self._lost: deque[_Lost] = deque()
        self._file: int | None = None
        self._size = 0
        self._read()

    def open(self, stream: str, client: str) -> None:
        """A stream begins.

        Args:
            stream: Its name, which no other has.
            client: What is known of the client, and will be the same when it comes back; others may have it as well.
        """
        self._clients[stream] = client
        self._open[stream] = {}

    def begin(self, stream: str, request_id: RequestId) -> None:
        """A call is about to be taken; nothing happens if there is no such stream."""
        if stream in self._open:
            self._open[stream][request_id] = None
            self._write(stream, request_id, is_open=True)

    def end(self, stream: str, request_id: RequestId) -> None:
        """A call has been answered, or was not taken after all."""
        if stream in self._open and request_id in self._open[stream]:
            del self._open[stream][request_id]
            self._write(stream, request_id, is_open=False)

    def close(self, stream: str) -> None:
        """A stream has ended, and the calls that are open will not be answered."""
        client, now = self._clients.pop(stream, ""), self._clock()
        self._lose(_Lost(client, request_id, now) for request_id in self._open.pop(stream, ()))

    def lost(self, client: str) -> list[RequestId]:
        """Calls of ended streams of a client, or of others that cannot be told from it."""
        self._forget_old()
        return list(dict.fromkeys(lost.request_id for lost in self._lost if lost.client == client))

    def close_file(self) -> None:
        """Close the file. What it contains is for the next process."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._path = None

    def _lose(self, calls: Iterable[_Lost]) -> None:
        self._lost += calls
        while len(self._lost) > MOST_LOST:
            self._lost.popleft()

    def _forget_old(self) -> None:
        while self._lost and self._clock() - self._lost[0].since > KEPT_S:
            self._lost.popleft()

    def _read(self) -> None:
        """Take over what an earlier process has left."""
        if self._path is None:
            return
        with suppress(OSError):
            found: dict[tuple[str, str, RequestId], None] = {}
            for line in self._path.read_bytes().splitlines():
                # The last line may have been cut off.
                with suppress(ValueError):
                    stream, client, request_id, is_open = json.loads(line)
                    if is_open:
                        found[stream, client, request_id] = None
                    else:
                        found.pop((stream, client, request_id), None)
            now = self._clock()
            self._lose(_Lost(client, request_id, now) for _, client, request_id in found)

    def _write(self, stream: str, request_id: RequestId, *, is_open: bool) -> None:
        if self._path is None or len(str(request_id)) > _MOST_ID_CHARACTERS:
            return
        try:
            if self._file is None:
                self._path.parent.mkdir(mode=0o700, exist_ok=True)
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
                self._rewrite(self._file)
            elif self._size > MOST_FILE_BYTES or not (self._lost or any(self._open.values())):
                self._rewrite(self._file)
            else:
                line = _line(stream, self._clients[stream], request_id, is_open=is_open)
                self._size += os.pwrite(self._file, line, self._size)
        except OSError as error:
            log("calls_not_kept", level="warning", reason=str(error))
            self._path = None

    def _rewrite(self, file: int) -> None:
        """Write what is unanswered over what was."""
        self._forget_old()
        calls = [("", lost.client, lost.request_id) for lost in self._lost]
        for stream, begun in self._open.items():
            calls += [(stream, self._clients[stream], request_id) for request_id in begun]
        lines = [_line(*call, is_open=True) for call in calls if len(str(call[2])) <= _MOST_ID_CHARACTERS]
        self._size = os.pwrite(file, b"".join(lines), 0)
        os.ftruncate(file, self._size)


def _line(stream: str, client: str, request_id: RequestId, *, is_open: bool) -> bytes:
    return json.dumps([stream, client, request_id, is_open]).encode() + b"\n"
