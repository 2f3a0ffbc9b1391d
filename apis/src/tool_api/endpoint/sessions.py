"""Both HTTP transports of the protocol in front of a bridge: streamable HTTP at /mcp, SSE at /sse and /messages/."""

from __future__ import annotations

import json
from collections import deque
from uuid import uuid4

import anyio
from anyio.abc import TaskGroup
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER, StreamableHTTPServerTransport
from mcp.server.transport_security import RequestBodyLimitMiddleware, TransportSecuritySettings
from mcp_types import INVALID_REQUEST, UNSUPPORTED_PROTOCOL_VERSION
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

from tool_api.endpoint.bridge import Bridge
from tool_api.logs import log

IDLE_S = 30 * 60
MAX_SESSIONS = 1000
MAX_BODY_BYTES = 4 * 1024 * 1024
VERSION_HEADER = "mcp-protocol-version"


class Sessions:
    """An ASGI application; lives as long as the task group it starts its sessions in."""

    def __init__(self, bridge: Bridge, tasks: TaskGroup, security: TransportSecuritySettings) -> None:
        self._bridge = bridge
        self._tasks = tasks
        self._security = security
        self._transports: dict[str, StreamableHTTPServerTransport] = {}
        self._sse = SseServerTransport("/messages/", security_settings=security, max_request_body_size=MAX_BODY_BYTES)
        self._streamable = RequestBodyLimitMiddleware(self._handle_streamable, MAX_BODY_BYTES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        match (scope["path"].rstrip("/") or "/", scope["method"]):
            case ("/mcp", _):
                await self._streamable(scope, receive, send)
            case ("/sse", "GET"):
                await self._handle_sse(scope, receive, send)
            case ("/messages", _):
                await self._sse.handle_post_message(scope, receive, send)
            case ("/sse", _):
                await Response(status_code=405, headers={"Allow": "GET"})(scope, receive, send)
            case _:
                await PlainTextResponse("404 page not found", 404)(scope, receive, send)

    async def _handle_sse(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with self._sse.connect_sse(scope, receive, send) as (read, write):
                await self._bridge.serve(read, write)
        except ValueError:
            # The transport has answered the request that it refused.
            return

    async def _handle_streamable(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        version = request.headers.get(VERSION_HEADER)
        session_id = request.headers.get(MCP_SESSION_ID_HEADER)
        if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            # Clients of later versions take this answer as the hint to shake hands instead.
            response = _error(400, UNSUPPORTED_PROTOCOL_VERSION, f"Unsupported protocol version; use {_newest()}")
            await response(scope, receive, send)
        elif session_id is not None:
            await self._continue(session_id, scope, receive, send)
        else:
            body = await request.body()
            if not _is_initialize(body):
                await _error(400, INVALID_REQUEST, "Bad Request: Missing session ID")(scope, receive, send)
            elif len(self._transports) >= MAX_SESSIONS:
                await _error(503, INVALID_REQUEST, "Too many sessions")(scope, receive, send)
            else:
                transport = await self._open()
                await transport.handle_request(scope, _replay(body, receive), send)

    async def _continue(self, session_id: str, scope: Scope, receive: Receive, send: Send) -> None:
        transport = self._transports.get(session_id)
        if transport is None:
            await _error(404, INVALID_REQUEST, "Session not found")(scope, receive, send)
            return
        await transport.handle_request(scope, receive, send)
        if transport.is_terminated:
            self._transports.pop(session_id, None)

    async def _open(self) -> StreamableHTTPServerTransport:
        session_id = uuid4().hex
        transport = StreamableHTTPServerTransport(session_id, security_settings=self._security, idle_timeout=IDLE_S)
        self._transports[session_id] = transport
        is_connected = anyio.Event()
        self._tasks.start_soon(self._serve, session_id, transport, is_connected)
        await is_connected.wait()
        return transport

    async def _serve(
        self, session_id: str, transport: StreamableHTTPServerTransport, is_connected: anyio.Event
    ) -> None:
        try:
            async with transport.connect() as (read, write):
                is_connected.set()
                with transport.idle_scope or anyio.CancelScope():
                    await self._bridge.serve(read, write)
                await transport.terminate()
        except Exception as error:  # noqa: BLE001 - one client's session ends, the others go on
            log("session_failed", level="error", reason=type(error).__name__)
        finally:
            is_connected.set()
            self._transports.pop(session_id, None)


def _is_initialize(body: bytes) -> bool:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and message.get("method") == "initialize"


def _replay(body: bytes, receive: Receive) -> Receive:
    messages: deque[Message] = deque([{"type": "http.request", "body": body, "more_body": False}])

    async def again() -> Message:
        return messages.popleft() if messages else await receive()

    return again


def _error(status: int, code: int, message: str) -> JSONResponse:
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}, status)


def _newest() -> str:
    return HANDSHAKE_PROTOCOL_VERSIONS[-1]
