"""The life of servers: created, stopped, restarted, deleted, and found again after a crash.

Every change is written before it is answered. A row is `creating` until its server runs and `removing` once its end is
decided, so that a start after a crash can finish what was begun: nothing acknowledged is lost, nothing half-made stays.
"""

from __future__ import annotations

import asyncio
import secrets as randomness
import socket
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from tool_api.clients import ClientEntries
from tool_api.endpoint.port import PortTakenError, bind, bind_free
from tool_api.endpoint.ports import Holder, Sockets
from tool_api.errors import EngineError, NotFoundError, ToolError
from tool_api.logs import log
from tool_api.models import ContainerInfo, PortMapping
from tool_api.runtime.base import INSTANCE, ContainerState, Runtime, labels_of
from tool_api.secret_store import Secrets
from tool_api.store import ServerRow, ServerSpec, Store, patiently

RETRY_S = 5.0
"""Pause between two attempts to open a port that another program holds, or to remove what an engine did not."""

PAUSE_S = 0.5
"""Pause before a port is opened again that was lost."""

TAKE_UP_S = 5.0
"""How long the start of the API waits for its servers to be taken up; one that takes longer holds up nothing else."""

ORPHAN = "toolhive-orphan"


class Locks:
    """A lock for each name. One is forgotten when nobody holds it or waits for it, never earlier."""

    def __init__(self) -> None:
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[None]:
        lock, users = self._locks.get(name, (asyncio.Lock(), 0))
        self._locks[name] = lock, users + 1
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks.pop(name)
            if users > 1:
                self._locks[name] = lock, users - 1

    def __len__(self) -> int:
        return len(self._locks)


class Servers:
    """All servers of one API."""

    def __init__(
        self,
        store: Store,
        runtime: Runtime,
        secrets: Secrets,
        make_holder: Callable[[Callable[[str], None]], Holder],
        *,
        stop_timeout_s: int,
    ) -> None:
        """Args: make_holder: Makes what holds the ports, which calls the function when it has lost one."""
        self._store = store
        self._runtime = runtime
        self._secrets = secrets
        self._entries = ClientEntries(store)
        self._instance = store.instance
        self._stop_timeout_s = stop_timeout_s
        self._ports = make_holder(lambda _: self._has_lost.set())
        self._has_lost = asyncio.Event()
        self._locks = Locks()
        self._reserved: set[int] = set()
        self._half_made: set[str] = set()
        """Names of servers that could not be made, and whose rows could not be removed."""
        self._retries: dict[str, asyncio.Task[None]] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Take up what the database says, and keep trying ports that were taken; let go of them at the end."""
        states = await self._states()
        await self._ports.adopt()
        resuming = asyncio.create_task(self._resume(states), name="resuming")
        retrying = asyncio.create_task(self._retry_all(), name="retries")
        try:
            await asyncio.wait([resuming], timeout=TAKE_UP_S)
            if resuming.done():
                resuming.result()
            else:
                log("servers_still_starting", level="warning", after_s=TAKE_UP_S)
            yield
        finally:
            await _cancel(resuming, retrying, *self._retries.values())
            # Where servers go on without this process, so do their ports: a later one takes them over.
            await self._ports.aclose(ends=not self._runtime.outlives)

    async def create(self, spec: ServerSpec) -> ServerRow:
        """Make a server and start it.

        Raises:
            ConflictError: Its name is taken.
            FieldError: A secret is missing, or its address is not one of this machine.
            EngineError: The engine refused.
        """
        values = self._secrets.resolve(spec.secrets)
        await self._finish_removal(spec.name)
        bound, port = bind_free(spec.host, self._store.ports() | self._reserved)
        # Reserved for as long as the row is not written; the socket keeps other programs away.
        self._reserved.add(port)
        now = _now()
        row = ServerRow(spec, randomness.token_hex(32), port, "creating", "running", now, now)
        try:
            await patiently(partial(self._store.add, row))
        except BaseException:
            bound.close()
            raise
        finally:
            self._reserved.discard(port)
        async with self._locks.hold(spec.name):
            return await self._make(row, bound, values)

    async def _make(self, row: ServerRow, bound: socket.socket, values: dict[str, str]) -> ServerRow:
        try:
            row = await self._write(await self._runtime.create(row, values))
            await self._runtime.start(row)
            await self._ports.open(row, self._runtime.link(row), Sockets(bound, await self._runtime.egress(row)))
            row = await self._write(replace(row, phase="kept", changed=_now()))
        except BaseException:
            bound.close()
            await self._ports.close(row.name)
            await self._undo(row)
            raise
        await asyncio.to_thread(self._entries.add, row)
        log("server_created", server=row.name, port=row.port, runtime=self._runtime.name)
        return row

    async def _undo(self, row: ServerRow) -> None:
        """Remove what there is of a server that could not be made, now or, where the engine does not do it, later."""
        try:
            await self._runtime.remove(row, force=True)
        except ToolError as error:
            log("container_left", level="warning", server=row.name, reason=error.text)
            self._half_made.add(row.name)
            with suppress(sqlite3.Error):
                self._store.update(replace(row, phase="removing"))
        else:
            self._remove_half_made(row.name)

    def _remove_half_made(self, name: str) -> None:
        """Remove the row of a server that could not be made; on a full disk that is tried again later."""
        try:
            self._store.remove(name)
        except sqlite3.Error as error:
            self._half_made.add(name)
            log("half_made_server_left", level="error", server=name, reason=str(error))

    async def infos(self, *, stopped: bool) -> list[ContainerInfo]:
        """Servers that run, or all; containers of this API that its database does not have come last."""
        rows = [row for row in self._store.rows() if row.phase == "kept"]
        states = await self._states()
        infos = [self._info(row, states) for row in rows]
        if states is not None:
            known = {row.container_id for row in self._store.rows()}
            infos += [_orphan(state) for state in states.values() if state.container_id not in known]
        return [info for info in infos if stopped or info.state == "running"]

    async def info(self, name_or_id: str) -> ContainerInfo:
        """One server.

        Raises:
            NotFoundError: There is none of this name or identifier.
        """
        row = self._store.find(name_or_id)
        states = await self._states()
        if row is not None and row.phase == "kept":
            return self._info(row, states)
        if row is None and (state := _find(states, name_or_id)):
            return _orphan(state)
        raise NotFoundError("Server not found")

    async def stop(self, name_or_id: str) -> None:
        """Stop a server; one that is stopped already is left as it is.

        Raises:
            NotFoundError: There is none of this name or identifier.
            EngineError: The engine refused.
        """
        async with self._locked(name_or_id) as row:
            await self._stop(row)

    async def restart(self, name_or_id: str) -> None:
        """Stop a server if it runs, and start it on the port it had.

        Raises:
            NotFoundError: There is none of this name or identifier.
            EngineError: The engine refused, or another program holds the port.
        """
        async with self._locked(name_or_id) as found:
            row = replace(found, wanted="running", changed=_now())
            if self._is_known(row):
                await self._write(row)
            await self._ports.close(row.name)
            await self._runtime.stop(row, self._stop_timeout_s)
            if self._is_known(row):
                await self._start(row)
            else:
                await self._runtime.start(row)

    async def delete(self, name_or_id: str, *, force: bool) -> None:
        """Remove a server and its container: stopped gracefully first, or killed.

        Raises:
            NotFoundError: There is none of this name or identifier.
            EngineError: The engine refused. Never with `force`, which removes the server whatever the engine says.
        """
        async with self._locked(name_or_id) as row:
            if not force:
                await self._stop(row)
            if self._is_known(row):
                # Written first: what cannot be written is refused, and then nothing is changed.
                await self._write(replace(row, phase="removing"))
            await self._ports.close(row.name)
            try:
                await self._runtime.remove(row, force=force)
            except EngineError as error:
                if not force:
                    raise
                # The row stays as `removing`, and the removal is tried again until the engine does it.
                log("container_left", level="warning", server=row.name, reason=error.text)
            else:
                await patiently(partial(self._store.remove, row.name))
            await asyncio.to_thread(self._entries.remove, row.name)
            log("server_deleted", server=row.name)

    def counts(self) -> dict[str, int]:
        """Number of servers by what is wanted of them."""
        rows = [row for row in self._store.rows() if row.phase == "kept"]
        return {wanted: sum(row.wanted == wanted for row in rows) for wanted in ("running", "exited")}

    async def _stop(self, row: ServerRow) -> None:
        if self._is_known(row):
            if row.wanted == "exited":
                return
            # Written first: a crash below leaves a server that is stopped at the next start.
            await self._write(replace(row, wanted="exited", changed=_now()))
        await self._ports.close(row.name)
        await self._runtime.stop(row, self._stop_timeout_s)
        await asyncio.to_thread(self._entries.remove, row.name)
        log("server_stopped", server=row.name)

    async def _start(self, row: ServerRow) -> None:
        await self._runtime.start(row)
        try:
            await self._open(row)
        except PortTakenError as error:
            raise EngineError("Unable to configure ports") from error
        await asyncio.to_thread(self._entries.add, row)
        log("server_started", server=row.name, port=row.port)

    async def _open(self, row: ServerRow) -> None:
        # Taken first: closing the name closes what an earlier API has left for it, with the clients that wait there.
        sockets = self._ports.take_sockets(row.name)
        await self._ports.close(row.name)
        if sockets is not None and sockets.clients.getsockname()[1] != row.port:
            sockets.close()  # of another server that had this name
            sockets = None
        if sockets is None:
            bound = bind(row.spec.host, row.port)
            try:
                sockets = Sockets(bound, await self._runtime.egress(row))
            except BaseException:
                bound.close()
                raise
        await self._ports.open(row, self._runtime.link(row), sockets)

    async def _states(self) -> dict[str, ContainerState] | None:
        """What the engine says about the containers of this API; others have another label, those of before none."""
        states = await self._runtime.states()
        if states is None:
            return None
        known = {row.container_id for row in self._store.rows()}
        return {
            name: state
            for name, state in states.items()
            if state.labels.get(INSTANCE) == self._instance or name in known
        }

    async def _resume(self, states: dict[str, ContainerState] | None) -> None:
        """Take up all servers, at the same time: some of them may take long, or not answer at all."""
        before = self._store.rows()
        await asyncio.gather(*(self._resume_one(row, states) for row in before))
        await self._ports.close_others({row.name for row in self._store.rows() if self._ports.holds(row)})
        if states is not None:
            # Those of half-made servers were there when the engine was asked, and have been removed since.
            known = {row.container_id for row in before}
            for state in states.values():
                if state.container_id not in known:
                    log("orphan_found", level="warning", container=state.container_id, name=state.name)

    async def _resume_one(self, row: ServerRow, states: dict[str, ContainerState] | None) -> None:
        # Nobody else has had the lock since the row was read: the API does not listen yet.
        async with self._locks.hold(row.name):
            try:
                await self._take_up(row, states)
            except Exception as error:  # noqa: BLE001 - whatever it is, `_retry_all` tries again
                reason = "port taken" if isinstance(error, PortTakenError) else str(error) or type(error).__name__
                log("server_not_resumed", level="error", server=row.name, reason=reason)

    async def _take_up(self, row: ServerRow, states: dict[str, ContainerState] | None) -> None:
        if row.phase != "kept":
            await self._ports.close(row.name)
            await self._runtime.remove(row, force=True)
            await patiently(partial(self._store.remove, row.name))
            log("half_made_server_removed", server=row.name, phase=row.phase)
        elif row.wanted == "exited":
            await self._ports.close(row.name)
            await self._runtime.stop(row, self._stop_timeout_s)
        elif states is None or row.container_id in states:
            state = states[row.container_id].state if states is not None else "running"
            if state == "running":
                await self._runtime.adopt(row)
            else:
                await self._runtime.start(row)
            if not self._ports.holds(row):
                await self._open(row)
        else:
            # The container has been removed by somebody else.
            await self._ports.close(row.name)

    async def _retry_all(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_lost.wait(), RETRY_S)
                self._has_lost.clear()
                # One that is lost again and again is opened at a bounded rate.
                await asyncio.sleep(PAUSE_S)
            try:
                rows = self._store.rows()
            except sqlite3.Error as error:
                log("state_unusable", level="error", reason=str(error))
                continue
            for row in rows:
                if row.name not in self._retries and (self._is_to_remove(row) or self._is_to_open(row)):
                    # Each by itself: one that takes long holds up no other.
                    self._retries[row.name] = asyncio.create_task(self._retry_one(row), name=f"retry {row.name}")

    async def _retry_one(self, row: ServerRow) -> None:
        try:
            await self._retry(row)
        except Exception as error:  # noqa: BLE001 - whatever it is, the next round tries again
            log("server_not_retried", level="error", server=row.name, reason=str(error) or type(error).__name__)
        finally:
            del self._retries[row.name]

    async def _finish_removal(self, name: str) -> None:
        """Remove what a forced deletion or a failed creation had to leave, so that its name becomes free.

        Raises:
            EngineError: The engine still does not do it.
        """
        if not self._is_to_remove(self._store.find(name)):
            return
        async with self._locks.hold(name):
            row = self._store.find(name)
            if row is not None and self._is_to_remove(row):
                await self._runtime.remove(row, force=True)
                await patiently(partial(self._store.remove, name))
                self._half_made.discard(name)
                log("container_removed", server=name)

    def _is_to_remove(self, row: ServerRow | None) -> bool:
        return row is not None and (row.phase == "removing" or row.name in self._half_made)

    def _is_to_open(self, row: ServerRow) -> bool:
        return row.phase == "kept" and row.wanted == "running" and not self._is_open(row.name)

    async def _retry(self, row: ServerRow) -> None:
        if self._is_to_remove(row):
            with suppress(ToolError):
                await self._finish_removal(row.name)
        elif self._is_to_open(row):
            await self._open_again(row.name)

    async def _open_again(self, name: str) -> None:
        async with self._locks.hold(name):
            row = self._store.find(name)
            if row is not None and self._is_to_open(row):
                with suppress(ToolError, PortTakenError):
                    await self._take_up(row, await self._states())

    @asynccontextmanager
    async def _locked(self, name_or_id: str) -> AsyncIterator[ServerRow]:
        found = self._store.find(name_or_id)
        name = found.name if found else name_or_id
        async with self._locks.hold(name):
            # Read again: the previous holder of the lock may have changed or removed it.
            row = self._store.find(name)
            if row is not None and row.phase != "kept":
                raise NotFoundError("Server not found")
            if row is None:
                row = await self._orphan_row(name_or_id)
            yield row

    async def _orphan_row(self, name_or_id: str) -> ServerRow:
        state = _find(await self._states(), name_or_id)
        if state is None:
            raise NotFoundError("Server not found")
        spec = ServerSpec(state.name, state.image)
        return ServerRow(spec, state.container_id, 0, "orphan", "running", state.created, state.created)

    def _is_open(self, name: str) -> bool:
        return self._ports.is_open(name)

    def _is_known(self, row: ServerRow) -> bool:
        return row.phase != "orphan"

    async def _write(self, row: ServerRow) -> ServerRow:
        await patiently(partial(self._store.update, row))
        return row

    def _info(self, row: ServerRow, states: dict[str, ContainerState] | None) -> ContainerInfo:
        labels = labels_of(row.spec, row.port, self._runtime.name)
        state, status = _stored_state(row, "simulated")
        if states is not None:
            found = states.get(row.container_id)
            state, status = (found.state, found.status) if found else ("dead", "The container is gone")
            labels = dict(found.labels) if found else labels
        if state == "running" and not self._is_open(row.name):
            status += f"; port {row.port} is not open"
        return ContainerInfo(
            id=row.container_id,
            name=row.name,
            image=row.spec.image,
            state=state,
            status=status,
            created=row.created,
            labels=labels,
            ports=[PortMapping(containerPort=row.spec.target_port, hostPort=row.port, protocol="tcp")]
            if row.spec.transport != "stdio"
            else [],
        )


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _stored_state(row: ServerRow, note: str) -> tuple[str, str]:
    age = _age(row.changed)
    return (row.wanted, f"Up {age} ({note})" if row.wanted == "running" else f"Exited (0) {age} ago ({note})")


def _age(since: str) -> str:
    seconds = int((datetime.now(UTC) - datetime.fromisoformat(since)).total_seconds())
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length} {unit}"
    return f"{max(seconds, 0)} seconds"


def _orphan(state: ContainerState) -> ContainerInfo:
    return ContainerInfo(
        id=state.container_id,
        name=state.name,
        image=state.image,
        state=state.state,
        status=state.status,
        created=state.created,
        labels={**state.labels, ORPHAN: "true"},
        ports=[],
    )


def _find(states: dict[str, ContainerState] | None, name_or_id: str) -> ContainerState | None:
    found = (state for state in (states or {}).values() if name_or_id in (state.name, state.container_id))
    return next(found, None)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
