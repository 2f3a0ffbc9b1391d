"""A killed server loses nothing that it had acknowledged; `killing.py` is the long run of the same."""

from __future__ import annotations

from pathlib import Path

from apis.tests.contract.gateway.killing import run_kills
from apis.tests.contract.gateway.postgres import Cluster

KILLS = 3


def test_killed_server_keeps_what_it_acknowledged_on_sqlite(tmp_path: Path) -> None:
    assert run_kills(tmp_path, f"sqlite:///{tmp_path / 'gateway.sqlite'}", kills=KILLS) > 0


def test_killed_server_keeps_what_it_acknowledged_on_postgresql(tmp_path: Path, cluster: Cluster) -> None:
    assert run_kills(tmp_path, cluster.fresh_database(), kills=KILLS) > 0
