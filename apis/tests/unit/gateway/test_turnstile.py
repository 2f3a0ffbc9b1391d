"""Who waits to write is not overtaken by who has just written."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from apis.tests.unit.gateway.databases import make_database
from gateway_api import database as database_module
from gateway_api.database import Database
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


@pytest.mark.parametrize("works", [True, False])
def test_job_pauses_for_others_where_no_turnstile_keeps_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, works: bool
) -> None:
    paused: list[float] = []
    settings = make_database(tmp_path / "data")
    if not works:
        (settings.data_dir / "gateway.sqlite-turn").mkdir()
    database = Database(settings.database_url)
    monkeypatch.setattr(database_module.time, "sleep", paused.append)
    database.let_others_write()
    database.close()
    assert len(paused) == (0 if works else 1)
    assert all(0 < seconds < 1 for seconds in paused)
