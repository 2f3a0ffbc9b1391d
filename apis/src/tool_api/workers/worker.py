"""A worker: a process that holds the ports of one server, or of a few, and does what the API asks of it.

It listens on a Unix socket in the state folder, so that a later API finds it; see `pool` for the other side.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn

from tool_api import logs
from tool_api.endpoint.ports import Ports, Sockets
from tool_api.errors import ToolError
from tool_api.logs import log
from tool_api.store import StoredSessions, load_row, open_sessions
from tool_api.workers.channel import Channel, Message, NamedSocket, peer
from tool_api.workers.processes import identify
from tool_api.workers.start import Start

WATCH_S = 10.0
"""Pause between two looks at whether the state folder still has this worker's record."""

MAX_LOG_BYTES = 1024 * 1024
"""Size at which a log is put aside; one older file is kept."""


def run_worker(start: Start, first: socket.socket) -> None:
    """Work until the API says so, on SIGTERM, or until the record is gone from the state folder.

    Args:
        start: Settings.
        first: Connection to the API that started this process.
    """
    # What is there now stays: looking through it again would hold up calls for tens of milliseconds.
    gc.collect()
    gc.freeze()
    factory = uvicorn.Config(_no_app).get_loop_factory()
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(Worker(start).work(first))


class Worker:
    """Everything that one such process has."""

    def __init__(self, start: Start) -> None:
        self._start = start
        name = f"{start.worker}.{os.getpid()}"
        self._record = start.folder / f"{name}.json"
        self._socket = start.folder / f"{os.getpid()}.sock"
        self._log = WorkerLog(start.folder / f"{start.worker}.log")
        sessions = open_sessions(start.state_dir)
        self._ports = Ports(
            start.limits, start.origins, lambda server: StoredSessions(sessions, server, start.state_dir)
        )
        self._channels: set[Channel] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended = asyncio.Event()

    async def work(self, first: socket.socket) -> None:
        self._socket.unlink(missing_ok=True)
        with NamedSocket(self._socket).listen() as listener:
            listener.setblocking(False)
            self._write_record()
            logs.send_to(self._write_log)
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGTERM, self._ended.set)
            self._begin(self._converse(first))
            self._begin(self._accept(listener))
            self._begin(self._watch())
            log("worker_started", worker=self._start.worker, pid=os.getpid())
            await self._ended.wait()
            await self._ports.aclose()
            log("worker_ended", worker=self._start.worker, pid=os.getpid())
            self._record.unlink(missing_ok=True)
            self._socket.unlink(missing_ok=True)

    def _begin(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _write_record(self) -> None:
        process = identify(os.getpid())
        found = {"pid": os.getpid(), "started": process and process.started, "socket": self._socket.name}
        temporary = self._record.with_suffix(".new")
        temporary.touch(0o600)
        temporary.write_text(json.dumps(found))
        temporary.replace(self._record)

    async def _accept(self, listener: socket.socket) -> None:
        while True:
            connection, _ = await asyncio.get_running_loop().sock_accept(listener)
            _, user = peer(connection)
            if user == os.geteuid():
                self._begin(self._converse(connection))
            else:
                connection.close()

    async def _watch(self) -> None:
        """End when the state folder has been removed: nobody could find this process any more."""
        own = self._record.stat().st_ino
        while True:
            await asyncio.sleep(WATCH_S)
            if not self._record.exists() or self._record.stat().st_ino != own:
                self._ended.set()

    async def _converse(self, connection: socket.socket) -> None:
        channel = Channel(connection)
        self._channels.add(channel)
        try:
            while received := await channel.receive():
                self._begin(self._handle(channel, *received))
        finally:
            self._channels.discard(channel)
            channel.close()

    async def _handle(self, channel: Channel, message: Message, files: list[int]) -> None:
        reply: Message = {"id": message["id"]}
        handed: list[Sockets] = []
        try:
            match message["do"]:
                case "hello":
                    reply |= {"identity": self._start.identity, "pid": os.getpid(), "ports": self._ports.containers()}
                case "open":
                    await self._open(message, files)
                case "close":
                    await self._ports.close(message["name"])
                case "lend" | "release" as what:
                    names = list(self._ports.containers())
                    handed = [self._ports.duplicate(name) for name in names]
                    reply["sockets"] = [
                        {"name": name, "has_egress": sockets.egress is not None}
                        for name, sockets in zip(names, handed, strict=True)
                    ]
                    if what == "release":
                        self._begin(self._release(names, message["drain_s"]))
                case "end":
                    self._ended.set()
        except ToolError as error:
            reply["error"] = error.text
        except Exception as error:  # noqa: BLE001 - the API gets the error; other ports continue
            reply["error"] = type(error).__name__
        with suppress(OSError):
            await channel.send(reply, [file.fileno() for sockets in handed for file in _listed(sockets)])
        for sockets in handed:
            sockets.close()

    async def _open(self, message: Message, files: list[int]) -> None:
        found = [socket.socket(fileno=file) for file in files]
        for bound in found:
            bound.setblocking(False)
        row = load_row(message["row"])
        await self._ports.open(row, message["link"], Sockets(*found))
        self._begin(self._report(row.name, row.container_id))

    async def _report(self, name: str, container: str) -> None:
        """Tell the API when a port is closed that it has not asked to be closed."""
        await self._ports.until_closed(name)
        if self._ports.containers().get(name) != container:
            self._tell({"closed": name})

    async def _release(self, names: list[str], drain_s: float) -> None:
        await asyncio.gather(*(self._ports.release(name, drain_s) for name in names))
        self._ended.set()

    def _write_log(self, line: str) -> None:
        self._log.write(line)
        self._tell({"log": line})

    def _tell(self, message: Message) -> None:
        for channel in self._channels:
            self._begin(_send(channel, message))


class WorkerLog:
    """A file that standard error goes to as well, of a limited size. A disk that is full stops nothing else."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with suppress(OSError):
            self._reopen()

    def write(self, line: str) -> None:
        with suppress(OSError):
            if os.fstat(2).st_size > MAX_LOG_BYTES:
                self._path.replace(self._path.with_suffix(".log.1"))
                self._reopen()
        logs.write_line(line)

    def _reopen(self) -> None:
        opened = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(opened, 2)
        os.close(opened)


async def _send(channel: Channel, message: Message) -> None:
    with suppress(OSError):
        await channel.send(message)


def _listed(sockets: Sockets) -> list[socket.socket]:
    return [sockets.clients] if sockets.egress is None else [sockets.clients, sockets.egress]


async def _no_app(*_: object) -> None: ...
