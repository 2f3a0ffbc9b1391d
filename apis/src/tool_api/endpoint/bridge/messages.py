"""What the bridge says, to the server and to clients, and when it wants to be called again."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, TypeAlias

from mcp.types import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    RequestId,
)
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION

REQUEST_CANCELLED = -32800
"""Error code of a call that its client cancelled, as the MCP SDKs send it."""

ANNOUNCED: Mapping[str, Any] = {
    "roots": {"listChanged": True},
    "sampling": {"context": {}, "tools": {}},
    "elicitation": {"form": {}, "url": {}},
}
"""Client capabilities announced to the server: all that can be routed. A client without one answers with an error."""

_URL_ELICITATION_REQUIRED = -32042
"""Error code of a call that its user has to open an address for first."""

_MOST_DIGITS = 18
"""Of a number in a text; more are not a number of this bridge."""

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


def why_unanswerable(capabilities: Mapping[str, Any], request: JSONRPCRequest) -> ErrorData | None:
    """Return why a client with these capabilities cannot answer a request of the server; None if it can."""
    feature = "tasks" if request.method.startswith("tasks/") else _FEATURES.get(request.method)
    if feature is None:
        return None
    declared = capabilities.get(feature)
    if not isinstance(declared, dict):
        return ErrorData(code=METHOD_NOT_FOUND, message=f"The client does not support {request.method}")
    if lacking := _lacking_part({key for key, value in declared.items() if value is not None}, request):
        return ErrorData(code=INVALID_PARAMS, message=f"The client does not support {lacking} in {request.method}")
    return None


def _lacking_part(declared: AbstractSet[str], request: JSONRPCRequest) -> str:
    """What a request asks for beyond the parts of a feature that a client has declared; empty for nothing."""
    params = request.params or {}
    if request.method == "sampling/createMessage":
        has_tools = any(params.get(name) is not None for name in ("tools", "toolChoice"))
        return "tools" if has_tools and "tools" not in declared else ""
    if request.method == "elicitation/create":
        mode = str(params.get("mode") or "form")
        # A client that names no mode knows forms, which were all there was at first.
        is_known = mode in declared or (mode == "form" and "url" not in declared)
        return "" if is_known else f'the mode "{mode}"'
    return ""


def elicitations_of(needs: ErrorData) -> list[str]:
    """Ids of the elicitations that an error tells a client to go through before it calls again."""
    data = needs.data if needs.code == _URL_ELICITATION_REQUIRED else None
    listed = data.get("elicitations") if isinstance(data, dict) else None
    items = [item.get("elicitationId") for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    return [item for item in items if isinstance(item, str)]
