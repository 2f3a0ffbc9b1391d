"""The bridge's input and output: streams and timers around `BridgeState`, which decides everything."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import deque
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Protocol

import anyio
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp.types import (
    INTERNAL_ERROR,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)

from tool_api.endpoint.bridge.messages import REQUEST_CANCELLED, Effect, StartTimer, ToClient, ToServer, error
from tool_api.endpoint.bridge.state import BridgeState
from tool_api.endpoint.events import weigh
from tool_api.endpoint.progress import InProgress
from tool_api.logs import log
from tool_api.runtime.base import OversizedMessageError, UnreadAnswer, UnusableMessageError, Wire
from tool_api.runtime.reading import WrittenResponse, written_call
from tool_api.store import Negotiated

OUTBOX_MESSAGES = 1000
"""Messages kept for a client that reads slowly; one more ends its session."""

OUTBOX_BYTES = 64 * 1024 * 1024
"""Size, estimated, of what is kept for it beside the message that came last."""

UNSENT_BYTES = 64 * 1024 * 1024
"""What may wait for a server that does not read, beside the message that came last; what follows is refused."""

MIN_PAUSE_S, MAX_PAUSE_S = 0.1, 5.0
"""Shortest and longest pause between two attempts to connect."""

MAX_FIRST_NUMBER = 2**30
"""Numbers of calls stay within 32 bits, which is all that some servers keep of them."""

EXCHANGE = "tool_api.exchange"
"""Key of the `Exchange` in the ASGI scope of a request."""

Connect = Callable[[], AbstractAsyncContextManager[Wire]]
_Broken = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)


@dataclass(slots=True)
class Exchange:
    """One HTTP request; its handler learns which request of the protocol it carried."""

    request_id: RequestId | None = None


class ClientInput(Protocol):
    """Messages of a client; iteration ends when it leaves."""

    def __aiter__(self) -> ClientInput: ...
    async def __anext__(self) -> SessionMessage | Exception: ...


class ClientOutput(Protocol):
    """Where messages for a client go."""

    async def send(self, item: SessionMessage, /) -> None: ...


class CallListener(Protocol):
    """Who waits for the messages of one call."""

    def add(self, message: JSONRPCMessage, /) -> None: ...
    def answer(self, request_id: RequestId, data: bytes, /) -> None:
        """The same as `add` of a `WrittenResponse`."""
        ...

    def keep(self, message: JSONRPCMessage, /) -> object:
        """Keep a message for a client that has gone, and may come back."""
        ...

    def close(self) -> None: ...


class BridgeSession:
    """One client's session."""

    def __init__(self, bridge: Bridge, number: int) -> None:
        self._bridge = bridge
        self._number = number
        self.mail = InProgress()
        """Messages for the client that have not been sent."""
        self.is_dropped = False
        """Whether the session has ended because too much has waited for the client."""
        self._outbox, self._mail = anyio.create_memory_object_stream[SessionMessage](OUTBOX_MESSAGES)
        self._sizes: deque[int] = deque()
        """Of the messages in the outbox, in their order."""
        self._waiting_bytes = 0
        self._scope: anyio.CancelScope | None = None
        self._listeners: dict[str, CallListener] = {}
        """Who waits for the messages of a call, by the call's id as text."""
        self._left: dict[str, CallListener] = {}
        """Who has waited for those of a call in progress."""

    @property
    def negotiated(self) -> Negotiated | None:
        """What was agreed upon with the client; None before its `initialize` is answered."""
        return self._bridge.state.negotiated(self._number)

    def continue_with(self, negotiated: Negotiated) -> None:
        """The session turns out to continue an earlier one."""
        self._bridge.apply(self._bridge.state.on_open(self._number, negotiated))

    def is_pending(self, request_id: RequestId) -> bool:
        """Whether a request with this id is in progress."""
        return self._bridge.state.is_pending(self._number, request_id)

    def pending_id(self, text: str) -> RequestId | None:
        """The id, as the client wrote it, of a request in progress whose stream has this name."""
        return self._bridge.state.pending_id(self._number, text)

    def drop(self, request_id: RequestId) -> None:
        """Cancel a call whose client has closed the stream for its answer; one that is answered is left alone."""
        self._bridge.apply(self._bridge.state.on_dropped(self._number, request_id))
        self._left.pop(str(request_id), None)

    def call(self, request: JSONRPCRequest, listener: CallListener) -> None:
        """Take a request whose messages go to a listener of their own, until `hang_up`."""
        self.listen(request.id, listener)
        self._bridge.apply(self._bridge.state.on_client(self._number, request))

    def call_at_once(self, request_id: RequestId, params: bytes, listener: CallListener) -> bool:
        """Call a tool as `call` does, if that is all there is to do; returns whether it was called.

        Args:
            request_id: As the client has chosen it.
            params: See `WrittenCall`.
            listener: As for `call`.
        """
        if not self._bridge.send_at_once(self._number, request_id, params):
            return False
        self.listen(request_id, listener)
        return True

    def fail_question(self, number: int, reason: str) -> None:
        """Tell the server that the client's answer to one of its requests could not be read."""
        answer = error(number, INTERNAL_ERROR, f"The client's answer is {reason}")
        self._bridge.apply(self._bridge.state.on_client(self._number, answer))

    def answer(self, request_id: RequestId, answer: UnreadAnswer) -> None:
        """Pass on the answer to a call."""
        if listener := self._listeners.get(str(request_id)):
            listener.answer(request_id, answer.data)
        else:
            self.send(WrittenResponse(request_id, answer.data), request_id)

    def listen(self, request_id: RequestId, listener: CallListener) -> None:
        """Send what belongs to a call to another listener; the connection of the former one may be dead."""
        former = self._listeners.get(str(request_id))
        self._listeners[str(request_id)] = listener
        self._left.pop(str(request_id), None)
        if former is not None:
            former.close()

    def hang_up(self, request_id: RequestId, listener: CallListener) -> None:
        """Keep what still belongs to a call in progress, unless somebody else listens by now."""
        if self._listeners.get(str(request_id)) is listener:
            del self._listeners[str(request_id)]
            if self.is_pending(request_id):
                self._left[str(request_id)] = listener

    def has_listener(self, request_id: RequestId) -> bool:
        """Whether somebody waits for the messages of a call of this name."""
        return str(request_id) in self._listeners

    async def serve(self, read: ClientInput, write: ClientOutput) -> None:
        """Serve the client until it leaves."""
        try:
            async with anyio.create_task_group() as tasks:
                self._scope = tasks.cancel_scope
                tasks.start_soon(self._deliver, write, tasks.cancel_scope)
                with suppress(*_Broken):
                    async for item in read:
                        if not isinstance(item, Exception):
                            self._take(item)
                tasks.cancel_scope.cancel()
        finally:
            self._refuse_calls()
            self._bridge.forget(self._number)
            self.mail.set(0)
            for listener in list(self._listeners.values()):
                listener.close()
            self._outbox.close()
            self._mail.close()

    def _refuse_calls(self) -> None:
        """Answer calls that somebody still waits for: the client has ended the session meanwhile."""
        for text, listener in list(self._listeners.items()):
            request_id = self.pending_id(text)
            if request_id is not None:
                listener.add(error(request_id, REQUEST_CANCELLED, "The session has ended"))

    def send(self, message: JSONRPCMessage, related: RequestId | None) -> None:
        call_id = message.id if isinstance(message, JSONRPCResponse | JSONRPCError) else related
        if listener := self._listeners.get(str(call_id)):
            listener.add(message)
            return
        if left := self._left.get(str(call_id)):
            # Kept in this step: on its way through the SDK's transport it would be in no place where a client that comes back
            # finds it, and the client would be told that its answer is lost.
            left.keep(message)
            if isinstance(message, JSONRPCResponse | JSONRPCError):
                del self._left[str(call_id)]
            return
        metadata = ServerMessageMetadata(related_request_id=related) if related is not None else None
        if self._waiting_bytes > OUTBOX_BYTES:
            self._drop_client()
            return
        try:
            self._outbox.send_nowait(SessionMessage(message, metadata))
        except anyio.WouldBlock:
            self._drop_client()
        except _Broken:
            return
        else:
            self._sizes.append(weigh(message))
            self._waiting_bytes += self._sizes[-1]
            self.mail.set(1)

    def _drop_client(self) -> None:
        log("slow_client_dropped", level="warning", messages=len(self._sizes), bytes=self._waiting_bytes)
        self.is_dropped = True
        self._outbox.close()
        if self._scope is not None:
            self._scope.cancel()  # it may wait for the client to read

    def _take(self, item: SessionMessage) -> None:
        scope: dict[str, Any] = getattr(getattr(item.metadata, "request_context", None), "scope", {})
        exchange = scope.get(EXCHANGE)
        if exchange is not None and isinstance(item.message, JSONRPCRequest):
            exchange.request_id = item.message.id
        self._bridge.apply(self._bridge.state.on_client(self._number, item.message))

    async def _deliver(self, write: ClientOutput, scope: anyio.CancelScope) -> None:
        with suppress(*_Broken):
            async for message in self._mail:
                await write.send(message)
                self._waiting_bytes -= self._sizes.popleft()
                self.mail.set(self._mail.statistics().current_buffer_used)
        # The client has gone, or its outbox was full.
        scope.cancel()


class Bridge:
    """Connects the sessions of clients with one server. `run` keeps the connection to the server."""

    def __init__(self, name: str, connect: Connect, *, ready_timeout_s: float) -> None:
        """Args: connect: Opens a connection to the server. ready_timeout_s: How long a call may wait to be sent."""
        # A server may go on with calls of a bridge that has been killed. Their answers must not fit calls of this one.
        first = random.randrange(1, MAX_FIRST_NUMBER)  # noqa: S311 - spread, not secrecy
        self.state = BridgeState("octavo-sandbox", version("octavo-sandbox"), first_number=first)
        self._name = name
        self._connect = connect
        self._ready_timeout_s = ready_timeout_s
        self._numbers = itertools.count(1)
        self._sessions: dict[int, BridgeSession] = {}
        self._timers: set[asyncio.TimerHandle] = set()
        self._wire: Wire | None = None
        self._is_stuck = False
        """Whether it was said that the server does not read."""
        self.calls = InProgress()
        """Calls of clients that have not been answered."""

    def open(self, negotiated: Negotiated | None = None) -> BridgeSession:
        """Begin a session; `BridgeSession.serve` must follow.

        Args:
            negotiated: What was agreed upon earlier, for a session that is continued.
        """
        number = next(self._numbers)
        session = self._sessions[number] = BridgeSession(self, number)
        self.apply(self.state.on_open(number, negotiated))
        return session

    def forget(self, number: int) -> None:
        """End a session."""
        self._sessions.pop(number, None)
        self.apply(self.state.on_gone(number))

    def refuse_all(self) -> None:
        """Answer everything that is in progress, and all that may follow, with an error: the server is being stopped."""
        self.apply(self.state.on_closed())

    async def run(self) -> None:
        """Keep the server connected until cancelled."""
        pause_s = MIN_PAUSE_S
        try:
            while True:
                try:
                    async with self._connect() as wire:
                        pause_s = MIN_PAUSE_S
                        await self._exchange(wire)
                except Exception as error:  # noqa: BLE001 - whatever ends a connection, the next one is tried
                    log("server_unreachable", level="warning", server=self._name, reason=type(error).__name__)
                self.apply(self.state.on_lost())
                await anyio.sleep(pause_s)
                pause_s = min(pause_s * 2, MAX_PAUSE_S)
        finally:
            for timer in self._timers:
                timer.cancel()

    async def _exchange(self, wire: Wire) -> None:
        """Pass messages both ways until the connection ends; what was not written by then is discarded."""
        self._wire, self._is_stuck = wire, False
        try:
            self.apply(self.state.on_ready())
            await wire.carry(self._take)
        finally:
            self._wire = None

    def send_at_once(self, session: int, request_id: RequestId, params: bytes) -> bool:
        """Send a call of a tool if nothing has to be decided; returns whether it was sent."""
        wire = self._wire
        if wire is None or wire.unsent_bytes > UNSENT_BYTES:
            return False
        number = self.state.send_at_once(session, request_id)
        if number is None:
            return False
        wire.send_line(written_call(number, params))
        self.calls.add(1)
        return True

    def _end_at_once(self, answer: UnreadAnswer) -> bool:
        """Pass on the answer to a call if nothing has to be decided; returns whether it was passed on."""
        call = self.state.end_at_once(answer.number)
        if call is None:
            return False
        self.calls.remove_one()
        if call.session in self._sessions:
            self._sessions[call.session].answer(call.request_id, answer)
        return True

    def _take(self, item: JSONRPCMessage | UnreadAnswer | Exception) -> None:
        if isinstance(item, UnreadAnswer):
            if not self._end_at_once(item):
                self.apply(self.state.on_server(WrittenResponse(item.number, item.data)))
        elif isinstance(item, UnusableMessageError):
            if isinstance(item, OversizedMessageError):
                log("message_too_large", level="warning", server=self._name, limit=item.limit)
            else:
                log("not_a_message", level="warning", server=self._name, reason=item.reason)
            self.apply(self.state.on_unusable(item.reason, answers=item.answers, asks=item.asks))
        elif isinstance(item, Exception):
            log("not_a_message", level="warning", server=self._name, reason=type(item).__name__)
        else:
            self.apply(self.state.on_server(item))

    def apply(self, effects: list[Effect]) -> None:
        """Do what the state decided."""
        for effect in effects:
            match effect:
                case ToServer(message):
                    effects += self._write(message)
                case ToClient(number, message, related):
                    if number in self._sessions:
                        self._sessions[number].send(message, related)
                case StartTimer(number):
                    self._start_timer(number)
        self.calls.set(self.state.count_calls())

    def _write(self, message: JSONRPCMessage) -> list[Effect]:
        """Write a message to the server; returns what follows where the server does not read."""
        wire = self._wire
        # There are no more cancellations than calls that were written, and to lose one would let a call go on.
        if wire is None or wire.unsent_bytes <= UNSENT_BYTES or _is_cancellation(message):
            if wire is not None:
                wire.send(message)
            return []
        if not self._is_stuck:
            self._is_stuck = True
            log("server_does_not_read", level="warning", server=self._name, bytes=wire.unsent_bytes)
        return self.state.on_unsent(message.id) if isinstance(message, JSONRPCRequest) else []

    def _start_timer(self, number: int) -> None:
        def fire() -> None:
            self._timers.discard(timer)
            self.apply(self.state.on_timeout(number))

        timer = asyncio.get_running_loop().call_later(self._ready_timeout_s, fire)
        self._timers.add(timer)


def _is_cancellation(message: JSONRPCMessage) -> bool:
    return isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled"
