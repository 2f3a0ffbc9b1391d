"""Which network an address belongs to, whichever way it is written.

An IPv6 address may stand for an IPv4 address, and connections to it go there: the system maps some itself, gateways
translate others.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address

_TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
"""NAT64 (RFC 6052 and RFC 8215); the IPv4 address is in the last 32 bits."""


def read_address(text: str) -> Address:
    """Read an address, without the interface behind `%`; a mapped one becomes the IPv4 address that it is.

    Raises:
        ValueError: It is none.
    """
    found = ip_address(text.partition("%")[0])
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def is_public(address: Address) -> bool:
    """Whether an address is one of the public network, and so is the one that it stands for."""
    if isinstance(address, IPv6Address):
        if address.is_site_local:
            return False
        meant = _meant(address)
        if meant is not None and not is_public(meant):
            return False
    return address.is_global and not address.is_multicast


def is_of_this_link(address: Address) -> bool:
    """Whether an address leads to this machine, to its own link, where metadata of clouds is served, or to a group."""
    meant = _meant(address) if isinstance(address, IPv6Address) else None
    return any(
        one.is_loopback or one.is_link_local or one.is_unspecified or one.is_multicast
        for one in (address, meant)
        if one is not None
    )


def _meant(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that connections to an IPv6 address go to; None where it is no such address."""
    if any(address in network for network in _TRANSLATED):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
