"""How often one address may ask: a bucket of requests for each, that fills again with time."""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.requests import Request

from octavo.search.errors import TooManyRequestsError

BURST_S = 2.0
"""Seconds of asking at the full rate that may come at once."""

_MOST_ADDRESSES = 10_000
"""Most addresses that are remembered; a forgotten one starts with a full bucket."""


_IPV6_NETWORK = 64
"""Bits of an IPv6 address that name a network: one reader has all addresses below them (RFC 6177)."""


def network_of(address: str) -> str:
    """Give what limits count by: an IPv4 address, or the /64 network of an IPv6 one; other names as they are."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, _IPV6_NETWORK), strict=False))


class RateLimit:
    """Counts requests; addresses are held as hashes with a key of this process, in memory."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin to count.

        Args:
            clock: Seconds, always growing.
        """
        self._clock = clock
        self._key = secrets.token_bytes(16)
        self._buckets: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def take(self, address: str, count: int, *, per_second: int) -> None:
        """Count requests of an address.

        Args:
            address: Who asks.
            count: Searches in the request.
            per_second: Searches that an address may send each second; 0: as many as it likes.

        Raises:
            TooManyRequestsError: these are too many.
        """
        if not per_second:
            return
        name = hashlib.blake2b(address.encode("utf-8", "replace"), key=self._key, digest_size=16).digest()
        now_s = self._clock()
        most = per_second * BURST_S
        left, since_s = self._buckets.pop(name, (most, now_s))
        left = min(most, left + (now_s - since_s) * per_second)
        is_allowed = count <= left
        self._buckets[name] = (left - count if is_allowed else left, now_s)
        if len(self._buckets) > _MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        if not is_allowed:
            raise TooManyRequestsError((count - left) / per_second)


COST_PER_SECOND, COST_BURST = 0.25, 3.0
"""Seconds of processor time that the searches of one address may take each second, and at once."""


FIRST_COST_S = 0.005
"""Seconds that a search is thought to take of an address that has not searched yet."""

_NEW_SHARE = 0.2
"""Share of the last search in the mean cost of an address."""


class CostLimit:
    """Counts the processor time that an address has used: few searches can cost as much as thousands of others."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin to count.

        Args:
            clock: Seconds, always growing.
        """
        self._clock = clock
        self._used: OrderedDict[str, tuple[float, float, float]] = OrderedDict()
        """Address → seconds used, when that was counted, mean cost of its last searches."""

    def check(self, address: str) -> None:
        """Let an address search that has time left.

        Raises:
            TooManyRequestsError: it has none.
        """
        over = self.used_by(address) - COST_BURST
        if over > 0:
            raise TooManyRequestsError(over / COST_PER_SECOND)

    def charge(self, address: str, seconds: float) -> None:
        """Count what a search of an address has cost."""
        mean_s = self.expected_of(address)
        mean_s += (seconds - mean_s) * _NEW_SHARE
        self._used[address] = (self.used_by(address) + seconds, self._clock(), mean_s)
        self._used.move_to_end(address)
        if len(self._used) > _MOST_ADDRESSES:
            self._used.popitem(last=False)

    def used_by(self, address: str) -> float:
        """Give the processor time that an address has used beyond `COST_PER_SECOND`, in seconds."""
        used, since_s, _ = self._used.get(address, (0.0, 0.0, 0.0))
        return max(0.0, used - (self._clock() - since_s) * COST_PER_SECOND)

    def expected_of(self, address: str) -> float:
        """Give what the next search of an address will cost, by its last ones, in seconds."""
        return self._used[address][2] if address in self._used else FIRST_COST_S


def address_of(request: Request) -> str:
    """Give the network that a request comes from; empty where the server is not told."""
    return network_of(request.client.host) if request.client else ""
