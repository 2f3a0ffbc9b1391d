"""Messages of clients and of a server, and what a bridge does with them."""

from __future__ import annotations

from typing import Any

from mcp.types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from tool_api.endpoint.bridge.messages import Effect, StartTimer, ToClient, ToServer
from tool_api.endpoint.bridge.state import BridgeState

A, B, C = 1, 2, 3


ALL = {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {}}
NEWEST = "2025-11-25"


def request(method: str, number: int | str = 1, **params: object) -> JSONRPCRequest:
    return JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=params or None)


def call(number: int | str = 1, tool: str = "t", **params: object) -> JSONRPCRequest:
    return request("tools/call", number, name=tool, **params)


def notify(method: str, **params: object) -> JSONRPCNotification:
    return JSONRPCNotification(jsonrpc="2.0", method=f"notifications/{method}", params=params or None)


def result(number: Any, **values: object) -> JSONRPCResponse:
    return JSONRPCResponse(jsonrpc="2.0", id=number, result=values)


def initialize(number: int | str = 0, version: str = NEWEST, **capabilities: object) -> JSONRPCRequest:
    return request("initialize", number, protocolVersion=version, capabilities=capabilities, clientInfo={"name": "c"})


def to_server(effects: list[Effect]) -> list[Any]:
    return [effect.message for effect in effects if isinstance(effect, ToServer)]


def to_client(effects: list[Effect], session: int) -> list[Any]:
    return [effect.message for effect in effects if isinstance(effect, ToClient) and effect.session == session]


def timers(effects: list[Effect]) -> list[int]:
    return [effect.number for effect in effects if isinstance(effect, StartTimer)]


def handshake(state: BridgeState, effects: list[Effect], version: str = NEWEST) -> list[Effect]:
    """Answer the server's `initialize`, which is the last of the effects."""
    message = to_server(effects)[-1]
    assert message.method == "initialize"
    return state.on_server(result(message.id, protocolVersion=version, capabilities={"tools": {}}, serverInfo={}))


def ready(*sessions: int, **capabilities: object) -> BridgeState:
    """Make a state with initialized sessions at a running server."""
    state = BridgeState("bridge", "1")
    state.on_ready()
    for session in sessions:
        state.on_open(session)
        effects = state.on_client(session, initialize(**(capabilities or ALL)))
        if to_server(effects):
            handshake(state, effects)
        state.on_client(session, notify("initialized"))
    return state


def send(state: BridgeState, session: int, message: JSONRPCMessage) -> int:
    """Send a request that goes to the server at once; returns its number there."""
    (sent,) = to_server(state.on_client(session, message))
    assert isinstance(sent, JSONRPCRequest)
    assert isinstance(sent.id, int)
    return sent.id


def code(message: JSONRPCMessage) -> int:
    assert isinstance(message, JSONRPCError), message
    return message.error.code
