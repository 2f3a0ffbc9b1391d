"""A backup is a whole copy or none; a vacuum gives space back, or says why it does not."""

from __future__ import annotations

import importlib
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from apis.tests.contract.gateway.exchanges import make_exchange
from apis.tests.unit.gateway.databases import make_database
from gateway_api.database import Database
from gateway_api.errors import SetupError
from gateway_api.maintenance import back_up, backup, vacuum
from gateway_api.settings import Settings, load_settings
from gateway_api.store.recording import Recorder
from gateway_api.store.workspaces import get_live

vacuum_module = importlib.import_module("gateway_api.maintenance.vacuum")  # the package has a function of that name
TEXT = "glaze " * 2_000
ROWS = 60


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data_dir=tmp_path / "data", environment={})


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    make_database(settings.data_dir)
    database = Database(settings.database_url)
    with database.writing() as connection:
        recorder = Recorder(connection)
        for number in range(ROWS):
            recorder.record(get_live(connection, "default").id, make_exchange("default", messages=[f"{number}{TEXT}"]))
        recorder.finish()
    yield database
    database.close()


def file_of(settings: Settings) -> Path:
    return settings.data_dir / "gateway.sqlite"


def count_rows(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM prompts").fetchone()
    return int(count)


@pytest.mark.usefixtures("database")
def test_backup_is_one_file_with_all_rows_for_its_owner(settings: Settings, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite"
    size = back_up(settings.database_url, target)
    assert size == target.stat().st_size > ROWS * len(TEXT)
    assert target.stat().st_mode & 0o777 == 0o600
    assert count_rows(target) == ROWS
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite", "data"]
    assert sorted(path.name for path in target.parent.glob(".*")) == []


@pytest.mark.usefixtures("database")
def test_backup_tells_how_many_pages_of_how_many_are_copied(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "_PAGES", 50)
    told: list[tuple[int, int]] = []
    back_up(settings.database_url, tmp_path / "copy.sqlite", lambda done, total: told.append((done, total)))
    (total,) = {total for _, total in told}
    assert [done for done, _ in told] == [*range(50, total, 50), total]
    assert len(told) > 3


def test_backup_has_what_is_in_the_log_and_nothing_of_an_open_transaction(
    database: Database, settings: Settings, tmp_path: Path
) -> None:
    assert file_of(settings).with_name("gateway.sqlite-wal").stat().st_size
    with database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM prompts")
        back_up(settings.database_url, tmp_path / "copy.sqlite")
    assert count_rows(tmp_path / "copy.sqlite") == ROWS


@pytest.mark.usefixtures("database")
def test_backup_goes_on_while_others_write_and_has_nothing_of_it(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy that each write began anew would end only where nobody writes."""
    monkeypatch.setattr(backup, "_PAGES", 50)
    copied: list[int] = []
    with closing(sqlite3.connect(file_of(settings), isolation_level=None)) as other:

        def write(done: int, _total: int) -> None:
            copied.append(done)
            if len(copied) < 20:
                other.execute("DELETE FROM prompts WHERE id = (SELECT max(id) FROM prompts)")

        back_up(settings.database_url, tmp_path / "copy.sqlite", write)
    assert copied == sorted(set(copied))
    assert count_rows(tmp_path / "copy.sqlite") == ROWS
    assert count_rows(file_of(settings)) == ROWS - len(copied[:19])


@pytest.mark.usefixtures("database")
def test_backup_replaces_no_file(settings: Settings, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite"
    target.write_text("mine")
    with pytest.raises(SetupError) as refused:
        back_up(settings.database_url, target)
    assert refused.value.message == f"{target} exists already; name another file."
    assert target.read_text() == "mine"


@pytest.mark.usefixtures("database")
def test_backup_into_no_folder_is_named(settings: Settings, tmp_path: Path) -> None:
    target = tmp_path / "missing" / "copy.sqlite"
    with pytest.raises(SetupError) as refused:
        back_up(settings.database_url, target)
    assert refused.value.message == f"{target} cannot be written: No such file or directory."


def test_backup_of_a_damaged_database_leaves_no_file(database: Database, settings: Settings, tmp_path: Path) -> None:
    database.clean_up()
    database.close()
    file = file_of(settings)
    data = bytearray(file.read_bytes())
    data[4096 * 40 : 4096 * 41] = b"\xff" * 4096
    file.write_bytes(data)
    target = tmp_path / "copy.sqlite"
    with pytest.raises(SetupError) as refused:
        back_up(settings.database_url, target)
    said = rf"The backup {target} cannot be made: the database is damaged: (Tree \d+ )?[Pp]age 41: .+\."
    assert re.fullmatch(said, refused.value.message), "one line"
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_backup_of_a_missing_database_makes_none(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(SetupError) as refused:
        back_up(settings.database_url, tmp_path / "copy.sqlite")
    assert refused.value.message == (
        f"There is no database {file_of(settings)}; name the one that your server uses with --database-url or "
        "$GATEWAY_DATABASE_URL."
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["postgresql://reader:kiln@db/gateway", "postgresql+psycopg://reader:kiln@db/gateway"])
def test_backup_of_postgresql_names_its_own_program(url: str, tmp_path: Path) -> None:
    with pytest.raises(SetupError) as refused:
        back_up(url, tmp_path / "copy")
    assert refused.value.message == (
        "This database is on PostgreSQL, which has a backup program of its own: pg_dump --format=custom "
        f"--file={tmp_path}/copy 'postgresql://reader:***@db/gateway' (with the password in PGPASSWORD or ~/.pgpass)."
    )


def test_vacuum_gives_space_back_and_names_both_sizes(database: Database, settings: Settings) -> None:
    with database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM prompts")
    while not database.clean_up():
        pass
    before = file_of(settings).stat().st_size
    sizes = vacuum(settings)
    assert (sizes.before, sizes.after) == (before, file_of(settings).stat().st_size)
    assert sizes.after < sizes.before / 3
    log = file_of(settings).with_name("gateway.sqlite-wal")
    assert not log.exists() or log.stat().st_size == 0
    assert TEXT.encode() not in file_of(settings).read_bytes()


@pytest.mark.parametrize("is_enough", [True, False])
@pytest.mark.usefixtures("database")
def test_vacuum_needs_room_for_a_second_copy(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, is_enough: bool
) -> None:
    size = file_of(settings).stat().st_size
    free = size if is_enough else size - 1
    usage = shutil.disk_usage(settings.data_dir)._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    if is_enough:
        assert vacuum(settings).after
        return
    with pytest.raises(SetupError) as refused:
        vacuum(settings)
    assert refused.value.message == (
        f"{settings.data_dir} has {free:,} bytes free; the vacuum needs {size:,} for a second copy."
    )


def test_vacuum_gives_up_where_somebody_writes_all_the_time(
    database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vacuum_module, "_WAIT_S", 0.01)
    with database.writing(), pytest.raises(SetupError) as refused:
        vacuum(settings)
    assert refused.value.message == (
        f"The vacuum of {file_of(settings)} did not succeed: database is locked. The database is as before."
    )


def test_vacuum_makes_no_database(settings: Settings) -> None:
    with pytest.raises(SetupError, match="There is no database"):
        vacuum(settings)
    assert not file_of(settings).exists()
