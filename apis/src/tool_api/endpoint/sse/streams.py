"""Event streams of clients in front of a bridge.

Such a stream cannot be continued: a client whose stream breaks opens another one, which is a session of its own. Some clients
end their calls then. The SDK for TypeScript does not, says nothing of its former stream, and would wait until its own
time-out. So a client that opens a stream and does not begin with `initialize` is told that its calls are lost.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import anyio
from mcp.server.sse import SseServerTransport
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCResponse, RequestId
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers, QueryParams
from starlette.types import Message, Receive, Scope, Send

from tool_api.endpoint.answers import lost_answer, with_whole_lines
from tool_api.endpoint.bridge import Bridge, BridgeSession, ClientOutput
from tool_api.endpoint.posted import VERSION_HEADER, Posted
from tool_api.endpoint.progress import InProgress
from tool_api.endpoint.sse.unanswered import UnansweredCalls
from tool_api.store import Negotiated

BEGIN_S = 2.0
"""Seconds after which a client that has not sent `initialize` is taken for one that has come back."""

TOLD_AT_ONCE = 100
"""Lost calls that a client is told of before it has read some: there is a limit to what may wait for it."""

_NO_HOST_GUARD = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""Hosts and origins are checked before a request gets here, see `endpoint.guard`."""

_NAME = re.compile(rb"session_id=([0-9a-f]+)")


@dataclass(slots=True)
class _Stream:
    """The stream of one client."""

    client: str
    name: str = ""
    """What the client writes into the address of its messages; known when it has been told."""

    begun: anyio.Event = field(default_factory=anyio.Event)
    """Its client has sent `initialize`, so that it knows of no call of a former stream."""

    is_known: bool = False
    """Whether it has been decided if the client has come back."""

    asked: set[RequestId] = field(default_factory=set)
    """Calls of the client before that."""

    unsent: deque[RequestId | None] = field(default_factory=deque)
    """Of each message on its way to the client, the call that it answers."""


class _Output:
    """Notes what is on its way to a client."""

    def __init__(self, inner: ClientOutput, stream: _Stream) -> None:
        self._inner, self._stream = inner, stream

    async def send(self, item: SessionMessage) -> None:
        message = item.message
        self._stream.unsent.append(message.id if isinstance(message, JSONRPCResponse | JSONRPCError) else None)
        await self._inner.send(item)


class EventStreams:
    """Serves the streams at /sse, and takes the messages at /messages/."""

    def __init__(self, bridge: Bridge, unanswered: UnansweredCalls, *, max_message_bytes: int) -> None:
        self._bridge = bridge
        self._unanswered = unanswered
        self._transport = SseServerTransport(
            "/messages/", security_settings=_NO_HOST_GUARD, max_request_body_size=max_message_bytes
        )
        self._sessions: set[BridgeSession] = set()
        self._streams: dict[str, _Stream] = {}

    def mail(self) -> Iterator[InProgress]:
        """Messages that have not been sent, of each client."""
        return (session.mail for session in self._sessions)

    async def listen(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a stream until it ends."""
        headers = Headers(scope=scope)
        # Behind a proxy all have one address, and a client may have got another one.
        stream = _Stream(headers.get("user-agent", ""))
        version = headers.get(VERSION_HEADER, "")
        # Who names a version has agreed upon it on a former stream, and does not send `initialize` again.
        negotiated = Negotiated(version) if version in HANDSHAKE_PROTOCOL_VERSIONS else None
        try:
            async with (
                self._transport.connect_sse(scope, receive, self._noted(stream, with_whole_lines(send))) as (
                    read,
                    write,
                ),
                anyio.create_task_group() as tasks,
            ):
                session = self._bridge.open(negotiated)
                self._sessions.add(session)
                tasks.start_soon(self._tell_lost, stream, session)
                try:
                    await session.serve(read, _Output(write, stream))
                finally:
                    self._sessions.discard(session)
                    tasks.cancel_scope.cancel()
        except ValueError:
            # The transport has answered the request that it refused.
            return
        finally:
            self._streams.pop(stream.name, None)
            self._unanswered.close(stream.name)

    async def post(self, posted: Posted, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a message of a client."""
        name, request = QueryParams(scope["query_string"]).get("session_id", "").replace("-", ""), posted.request
        stream = self._streams.get(name)
        if request is None or stream is None:
            await self._transport.handle_post_message(scope, receive, with_whole_lines(send))
            return
        if request.method == "initialize":
            stream.begun.set()
        if not stream.is_known:
            stream.asked.add(request.id)

        async def unless_refused(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] >= 400:
                self._unanswered.end(name, request.id)
            await send(message)

        # Before it is taken: who is told that it is must get an answer.
        self._unanswered.begin(name, request.id)
        await self._transport.handle_post_message(scope, receive, with_whole_lines(unless_refused))

    def _noted(self, stream: _Stream, send: Send) -> Send:
        """Note what has been sent to a client: its name first, then answers. A piece holds one event."""

        async def noted(message: Message) -> None:
            body: bytes = message.get("body", b"")
            if body.startswith(b"event: endpoint") and (found := _NAME.search(body)):
                stream.name = found[1].decode()
                self._streams[stream.name] = stream
                self._unanswered.open(stream.name, stream.client)
            await send(message)
            if body.startswith(b"event: message") and stream.unsent:
                answered = stream.unsent.popleft()
                if answered is not None:
                    self._unanswered.end(stream.name, answered)

        return noted

    async def _tell_lost(self, stream: _Stream, session: BridgeSession) -> None:
        """Tell a client that has come back of its calls that were lost.

        A client may be told of calls of others, which it does not know and ignores: nobody says which stream was theirs.
        """
        with anyio.move_on_after(BEGIN_S):
            await stream.begun.wait()
        stream.is_known = True
        if stream.begun.is_set():
            return
        # For a call with an equal id on this stream the answer is still to come.
        lost = [request_id for request_id in self._unanswered.lost(stream.client) if request_id not in stream.asked]
        for number, request_id in enumerate(lost, start=1):
            session.send(lost_answer(request_id), None)
            if number % TOLD_AT_ONCE == 0:
                await session.mail.until_none()
