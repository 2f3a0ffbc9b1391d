"""Who waits to write is not overtaken by who has just written."""

from __future__ import annotations

import time
from pathlib import Path

from gateway_api.sqlite import Turnstile


def test_nobody_passes_while_somebody_waits(tmp_path: Path) -> None:
    waiting, job = Turnstile(tmp_path / "turn"), Turnstile(tmp_path / "turn")
    with waiting.passing(time.monotonic() + 20), job.passing(time.monotonic()) as is_in_turn:
        assert not is_in_turn
    with job.passing(time.monotonic() + 20) as is_in_turn:
        assert is_in_turn


def test_lock_of_a_closed_file_is_free(tmp_path: Path) -> None:
    first, second = Turnstile(tmp_path / "turn"), Turnstile(tmp_path / "turn")
    with first.passing(time.monotonic() + 20):
        first.close()
    with second.passing(time.monotonic() + 20) as is_in_turn:
        assert is_in_turn


def test_everybody_passes_where_no_file_can_be_made(tmp_path: Path) -> None:
    turnstile = Turnstile(tmp_path / "nowhere" / "turn")
    assert not turnstile.works
    with turnstile.passing(time.monotonic()) as is_in_turn:
        assert not is_in_turn


def test_job_hears_of_others_who_wait(tmp_path: Path) -> None:
    waiting, job = Turnstile(tmp_path / "turn"), Turnstile(tmp_path / "turn")
    assert not job.has_waiting()
    with waiting.passing(time.monotonic() + 20):
        assert job.has_waiting()
    assert not job.has_waiting()
    with waiting.passing(time.monotonic() + 20) as is_in_turn:
        assert is_in_turn, "asking holds nothing"


def test_job_expects_others_where_nobody_knows(tmp_path: Path) -> None:
    assert Turnstile(tmp_path / "nowhere" / "turn").has_waiting()
