"""Who a reader is, behind proxies: the address that limits count by."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Literal

from starlette.types import ASGIApp, Receive, Scope, Send

from octavo.lazy import regex as re

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
ProxyHeader = Literal["x-forwarded-for", "forwarded"]

_FOR = re.compile(r"(?:^|;)\s*for\s*=\s*(?:\"(?P<quoted>[^\"]*)\"|(?P<plain>[^;\s]*))", re.IGNORECASE)
_WITH_PORT = re.compile(r"\[(?P<six>[^\]]+)\](?::\d+)?|(?P<four>[0-9.]+):\d+")


class TrustedProxies:
    """Finds the reader's address in the header that proxies write; only configured proxies are trusted."""

    def __init__(self, networks: Iterable[str], header: ProxyHeader | str = "x-forwarded-for") -> None:
        """Initialize.

        Args:
            networks: Addresses and networks (`10.0.0.0/8`) of proxies.
            header: The one header that they write. Only one is read: the other may be the reader's own invention,
                which a proxy that does not know it passes on.

        Raises:
            ValueError: one of them is neither an address nor a network.
        """
        self._networks = [ipaddress.ip_network(network, strict=False) for network in networks]
        self._header = header.lower().encode()

    def find(self, peer: str, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """Give the address of the reader.

        It is the last one in the list that no trusted proxy has: everything before it was written by somebody whom
        nobody vouches for.

        Args:
            peer: Address that the connection comes from.
            headers: Headers of the request.
        """
        reader = parse_address(peer)
        if reader is None or not self._trusts(reader):
            return str(reader or peer)
        values = b",".join(value for name, value in headers if name.lower() == self._header).decode("latin-1")
        for entry in reversed(values.split(",")):
            named = parse_address(_named_in(entry) if self._header == b"forwarded" else entry)
            if named is None:
                break
            reader = named
            if not self._trusts(named):
                break
        return str(reader)

    def _trusts(self, address: Address) -> bool:
        return any(address.version == network.version and address in network for network in self._networks)


class ProxyHeaders:
    """Puts the reader's address into the scope, in the place of the proxy's."""

    def __init__(self, app: ASGIApp, proxies: TrustedProxies) -> None:
        self._app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and (client := scope.get("client")):
            scope = {**scope, "client": (self._proxies.find(client[0], scope["headers"]), client[1])}
        await self._app(scope, receive, send)


def parse_address(text: str) -> Address | None:
    """Read an IP address, also with a port or in brackets; IPv4 in IPv6 becomes IPv4. None for what is none."""
    text = text.strip().strip('"')
    if found := _WITH_PORT.fullmatch(text):
        text = found["six"] or found["four"]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _named_in(element: str) -> str:
    """Take `for=…` out of an element of the Forwarded header (RFC 7239 section 4)."""
    found = _FOR.search(element)
    return (found["quoted"] or found["plain"] or "") if found else ""
