"""What one process read from the state folder, the next one reads as well, whatever was killed in between."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from tool_api.store import ServerRow, ServerSpec, Store

NOW = "2026-01-01T00:00:00Z"


def test_a_write_cut_off_by_a_kill_does_not_come_back_later(tmp_path: Path) -> None:
    """SQLite appends a transaction to the log, then announces it in the shared index of the log.

    A process that is killed between the two leaves a transaction that nobody sees while another process (the worker of
    a port) holds the database open, and that is recovered once the last one has ended.
    """
    folder = tmp_path / "state"
    index = folder / "tool.db-shm"
    row = ServerRow(ServerSpec("time", "mcp/time:latest"), "0" * 64, 4100, "kept", "running", NOW, NOW)
    killed = Store(folder)
    killed.add(row)
    unannounced = index.read_bytes()
    killed.update(replace(row, wanted="exited"))
    index.write_bytes(unannounced)

    restarted = Store(folder)
    (seen,) = restarted.rows()
    assert seen.wanted == "running", "the stop was announced, so the kill was not imitated"
    after_all_ended = tmp_path / "after"
    after_all_ended.mkdir()
    for name in ("tool.db", "tool.db-wal"):
        shutil.copy(folder / name, after_all_ended / name)
    recovered = Store(after_all_ended)
    assert recovered.rows() == [seen]
    for store in (killed, restarted, recovered):
        store.close()
