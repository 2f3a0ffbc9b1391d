from __future__ import annotations

import pytest

from octavo.search.errors import TooManyRequestsError
from octavo.search.protocol.limit import COST_BURST, COST_PER_SECOND, CostLimit, RateLimit, network_of


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_rate_is_allowed_for_ever(clock: Clock) -> None:
    limit = RateLimit(clock)
    for number in range(1000):
        clock.now_s = number / 10
        limit.take("reader", 1, per_second=10)


def test_more_than_a_burst_is_refused_until_time_has_passed(clock: Clock) -> None:
    limit = RateLimit(clock)
    limit.take("reader", 20, per_second=10)
    with pytest.raises(TooManyRequestsError) as caught:
        limit.take("reader", 5, per_second=10)
    assert (caught.value.status, caught.value.wait_s) == (429, 0.5)
    clock.now_s = 0.5
    limit.take("reader", 5, per_second=10)


def test_addresses_are_counted_apart(clock: Clock) -> None:
    limit = RateLimit(clock)
    limit.take("one", 20, per_second=10)
    limit.take("other", 20, per_second=10)


def test_no_limit_is_no_limit(clock: Clock) -> None:
    RateLimit(clock).take("reader", 10**9, per_second=0)


def test_address_that_has_used_its_processor_time_waits() -> None:
    now_s = [100.0]
    limit = CostLimit(lambda: now_s[0])
    limit.charge("a", COST_BURST + 1)
    with pytest.raises(TooManyRequestsError) as caught:
        limit.check("a")
    assert caught.value.wait_s == pytest.approx(1 / COST_PER_SECOND)
    limit.check("b")
    now_s[0] += caught.value.wait_s
    limit.check("a")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_ipv6_readers_are_counted_by_network(address: str, network: str) -> None:
    assert network_of(address) == network
