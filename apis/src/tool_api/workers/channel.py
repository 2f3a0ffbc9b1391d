"""Messages between the API and its workers: a JSON object a line on a Unix socket, with open files beside it."""

from __future__ import annotations

import array
import asyncio
import json
import os
import socket
from collections import deque
from collections.abc import Sequence
from typing import Any

PIECE_BYTES = 64 * 1024
MAX_FILES = 16
"""Files in one piece. A message with more is sent in several pieces."""

Message = dict[str, Any]


class Channel:
    """One end of a connection."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._socket = connection
        self._buffer = bytearray()
        self._files: deque[int] = deque()
        self._sending = asyncio.Lock()

    async def send(self, message: Message, files: Sequence[int] = ()) -> None:
        """Send a message; the files stay open here.

        Raises:
            OSError: The other end has gone.
        """
        data = json.dumps(message | {"files": len(files)}).encode() + b"\n"
        async with self._sending:
            rest = list(files)
            while rest:
                # Files travel with a byte, and never later than the message that they belong to.
                await self._send_files(data[:1], rest[:MAX_FILES])
                data, rest = data[1:], rest[MAX_FILES:]
            await asyncio.get_running_loop().sock_sendall(self._socket, data)

    async def receive(self) -> tuple[Message, list[int]] | None:
        """The next message, and files that its receiver has to close; None when the other end has gone."""
        while b"\n" not in self._buffer:
            try:
                piece, files = await self._read()
            except OSError:
                return None
            self._files.extend(files)
            if not piece:
                return None
            self._buffer += piece
        line, _, rest = self._buffer.partition(b"\n")
        self._buffer = bytearray(rest)
        message: Message = json.loads(line)
        return message, [self._files.popleft() for _ in range(message.pop("files", 0))]

    def close(self) -> None:
        while self._files:
            os.close(self._files.popleft())
        self._socket.close()

    async def _send_files(self, data: bytes, files: list[int]) -> None:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))]
        while True:
            try:
                self._socket.sendmsg([data], rights)
            except BlockingIOError:
                await asyncio.sleep(0.01)
            else:
                return

    async def _read(self) -> tuple[bytes, list[int]]:
        loop = asyncio.get_running_loop()
        while True:
            try:
                piece, files, *_ = socket.recv_fds(self._socket, PIECE_BYTES, MAX_FILES * 2)
            except BlockingIOError:
                is_readable: asyncio.Future[None] = loop.create_future()
                loop.add_reader(self._socket, _resolve, is_readable)
                try:
                    await is_readable
                finally:
                    loop.remove_reader(self._socket)
            else:
                return piece, files


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def peer(connection: socket.socket) -> tuple[int, int]:
    """Process and user at the other end of a connection, as the kernel says."""
    found = array.array("i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return found[0], found[1]


class NamedSocket:
    """A Unix socket at a path of any length; the system itself takes about 100 bytes."""

    def __init__(self, path: os.PathLike[str]) -> None:
        self._folder, self._name = os.path.split(path)

    def listen(self) -> socket.socket:
        """Listen at the path; only this user may connect."""
        return self._open(is_server=True)

    def connect(self) -> socket.socket:
        """Connect.

        Raises:
            OSError: Nobody listens.
        """
        return self._open(is_server=False)

    def _open(self, *, is_server: bool) -> socket.socket:
        handle = os.open(self._folder, os.O_PATH | os.O_DIRECTORY)
        opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        address = f"/proc/self/fd/{handle}/{self._name}"
        try:
            if is_server:
                former = os.umask(0o177)
                try:
                    opened.bind(address)
                finally:
                    os.umask(former)
                opened.listen(8)
            else:
                opened.connect(address)
        except OSError:
            opened.close()
            raise
        finally:
            os.close(handle)
        return opened
