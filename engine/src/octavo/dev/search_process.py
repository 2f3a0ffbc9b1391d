"""The process that writes the index and answers from it, and the way to it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import multiprocessing
import os
import shutil
import signal
import threading
from collections.abc import Coroutine, MutableMapping
from concurrent.futures import Future
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from octavo.dev.search import Update
from octavo.errors import OctavoError

_log = logging.getLogger(__name__)

_STOP_S = 5
_ANSWER_S = 30


class Question(msgspec.Struct, frozen=True, tag=True):
    """A request, to be answered as the server of production would."""

    number: int
    method: str
    path: str
    query: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes


class _Change(msgspec.Struct, frozen=True, tag=True):
    update: Update


class Reply(msgspec.Struct, frozen=True):
    """An answer."""

    number: int
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


_LOSS = Reply(0, 500, [], b"")
"""Says that an update has failed."""
_UNREACHABLE = Reply(
    -1, 503, [(b"content-type", b"application/json")], b'{"message":"Search is starting; try again","status":503}'
)


class SearchProcess:
    """An index in a process of its own; see `search.Index`."""

    def __init__(self, folder: Path) -> None:
        """Prepare.

        Args:
            folder: Holds the indexes; each has a folder of its own below it.
        """
        self._folder = folder
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Future[Reply]] = {}
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._is_lost = False

    def start(self, name: str) -> None:
        """See `Index`."""
        if self._connection is not None:
            return
        # Not forked: this process has threads.
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._folder, name), daemon=True)
        self._process.start()
        theirs.close()
        threading.Thread(target=self._read, args=(self._connection,), name="octavo-search", daemon=True).start()

    def has(self, name: str) -> bool:
        """See `Index`."""
        return (self._folder / name).is_dir()

    def update(self, update: Update) -> None:
        """See `Index`."""
        self._send(_Change(update))

    def take_loss(self) -> bool:
        """See `Index`."""
        is_lost, self._is_lost = self._is_lost, False
        return is_lost

    async def ask(self, method: str, path: str, query: bytes, headers: list[tuple[bytes, bytes]], body: bytes) -> Reply:
        """Let it answer a request."""
        if self._connection is None:
            return _UNREACHABLE
        number = next(self._numbers)
        done: Future[Reply] = Future()
        self._waiting[number] = done
        await asyncio.to_thread(self._send, Question(number, method, path, query, headers, body))
        try:
            return await asyncio.wait_for(asyncio.wrap_future(done), _ANSWER_S)
        except TimeoutError:
            return _UNREACHABLE
        finally:
            self._waiting.pop(number, None)

    def close(self) -> None:
        """End it."""
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.close()
            self._process.terminate()
            self._process.join(_STOP_S)

    def _send(self, message: Question | _Change) -> None:
        data = msgspec.msgpack.encode(message)
        try:
            with self._lock:
                if self._connection is not None:
                    self._connection.send_bytes(data)
        except OSError:
            self._drop()

    def _read(self, connection: Connection) -> None:
        decode = msgspec.msgpack.Decoder(Reply).decode
        with contextlib.suppress(OSError, EOFError):
            while True:
                reply = decode(connection.recv_bytes())
                if reply.number == _LOSS.number:
                    self._is_lost = True
                elif (done := self._waiting.get(reply.number)) is not None and not done.done():
                    done.set_result(reply)
        self._drop()

    def _drop(self) -> None:
        for done in list(self._waiting.values()):
            if not done.done():
                done.set_result(_UNREACHABLE)


def _serve(connection: Connection, folder: Path, name: str) -> None:
    """Be that process, until the other side hangs up."""
    # The parent answers Ctrl+C for both.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whoever saves waits for a page, not for search.
    with contextlib.suppress(OSError, AttributeError):
        os.nice(5)
    asyncio.run(_Indexer(connection, folder, name).run())


class _Indexer:
    def __init__(self, connection: Connection, folder: Path, name: str) -> None:
        from starlette.applications import Starlette

        from octavo.search import SearchRoutes, SearchService

        self._connection = connection
        self._folder = folder
        self._name = name
        self._app = Starlette(routes=SearchRoutes(SearchService(folder, self._current)).routes())
        self._tasks: set[asyncio.Task[None]] = set()
        self._lock = threading.Lock()

    async def run(self) -> None:
        decode = msgspec.msgpack.Decoder(Question | _Change).decode
        loop = asyncio.get_running_loop()
        incoming: asyncio.Queue[Question | _Change | None] = asyncio.Queue()
        updates: asyncio.Queue[Update] = asyncio.Queue()

        def read() -> None:
            with contextlib.suppress(OSError, EOFError):
                while True:
                    loop.call_soon_threadsafe(incoming.put_nowait, decode(self._connection.recv_bytes()))
            loop.call_soon_threadsafe(incoming.put_nowait, None)

        threading.Thread(target=read, daemon=True).start()
        self._begin(self._follow(updates))
        while (message := await incoming.get()) is not None:
            if isinstance(message, _Change):
                updates.put_nowait(message.update)
            else:
                self._begin(self._answer(message))
        os._exit(0)  # an index that is being written is of no use to anybody

    async def _current(self) -> str:
        return self._name

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _follow(self, updates: asyncio.Queue[Update]) -> None:
        while True:
            update = await updates.get()
            try:
                await asyncio.to_thread(_write, self._folder, update)
            except (OctavoError, OSError) as error:
                _log.warning("%s", error)
                await asyncio.to_thread(self._send, msgspec.msgpack.encode(_LOSS))
                continue
            self._name = update.name
            await asyncio.to_thread(_clear, self._folder, {update.name, update.base})

    async def _answer(self, question: Question) -> None:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": question.method,
            "scheme": "http",
            "path": question.path,
            "raw_path": question.path.encode(),
            "root_path": "",
            "query_string": question.query,
            "headers": question.headers,
            "client": ("127.0.0.1", 0),
            "server": None,
        }
        status, headers, body = 500, [(b"content-type", b"text/plain")], b""

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": question.body, "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:
            nonlocal status, headers, body
            if message["type"] == "http.response.start":
                status, headers = message["status"], list(message["headers"])
            else:
                body += message.get("body", b"")

        await self._app(scope, receive, send)
        reply = msgspec.msgpack.encode(Reply(question.number, status, headers, body))
        await asyncio.to_thread(self._send, reply)

    def _send(self, reply: bytes) -> None:
        with self._lock, contextlib.suppress(OSError):
            self._connection.send_bytes(reply)


def _write(folder: Path, update: Update) -> None:
    """Write an index: a new one, or a changed copy of another."""
    from octavo.search import IndexWriter, make_entries, make_records

    base = folder / update.base if update.base else None
    target = folder / update.name
    shutil.rmtree(target, ignore_errors=True)
    writer = IndexWriter(target, base=base)
    if base is not None:
        writer.remove(update.gone)
    for page in update.pages:
        writer.add(make_entries(make_records(page.facts, page.headings, page.text), page.route))
    writer.commit(update.settings)
    _give_back()


def _give_back() -> None:
    """Give the system the memory that an index was written in: glibc keeps it, and grows over a day of edits."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _clear(folder: Path, kept: set[str]) -> None:
    """Remove the indexes that nobody needs any more; what is open stays whole while it is."""
    for path in folder.iterdir():
        if path.name not in kept:
            shutil.rmtree(path, ignore_errors=True)
