"""The API's side of its workers: starting them, finding those of an earlier API, handing ports over, ending them."""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tool_api.endpoint.ports import Sockets
from tool_api.errors import EngineError
from tool_api.logs import log, write_line
from tool_api.runtime.base import LinkSpec
from tool_api.store import ServerRow, dump_row
from tool_api.workers.channel import Channel, Message, NamedSocket, peer
from tool_api.workers.processes import ProcessId, identify
from tool_api.workers.spawner import Spawner
from tool_api.workers.start import Start

ANSWER_S = 60.0
"""Seconds after which a worker that does not answer is given up. A call to open a port waits for its container."""

WATCH_S = 30.0
"""Pause between two questions whether a worker still answers."""

DRAIN_S = 10.0
"""Seconds that calls in progress get when their worker is replaced by one of other code or settings."""

END_S = 15.0
"""Seconds that a worker may take to end; then it is killed."""


class _LostError(EngineError):
    def __init__(self) -> None:
        super().__init__("The process of the server's port has ended")


class WorkerHandle:
    """One worker, as the API sees it."""

    def __init__(self, connection: socket.socket, on_closed: Callable[[WorkerHandle, str], None]) -> None:
        self._channel = Channel(connection)
        self._on_closed = on_closed
        self._numbers = itertools.count(1)
        self._replies: dict[int, asyncio.Future[tuple[Message, list[int]]]] = {}
        self._reader = asyncio.create_task(self._read(), name="worker")
        self._watcher = asyncio.create_task(self._watch(), name="worker watch")
        self.process: ProcessId | None = None
        self.names: set[str] = set()
        """Servers whose ports it holds, or is about to."""

    @property
    def is_connected(self) -> bool:
        return not self._reader.done()

    async def ask(self, do: str, files: list[int] | None = None, **values: Any) -> tuple[Message, list[int]]:
        """Send a request; returns the reply, and files that came with it.

        Raises:
            EngineError: It refused, or it does not answer.
        """
        number = next(self._numbers)
        reply = self._replies[number] = asyncio.get_running_loop().create_future()
        try:
            if not self.is_connected:
                raise _LostError
            await self._channel.send({"id": number, "do": do, **values}, files or ())
            message, received = await asyncio.wait_for(reply, ANSWER_S)
        except (OSError, TimeoutError) as error:
            raise _LostError from error
        finally:
            del self._replies[number]
        if "error" in message:
            raise EngineError(message["error"])
        return message, received

    async def until_ended(self, timeout_s: float) -> None:
        """Wait for the end of the process, and kill it if it does not come."""
        await asyncio.wait([self._reader], timeout=timeout_s)
        if self.is_connected and self.process is not None:
            log("worker_killed", level="warning", pid=self.process.pid)
            self.process.kill()
            await asyncio.wait([self._reader], timeout=timeout_s)

    async def disconnect(self) -> None:
        """Leave the process to itself."""
        self._reader.cancel()
        with suppress(asyncio.CancelledError):
            await self._reader

    async def _watch(self) -> None:
        """Kill a worker that does not answer any more: another one takes its place."""
        while True:
            await asyncio.sleep(WATCH_S)
            try:
                await self.ask("hello")
            except EngineError:
                await self.until_ended(0)
                return

    async def _read(self) -> None:
        try:
            while received := await self._channel.receive():
                message, files = received
                if "log" in message:
                    write_line(message["log"])
                elif "closed" in message:
                    self._on_closed(self, message["closed"])
                elif (waiting := self._replies.get(message["id"])) and not waiting.done():
                    waiting.set_result((message, files))
        finally:
            self._watcher.cancel()
            self._channel.close()
            for waiting in self._replies.values():
                if not waiting.done():
                    waiting.set_exception(_LostError())
            for name in list(self.names):
                self._on_closed(self, name)


@dataclass(slots=True)
class _Sockets:
    """Sockets of servers, by name."""

    _sockets: dict[str, Sockets] = field(default_factory=dict)

    def put(self, name: str, sockets: Sockets) -> None:
        self.close(name)
        self._sockets[name] = sockets

    def take(self, name: str) -> Sockets | None:
        return self._sockets.pop(name, None)

    def close(self, name: str) -> None:
        if sockets := self.take(name):
            sockets.close()

    def close_all(self) -> None:
        for name in list(self._sockets):
            self.close(name)


class Workers:
    """All workers of one API."""

    def __init__(
        self, spawner: Spawner, start: Start, *, group_of: Callable[[ServerRow], str], on_lost: Callable[[str], None]
    ) -> None:
        """Initialize; no process runs yet.

        Args:
            spawner: Starts processes.
            start: Settings of all workers; its name is left open.
            group_of: Name of the worker that holds a server's port.
            on_lost: Is called with the name of a server whose port has been closed by a failure.
        """
        self._spawner = spawner
        self._start = start.identified()
        self._group_of = group_of
        self._on_lost = on_lost
        self._workers: dict[str, WorkerHandle] = {}
        self._by_server: dict[str, tuple[WorkerHandle, str]] = {}
        """Server → its worker, and the identifier of its container."""
        self._kept = _Sockets()
        """Of ports that workers serve: clients that come after the end of a worker wait for the next one."""
        self._released = _Sockets()
        """Left by workers that were replaced or have failed, for their successors."""
        self._spawning = asyncio.Lock()
        self._ending: set[asyncio.Task[None]] = set()
        """Ends of workers that hold no port any more."""

    def is_open(self, name: str) -> bool:
        found = self._by_server.get(name)
        return found is not None and found[0].is_connected

    def holds(self, row: ServerRow) -> bool:
        """Whether a worker serves just this server: not one of its name that was there before."""
        return self.is_open(row.name) and self._by_server[row.name][1] == row.container_id

    def take_sockets(self, name: str) -> Sockets | None:
        """Sockets of a server whose worker has been replaced or has failed, if there are any."""
        return self._released.take(name)

    async def open(self, row: ServerRow, spec: LinkSpec, sockets: Sockets) -> None:
        """Open a server's port in a worker; the sockets are kept here, or closed if it cannot be opened.

        Raises:
            EngineError: The server has no address, or the worker does not answer.
        """
        try:
            worker = await self._worker_of(row)
            try:
                files = [found.fileno() for found in (sockets.clients, sockets.egress) if found is not None]
                await worker.ask("open", files, row=dump_row(row), link=dict(spec))
            except BaseException:
                await self._leave(worker, row.name)
                raise
        except BaseException:
            sockets.close()
            raise
        self._by_server[row.name] = worker, row.container_id
        self._kept.put(row.name, sockets)

    async def close(self, name: str) -> None:
        """Close a server's port; nothing happens where there is none."""
        found = self._by_server.pop(name, None)
        self._kept.close(name)
        self._released.close(name)
        if found is not None:
            await self._leave(found[0], name)

    async def adopt(self) -> None:
        """Take over the workers of an earlier API; those of other code or settings are asked to hand over their sockets."""
        records = await asyncio.to_thread(lambda: sorted(self._start.folder.glob("*.json")))
        await asyncio.gather(*(self._adopt(record) for record in records))

    async def close_others(self, names: set[str]) -> None:
        """Close the ports of all servers but these, and release what is left of replaced workers."""
        await asyncio.gather(*(self.close(name) for name in list(self._by_server) if name not in names))
        idle = [worker for worker in self._workers.values() if not worker.names]
        self._workers = {group: worker for group, worker in self._workers.items() if worker.names}
        await asyncio.gather(*(self._end(worker) for worker in idle))
        self._released.close_all()

    async def aclose(self, *, ends: bool) -> None:
        """Leave the workers to themselves, or end them."""
        workers = {*self._workers.values(), *(worker for worker, _ in self._by_server.values())}
        self._by_server.clear()
        self._workers.clear()
        for worker in workers:
            worker.names.clear()
        await asyncio.gather(*(self._end(worker) if ends else worker.disconnect() for worker in workers), *self._ending)
        self._kept.close_all()
        self._released.close_all()
        self._spawner.close()

    async def _worker_of(self, row: ServerRow) -> WorkerHandle:
        name = self._group_of(row)
        async with self._spawning:
            worker = self._workers.get(name)
            if worker is None or not worker.is_connected:
                worker = self._workers[name] = self._make(self._spawner.spawn(replace(self._start, worker=name)))
                # Noted before anything else is waited for: one without a server is ended by `close_others`.
                worker.names.add(row.name)
                # Its process is known from what it says itself: it is a child of the spawner, not of this process.
                hello, _ = await worker.ask("hello")
                worker.process = identify(hello["pid"])
            worker.names.add(row.name)
            return worker

    def _make(self, connection: socket.socket) -> WorkerHandle:
        return WorkerHandle(connection, self._forget)

    def _forget(self, worker: WorkerHandle, name: str) -> None:
        worker.names.discard(name)
        if self._by_server.get(name, (None, ""))[0] is worker:
            del self._by_server[name]
            if sockets := self._kept.take(name):
                self._released.put(name, sockets)
            log("port_lost", level="error", server=name)
            self._on_lost(name)

    async def _leave(self, worker: WorkerHandle, name: str) -> None:
        """Close one port of a worker, and end the worker with its last one; nobody waits for the end of the process."""
        worker.names.discard(name)
        is_last = not worker.names
        if is_last:
            self._workers = {group: found for group, found in self._workers.items() if found is not worker}
        try:
            await worker.ask("close", name=name)
        except EngineError:
            if is_last:
                await self._end(worker)  # only its end closes the port for certain
        else:
            if is_last:
                ending = asyncio.create_task(self._end(worker), name="worker end")
                self._ending.add(ending)
                ending.add_done_callback(self._ending.discard)

    async def _end(self, worker: WorkerHandle) -> None:
        with suppress(EngineError):
            await worker.ask("end")
        await worker.until_ended(END_S)

    async def _adopt(self, record: Path) -> None:
        process, connection = await asyncio.to_thread(_find, record)
        if process is None or connection is None:
            return
        worker = self._make(connection)
        worker.process = process
        try:
            hello, _ = await worker.ask("hello")
            if hello["identity"] == self._start.identity:
                for name, sockets in _named_sockets(*await worker.ask("lend")):
                    self._kept.put(name, sockets)
                self._keep(record.name.rsplit(".", 2)[0], worker, hello["ports"])
            else:
                await self._replace(worker)
        except EngineError:
            await worker.until_ended(0)

    def _keep(self, name: str, worker: WorkerHandle, ports: dict[str, str]) -> None:
        self._workers[name] = worker
        for server, container in ports.items():
            worker.names.add(server)
            self._by_server[server] = worker, container
        log("worker_adopted", worker=name, servers=len(ports))

    async def _replace(self, worker: WorkerHandle) -> None:
        found = _named_sockets(*await worker.ask("release", drain_s=DRAIN_S))
        for name, sockets in found:
            self._released.put(name, sockets)
        log("worker_replaced", servers=len(found))
        # The successor must not talk to a server while calls of this worker are in progress there.
        await worker.until_ended(DRAIN_S + END_S)


def _named_sockets(message: Message, files: list[int]) -> list[tuple[str, Sockets]]:
    """Sockets that a worker has sent, by server."""
    numbers = iter(files)
    return [(entry["name"], Sockets(*_sockets(numbers, 1 + entry["has_egress"]))) for entry in message["sockets"]]


def _sockets(numbers: Iterator[int], count: int) -> list[socket.socket]:
    found = [socket.socket(fileno=number) for number in itertools.islice(numbers, count)]
    for bound in found:
        bound.setblocking(False)
    return found


def _find(record: Path) -> tuple[ProcessId | None, socket.socket | None]:
    """Find the worker of a record and connect to it; one that does not listen is killed, and the record removed."""
    try:
        found = json.loads(record.read_text())
        process = ProcessId(found["pid"], found["started"])
        place = record.parent / Path(found["socket"]).name
    except (OSError, ValueError, KeyError, TypeError):
        record.unlink(missing_ok=True)
        return None, None
    connection = _connect(place, process) if process.is_running else None
    if connection is None:
        # Does nothing where the number belongs to another process by now.
        process.kill()
        record.unlink(missing_ok=True)
        place.unlink(missing_ok=True)
    return process, connection


def _connect(place: Path, process: ProcessId) -> socket.socket | None:
    """Connect to a worker; None if it does not listen, or another process does in its place."""
    try:
        connection = NamedSocket(place).connect()
    except OSError:
        return None
    if peer(connection)[0] != process.pid:
        connection.close()
        return None
    return connection
