"""What the commands do, say and refuse, in one process."""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select, update

from apis.tests.contract.gateway.exchanges import make_exchange
from apis.tests.unit.gateway.databases import make_database
from gateway_api.cli import gateway
from gateway_api.commands.maintain import Age
from gateway_api.database import Database
from gateway_api.demo.load import load_demo
from gateway_api.errors import SetupError
from gateway_api.running import open_socket
from gateway_api.sealing import load_seal
from gateway_api.settings import Settings
from gateway_api.store.recording import Recorder
from gateway_api.tables import prompts, providers
from gateway_api.web.document import document_text

PASSPHRASE = "corner-lantern-41"


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return make_database(tmp_path / "data")


def run(settings: Settings, *arguments: str | Path, given: bytes | None = None, **environment: str) -> Result:
    values = {"GATEWAY_DATA_DIR": str(settings.data_dir), "GATEWAY_PASSPHRASE": "", **environment}
    return CliRunner().invoke(gateway, list(map(str, arguments)), input=given, env=values)


def said(result: Result) -> tuple[int, str, str]:
    return result.exit_code, result.stdout, result.stderr


def line(**changes: Any) -> str:
    return json.dumps(make_exchange("default").model_dump(mode="json") | changes)


def stored(settings: Settings) -> int:
    database = Database(settings.database_url)
    with database.reading() as connection:
        count = len(connection.execute(select(prompts.c.id)).all())
    database.close()
    return count


def fill(settings: Settings, *, keys: int = 0) -> None:
    """Put the demo data into a database, and API keys to some of its providers."""
    database = Database(settings.database_url)
    load_demo(database)
    seal = load_seal(settings.key_file, database)
    with database.writing() as connection:
        for row in connection.execute(select(providers).limit(keys)).all():
            sealed = seal.close("sk-kiln", owner=row.public_id)
            connection.execute(update(providers).where(providers.c.id == row.id).values(sealed_key=sealed))
    database.close()


class TestImport:
    def test_count_is_said(self, settings: Settings, tmp_path: Path) -> None:
        file = tmp_path / "records.jsonl"
        for lines, counted in (
            ([line()], "1 conversation"),
            ([line(), line()], "2 conversations"),
            ([], "0 conversations"),
        ):
            file.write_text("".join(f"{one}\n" for one in lines))
            assert said(run(settings, "import", file)) == (0, f"Imported {counted}.\n", "")
        assert stored(settings) == 3

    def test_lines_come_from_standard_input_too(self, settings: Settings) -> None:
        assert said(run(settings, "import", "-", given=line().encode()))[1] == "Imported 1 conversation.\n"

    def test_wrong_lines_are_errors(self, settings: Settings) -> None:
        done = run(settings, "import", "-", given=b"{")
        assert done.exit_code == 2
        assert "Error: Nothing was imported; these lines are wrong:\nline 1: Invalid JSON" in done.stderr

    def test_new_database_is_said(self, settings: Settings, tmp_path: Path) -> None:
        new = tmp_path / "new.sqlite"
        url = f"sqlite:///{new}"
        done = run(settings, "--database-url", url, "import", "-", given=line().encode())
        assert said(done) == (0, "Imported 1 conversation.\n", f"{new} is a new database.\n")
        done = run(settings, "import", "-", given=line().encode(), GATEWAY_DATABASE_URL=url)
        assert said(done) == (0, "Imported 1 conversation.\n", "")

    def test_passphrase_is_of_no_use_for_records(self, settings: Settings, tmp_path: Path) -> None:
        words = tmp_path / "words"
        words.write_text(PASSPHRASE)
        done = run(settings, "import", "-", "--passphrase-file", words, given=line().encode())
        assert done.exit_code == 2
        assert "--passphrase-file is for files of `export`; FILE has records." in done.stderr
        assert stored(settings) == 0


class TestExport:
    @pytest.mark.costly
    def test_everything_goes_into_one_file_and_back(self, settings: Settings, tmp_path: Path) -> None:
        fill(settings, keys=2)
        file, words, new = tmp_path / "all.jsonl", tmp_path / "words", tmp_path / "new.sqlite"
        words.write_text(PASSPHRASE)
        done = run(settings, "export", file, "--with-keys", "--passphrase-file", words)
        rows = len(file.read_text().splitlines()) - 2
        assert said(done) == (0, "", f"Exported {rows:,} rows and 2 API keys.\n")
        assert file.stat().st_mode & 0o777 == 0o600
        assert sorted(path.name for path in tmp_path.iterdir()) == ["all.jsonl", "data", "words"]
        other = Settings(tmp_path / "other", "")
        loading = ("--database-url", f"sqlite:///{new}", "import", file)
        done = run(other, *loading)
        assert done.exit_code == 2
        assert (
            "name a file with --passphrase-file, or set GATEWAY_PASSPHRASE. It is asked for on a terminal only"
            in done.stderr
        )
        assert not new.exists()
        done = run(other, *loading, GATEWAY_PASSPHRASE=PASSPHRASE)
        assert said(done) == (0, f"Loaded {rows:,} rows and 2 API keys.\n", f"{new} is a new database.\n")

    @pytest.mark.costly
    def test_keys_that_stay_behind_are_said(self, settings: Settings, tmp_path: Path) -> None:
        fill(settings, keys=1)
        done = run(settings, "export", "-")
        rows = len(done.stdout_bytes.splitlines()) - 2
        left = "Left out: 1 API key. Use --with-keys to include them.\n"
        assert (done.exit_code, done.stderr) == (0, f"Exported {rows:,} rows and 0 API keys.\n{left}")
        file = tmp_path / "all.jsonl"
        run(settings, "export", file)
        new = f"sqlite:///{tmp_path}/new.sqlite"
        assert (
            said(run(settings, "--database-url", new, "import", file))[1] == f"Loaded {rows:,} rows and 0 API keys.\n"
        )

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            (("{folder}/taken",), "Error: {folder}/taken exists already; name another file.\n"),
            (("{folder}/no/all",), "Error: {folder}/no/all cannot be written: No such file or directory.\n"),
            (
                ("{folder}/all", "--passphrase-file", "{folder}/taken"),
                "--passphrase-file needs --with-keys: API keys are left out without it.",
            ),
            (("{folder}/all", "--with-keys"), "name a file with --passphrase-file, or set GATEWAY_PASSPHRASE"),
        ],
    )
    def test_what_is_refused_leaves_no_file(
        self, settings: Settings, tmp_path: Path, arguments: tuple[str, ...], text: str
    ) -> None:
        (tmp_path / "taken").write_text("mine")
        done = run(settings, "export", *(argument.format(folder=tmp_path) for argument in arguments))
        assert done.exit_code == 2
        assert text.format(folder=tmp_path) in done.stderr
        assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "taken"]
        assert (tmp_path / "taken").read_text() == "mine"


class TestPrune:
    def records(self, settings: Settings) -> None:
        database = Database(settings.database_url)
        with database.writing() as connection:
            recorder = Recorder(connection)
            for days in (1, 10, 100, 1_000):
                at = (datetime.now(UTC) - timedelta(days=days, minutes=1)).isoformat()
                recorder.record(1, make_exchange("default", timestamp=at, messages=[f"{days}"], answer=None))
            recorder.finish()
        database.close()

    @pytest.mark.parametrize(
        ("options", "count"),
        [
            (("--older-than", "12h"), 4),
            (("--older-than", "25h"), 3),
            (("--older-than", "10d"), 3),
            (("--older-than", "11d"), 2),
            (("--older-than", "14w"), 2),
            (("--older-than", "15w"), 1),
            (("--older-than", "2y"), 1),
            (("--older-than", "3y"), 0),
            (("--older-than", "999999y"), 0),
            (("--keep-last", "1"), 3),
            (("--keep-last", "0"), 4),
            (("--keep-last", "3", "--older-than", "11d"), 2),
            (("--keep-last", "1", "--workspace", "default"), 3),
        ],
    )
    def test_old_conversations_are_counted_and_go(
        self, settings: Settings, options: tuple[str, ...], count: int
    ) -> None:
        self.records(settings)
        noun, exchange = ("conversation", "exchange") if count == 1 else ("conversations", "exchanges")
        text = f"{count} {noun} with {count} {exchange}.\n"
        assert said(run(settings, "prune", *options, "--dry-run")) == (0, f"Would remove {text}", "")
        assert stored(settings) == 4
        assert said(run(settings, "prune", *options)) == (0, f"Removed {text}", "")
        assert stored(settings) == 4 - count

    @pytest.mark.parametrize(
        ("options", "text"),
        [
            ((), "Give --older-than, --keep-last or both."),
            (("--keep-last", "-1"), "-1 is not in the range"),
            (("--keep-last", str(2**62 + 1)), "is not in the range"),
            (("--keep-last", "1", "--workspace", "nobody"), "Error: Workspace does not exist: nobody\n"),
            *(
                (("--older-than", age), f"'{age}' is not an age such as 12h, 90d, 8w or 1y.")
                for age in ("0d", "3", "d", "1234567d", "3 d", "3m")
            ),
        ],
    )
    def test_what_is_refused_removes_nothing(self, settings: Settings, options: tuple[str, ...], text: str) -> None:
        self.records(settings)
        done = run(settings, "prune", *options)
        assert (done.exit_code, text in done.stderr) == (2, True), done.stderr
        assert stored(settings) == 4

    def test_ages(self) -> None:
        read: Callable[[str], timedelta] = lambda text: Age().convert(text, None, None)  # noqa: E731 - one line
        assert [read(text).total_seconds() / 3_600 for text in ("1h", "2d", "3w", "1y")] == [1, 48, 504, 8_760]
        assert Age().convert(timedelta(hours=1), None, None) == timedelta(hours=1)
        assert read("999999y") == timedelta(days=3_650_000)


def test_backup_and_vacuum_say_what_they_did(settings: Settings, tmp_path: Path) -> None:
    fill(settings)
    copy = tmp_path / "copy.sqlite"
    done = run(settings, "backup", copy)
    size = copy.stat().st_size
    key = settings.key_file
    assert said(done) == (0, "", f"Copied {size:,} bytes. Keep {key} as well, apart from the copy.\n")
    file = settings.data_dir / "gateway.sqlite"
    before = file.stat().st_size
    done = run(settings, "vacuum")
    text = f"{before:,} bytes before, {file.stat().st_size:,} after.\n"
    assert said(done) == (0, text, "Rewriting the database …\n")


class TestFollow:
    def test_file_is_recorded_once(self, settings: Settings, tmp_path: Path) -> None:
        file = tmp_path / "log.jsonl"
        one = line()
        file.write_text(f"{one}\n{one}\n{line()}\n")
        done = run(settings, "follow", "--once", file)
        end = "Recorded 2 conversations. Recorded before: 1. Invalid lines: 0.\n"
        assert said(done) == (0, "", f"Following {file} (Ctrl+C stops)\n{end}")
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        with file.open("a") as more:
            more.write("{\n")
        done = run(settings, "follow", "--once", file)
        assert done.exit_code == 1
        assert "log.jsonl, line at byte" in done.stderr
        assert done.stderr.endswith("Recorded 0 conversations. Recorded before: 0. Invalid lines: 1.\n")

    def test_signal_ends_it(self, settings: Settings, tmp_path: Path) -> None:
        """The first line that is said comes when the file is watched; whoever hears it may end the program."""
        file = tmp_path / "log.jsonl"
        heard: list[str] = []
        echo = click.echo

        def end(text: str, **options: Any) -> None:
            heard.append(text)
            if text.startswith("Following"):
                signal.raise_signal(signal.SIGTERM)
            echo(text, **options)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(click, "echo", end)
            done = run(settings, "follow", file)
        assert done.exit_code == 0
        assert heard[-1] == "Recorded 0 conversations. Recorded before: 0. Invalid lines: 0."

    def test_new_database_is_said(self, settings: Settings, tmp_path: Path) -> None:
        new, file = tmp_path / "new.sqlite", tmp_path / "log.jsonl"
        file.touch()
        done = run(settings, "--database-url", f"sqlite:///{new}", "follow", "--once", file)
        assert done.stderr.splitlines()[0] == f"{new} is a new database."


class TestServing:
    def test_document_is_written(self, settings: Settings, tmp_path: Path) -> None:
        file = tmp_path / "openapi.json"
        assert said(run(settings, "--export-openapi", file)) == (0, "", "")
        assert file.read_text(encoding="utf-8") == document_text()
        assert run(settings, "--export-openapi", "-").stdout == document_text()

    def test_options_of_the_server_are_refused_for_other_commands(self, settings: Settings) -> None:
        done = run(settings, "--port", "1", "vacuum")
        assert done.exit_code == 2
        assert "--port" in done.stderr

    def test_port_that_is_taken_is_named(self, settings: Settings) -> None:
        with open_socket("127.0.0.1", 0) as taken:
            port = taken.getsockname()[1]
            done = run(settings, "--port", str(port))
            assert done.exit_code == 2
            assert f"Error: Port {port} on 127.0.0.1 is taken; choose another with --port.\n" in done.stderr
            with socket.create_connection(("127.0.0.1", port), 10):
                pass

    def test_address_of_another_machine_is_named(self) -> None:
        with pytest.raises(SetupError, match=r"^The server cannot listen on 192\.0\.2\.1:0: .+\.$"):
            open_socket("192.0.2.1", 0)
