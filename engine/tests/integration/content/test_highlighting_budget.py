"""The timer that bounds the highlighting of a block: one for all blocks, in each process."""

from __future__ import annotations

import multiprocessing
import signal
import subprocess
import sys
from itertools import count, takewhile

import pytest

from octavo.content.code import budget
from octavo.content.code.budget import SlowCodeError, can_interrupt, within_budget

pytestmark = pytest.mark.skipif(not can_interrupt(), reason="the system has no timer of CPU time")

TICK = 0.01
"""CPU seconds between two ticks in these tests."""


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "BUDGET_S", 4 * TICK)


def work_for_ever() -> None:
    for _ in count():
        pass


def catch_what_is_raised() -> None:
    """Work as a lexer that takes each error in its own code for one of the text."""
    for _ in range(3):
        try:
            work_for_ever()
        except SlowCodeError:
            continue
    work_for_ever()


def is_set() -> bool:
    return signal.getitimer(signal.ITIMER_VIRTUAL) != (0.0, 0.0)


def test_blocks_that_follow_each_other_each_have_the_whole_budget() -> None:
    for _ in range(5):
        with pytest.raises(SlowCodeError):
            within_budget(work_for_ever)
        assert within_budget(lambda: "done") == "done"


def test_work_that_catches_what_ends_it_is_ended_all_the_same() -> None:
    with pytest.raises(SlowCodeError):
        within_budget(catch_what_is_raised)


def test_timer_stops_by_itself_when_nothing_is_highlighted_any_more() -> None:
    within_budget(lambda: None)
    assert is_set()
    for _ in takewhile(lambda _: is_set(), count()):
        pass
    assert not is_set()
    with pytest.raises(SlowCodeError):  # and is set again
        within_budget(work_for_ever)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are forked on Linux only")
def test_process_that_was_forked_meanwhile_bounds_its_blocks_itself() -> None:
    within_budget(lambda: None)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_is_ended).get(timeout=60)


def _is_ended() -> bool:
    try:
        within_budget(work_for_ever)
    except SlowCodeError:
        return True
    return False


def test_process_that_has_highlighted_ends_as_it_should() -> None:
    script = (
        "from octavo.content.code import budget\n"
        f"budget.BUDGET_S = {TICK}\n"
        "for _ in range(50):\n"
        "    budget.within_budget(lambda: None)\n"
        "class Late:\n"
        "    def __del__(self, count=range(10_000_000)):\n"
        "        for _ in count: pass\n"
        "late = Late()\n"  # freed by the interpreter after it has put back the handlers of signals
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
