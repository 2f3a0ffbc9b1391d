"""Writers in a queue, full disks and lost files: what readers notice, and which errors are answered."""

from __future__ import annotations

import itertools
import os
import re
import sqlite3
import stat
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from apis.tests.contract.gateway.exchanges import make_alert, make_exchange
from apis.tests.contract.gateway.gateway import Gateway, run_gateway, settings_for
from apis.tests.contract.gateway.postgres import Cluster, database_of
from gateway_api.database import Database
from gateway_api.errors import SetupError
from gateway_api.importing import import_file, storing
from gateway_api.postgresql import WRITER_LOCK
from gateway_api.purging import Removal
from gateway_api.storage_errors import StorageError
from gateway_api.store.workspaces import get_live
from gateway_api.tables import alerts, prompts, workspaces
from tests.support.waiting import wait_for

WAIT_S = 30
SECRET_WORDS = "kiln-glaze-4711"
CREATE = "v1_create_workspace"


class Lock:
    """The writers' lock, held by another process's connection."""

    def __init__(self, gateway: Gateway, cluster: Cluster | None, url: str) -> None:
        self._gateway = gateway
        self._cluster = cluster
        self._url = url

    def __enter__(self) -> None:
        if self._cluster:
            self._other: Any = self._cluster.connect(database_of(self._url))
            self._other.execute("SELECT pg_advisory_lock(%s)", (WRITER_LOCK,))
        else:
            self._other = sqlite3.connect(self._gateway.settings.data_dir / "gateway.sqlite", isolation_level=None)
            self._other.execute("BEGIN IMMEDIATE")

    def __exit__(self, *_: object) -> None:
        self._other.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_readers_do_not_wait_for_writers(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> None:
    cluster = request.getfixturevalue("cluster") if kind == "postgresql" else None
    url = cluster.fresh_database() if cluster else None
    # One thread for reads: a writer that took it would keep all of them waiting.
    with run_gateway(settings_for(tmp_path, url, threads=1)) as gateway, ThreadPoolExecutor(64) as pool:
        with Lock(gateway, cluster, url or ""):
            writes = [pool.submit(gateway.call, CREATE, body={"name": f"w{number}"}) for number in range(64)]
            # More reads than there are threads, while every writer waits: none of them is answered before.
            reads = [gateway.call("v1_list_workspaces") for _ in range(20)]
            assert [read.status_code for read in reads] == [200] * 20
            assert [entry["name"] for entry in reads[-1].json()["workspaces"]] == ["default"]
            assert not any(write.done() for write in writes)
        assert {write.result(WAIT_S).status_code for write in writes} == {201}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 6 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=6m", "none", str(folder)], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip("no file system can be mounted here (needs root)")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_full_disk_is_named_in_answers_and_health(small_disk: Path) -> None:
    with run_gateway(settings_for(small_disk)) as gateway:
        gateway.add_workspace("alpha")
        ballast = small_disk / "ballast"
        with ballast.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
            file.writelines(itertools.repeat(b"x" * 65_536))
        body = {"prompt": "x" * 500_000}
        answer = gateway.call("v1_set_workspace_custom_instructions", workspace_name="alpha", body=body)
        assert answer.status_code == 503
        assert "is full" in answer.json()["detail"]
        assert str(small_disk / "gateway.sqlite") in answer.json()["detail"]
        assert "retry-after" not in answer.headers
        health = gateway.call("health_check_health_get")
        assert (health.status_code, "is full" in health.json()["detail"]) == (503, True)
        assert gateway.call("v1_list_workspaces").status_code == 200
        ballast.unlink()
        assert gateway.call("health_check_health_get").status_code == 200
        gateway.get("v1_set_workspace_custom_instructions", workspace_name="alpha", body=body)


def test_import_that_the_disk_has_stopped_says_how_far_it_came(
    small_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "LONGEST_S", 0.0)  # more than one transaction
    file, settings, ballast = tmp_path / "records.jsonl", settings_for(small_disk), small_disk / "ballast"
    lines = [make_exchange("default", messages=[f"{number}"]).model_dump_json() for number in range(3_000)]
    file.write_text("\n".join(lines), encoding="utf-8")

    def fill_disk(event: str, _: int) -> None:
        if event == "stored" and not ballast.exists():
            with ballast.open("wb", buffering=0) as stream, suppress(OSError):
                stream.writelines(itertools.repeat(b"x" * 4_096))

    said = "The import stopped after ([0-9,]+) of 3,000 conversations: the storage of .* is full. .* continues there"
    with pytest.raises(SetupError, match=said) as stopped:
        import_file(file, settings, fill_disk)
    told = re.search(said, str(stopped.value))
    assert told is not None
    done = int(told[1].replace(",", ""))
    ballast.unlink()
    with closing(sqlite3.connect(small_disk / "gateway.sqlite")) as connection:
        assert connection.execute("SELECT recorded FROM imports").fetchone() == (done,)
        assert connection.execute("SELECT count(*) FROM prompts").fetchone() == (done,)
    assert done > 0
    assert import_file(file, settings) == 3_000


@pytest.mark.parametrize("what", ["removed", "replaced"])
def test_nothing_is_written_into_a_file_that_is_gone(tmp_path: Path, what: str) -> None:
    with run_gateway(settings_for(tmp_path)) as gateway:
        gateway.add_workspace("alpha")
        file = tmp_path / "gateway.sqlite"
        file.unlink()
        if what == "replaced":
            file.touch()
        for answer in (gateway.call(CREATE, body={"name": "beta"}), gateway.call("health_check_health_get")):
            assert answer.status_code == 503
            assert answer.json()["detail"].startswith(f"The database {file} was removed or replaced")


def test_new_connection_to_a_file_in_the_place_of_ours_is_recognized(tmp_path: Path) -> None:
    """It found no tables there, and the answer was 500: seen when a connection was opened at that moment."""
    settings = settings_for(tmp_path)
    with run_gateway(settings):
        pass
    with closing(Database(settings.database_url)) as database:
        database.check()
        with database.reading():  # the connection to the old file
            (tmp_path / "gateway.sqlite").unlink()
            (tmp_path / "gateway.sqlite").touch()
            with pytest.raises(StorageError, match="was removed or replaced"):
                database.check()


def test_health_tells_that_postgresql_is_away(tmp_path: Path, cluster: Cluster) -> None:
    url = cluster.fresh_database()
    name = database_of(url)
    with run_gateway(settings_for(tmp_path, url)) as gateway, cluster.connect() as other:
        assert gateway.call("health_check_health_get").status_code == 200
        other.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
        other.execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s", (name,))
        answer = gateway.call("health_check_health_get")
        assert answer.status_code == 503
        assert "gateway@" not in answer.text
        other.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
        assert gateway.call("health_check_health_get").status_code == 200


@pytest.mark.parametrize("was", ["empty", "used"])
def test_files_of_the_database_are_for_their_owner_only(tmp_path: Path, was: str) -> None:
    old = tmp_path / "gateway.sqlite"
    if was == "used":
        with run_gateway(settings_for(tmp_path)):
            pass
    old.touch()
    old.chmod(0o644)
    before = os.umask(0)
    try:
        with run_gateway(settings_for(tmp_path)) as gateway:
            gateway.add_workspace("alpha")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("gateway.sqlite*")}
    finally:
        os.umask(before)
    assert modes == {f"gateway.sqlite{ending}": 0o600 for ending in ("", "-wal", "-shm", "-turn")}


def fill(gateway: Gateway, count: int) -> None:
    """Record conversations with distinct texts in `alpha`, some of them too long for one page of the file."""
    gateway.record(
        *(
            make_exchange(
                minute=number,
                messages=[f"{SECRET_WORDS} {number} " + "x" * (number % 7) * 900],
                alerts=[make_alert("codegate-secrets", trigger_string=f"{SECRET_WORDS} {number}")],
            )
            for number in range(count)
        )
    )


def rows_left(gateway: Gateway) -> int:
    with gateway.database.reading() as connection:
        queries = [prompts.select(), alerts.select(), workspaces.select().where(workspaces.c.deleted_at.is_not(None))]
        return sum(len(connection.execute(query).all()) for query in queries)


class TestDeletion:
    def delete(self, gateway: Gateway) -> None:
        gateway.get("v1_delete_workspace", workspace_name="alpha")
        gateway.get("v1_hard_delete_workspace", workspace_name="alpha")

    def test_workspace_is_gone_at_once_and_its_records_soon(self, gateway: Gateway) -> None:
        gateway.add_workspace("alpha", {"custom_instructions": SECRET_WORDS, "muxing_rules": []})
        fill(gateway, 300)
        self.delete(gateway)
        assert gateway.get("v1_list_archived_workspaces")["workspaces"] == []
        assert gateway.call("v1_recover_workspace", workspace_name="alpha").status_code == 404
        assert gateway.call("v1_hard_delete_workspace", workspace_name="alpha").status_code == 404
        gateway.add_workspace("alpha")
        assert gateway.get("v1_get_workspace_messages", workspace_name="alpha")["total"] == 0
        wait_for(lambda: rows_left(gateway) == 0)
        assert [entry["name"] for entry in gateway.get("v1_list_workspaces")["workspaces"]] == ["default", "alpha"]

    def test_sqlite_keeps_no_text_in_file_or_log(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("INFO", "gateway_api")
        with run_gateway(settings_for(tmp_path)) as gateway:
            gateway.add_workspace("alpha", {"custom_instructions": SECRET_WORDS, "muxing_rules": []})
            gateway.record(*(make_exchange("default", messages=[f"kept {number}"]) for number in range(300)))
            fill(gateway, 300)

            def is_anywhere() -> bool:
                return any(SECRET_WORDS.encode() in path.read_bytes() for path in tmp_path.glob("gateway.sqlite*"))

            assert is_anywhere()
            self.delete(gateway)
            wait_for(lambda: any('"purged"' in message for message in caplog.messages))
            assert (tmp_path / "gateway.sqlite-wal").stat().st_size == 0
            assert not is_anywhere()
            assert gateway.get("v1_get_workspace_messages", workspace_name="default")["total"] == 300

    def test_a_transaction_removes_some_rows_only(self, sqlite_gateway: Gateway) -> None:
        sqlite_gateway.add_workspace("alpha")
        fill(sqlite_gateway, 250)
        with sqlite_gateway.database.writing() as connection:
            place = get_live(connection, "alpha").id
            removal = Removal(place)
        left = []
        for _ in range(6):
            with sqlite_gateway.database.writing() as connection:
                is_done = removal.step(connection, 100)
            with sqlite_gateway.database.reading() as connection:
                left.append((is_done, len(connection.execute(prompts.select()).all())))
        # It looks twice whether nothing is left, then for what conversations have waited for.
        assert left == [(False, 150), (False, 50), (False, 0), (False, 0), (False, 0), (True, 0)]

    def test_what_an_import_records_meanwhile_is_removed_too(self, gateway: Gateway) -> None:
        gateway.add_workspace("alpha")
        fill(gateway, 20)
        with gateway.database.writing() as connection:
            removal = Removal(get_live(connection, "alpha").id)
            assert not removal.step(connection, 10)
        gateway.record(make_exchange("alpha", minute=-1_000))
        is_done = False
        while not is_done:
            with gateway.database.writing() as connection:
                is_done = removal.step(connection, 10)
        assert rows_left(gateway) == 0

    def test_postgresql_reads_no_deleted_row_again(self, cluster: Cluster, tmp_path: Path) -> None:
        """Until they are vacuumed they stay in tables and indexes: each transaction would read those of all before it."""
        url = cluster.fresh_database()
        with (
            run_gateway(settings_for(tmp_path, url)) as gateway,
            cluster.connect(database_of(url)) as other,
        ):
            other.execute("ALTER TABLE prompts SET (autovacuum_enabled = false)")
            gateway.add_workspace("alpha")
            fill(gateway, 3_000)
            with gateway.database.reading() as connection:
                removal = Removal(get_live(connection, "alpha").id)
            read = []
            is_done = False
            while not is_done:
                with gateway.database.writing() as connection:
                    before = blocks_read(connection)
                    is_done = removal.step(connection, 20)
                    read.append(blocks_read(connection) - before)
        assert len(read) >= 150
        # It grew by a fifth where each step began anew.
        assert sum(read[100:140]) < 1.1 * sum(read[10:50])

    def test_postgresql_is_vacuumed(self, tmp_path: Path, cluster: Cluster) -> None:
        """Until then the deleted rows are in the files of its tables."""
        url = cluster.fresh_database()
        vacuumed = "SELECT relname FROM pg_stat_user_tables WHERE vacuum_count > 0 AND relname IN ('prompts', 'alerts') ORDER BY 1"
        with run_gateway(settings_for(tmp_path, url)) as gateway, cluster.connect(database_of(url)) as other:
            gateway.add_workspace("alpha")
            fill(gateway, 50)
            self.delete(gateway)
            wait_for(lambda: other.execute(vacuumed).fetchall() == [("alerts",), ("prompts",)])
            wait_for(lambda: rows_left(gateway) == 0)  # the workspace's own row goes after that

    def test_removal_goes_on_after_a_crash(self, tmp_path: Path) -> None:
        """The mark is all that a server has written before it was killed; the next one removes the rest."""
        settings = settings_for(tmp_path)
        with run_gateway(settings) as gateway:
            gateway.add_workspace("alpha")
            fill(gateway, 50)
            gateway.get("v1_delete_workspace", workspace_name="alpha")
            with gateway.database.writing() as connection:
                connection.execute(
                    workspaces.update().where(workspaces.c.name == "alpha").values(deleted_at=1, name_key="deleted 2")
                )
        with run_gateway(settings) as gateway:
            wait_for(lambda: rows_left(gateway) == 0)

    def test_log_of_a_server_that_was_killed_before_it_emptied_it_is_emptied(self, tmp_path: Path) -> None:
        settings = settings_for(tmp_path)
        with run_gateway(settings):
            pass
        # Held open, so that nobody who closes the database empties the log in passing.
        with closing(sqlite3.connect(tmp_path / "gateway.sqlite", isolation_level=None)) as killed:
            killed.execute("PRAGMA secure_delete = ON")
            for text in (SECRET_WORDS, ""):
                killed.execute("UPDATE workspaces SET custom_instructions = ?", (text,))
            log = tmp_path / "gateway.sqlite-wal"
            assert SECRET_WORDS.encode() in log.read_bytes()
            with run_gateway(settings):
                wait_for(lambda: SECRET_WORDS.encode() not in log.read_bytes())
                assert SECRET_WORDS.encode() not in (tmp_path / "gateway.sqlite").read_bytes()

    def test_writes_go_on_meanwhile(self, sqlite_gateway: Gateway) -> None:
        """Writes are answered while the removal is under way, not after it."""
        sqlite_gateway.add_workspace("alpha")
        fill(sqlite_gateway, 2_000)
        self.delete(sqlite_gateway)
        answered = 0
        while rows_left(sqlite_gateway):
            sqlite_gateway.get("v1_set_workspace_custom_instructions", workspace_name="default", body={"prompt": "x"})
            answered += 1
        assert answered >= 2


def blocks_read(connection: Connection) -> int:
    """Count the blocks of prompts and their indexes that a connection has looked at, in memory or on disk."""
    parts = (
        "SELECT 'prompts'::regclass::oid UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = 'prompts'::regclass"
    )
    counted = f"SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(part)), 0) FROM ({parts}) AS parts (part)"
    return int(connection.exec_driver_sql(counted).scalar_one())


def test_several_threads_may_write_beside_the_server(sqlite_gateway: Gateway) -> None:
    """Commands and tests write from threads of their own; nobody is left out."""
    threads = [threading.Thread(target=sqlite_gateway.record, args=(make_exchange("default"),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    sqlite_gateway.add_workspace("alpha")
    for thread in threads:
        thread.join(WAIT_S)
    assert sqlite_gateway.get("v1_get_workspace_messages", workspace_name="default")["total"] == 8
