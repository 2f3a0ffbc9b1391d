"""Requests about one provider go in order; former names are known for a while."""

from __future__ import annotations

import asyncio

import pytest

from gateway_api.errors import ConflictError
from gateway_api.turns import Turns


def test_requests_about_one_row_go_in_order_of_arrival() -> None:
    async def run() -> list[str]:
        turns, told = Turns(1.0), list[str]()

        async def use(name: str) -> None:
            async with turns.of(1):
                told.append(f"{name} begins")
                await asyncio.sleep(0)
                told.append(f"{name} ends")

        await asyncio.gather(*(use(name) for name in "abc"))
        return told

    assert asyncio.run(run()) == [f"{name} {what}" for name in "abc" for what in ("begins", "ends")]


def test_other_rows_are_not_held_up() -> None:
    async def run() -> None:
        turns = Turns(1.0)
        async with turns.of(1), turns.of(2):
            pass

    asyncio.run(run())


def test_waiting_ends_with_a_conflict_and_the_row_is_free_afterwards() -> None:
    async def run() -> None:
        turns = Turns(0.01)
        async with turns.of(1):
            with pytest.raises(ConflictError, match="Another request is changing this provider"):
                async with turns.of(1):
                    pass
        async with turns.of(1):
            pass
        assert turns._locks == {}

    asyncio.run(run())


def test_row_is_free_after_an_error() -> None:
    async def run() -> None:
        turns = Turns(0.01)
        with pytest.raises(KeyError):
            async with turns.of(1):
                raise KeyError
        async with turns.of(1):
            pass

    asyncio.run(run())
