"""Code in threads other than the main one, as of `octavo dev`: long blocks are highlighted by another process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest

from octavo.content.code.budget import SlowCodeError
from octavo.content.code.highlight import highlight, highlight_lines
from octavo.content.code.highlighter_process import _process

Value = TypeVar("Value")
LONG = "def add(a: int, b: int) -> int:\n    return a + b  # “sum” of both\n\n\n" * 40


@pytest.fixture(autouse=True)
def _memories() -> Iterator[None]:
    highlight.cache_clear()
    highlight_lines.cache_clear()
    yield
    _process().close()


def in_thread(work: Callable[[], Value]) -> Value:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def test_long_block_looks_as_in_the_main_thread() -> None:
    whole, lines = highlight("python", LONG), highlight_lines("python", LONG)
    highlight.cache_clear()
    highlight_lines.cache_clear()
    assert in_thread(lambda: highlight("python", LONG)) == whole
    assert in_thread(lambda: highlight_lines("python", LONG)) == lines


def test_lexer_that_hangs_in_one_match_is_ended_and_the_next_block_is_highlighted() -> None:
    with pytest.raises(SlowCodeError):
        in_thread(lambda: highlight("devicetree", "0" * 64_000))
    assert '<span class="k">def</span>' in in_thread(lambda: highlight("python", LONG))


def test_process_that_has_died_is_started_again() -> None:
    in_thread(lambda: highlight("python", LONG))
    child = _process()._process
    assert child is not None
    child.kill()
    child.wait()
    assert '<span class="k">def</span>' in in_thread(lambda: highlight("python", LONG + "\n"))
