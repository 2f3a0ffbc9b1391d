"""What the bridge says, to the server and to clients, and when it wants to be called again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from mcp.types import ErrorData, JSONRPCError, JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, RequestId
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION

REQUEST_CANCELLED = -32800
"""Error code of a call that its client cancelled, as the MCP SDKs send it."""

ANNOUNCED: Mapping[str, Any] = {
    "roots": {"listChanged": True},
    "sampling": {"context": {}, "tools": {}},
    "elicitation": {"form": {}, "url": {}},
}
"""Client capabilities announced to the server: all that can be routed. A client without one answers with an error."""

_MOST_DIGITS = 18
"""Of a number in a text; more are no number of this bridge."""

_FEATURES = {"roots/list": "roots", "sampling/createMessage": "sampling", "elicitation/create": "elicitation"}
"""Request of the server → the client capability it needs."""


@dataclass(frozen=True, slots=True)
class ToServer:
    """Send a message to the server."""

    message: JSONRPCMessage


@dataclass(frozen=True, slots=True)
class ToClient:
    """Send a message to a session; `related` is the id of the client's request that it belongs to, if any."""

    session: int
    message: JSONRPCMessage
    related: RequestId | None = None


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Call `on_timeout` with this number once the time to get ready has passed."""

    number: int


Effect: TypeAlias = ToServer | ToClient | StartTimer


class Effects:
    """Collects what one event has to do, in order."""

    def __init__(self) -> None:
        self._effects: list[Effect] = []

    def to_server(self, message: JSONRPCMessage) -> None:
        """Send a message to the server."""
        self._effects.append(ToServer(message))

    def to_client(self, session: int, message: JSONRPCMessage, related: RequestId | None = None) -> None:
        """Send a message to a session; see `ToClient`."""
        self._effects.append(ToClient(session, message, related))

    def start_timer(self, number: int) -> None:
        """Have `on_timeout` called; see `StartTimer`."""
        self._effects.append(StartTimer(number))

    def take(self) -> list[Effect]:
        """Give what was collected, once."""
        effects, self._effects = self._effects, []
        return effects


def notification(method: str, params: dict[str, Any] | None = None) -> JSONRPCNotification:
    """Make a notification; without parameters it has no such field, as some servers check."""
    if params is None:
        return JSONRPCNotification(jsonrpc="2.0", method=method)
    return JSONRPCNotification(jsonrpc="2.0", method=method, params=params)


def own_request(number: int, method: str, params: dict[str, Any]) -> JSONRPCRequest:
    """Make a request of the bridge itself."""
    return JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=params)


def error(request_id: RequestId | None, code: int, text: str) -> JSONRPCError:
    """Make an error as the answer to a request."""
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=text))


def own_number(request_id: RequestId | None) -> int | None:
    """The number that the bridge gave to a request, from an answer to it: some peers keep ids as texts."""
    if isinstance(request_id, str):
        is_number = request_id.isascii() and request_id.isdecimal() and len(request_id) <= _MOST_DIGITS
        return int(request_id) if is_number else None
    return request_id


def token_of(request: JSONRPCRequest) -> Any:
    """The progress token of a request; None if it has none."""
    meta = (request.params or {}).get("_meta")
    return meta.get("progressToken") if isinstance(meta, dict) else None


def with_token(params: dict[str, Any] | None, number: int) -> tuple[dict[str, Any] | None, Any]:
    """Replace the client's progress token by the call's number.

    Returns:
        The parameters, and the client's token; None if there is none.
    """
    meta = (params or {}).get("_meta")
    if not isinstance(meta, dict) or meta.get("progressToken") is None:
        return params, None
    return {**(params or {}), "_meta": {**meta, "progressToken": number}}, meta["progressToken"]


def common_version(wanted: Any, offered: Any) -> str:
    """Version for a client: the one it wants if the server's is not older, otherwise the server's."""
    newest = str(offered) if isinstance(offered, str) else LATEST_HANDSHAKE_VERSION
    if wanted not in HANDSHAKE_PROTOCOL_VERSIONS:
        return newest
    known = HANDSHAKE_PROTOCOL_VERSIONS
    is_older = newest in known and known.index(wanted) <= known.index(newest)
    return str(wanted) if is_older else newest


def supports(capabilities: Mapping[str, Any], request: JSONRPCRequest) -> bool:
    """Return whether a client with these capabilities can answer a request of the server."""
    feature = _FEATURES.get(request.method)
    if feature is None:
        return True
    declared = capabilities.get(feature)
    if not isinstance(declared, dict):
        return False
    if feature == "elicitation" and (request.params or {}).get("mode") == "url":
        return "url" in declared
    return True
