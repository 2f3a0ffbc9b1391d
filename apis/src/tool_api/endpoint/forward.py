"""A port in front of a server that speaks HTTP itself: every request is passed on, every answer streamed back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial

import anyio
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from tool_api.endpoint.direct import MOST_ANSWER_BYTES, PLAIN, DirectRequest, TakeRequest, Waiting, written_head
from tool_api.endpoint.gathering import told_when_gone
from tool_api.endpoint.upstream import BrokenError, Connection, UnreachableError, Upstream
from tool_api.errors import ToolError
from tool_api.guard import BodyLimit
from tool_api.runtime.place import Place
from tool_api.settings import Limits

# RFC 9110, section 7.6.1: what concerns one connection only is not passed on.
_HOP_BY_HOP = frozenset(
    (
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",  # codespell:ignore te
        "trailer",
        "transfer-encoding",
        "upgrade",
    )
)
_ONE_CONNECTION = frozenset(name.encode() for name in _HOP_BY_HOP)
_PLAIN_CONNECTION = frozenset((b"keep-alive", b"close"))
_WITHOUT_BODY = frozenset((204, 304))
_NO_ANSWER = "The server does not answer; its log says why if it has ended"
CONNECT_TIMEOUT_S = 5
RETRY_S = 0.2
_WITH_BODY = frozenset(("POST", "PUT", "PATCH"))

Locate = Callable[[], Awaitable[Place]]


class Forward:
    """An ASGI application that passes requests on to the server at an address."""

    def __init__(self, locate: Locate, *, target_port: int, keeps_token: bool, limits: Limits) -> None:
        """Args: locate: Tells where the server is, which changes when its container is started anew.

        target_port: Port that the server believes to listen on.
        keeps_token: Whether Authorization is forwarded to the server; a token for us is not for it.
        limits: Size of a request, and how long a server may take to start.
        """
        self._locate = locate
        # Servers that check the Host header know themselves as localhost and their own port, not the published one.
        self._host = f"localhost:{target_port}"
        self._ready_timeout_s = limits.ready_timeout_s
        self._place: Place | None = None
        self._starting = anyio.Lock()
        self._bodies = BodyLimit(limits.max_message_bytes, "--max-message-bytes")
        # The body is here already: nothing is expected of the server before it is sent.
        own = {"host", "content-length", "expect"} | (set() if keeps_token else {"authorization"})
        self._dropped = _ONE_CONNECTION | {name.encode() for name in own}
        # Streams stay open as long as both ends like, and there may be any number; only connecting has a limit.
        self._upstream = Upstream(CONNECT_TIMEOUT_S)
        self._waiting = Waiting()
        self._last_back: tuple[tuple[int, bytes, list[tuple[bytes, bytes]]], bytes] = (0, b"", []), b""
        """What the head of an answer was made of last, and that."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._handle(scope, receive, send)

    async def aclose(self) -> None:
        self._waiting.close()
        self._upstream.close()
        if self._place is not None:
            self._leave(self._place)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward one request, and give it up as soon as its client has gone."""
        body = await self._bodies.read(scope, receive, send)
        if body is None:
            return
        await _while_client_is_there(self._forward(scope, body, receive, send), scope, receive)

    def look(self, scope: Scope) -> TakeRequest | None:
        """Who forwards requests with a head at once, if there is a connection that has been used before (a `direct.Handler`)."""
        return partial(self._take, self._head_without_length(scope), _host(scope))

    def _take(self, head: bytes, host: bytes, request: DirectRequest) -> bool:
        place = self._place
        connection = self._upstream.idle(place) if place is not None else None
        if place is None or connection is None:
            return False
        body = request.body
        look = partial(self._look, request, place, connection, host)
        connection.send(head + b"content-length: %d\r\n\r\n" % len(body), body, has_no_body=False, tell=look)
        request.when_done(partial(self._end, place, connection))
        return True

    def _look(self, request: DirectRequest, place: Place, connection: Connection, host: bytes) -> None:
        """Send what has come of the answer to a request of `_take`.

        An answer with a length is sent when it is whole, of any other each piece at once: its client may read
        the one while the server makes the next.
        """
        if not request.is_open:
            return
        is_whole = connection.is_whole
        if request.has_begun and not connection.has_failed and not request.is_congested:
            request.go_on(connection.take(), is_last=is_whole)
        elif is_whole and not request.has_begun:
            self._send_whole(request, connection, host)
        elif connection.has_failed and not connection.has_head:
            self._leave(place)
            request.answer(502, PLAIN, _NO_ANSWER.encode())
        elif connection.has_head:
            self._begin(request, connection, host)

    def _send_whole(self, request: DirectRequest, connection: Connection, host: bytes) -> None:
        body = connection.take()
        length = b"" if connection.status in _WITHOUT_BODY else b"content-length: %d\r\n" % len(body)
        request.answer_with(self._written_back(connection, host), length, body)

    def _written_back(self, answer: Connection, host: bytes) -> bytes:
        """The head of an answer as it is sent, without the length: the same as the last one, mostly."""
        asked = (answer.status, host, answer.fields)
        if self._last_back[0] != asked:
            headers = [field for field in self._headers_back(answer, host) if field[0] != b"content-length"]
            self._last_back = asked, written_head(answer.status, headers)
        return self._last_back[1]

    def _begin(self, request: DirectRequest, connection: Connection, host: bytes) -> None:
        """Begin with an answer that is not whole, or let an application go on with it, which can wait."""
        rest = partial(self._send_rest, connection, host, request.has_begun)
        is_much = connection.waiting_bytes > MOST_ANSWER_BYTES
        if connection.has_failed or request.is_congested or (is_much and not connection.is_chunked):
            request.hand_over(rest)
        elif connection.is_chunked:
            request.begin(self._written_back(connection, host), connection.take(), is_last=False)
        else:
            self._waiting.add(request, rest)

    async def _send_rest(
        self, connection: Connection, host: bytes, has_begun: bool, scope: Scope, receive: Receive, send: Send
    ) -> None:
        connection.tell_nobody()
        await _while_client_is_there(self._stream_back(connection, host, send, has_begun=has_begun), scope, receive)

    def _end(self, place: Place, connection: Connection) -> None:
        connection.tell_nobody()
        self._upstream.release(place, connection)

    async def _forward(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        answer = await self._ask(scope, body)
        if answer is None:
            await PlainTextResponse(_NO_ANSWER, 502)(scope, receive, send)
            return
        place, connection = answer
        try:
            await self._stream_back(connection, _host(scope), send)
        finally:
            self._upstream.release(place, connection)

    async def _ask(self, scope: Scope, body: bytes) -> tuple[Place, Connection] | None:
        """Send the request once; None where no answer comes."""
        head = self._head(scope, body)
        while True:
            try:
                place = await self._wait_for_server()
            except (ToolError, TimeoutError):
                return None
            try:
                connection = await self._upstream.connection(place)
            except UnreachableError:
                # Nothing was sent: the container was started again, perhaps somewhere else.
                self._leave(place)
                continue
            try:
                await connection.ask(head, body, has_no_body=scope["method"] == "HEAD")
            except BrokenError:
                connection.close()
                self._leave(place)
                return None
            except BaseException:
                connection.close()
                raise
            return place, connection

    def _leave(self, place: Place) -> None:
        """Look for the server anew before the next request."""
        if self._place is place:
            self._place = None
        place.close()

    def _head(self, scope: Scope, body: bytes) -> bytes:
        """Request line and headers as the server gets them."""
        has_body = bool(body) or scope["method"] in _WITH_BODY
        length = b"content-length: %d\r\n" % len(body) if has_body else b""
        return self._head_without_length(scope) + length + b"\r\n"

    def _head_without_length(self, scope: Scope) -> bytes:
        dropped = _dropped_by(scope["headers"], self._dropped)
        lines = [f"{scope['method']} ".encode() + _raw_path(scope) + b" HTTP/1.1", b"host: " + self._host.encode()]
        lines += [name + b": " + value for name, value in scope["headers"] if name not in dropped]
        return b"\r\n".join([*lines, b""])

    async def _wait_for_server(self) -> Place:
        """Where the server is, as soon as it answers anything.

        A published port takes connections before the server in the container does, and drops them. So a request is
        only sent, and sent once, when a harmless one has been answered.

        Raises:
            TimeoutError: It did not in time.
            ToolError: There is no such container.
        """
        if self._place is not None:
            return self._place
        with anyio.fail_after(self._ready_timeout_s):
            async with self._starting:
                while self._place is None:
                    place = await self._locate()
                    if await self._answers(place):
                        self._place = place
                    else:
                        place.close()
                        await anyio.sleep(RETRY_S)
                return self._place

    async def _answers(self, place: Place) -> bool:
        head = f"GET / HTTP/1.1\r\nhost: {self._host}\r\nconnection: close\r\n\r\n".encode()
        try:
            connection = await self._upstream.connection(place)
        except UnreachableError:
            return False
        try:
            connection.send(head, b"", has_no_body=False)
            # Servers that prepare themselves with their first request would begin again with every other one.
            while not await _has_head(connection):
                if not await place.is_current():
                    return False
        except BrokenError:
            return False
        finally:
            connection.close()
        return True

    def _headers_back(self, answer: Connection, host: bytes) -> list[tuple[bytes, bytes]]:
        headers = answer.fields
        dropped = _dropped_by(headers, _ONE_CONNECTION)
        if answer.status in _WITHOUT_BODY:
            # It tells the length of what is not sent; uvicorn would take an answer without it for one that is cut off.
            dropped = dropped | {b"content-length"}
        return [
            (name, self._own_location(value, host) if name == b"location" else value)
            for name, value in headers
            if name not in dropped
        ]

    async def _stream_back(self, answer: Connection, host: bytes, send: Send, *, has_begun: bool = False) -> None:
        if not has_begun:
            headers = self._headers_back(answer, host)
            await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        is_last = False
        # An answer that the server breaks off is not ended: uvicorn closes the connection, and the client sees it.
        with suppress(BrokenError):
            while not is_last:
                piece, is_last = await answer.next_piece()
                await send({"type": "http.response.body", "body": piece, "more_body": not is_last})

    def _own_location(self, location: bytes, host: bytes) -> bytes:
        """A redirect to the server's own address becomes one to ours: the client cannot reach the server's."""
        own = f"http://{self._host}".encode()
        # What follows may not be part of another port's number.
        is_own = location.startswith(own) and location[len(own) : len(own) + 1] in (b"", b"/", b"?", b"#")
        return b"http://" + host + location[len(own) :] if is_own and host else location


class _Gone:
    """Cancels a task when the client has gone."""

    def __init__(self, task: asyncio.Task[object] | None) -> None:
        self._task = task
        self._has_cancelled = False

    def cancel(self) -> None:
        self._has_cancelled = self._task is not None and self._task.cancel()

    def is_sole_reason(self) -> bool:
        """Whether the task was cancelled for this and nothing else; then it may go on."""
        return self._has_cancelled and self._task is not None and self._task.uncancel() == 0


async def _has_head(connection: Connection) -> bool:
    """Whether the head of an answer comes within `CONNECT_TIMEOUT_S`."""
    with suppress(TimeoutError):
        async with asyncio.timeout(CONNECT_TIMEOUT_S):
            await connection.until_head()
            return True
    return False


async def _while_client_is_there(work: Awaitable[None], scope: Scope, receive: Receive) -> None:
    """Wait for work on a request, and end it as soon as the client has gone."""
    gone = _Gone(asyncio.current_task())
    try:
        with told_when_gone(scope, receive, gone.cancel):
            await work
    except asyncio.CancelledError:
        if not gone.is_sole_reason():
            raise  # it was not the client: the port is being closed


def _dropped_by(headers: Iterable[tuple[bytes, bytes]], always: frozenset[bytes]) -> frozenset[bytes]:
    """Names of headers that are not passed on: these, and what `Connection` names (RFC 9110, section 7.6.1).

    Args:
        headers: With names in lower case.
        always: Those that are dropped whatever it says.
    """
    for name, value in headers:
        if name == b"connection" and value.lower() not in _PLAIN_CONNECTION:
            always = always | {named.strip().lower() for named in value.split(b",")}
    return always


def _host(scope: Scope) -> bytes:
    """How the client calls us."""
    return Headers(scope=scope).get("host", "").encode("latin-1")


def _raw_path(scope: Scope) -> bytes:
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope["query_string"]
    return path.partition(b"?")[0] + (b"?" + query if query else b"")
