"""The collector of garbage is off while tests are collected, and on while they run."""

from __future__ import annotations

import gc

import pytest

from tests.support.collector import pytest_collection


@pytest.mark.parametrize("fails", [False, True])
def test_collector_is_off_while_tests_are_collected(*, fails: bool) -> None:
    before = gc.get_freeze_count()
    collecting = pytest_collection()
    next(collecting)
    assert not gc.isenabled()
    if fails:
        with pytest.raises(ZeroDivisionError):
            collecting.throw(ZeroDivisionError())
    else:
        with pytest.raises(StopIteration):
            collecting.send(None)
    assert gc.isenabled()
    assert gc.get_freeze_count() > before
