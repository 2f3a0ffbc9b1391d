"""Which requests are answered, decided from their heads alone. Pure: nothing here touches a socket.

A browser lets any web page send requests to a server on the reader's own machine. The Host header tells a page whose
name was pointed at this machine (DNS rebinding) from ours, the Origin header tells who asks.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping

import msgspec

from octavo.config import ServerSettings
from octavo.lazy import regex as re
from octavo.manifest import MCP_PATH

SEARCH_PREFIX = "/1/"
"""Paths of the search protocol. Clients on other sites may use them where the settings say so."""
ASSETS_PREFIX = "/_octavo/assets/"
"""The theme's own scripts and styles: the same for every site, so nobody learns anything from them."""

_HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^\s:\[\]/@,]+))(?::(?P<port>[0-9]{1,5}))?")
_HIGHEST_PORT = 65_535
_MOST_SHOWN = 80
"""Characters of a header that a message quotes."""
_UNSPECIFIED = ("", "0.0.0.0", "::")  # noqa: S104 - compared with, not bound to
_DEFAULT_PORTS = {"http": "80", "https": "443"}


class Refusal(msgspec.Struct, frozen=True):
    """Why a request is not answered."""

    status: int
    """421 or 403."""
    message: str
    """What is wrong and how to allow it, in one line."""


class AccessRules(msgspec.Struct, frozen=True, kw_only=True):
    """The decisions for one server."""

    checks_host: bool = True
    """Refuse Host headers that do not name this server."""
    own_names: frozenset[str] = frozenset()
    """Names that the server was told to listen on, answered besides loopback names."""
    site_names: frozenset[str] = frozenset()
    """Names of the site, as a proxy in front is asked for it; `.example.org` stands for all below a domain."""
    takes_addresses: bool = False
    """Any IP address is answered as a Host: no domain name can be made to point there."""
    search_origins: frozenset[str] = frozenset()
    """Origins of pages elsewhere that may use search; `*` for all."""
    is_private: bool = False
    """Pages of other origins get nothing at all: what is served is not published."""

    def refusal(self, path: str, headers: Mapping[str, list[str]]) -> Refusal | None:
        """Decide on a request; None answers it.

        Args:
            path: Path of the request, decoded.
            headers: Name in lower case → its values.
        """
        hosts = headers.get("host", [])
        if self.checks_host and (len(hosts) != 1 or not self._serves(hosts[0])):
            return Refusal(
                421,
                f"This server does not answer for the host {_shown(', '.join(hosts))}. "
                "If that name is yours, add it to allowed_hosts of [server] in octavo.toml.",
            )
        origin = _foreign_origin(headers)
        if self.is_private:
            return None if path.startswith(ASSETS_PREFIX) else self._private_refusal(origin, headers)
        is_asked = path.startswith(SEARCH_PREFIX) or path == MCP_PATH
        if origin and is_asked and not self.allows(origin):
            return Refusal(
                403,
                f"Pages of {_shown(origin)} may not {'use this search' if path != MCP_PATH else 'ask this server'}. "
                "Add that origin to search_origins of [server] in octavo.toml to allow it.",
            )
        return None

    def _private_refusal(self, origin: str, headers: Mapping[str, list[str]]) -> Refusal | None:
        if origin:
            if self._is_of_site(origin):
                return None
            return Refusal(403, f"Pages of {_shown(origin)} may not read a site that is not published.")
        # Requests for images and scripts carry no Origin; browsers say in this header whether another site asks.
        if _one(headers, "sec-fetch-site") in ("cross-site", "same-site") and (
            _one(headers, "sec-fetch-mode") != "navigate"
        ):
            return Refusal(403, "Pages of other sites may not read a site that is not published.")
        return None

    def allows(self, origin: str) -> bool:
        """Return whether pages of another origin may use search."""
        return not self.search_origins.isdisjoint(("*", origin.lower())) or self._is_of_site(origin)

    def _serves(self, host: str) -> bool:
        name = host_name(host)
        if name is None:
            return False
        if is_loopback(name) or name in self.own_names or self._is_site_name(name):
            return True
        return self.takes_addresses and _address(name) is not None

    def _is_of_site(self, origin: str) -> bool:
        """Return whether an origin is the site's own, asked for through a proxy that has put another name into Host."""
        name = host_name(origin.partition("://")[2])
        return name is not None and self._is_site_name(name)

    def _is_site_name(self, name: str) -> bool:
        domains = (known for known in self.site_names if known.startswith("."))
        return name in self.site_names or any(name.endswith(domain) for domain in domains)


OPEN_TO_ALL = AccessRules(checks_host=False, search_origins=frozenset({"*"}))
"""Every host and every origin: the search protocol as a public server speaks it."""


def make_rules(
    settings: ServerSettings, host: str, addresses: Iterable[str], *, site_url: str = "", is_private: bool = False
) -> AccessRules:
    """Work out the rules of a server.

    Args:
        settings: What the operator allows.
        host: Name or address that the server was told to listen on.
        addresses: IP addresses that it listens on.
        site_url: Address under which the site is published; its host is answered as well.
        is_private: It serves unpublished text: nothing for pages of other origins, wherever the server listens.
    """
    site_name = host_name(site_url.partition("://")[2])
    is_local = all(is_loopback(address) for address in addresses)
    allowed = {name.lower() for name in settings.allowed_hosts}
    origins = {origin.lower() for origin in settings.search_origins}
    # The protocol is meant for pages of any site; only a server that no other machine reaches keeps to itself.
    if not origins and not is_local:
        origins = {"*"}
    return AccessRules(
        checks_host="*" not in allowed and (is_local or is_private or bool(allowed)),
        own_names=frozenset({host.lower()} - {*_UNSPECIFIED}),
        # Other servers of this machine have loopback names too; their pages are not pages of this site.
        site_names=frozenset(name for name in (*allowed, site_name or "") if name and not is_loopback(name)),
        takes_addresses=not is_local,
        search_origins=frozenset() if is_private else frozenset(origins),
        is_private=is_private,
    )


def host_name(host: str) -> str | None:
    """Take the name out of a Host header, in lower case, IPv6 without brackets; None where it is malformed."""
    found = _HOST.fullmatch(host)
    if found is None or int(found["port"] or 0) > _HIGHEST_PORT:
        return None
    return (found["six"] or found["name"]).lower().removesuffix(".")


def is_loopback(name: str) -> bool:
    """Return whether a name or an address always means the machine itself (RFC 6761 section 6.3)."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped.is_loopback
    return address is not None and address.is_loopback


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _foreign_origin(headers: Mapping[str, list[str]]) -> str:
    """Give the origin of the page that asks; empty where it is the server's own, or no page asks."""
    origins = headers.get("origin", [])
    if not origins:
        return ""
    if len(origins) > 1:
        return ", ".join(origins)
    scheme, _, authority = origins[0].partition("://")
    port = _DEFAULT_PORTS.get(scheme, "")
    own = _one(headers, "host").lower()
    # The scheme is not compared: a proxy in front may have taken off the encryption.
    is_own = bool(authority) and authority.lower().removesuffix(f":{port}") == own.removesuffix(f":{port}")
    return "" if is_own else origins[0]


def _one(headers: Mapping[str, list[str]], name: str) -> str:
    values = headers.get(name, [])
    return values[0] if len(values) == 1 else ""


def _shown(value: str) -> str:
    """Quote a header in a message, without what a terminal or a page could take for more than text."""
    plain = "".join(char if char.isprintable() else "?" for char in value[:_MOST_SHOWN])
    return f'"{plain}"'
