"""Waiting for the end of what is in progress."""

from __future__ import annotations

import asyncio

import pytest

from tool_api.endpoint.progress import InProgress, until_all_end


def test_end_is_told_when_nothing_of_any_kind_is_in_progress() -> None:
    async def watch() -> None:
        posts, calls = InProgress(), InProgress()
        await until_all_end(posts, calls)
        with posts.one_more(), posts.one_more():
            waiting = asyncio.create_task(until_all_end(posts, calls))
            calls.set(2)
            await asyncio.sleep(0)
            assert not waiting.done()
        await asyncio.sleep(0)
        assert not waiting.done()
        # A call that ends lets another request begin.
        with posts.one_more():
            calls.set(0)
            await asyncio.sleep(0)
            assert not waiting.done()
        async with asyncio.timeout(5):
            await waiting

    asyncio.run(watch())


def test_count_falls_when_what_is_counted_fails() -> None:
    posts = InProgress()
    with pytest.raises(ValueError, match="failed"), posts.one_more():
        raise ValueError("failed")
    assert not posts
