"""What an author probably meant."""

from __future__ import annotations

import pytest

from octavo.site import KnownNames, nearest

ROUTES = ["/", "/quickstart", "/guides/", "/guides/install", "/reference/cli/run", "/tutorials/run-servers"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("/quickstrat", "/quickstart"),
        ("/guide/install", "/guides/install"),
        ("/old/place/of/install", "/guides/install"),
        ("/guides/instal", "/guides/install"),
        ("/reference/run", "/reference/cli/run"),
        ("/Quickstart", "/quickstart"),
        ("/completely/different", None),
        ("/guides/nothing", None),
        ("/guides/", None),
        ("", None),
    ],
)
def test_nearest_name_is_found(word: str, expected: str | None) -> None:
    assert nearest(word, ROUTES) == expected


def test_nothing_is_near_where_there_is_nothing() -> None:
    assert nearest("x", []) is None


def test_same_last_part_outranks_a_likely_spelling() -> None:
    assert nearest("/a/setup", ["/a/setups", "/b/c/setup"]) == "/b/c/setup"


def test_one_index_answers_many_words() -> None:
    names = KnownNames(f"/part-{number % 10}/guide-{number}" for number in range(2000))
    assert names.nearest("/part-7/giude-1997") == "/part-7/guide-1997"
    assert names.nearest("/elsewhere/guide-3") == "/part-3/guide-3"


def test_name_is_found_among_thousands_that_begin_alike() -> None:
    """Only the rare parts of a word are looked up there: those that all names have would take seconds a page."""
    names = KnownNames(
        f"shop.models.Base{number}.{part}" for number in range(3000) for part in ("cancel_order", "refund")
    )
    assert names.nearest("shop.models.Base2718.cancel_oder") == "shop.models.Base2718.cancel_order"
    assert names.nearest("shop.models.Base2718.cancel_oder") == "shop.models.Base2718.cancel_order"
