"""Numbers of pages, which the static index names them by."""

from __future__ import annotations

import random

from octavo.search.shards.page_numbers import GROUP, number_pages


def numbers(addresses: list[str]) -> dict[str, int]:
    """Number pages: address → number."""
    found = [group * GROUP + member for group, members in number_pages(addresses) for member in members]
    return dict(zip(addresses, found, strict=True))


def addresses(count: int) -> list[str]:
    rng = random.Random(3)
    return sorted({f"/{rng.choice(['guides', 'api', 'cli'])}/{rng.randrange(10**6)}" for _ in range(count)})


def test_all_numbers_differ() -> None:
    for count in (0, 1, 2, 50, 3000):
        known = numbers(addresses(count))
        assert len(set(known.values())) == len(known)


def test_groups_are_of_neighbours_and_few_numbers_are_free() -> None:
    groups = number_pages(addresses(3000))
    assert len(groups) < 3000 / 8
    assert all(0 < len(members) <= GROUP for _, members in groups)
    assert max(group for group, _ in groups) < 8 * len(groups)


def test_one_page_more_keeps_the_numbers_of_nearly_all_others() -> None:
    known = addresses(500)
    before = numbers(known)
    shares = []
    for more in ("/", "/api/a", "/api/500", "/cli/777", "/guides/zebra", "/zzz"):
        after = numbers(sorted([*known, more]))
        shares.append(sum(before[address] != after[address] for address in known) / len(known))
    assert max(shares) < 0.1
    assert sum(shares) / len(shares) < 0.03
