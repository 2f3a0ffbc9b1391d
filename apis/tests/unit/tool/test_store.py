"""What one process read from the state folder, the next one reads as well, whatever was killed in between."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

from tool_api.store import Mount, Network, Oidc, ServerRow, ServerSpec, Store, dump_row, load_row

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


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    """By another process as well, which gets them as JSON: the worker of a port."""
    spec = ServerSpec(
        "one",
        "an-image",
        transport="sse",
        host="::1",
        target_port=8080,
        arguments=("-v",),
        env=(("A", "1"),),
        secrets=(("key", "B"),),
        mounts=(Mount("/here", "/there", read_only=True),),
        network=Network("filtered", ("example.org",), (443,)),
        oidc=Oidc("https://example.org", "us"),
        egress_port=4200,
    )
    first = ServerRow(spec, "1" * 64, 4100, "kept", "running", NOW, "2026-01-02T00:00:00Z")
    second = ServerRow(ServerSpec("another", "an-image"), "2" * 64, 4101, "creating", "exited", NOW, NOW)
    written = Store(tmp_path)
    written.add(first)
    written.add(second)
    read = Store(tmp_path, must_exist=True)
    assert read.rows() == [second, first]
    assert [read.find(key) for key in ("one", "2" * 64, "three")] == [first, second, None]
    assert read.ports() == {4100, 4101}
    assert [load_row(json.loads(json.dumps(dump_row(row)))) for row in (first, second)] == [first, second]
    for store in (written, read):
        store.close()
