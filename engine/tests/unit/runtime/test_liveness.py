"""Whether another process still runs."""

from __future__ import annotations

import os
import sys

import pytest

from octavo.runtime.liveness import is_running


def test_process_that_started_this_one_runs() -> None:
    assert is_running(str(os.getppid())) is True


def test_what_is_no_other_process_does_not_run() -> None:
    assert [is_running(one) for one in ("", "x", "-1", "9" * 30, str(os.getpid()))] == [False] * 5


@pytest.mark.skipif(sys.platform == "win32", reason="processes are looked up without os.kill there")
def test_process_of_another_user_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int, __: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    assert is_running("1") is True
