"""Many clients, one server on a pair of streams.

Request identifiers and progress tokens of the clients are replaced by ours, so that two clients may use the same ones.
The server is initialized once; later clients receive the same answer. What the server says on its own goes to all
clients, what it asks goes to the client whose request is being worked on.
"""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    CONNECTION_CLOSED,
    METHOD_NOT_FOUND,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)

from tool_api.logs import log
from tool_api.runtime.base import MessagesIn, MessagesOut

OUTBOX_MESSAGES = 1000
"""Messages kept for a client that reads slowly; one more ends its session."""

MAX_PAUSE_S = 5.0
"""Longest pause between two attempts to connect."""

READY_S = 30.0
"""Seconds a request waits for a server that is being started anew."""

Connect = Callable[[], AbstractAsyncContextManager[tuple[MessagesIn, MessagesOut]]]
_Broken = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)


class _Session:
    """One client."""

    def __init__(self) -> None:
        self.outbox, self.mail = anyio.create_memory_object_stream[SessionMessage](OUTBOX_MESSAGES)

    def send(self, message: Any, related: RequestId | None = None) -> None:
        metadata = ServerMessageMetadata(related_request_id=related) if related is not None else None
        try:
            self.outbox.send_nowait(SessionMessage(message, metadata))
        except anyio.WouldBlock:
            self.outbox.close()
        except _Broken:
            return


@dataclass(slots=True)
class _Pending:
    """A request on its way to the server."""

    session: _Session
    request_id: RequestId
    progress_token: Any = None


@dataclass(slots=True)
class _Handshake:
    """The one initialization of the server, and who waits for its answer."""

    request: JSONRPCRequest
    waiting: list[tuple[_Session, RequestId]] = field(default_factory=list)
    result: dict[str, Any] | None = None
    is_confirmed: bool = False


class Bridge:
    """Joins the sessions of clients with one server. `run` holds the server's side, `serve` each client's."""

    def __init__(self, name: str, connect: Connect) -> None:
        self._name = name
        self._connect = connect
        self._numbers = itertools.count(1)
        self._sessions: list[_Session] = []
        self._pending: dict[int, _Pending] = {}
        self._asked: dict[RequestId, _Session] = {}
        self._handshake: _Handshake | None = None
        self._handshake_id = 0
        self._told: MessagesOut | None = None
        self._is_ready = anyio.Event()

    async def run(self) -> None:
        """Keep the server connected until cancelled."""
        pause_s = 0.1
        while True:
            try:
                async with self._connect() as (said, told):
                    self._told = told
                    await self._resume()
                    pause_s = 0.1
                    async for message in said:
                        if isinstance(message, Exception):
                            log("server_said_nonsense", level="warning", server=self._name)
                        else:
                            await self._from_server(message.message)
            except Exception as error:  # noqa: BLE001 - whatever ends a connection, the next one is tried
                log("server_unreachable", level="warning", server=self._name, reason=type(error).__name__)
            self._told = None
            self._is_ready = anyio.Event()
            self._fail_pending()
            await anyio.sleep(pause_s)
            pause_s = min(pause_s * 2, MAX_PAUSE_S)

    async def serve(self, read: ReadStream[SessionMessage | Exception], write: WriteStream[SessionMessage]) -> None:
        """Serve one client until it goes."""
        session = _Session()
        self._sessions.append(session)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_deliver, session, write, tasks.cancel_scope)
                with suppress(*_Broken):
                    async for message in read:
                        if not isinstance(message, Exception):
                            await self._from_client(session, message.message)
                tasks.cancel_scope.cancel()
        finally:
            self._forget(session)
            session.outbox.close()
            session.mail.close()

    async def _tell(self, message: Any) -> None:
        """Send to the server once it takes requests.

        Raises:
            ConnectionError: It does not, or has gone.
        """
        with anyio.move_on_after(READY_S):
            await self._is_ready.wait()
        if not self._is_ready.is_set():
            raise ConnectionError
        await self._send(message)

    async def _send(self, message: Any) -> None:
        if self._told is None:
            raise ConnectionError
        try:
            await self._told.send(SessionMessage(message))
        except _Broken as error:
            raise ConnectionError from error

    async def _from_client(self, session: _Session, message: Any) -> None:
        try:
            match message:
                case JSONRPCRequest(method="initialize"):
                    await self._initialize(session, message)
                case JSONRPCRequest():
                    await self._request(session, message)
                case JSONRPCNotification():
                    await self._notify(session, message)
                case _ if self._asked.get(message.id) is session:
                    del self._asked[message.id]
                    await self._tell(message)
        except ConnectionError:
            if isinstance(message, JSONRPCRequest):
                self._pending = {k: v for k, v in self._pending.items() if v.request_id != message.id}
                session.send(_closed(message.id))

    async def _initialize(self, session: _Session, request: JSONRPCRequest) -> None:
        if self._handshake and self._handshake.result is not None:
            session.send(JSONRPCResponse(jsonrpc="2.0", id=request.id, result=self._handshake.result))
            return
        if self._handshake:
            self._handshake.waiting.append((session, request.id))
            return
        self._handshake = _Handshake(request, [(session, request.id)])
        try:
            await self._send_handshake(self._tell)
        except ConnectionError:
            self._end_handshake(_closed(request.id))

    async def _send_handshake(self, tell: Callable[[Any], Awaitable[None]]) -> None:
        if self._handshake:
            self._handshake_id = next(self._numbers)
            await tell(self._handshake.request.model_copy(update={"id": self._handshake_id}))

    def _end_handshake(self, answer: JSONRPCResponse | JSONRPCError) -> None:
        handshake = self._handshake
        if handshake is None:
            return
        for session, request_id in handshake.waiting:
            session.send(answer.model_copy(update={"id": request_id}))
        handshake.waiting.clear()
        if isinstance(answer, JSONRPCResponse):
            handshake.result = answer.result
        else:
            self._handshake = None

    async def _resume(self) -> None:
        """Initialize a server that was started anew; its clients need not know, their requests wait until then."""
        if self._handshake:
            await self._send_handshake(self._send)
        else:
            self._is_ready.set()

    async def _request(self, session: _Session, request: JSONRPCRequest) -> None:
        number = next(self._numbers)
        params, token = _with_token(request.params, number)
        self._pending[number] = _Pending(session, request.id, token)
        await self._tell(request.model_copy(update={"id": number, "params": params} if params else {"id": number}))

    async def _notify(self, session: _Session, message: JSONRPCNotification) -> None:
        if message.method == "notifications/initialized":
            if self._handshake and not self._handshake.is_confirmed:
                self._handshake.is_confirmed = True
                await self._tell(message)
            return
        if message.method == "notifications/cancelled":
            wanted = (message.params or {}).get("requestId")
            for number, pending in list(self._pending.items()):
                if pending.session is session and pending.request_id == wanted:
                    del self._pending[number]
                    params = {**(message.params or {}), "requestId": number}
                    await self._tell(message.model_copy(update={"params": params}))
            return
        await self._tell(message)

    async def _from_server(self, message: Any) -> None:
        match message:
            case JSONRPCResponse() | JSONRPCError() if message.id == self._handshake_id:
                await self._handshaken(message)
            case JSONRPCResponse() | JSONRPCError():
                pending = self._pending.pop(message.id, None) if isinstance(message.id, int) else None
                if pending:
                    pending.session.send(message.model_copy(update={"id": pending.request_id}))
            case JSONRPCRequest():
                await self._ask(message)
            case JSONRPCNotification(method="notifications/progress"):
                self._progress(message)
            case JSONRPCNotification():
                for session in self._sessions:
                    session.send(message)

    async def _handshaken(self, answer: JSONRPCResponse | JSONRPCError) -> None:
        was_confirmed = bool(self._handshake and self._handshake.is_confirmed)
        self._end_handshake(answer)
        if was_confirmed:
            await self._send(JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized"))
        self._is_ready.set()

    async def _ask(self, request: JSONRPCRequest) -> None:
        if request.method == "ping":
            await self._tell(JSONRPCResponse(jsonrpc="2.0", id=request.id, result={}))
            return
        latest = next(reversed(self._pending.values()), None)
        session = latest.session if latest else next(iter(self._sessions), None)
        if session is None:
            error = ErrorData(code=METHOD_NOT_FOUND, message="No client is connected")
            await self._tell(JSONRPCError(jsonrpc="2.0", id=request.id, error=error))
            return
        self._asked[request.id] = session
        session.send(request, latest.request_id if latest else None)

    def _progress(self, message: JSONRPCNotification) -> None:
        params = message.params or {}
        pending = self._pending.get(params.get("progressToken", 0))
        if pending and pending.progress_token is not None:
            told = message.model_copy(update={"params": {**params, "progressToken": pending.progress_token}})
            pending.session.send(told, pending.request_id)

    def _fail_pending(self) -> None:
        for pending in self._pending.values():
            pending.session.send(_closed(pending.request_id))
        self._pending.clear()
        self._asked.clear()
        if self._handshake and self._handshake.result is None:
            self._end_handshake(_closed(0))

    def _forget(self, session: _Session) -> None:
        self._sessions.remove(session)
        self._pending = {number: pending for number, pending in self._pending.items() if pending.session is not session}
        self._asked = {asked: asker for asked, asker in self._asked.items() if asker is not session}
        if self._handshake:
            self._handshake.waiting = [waiter for waiter in self._handshake.waiting if waiter[0] is not session]


async def _deliver(session: _Session, write: WriteStream[SessionMessage], scope: anyio.CancelScope) -> None:
    try:
        async for message in session.mail:
            await write.send(message)
    except _Broken:
        pass  # The client has gone; its session ends below.
    scope.cancel()


def _closed(request_id: RequestId) -> JSONRPCError:
    error = ErrorData(code=CONNECTION_CLOSED, message="The server is not running; it may be starting again")
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=error)


def _with_token(params: dict[str, Any] | None, number: int) -> tuple[dict[str, Any] | None, Any]:
    """Put our number in the place of the client's progress token; tells the token."""
    meta = (params or {}).get("_meta")
    if not isinstance(meta, dict) or "progressToken" not in meta:
        return params, None
    return {**(params or {}), "_meta": {**meta, "progressToken": number}}, meta["progressToken"]
