"""Both HTTP transports of the protocol in front of a bridge: streamable HTTP at /mcp, SSE at /sse and /messages/."""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache, partial
from uuid import uuid4

import anyio
from anyio.abc import TaskGroup
from mcp.server.streamable_http import (
    GET_STREAM_KEY,
    LAST_EVENT_ID_HEADER,
    MCP_SESSION_ID_HEADER,
    StreamableHTTPServerTransport,
    check_accept_headers,
)
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import (
    DEFAULT_NEGOTIATED_VERSION,
    INVALID_REQUEST,
    UNSUPPORTED_PROTOCOL_VERSION,
    JSONRPCRequest,
    RequestId,
)
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from tool_api.endpoint.answers import CallAnswer, KeptStream, lost_answer, with_whole_lines
from tool_api.endpoint.bridge import EXCHANGE, Bridge, BridgeSession, Exchange
from tool_api.endpoint.direct import DirectRequest, TakeRequest, Waiting
from tool_api.endpoint.events import BEGINNING, EventLog, SessionEvents, request_of, stream_named_by, told_id
from tool_api.endpoint.posted import VERSION_HEADER, Memory, Posted, read_posted, replay
from tool_api.endpoint.progress import InProgress, until_all_end
from tool_api.endpoint.sse import EventStreams
from tool_api.guard import BodyLimit
from tool_api.logs import log
from tool_api.runtime.reading import read_call
from tool_api.store import Negotiated

IDLE_S = 30 * 60
CLOCK_S = 60
"""Seconds by which a session of which the last requests were calls may end earlier than that."""

MAX_SESSIONS = 1000
RESUME_S = 10.0
"""Seconds that a client has to come back to the stream of a call in progress; after that, the call is cancelled."""

DRAIN_S = 1.0
"""Seconds that answers may take to leave when the server is stopped."""

_NO_HOST_GUARD = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""Hosts and origins are checked before a request gets here, see `endpoint.guard`."""

_METHODS = {"/mcp": ("GET", "POST", "DELETE"), "/sse": ("GET",), "/messages": ("POST",)}
"""Path → methods that it answers to."""


@dataclass(slots=True)
class _Open:
    """One session of streamable HTTP."""

    session_id: str
    transport: StreamableHTTPServerTransport
    session: BridgeSession
    events: SessionEvents
    resumed: Counter[str] = field(default_factory=Counter)
    """Streams that clients have come back to, and on how many connections."""

    has_listened: bool = False
    """Whether the stream that belongs to no request was ever open."""

    is_saved: bool = False
    in_flight: int = 0
    """HTTP requests being answered, open event streams included."""

    used: float = 0.0
    """When the last one ended; monotonic seconds."""

    clock_set: float = -math.inf
    """When it was last said how long the session may be idle."""

    is_clock_off: bool = False
    """Whether it may be for ever."""

    @property
    def has_ended(self) -> bool:
        scope = self.transport.idle_scope
        return self.transport.is_terminated or (scope is not None and scope.cancel_called)

    def set_idle_clock(self) -> None:
        """Let the session end after a while without requests; the transport counts only those that it answers."""
        self.clock_set = time.monotonic()
        self.is_clock_off = self.in_flight > 0
        scope = self.transport.idle_scope
        if scope is not None and not scope.cancel_called:
            # The loop's own clock: requests also end in its callbacks, where `anyio.current_time` fails if sniffio is installed.
            scope.deadline = math.inf if self.in_flight else asyncio.get_running_loop().time() + IDLE_S

    def begin(self) -> None:
        """A request begins."""
        self.in_flight += 1
        self.set_idle_clock()

    def end(self) -> None:
        """A request has ended."""
        self.in_flight -= 1
        self.used = time.monotonic()
        self.set_idle_clock()

    def begin_call(self) -> None:
        """A request begins that ends soon, or is begun anew. It does not touch a clock that was set lately."""
        self.in_flight += 1
        if time.monotonic() - self.clock_set > CLOCK_S:
            self.set_idle_clock()

    def end_call(self) -> None:
        """Such a request has ended."""
        self.in_flight -= 1
        self.used = time.monotonic()
        if not self.in_flight and (self.is_clock_off or self.used - self.clock_set > CLOCK_S):
            self.set_idle_clock()


class Sessions:
    """An ASGI application; lives as long as the task group it starts its sessions in."""

    def __init__(
        self,
        bridge: Bridge,
        tasks: TaskGroup,
        *,
        max_message_bytes: int,
        memory: Memory,
    ) -> None:
        self._bridge = bridge
        self._memory = memory
        self._log = EventLog(run=secrets.token_hex(4))
        self._tasks = tasks
        self._open_sessions: dict[str, _Open] = {}
        self._timers: set[asyncio.TimerHandle] = set()
        self._is_closed = False
        self._posts = InProgress()
        self._waiting = Waiting()
        self._streams = EventStreams(bridge, memory, max_message_bytes=max_message_bytes)
        self._bodies = BodyLimit(max_message_bytes, "--max-message-bytes")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if scope["method"] != "POST":
            await self._route(scope, receive, send)
            return
        with self._posts.one_more():
            body = await self._bodies.read(scope, receive, send)
            if body is not None:
                await self._route(scope, receive, send, body)

    def look(self, scope: Scope) -> TakeRequest | None:
        """Who takes calls of a session that is open, and answers them if the result comes soon (a `direct.Handler`)."""
        headers = Headers(scope=scope)
        version = headers.get(VERSION_HEADER, DEFAULT_NEGOTIATED_VERSION)
        is_call = version in HANDSHAKE_PROTOCOL_VERSIONS and scope["path"].rstrip("/") == "/mcp" and _is_plain(scope)
        return partial(self._take, headers.get(MCP_SESSION_ID_HEADER, ""), version) if is_call else None

    def _take(self, session_id: str, version: str, request: DirectRequest) -> bool:
        opened = self._open_sessions.get(session_id)
        if opened is None or opened.has_ended:
            return False
        called = read_call(request.body)
        if called is not None and not opened.session.has_listener(called[0]):
            answer = self._answer_to(opened, called[0], version)
            if opened.session.call_at_once(*called, answer):
                self._answer_soon(opened, called[0], answer, request)
                return True
        posted = read_posted(request.body)
        call = posted.request
        if call is None or posted.problem or _is_in_progress(opened, call) or call.method == "initialize":
            return False
        answer = self._answer_to(opened, call.id, version)
        opened.session.call(call, answer)
        self._answer_soon(opened, call.id, answer, request)
        return True

    def _answer_soon(self, opened: _Open, request_id: RequestId, answer: CallAnswer, request: DirectRequest) -> None:
        opened.begin_call()
        self._posts.add(1)
        request.when_done(partial(self._end_call, opened, request_id, answer))
        answer.send_soon(request, self._waiting, partial(self._send, opened, answer))

    async def _send(self, opened: _Open, answer: CallAnswer, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call that takes longer."""
        opened.set_idle_clock()
        await answer.send(scope, receive, send)

    def _end_call(self, opened: _Open, request_id: RequestId, answer: CallAnswer) -> None:
        self._posts.remove_one()
        answer.close()
        opened.session.hang_up(request_id, answer)
        opened.end_call()
        self._look_after(opened, request_id)

    async def drain(self) -> None:
        """Wait until the answers that exist have left, but not long."""
        with anyio.move_on_after(DRAIN_S):
            await until_all_end(self._posts, *self._streams.mail())

    def close(self) -> None:
        """Leave what is unanswered to the next process."""
        self._is_closed = True
        for timer in self._timers:
            timer.cancel()
        self._streams.close()

    async def _route(self, scope: Scope, receive: Receive, send: Send, body: bytes = b"") -> None:
        path, method = scope["path"].rstrip("/"), scope["method"]
        if path not in _METHODS:
            await PlainTextResponse("404 page not found", 404)(scope, receive, send)
        elif method not in _METHODS[path]:
            await Response(status_code=405, headers={"Allow": ", ".join(_METHODS[path])})(scope, receive, send)
        elif method == "POST":
            await self._handle_post(path, body, scope, receive, send)
        elif path == "/sse":
            await self._streams.listen(scope, receive, send)
        else:
            await self._handle_streamable(Posted(b""), scope, receive, send)

    async def _handle_post(self, path: str, body: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        posted = read_posted(body)
        receive = replay(posted.body, receive)
        if posted.answers is not None and (session := self._session_of(path, scope)):
            session.fail_question(posted.answers, posted.reason)
        if posted.problem:
            await _error(400, INVALID_REQUEST, posted.problem)(scope, receive, send)
        elif path == "/mcp":
            await self._handle_streamable(posted, scope, receive, send)
        else:
            await self._streams.post(posted, scope, receive, send)

    def _session_of(self, path: str, scope: Scope) -> BridgeSession | None:
        """The session that a message is of, if it is open."""
        if path != "/mcp":
            return self._streams.session_of(scope)
        opened = self._open_sessions.get(Headers(scope=scope).get(MCP_SESSION_ID_HEADER, ""))
        return opened.session if opened is not None else None

    async def _handle_streamable(self, posted: Posted, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        version = headers.get(VERSION_HEADER)
        session_id = headers.get(MCP_SESSION_ID_HEADER)
        if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            # Clients of later versions take this answer as the hint to shake hands instead.
            response = _error(
                400,
                UNSUPPORTED_PROTOCOL_VERSION,
                f"Unsupported protocol version; use {HANDSHAKE_PROTOCOL_VERSIONS[-1]}",
            )
            await response(scope, receive, send)
        elif session_id is not None:
            await self._continue(session_id, posted.request, scope, receive, send)
        elif posted.request is None or posted.request.method != "initialize":
            await _error(400, INVALID_REQUEST, "Bad Request: Missing session ID")(scope, receive, send)
        elif len(self._open_sessions) >= MAX_SESSIONS and not await self._evict():
            await _error(503, INVALID_REQUEST, "Too many sessions")(scope, receive, send)
        else:
            await self._handle(await self._open(), scope, receive, send)

    async def _continue(
        self, session_id: str, call: JSONRPCRequest | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        opened = self._open_sessions.get(session_id) or await self._reopen(session_id)
        if opened is None:
            await _error(404, INVALID_REQUEST, "Session not found")(scope, receive, send)
            return
        if call is not None and _is_in_progress(opened, call):
            text = f"Bad Request: a request with the id {call.id!r} is in progress"
            await _error(400, INVALID_REQUEST, text)(scope, receive, send)
            return
        # What is wrong about the headers of a call the SDK's transport refuses, in its words.
        if call is not None and (call.method == "initialize" or opened.has_ended or not _is_plain(scope)):
            call = None
        await self._handle(opened, scope, receive, send, call)

    async def _handle(
        self, opened: _Open, scope: Scope, receive: Receive, send: Send, call: JSONRPCRequest | None = None
    ) -> None:
        """Answer a request of a session: a call here, all else by the SDK's transport."""
        exchange = Exchange(call.id if call is not None else None)
        headers, stream, event_id = _resumption(opened, scope)
        self._begin(opened, stream)
        try:
            if call is not None:
                await self._answer(opened, call, scope, receive, send)
            elif (
                stream not in {"", GET_STREAM_KEY}
                and not opened.has_ended
                and _accepted(Headers(scope=scope).get("accept", ""))[1]
            ):
                await self._resume(opened, stream, event_id, scope, receive, send)
            else:
                inner = {**scope, "headers": headers, EXCHANGE: exchange}
                await opened.transport.handle_request(inner, receive, with_whole_lines(send))
        finally:
            self._end(opened, stream, exchange.request_id)

    def _begin(self, opened: _Open, stream: str) -> None:
        if stream:
            opened.resumed[stream] += 1
        opened.begin()

    def _end(self, opened: _Open, stream: str, request_id: RequestId | None) -> None:
        """A request of a session has been answered, or its client has gone."""
        if stream:
            opened.resumed[stream] -= 1
        opened.end()
        self._look_after(opened, opened.session.pending_id(stream) if request_id is None else request_id)

    def _look_after(self, opened: _Open, request_id: RequestId | None) -> None:
        """Do what follows from the end of a request."""
        if request_id is not None and opened.session.is_pending(request_id):
            self._cancel_later(opened, request_id)
        if not opened.is_saved:
            self._save(opened)
        if opened.transport.is_terminated:
            self._forget(opened.session_id)

    def _answer_to(self, opened: _Open, request_id: RequestId, version: str) -> CallAnswer:
        """Make what waits for the messages of a call; `_leave` must follow when that has been made."""
        answer = CallAnswer(KeptStream(self._log, opened.session_id, str(request_id), request_id))
        negotiated = opened.session.negotiated
        # A new client of an old server says the old version, and reads all events nevertheless.
        answer.begin(version, negotiated.asked if negotiated else "")
        return answer

    def _leave(self, opened: _Open, request_id: RequestId, answer: CallAnswer) -> None:
        answer.close()
        opened.session.hang_up(request_id, answer)

    async def _answer(self, opened: _Open, call: JSONRPCRequest, scope: Scope, receive: Receive, send: Send) -> None:
        version = Headers(scope=scope).get(VERSION_HEADER, DEFAULT_NEGOTIATED_VERSION)
        answer = self._answer_to(opened, call.id, version)
        opened.session.call(call, answer)
        try:
            await answer.send(scope, receive, send)
        finally:
            self._leave(opened, call.id, answer)

    async def _resume(
        self, opened: _Open, stream: str, event_id: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Send what followed an event of a call's stream, and then what is still to come.

        Both in one step: the SDK's transport loses what comes between the two, an answer as well.
        """
        request_id, asked = opened.session.pending_id(stream), request_of(event_id)
        answer = CallAnswer(KeptStream(self._log, opened.session_id, stream, request_id))
        for event in opened.events.after(event_id):
            answer.repeat(event.id_for(asked), event.message)
        if request_id is None and asked is not None and not opened.events.is_answered(stream):
            # Of an earlier process, or of long ago. Without an answer the client would wait until its own time-out.
            answer.repeat(told_id(event_id), lost_answer(asked))
        if request_id is None:
            answer.close()
            # Where there is no more, 204 tells event streams to end: the SDK for TypeScript comes back after each error.
            await (answer.send if answer.waiting_bytes else Response(status_code=204))(scope, receive, send)
            return
        opened.session.listen(request_id, answer)
        try:
            await answer.send(scope, receive, send)
        finally:
            opened.session.hang_up(request_id, answer)

    def _cancel_later(self, opened: _Open, request_id: RequestId) -> None:
        """Cancel a call whose client has closed the stream of its answer, unless it comes back."""
        if opened.transport.is_terminated or not opened.events.holds(str(request_id)):
            # It has no event to come back to.
            opened.session.drop(request_id)
        elif not self._is_closed:
            self._start_timer(opened, request_id)

    def _start_timer(self, opened: _Open, request_id: RequestId) -> None:
        def fire() -> None:
            self._timers.discard(timer)
            if not opened.resumed[str(request_id)]:
                opened.session.drop(request_id)

        # No task: this may run in a callback of the loop, where `start_soon` fails if sniffio is installed.
        timer = asyncio.get_running_loop().call_later(RESUME_S, fire)
        self._timers.add(timer)

    def _save(self, opened: _Open) -> None:
        negotiated = opened.session.negotiated
        if negotiated is not None and opened.session_id in self._open_sessions:
            opened.is_saved = True
            self._memory.save(opened.session_id, negotiated)

    def _forget(self, session_id: str) -> None:
        self._open_sessions.pop(session_id, None)
        self._log.forget(session_id)
        self._memory.forget(session_id)

    async def _evict(self) -> bool:
        """End the session that has been idle the longest; tells whether there was one without open requests."""
        idle = [(opened.used, session_id) for session_id, opened in self._open_sessions.items() if not opened.in_flight]
        if not idle:
            return False
        _, session_id = min(idle)
        opened = self._open_sessions[session_id]
        self._forget(session_id)
        await opened.transport.terminate()
        return True

    async def _reopen(self, session_id: str) -> _Open | None:
        """Continue a session that began before this process did."""
        negotiated = self._memory.find(session_id)
        if negotiated is None or (len(self._open_sessions) >= MAX_SESSIONS and not await self._evict()):
            return None
        return self._open_sessions.get(session_id) or await self._open(session_id, negotiated)

    async def _open(self, session_id: str = "", negotiated: Negotiated | None = None) -> _Open:
        session_id = session_id or uuid4().hex
        events = SessionEvents(self._log, session_id)
        transport = StreamableHTTPServerTransport(
            session_id, security_settings=_NO_HOST_GUARD, idle_timeout=IDLE_S, event_store=events
        )
        session = self._bridge.open(negotiated)
        opened = _Open(session_id, transport, session, events, used=time.monotonic(), is_saved=negotiated is not None)
        self._open_sessions[session_id] = opened
        is_connected = anyio.Event()
        self._tasks.start_soon(self._serve, session_id, opened, is_connected)
        await is_connected.wait()
        return opened

    async def _serve(self, session_id: str, opened: _Open, is_connected: anyio.Event) -> None:
        transport = opened.transport
        try:
            async with transport.connect() as (read, write):
                is_connected.set()
                with transport.idle_scope or anyio.CancelScope():
                    await opened.session.serve(read, write)
                self._forget(session_id)
                await transport.terminate()
        except Exception as error:  # noqa: BLE001 - one client's session ends, the others go on
            log("session_failed", level="error", reason=type(error).__name__)
        finally:
            is_connected.set()
            self._open_sessions.pop(session_id, None)


def _is_in_progress(opened: _Open, call: JSONRPCRequest) -> bool:
    """Whether a request of the same id is: the messages of the two could not be told apart."""
    return opened.session.is_pending(call.id) or opened.session.has_listener(call.id)


def _is_plain(scope: Scope) -> bool:
    """Whether nothing about the headers of a call needs the SDK's transport: that refuses what is wrong, in its words."""
    headers = Headers(scope=scope)
    content_type = headers.get("content-type", "").lower()
    return content_type.startswith("application/json") and _accepted(headers.get("accept", "")) == (True, True)


@lru_cache(maxsize=64)
def _accepted(accept: str) -> tuple[bool, bool]:
    """Whether a client takes an answer as JSON, and as events; it says the same each time."""
    return check_accept_headers(Request({"type": "http", "headers": [(b"accept", accept.encode("latin-1"))]}))


def _resumption(opened: _Open, scope: Scope) -> tuple[list[tuple[bytes, bytes]], str, str]:
    """Headers of a request, the stream that it comes back to, and the event that it has seen last; empty for none."""
    name = LAST_EVENT_ID_HEADER.encode()
    event_id = next((value.decode("latin-1") for field, value in scope["headers"] if field == name), None)
    headers = [field for field in scope["headers"] if field[0] != name]
    if scope["method"] != "GET":
        return headers, "", ""
    if event_id is None and not opened.has_listened and opened.events.holds(GET_STREAM_KEY):
        # What the server has said before the client began to listen.
        event_id = BEGINNING
    stream = opened.events.stream_of(event_id) if event_id is not None else None
    if event_id is not None and stream is None:
        stream = stream_named_by(event_id)
    opened.has_listened = opened.has_listened or stream in {None, GET_STREAM_KEY}
    if event_id is None or stream is None:
        # Of an event that is not kept nothing follows: the stream begins anew.
        return headers, "", ""
    return [*headers, (name, event_id.encode("latin-1"))], stream, event_id


def _error(status: int, code: int, message: str) -> JSONResponse:
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}, status)
