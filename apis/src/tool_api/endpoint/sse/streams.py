"""Event streams of clients in front of a bridge.

Such a stream cannot be continued: a client whose stream breaks opens another one. Some clients end their calls then. The SDK for
TypeScript does not, and does not name its former stream, so that its calls would wait until its own time-out. But it answers a ping that
comes before the `endpoint` event at the address of its former stream, which identifies that stream.
"""

from __future__ import annotations

import json
import re
import secrets
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import anyio
from mcp.server.sse import SseServerTransport
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import SessionMessage
from mcp.types import DEFAULT_NEGOTIATED_VERSION, JSONRPCError, JSONRPCRequest, JSONRPCResponse, RequestId
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers, QueryParams
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from tool_api.endpoint.answers import lost_answer, with_whole_lines
from tool_api.endpoint.bridge import Bridge, BridgeSession, ClientInput, ClientOutput
from tool_api.endpoint.posted import VERSION_HEADER, Memory, Posted
from tool_api.endpoint.progress import InProgress
from tool_api.endpoint.sse.unanswered import UnansweredCalls
from tool_api.store import Negotiated

FORMER_S = 1.0
"""Seconds for which a client that comes back may take to say which stream was its own."""

BEGIN_S = 1.0
"""Seconds for which it may begin anew with `initialize`; then it knows of no call of its former stream."""

TOLD_AT_ONCE = 100
"""Errors for lost calls that are sent before the client must have read some: the queue of a client is bounded."""

_NO_HOST_GUARD = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""Hosts and origins are checked before a request gets here, see `endpoint.guard`."""

_NAME = re.compile(rb"session_id=([0-9a-f]+)")


@dataclass(slots=True)
class _Stream:
    """The stream of one client."""

    version: str
    """Of the protocol, if its client says that it has agreed upon one, on a stream that it had before."""

    name: str = ""
    """What the client writes into the address of its messages; known when it has been told."""

    former: str = ""
    """Name of the stream that the client had before, if that is known."""

    lost: list[RequestId] = field(default_factory=list)
    """Calls of that stream without an answer."""

    session: BridgeSession | None = None
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    told: anyio.Event = field(default_factory=anyio.Event)
    """The client has been told where to send messages."""

    begun: anyio.Event = field(default_factory=anyio.Event)
    """The client has sent `initialize`."""

    is_saved: bool = False
    unsent: deque[RequestId | None] = field(default_factory=deque)
    """Of each message on its way to the client, the call that it answers."""


@dataclass(slots=True)
class _Question:
    """What a client is asked to find out which stream was its own."""

    is_answered: anyio.Event = field(default_factory=anyio.Event)
    former: str = ""


class _Output:
    """Notes what is on its way to a client."""

    def __init__(self, inner: ClientOutput, stream: _Stream, on_way: InProgress) -> None:
        self._inner, self._stream, self._on_way = inner, stream, on_way

    async def send(self, item: SessionMessage) -> None:
        message = item.message
        self._on_way.add(1)
        self._stream.unsent.append(message.id if isinstance(message, JSONRPCResponse | JSONRPCError) else None)
        await self._inner.send(item)


class EventStreams:
    """Serves the streams at /sse, and takes the messages at /messages/."""

    def __init__(self, bridge: Bridge, memory: Memory, *, max_message_bytes: int) -> None:
        self._bridge = bridge
        self._memory = memory
        self._unanswered = UnansweredCalls(memory.calls_path)
        self._transport = SseServerTransport(
            "/messages/", security_settings=_NO_HOST_GUARD, max_request_body_size=max_message_bytes
        )
        self._sessions: set[BridgeSession] = set()
        self._streams: dict[str, _Stream] = {}
        self._questions: dict[RequestId, _Question] = {}
        self._on_way = InProgress()
        """Messages that the transport has, and has not sent."""

    def mail(self) -> Iterator[InProgress]:
        """Messages that have not been sent: those that wait, of each client, and then those on their way."""
        yield from (session.mail for session in list(self._sessions))
        yield self._on_way

    def close(self) -> None:
        """Leave what is unanswered to the next process."""
        self._unanswered.close_file()

    async def listen(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a stream until it ends."""
        version = Headers(scope=scope).get(VERSION_HEADER, "")
        stream = _Stream(version if version in HANDSHAKE_PROTOCOL_VERSIONS else "")
        noted = self._noted(stream, with_whole_lines(send))
        try:
            with stream.scope:
                async with self._transport.connect_sse(scope, receive, noted) as (read, write):
                    await self._serve(stream, read, _Output(write, stream, self._on_way))
        except ValueError:
            # The transport has answered the request that it refused.
            return
        finally:
            self._streams.pop(stream.name, None)
            self._on_way.add(-len(stream.unsent))
            self._unanswered.close(stream.name)

    def session_of(self, scope: Scope) -> BridgeSession | None:
        """The session that a message is of, if its stream is open."""
        stream = self._streams.get(_name_in(scope))
        return stream.session if stream is not None else None

    async def post(self, posted: Posted, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a message of a client."""
        message = posted.message
        name = _name_in(scope)
        stream = self._streams.get(name)
        if isinstance(message, JSONRPCResponse) and message.id in self._questions:
            question = self._questions[message.id]
            question.former = name
            question.is_answered.set()
            await PlainTextResponse("Accepted", 202)(scope, receive, send)
        elif isinstance(message, JSONRPCRequest) and stream is not None:
            if message.method == "initialize":
                stream.begun.set()
            elif message.method != "ping" and not stream.begun.is_set():
                _assume_version(stream)
            await self._take(message.id, name, scope, receive, send)
        else:
            await self._transport.handle_post_message(scope, receive, with_whole_lines(send))
        if stream is not None:
            self._save(stream)

    async def _serve(self, stream: _Stream, read: ClientInput, output: _Output) -> None:
        # Who names a version does not send `initialize` again.
        session = self._bridge.open(Negotiated(stream.version) if stream.version else None)
        stream.session = session
        self._sessions.add(session)
        async with anyio.create_task_group() as tasks:
            if stream.version:
                tasks.start_soon(self._tell_lost, stream, session)
            try:
                await session.serve(read, output)
            finally:
                self._sessions.discard(session)
                tasks.cancel_scope.cancel()
                if session.is_dropped:
                    # The transport would wait until the client goes, which may wait for its answers.
                    stream.scope.cancel()

    async def _take(self, request_id: RequestId, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        async def unless_refused(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] >= 400:
                self._unanswered.end(name, request_id)
            await send(message)

        # Recorded before the message is accepted: a client that gets 202 must get an answer.
        self._unanswered.begin(name, request_id)
        await self._transport.handle_post_message(scope, receive, with_whole_lines(unless_refused))

    def _noted(self, stream: _Stream, send: Send) -> Send:
        """Note what has been sent to a client: its name first, then answers. A piece holds one event."""

        async def noted(message: Message) -> None:
            body: bytes = message.get("body", b"")
            if body.startswith(b"event: endpoint") and (found := _NAME.search(body)):
                if stream.version:
                    stream.former = await self._ask_former(send)
                self._begin(stream, found[1].decode())
            await send(message)
            if body.startswith(b"event: message") and stream.unsent:
                answered = stream.unsent.popleft()
                self._on_way.remove_one()
                if answered is not None:
                    self._unanswered.end(stream.name, answered)

        return noted

    async def _ask_former(self, send: Send) -> str:
        """Ask a client that comes back which stream was its own; empty where it does not say so."""
        token, question = f"former-{secrets.token_hex(8)}", _Question()
        ping = json.dumps({"jsonrpc": "2.0", "id": token, "method": "ping"})
        self._questions[token] = question
        try:
            body = f"event: message\r\ndata: {ping}\r\n\r\n".encode()
            await send({"type": "http.response.body", "body": body, "more_body": True})
            with anyio.move_on_after(FORMER_S):
                await question.is_answered.wait()
        finally:
            del self._questions[token]
        return question.former

    def _begin(self, stream: _Stream, name: str) -> None:
        stream.name = name
        self._streams[name] = stream
        if former := self._streams.get(stream.former):
            # Its client has gone, which was not noticed yet.
            self._unanswered.close(former.name)
            former.scope.cancel()
        stream.lost = self._unanswered.open(name, stream.former)
        if stream.former and stream.session and (negotiated := self._memory.find(stream.former)):
            stream.session.continue_with(negotiated)
            self._memory.forget(stream.former)
            self._save(stream)
        stream.told.set()

    def _save(self, stream: _Stream) -> None:
        """Keep what was agreed upon, for the next stream of the client."""
        negotiated = stream.session.negotiated if stream.session else None
        if negotiated is not None and not stream.is_saved:
            stream.is_saved = True
            self._memory.save(stream.name, negotiated)

    async def _tell_lost(self, stream: _Stream, session: BridgeSession) -> None:
        """Tell a client that has come back of its calls that were lost, unless it begins anew."""
        await stream.told.wait()
        with anyio.move_on_after(BEGIN_S):
            await stream.begun.wait()
        for number, request_id in enumerate(stream.lost, start=1):
            if stream.begun.is_set():
                self._unanswered.end(stream.name, request_id)
                continue
            session.send(lost_answer(request_id), None)
            if number % TOLD_AT_ONCE == 0:
                await session.mail.until_none()


def _name_in(scope: Scope) -> str:
    """The stream that the address of a message names."""
    return QueryParams(scope["query_string"]).get("session_id", "").replace("-", "")


def _assume_version(stream: _Stream) -> None:
    """Let a client call that does not begin with `initialize`: it had a stream before, and names no version of the protocol."""
    if stream.session is not None and stream.session.negotiated is None:
        stream.session.continue_with(Negotiated(DEFAULT_NEGOTIATED_VERSION))
