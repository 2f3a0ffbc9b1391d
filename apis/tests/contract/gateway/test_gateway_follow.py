"""Records as they happen: a file that grows, is rotated and truncated; kills; standard input; the function."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import pytest

from apis.tests.contract.gateway.exchanges import make_exchange
from apis.tests.contract.gateway.gateway import Gateway, settings_for
from apis.tests.contract.gateway.serving import COMMAND
from apis.tests.contract.gateway.test_gateway_import import line, total
from gateway_api.database import Database
from gateway_api.errors import SetupError
from gateway_api.ingestion import Ingestion, RecordError, record_exchanges
from gateway_api.ingestion.following import Follower
from gateway_api.tables import prompts

WAIT_S = 60
LIVES = int(os.environ.get("GATEWAY_FOLLOW_KILLS", "2")) + 1
"""Lives of the program; all but the last one end with SIGKILL."""

MOST_LINES = 60_000
"""Lines that are written in each of these lives at most: a fast disk takes more than can be recorded in `WAIT_S`."""


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


class Following:
    """A follower in a thread."""

    def __init__(self, gateway: Gateway, path: Path) -> None:
        self.said: list[str] = []
        self._stop = threading.Event()
        self._ready = threading.Event()
        self._gateway = gateway
        self._path = path

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert self._ready.wait(WAIT_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(WAIT_S)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        with Ingestion(self._gateway.settings) as ingestion:
            follower = Follower(self._path, ingestion, self.said.append, stop=self._stop, ready=self._ready.set)
            self.done = follower.run()


def append(path: Path, *lines: str, end: str = "\n") -> None:
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write("".join(f"{one}{end}" for one in lines))


def test_lines_are_recorded_as_they_are_written(gateway: Gateway, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with Following(gateway, path) as following:
        append(path, "\ufeff" + line(), line(), end="\r\n")
        wait_until(lambda: total(gateway) == 2)
        whole = line()
        append(path, whole[:20], end="")
        append(path, whole[20:])
        wait_until(lambda: total(gateway) == 3)
        append(path, "{", whole, line(workspace="nobody"), line())
        wait_until(lambda: total(gateway) == 4)
    assert (following.done.count, following.done.repeated, following.done.rejected) == (4, 1, 2)
    assert "Invalid JSON" in following.said[0]
    assert 'workspace "nobody" does not exist' in following.said[1]
    with Following(gateway, path) as again:
        append(path, line())
        wait_until(lambda: total(gateway) == 5)
    assert again.done.count == 1


def test_rotation_loses_and_repeats_nothing(gateway: Gateway, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with Following(gateway, path) as following:
        append(path, line())
        wait_until(lambda: total(gateway) == 1)
        with path.open("a", encoding="utf-8") as writer:
            path.rename(tmp_path / "log.jsonl.1")
            writer.write(f"{line()}\n")  # the writer has not noticed yet
            writer.flush()
            append(path, line())
            wait_until(lambda: total(gateway) == 3)
            writer.write(f"{line()}\n")
        wait_until(lambda: total(gateway) == 4)
        (tmp_path / "log.jsonl.1").unlink()
        path.write_text("", encoding="utf-8")
        append(path, line())
        wait_until(lambda: total(gateway) == 5)
    assert following.done.count == 5


def test_file_that_is_rotated_before_it_is_seen_is_recorded(gateway: Gateway, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with Following(gateway, path):
        append(path, line())
        path.rename(tmp_path / "log.jsonl.1")
        append(path, line())
        wait_until(lambda: total(gateway) == 2)
    (tmp_path / "log.jsonl.1").unlink()
    path.unlink()
    with Following(gateway, path):
        pass
    append(path, line())
    path.rename(tmp_path / "log.jsonl.1")
    with Following(gateway, path):
        wait_until(lambda: total(gateway) == 3)


def test_file_that_was_away_is_read_on(gateway: Gateway, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with Following(gateway, path) as following:
        append(path, line())
        wait_until(lambda: total(gateway) == 1)
        path.rename(tmp_path / "away")
        append(path, line())
        wait_until(lambda: total(gateway) == 2)
        (tmp_path / "away").rename(tmp_path / "log.jsonl.1")
        path.rename(tmp_path / "log.jsonl.2")
        append(path, line())
        wait_until(lambda: total(gateway) == 3)
    assert (following.done.count, following.done.repeated) == (3, 0)


def test_file_is_followed_by_one_process_only(gateway: Gateway, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    append(path, line())
    said: list[str] = []
    stop = threading.Event()
    with Ingestion(gateway.settings) as first, Ingestion(gateway.settings) as second:
        late = Follower(path, second, said.append, stop=stop)
        late._place_all()
        Follower(path, first, said.append).run(is_once=True)
        with pytest.raises(Exception, match="Another process follows"):
            late._read_all(is_last=True)
        late._close_all()
    assert total(gateway) == 1


def without_id(number: int) -> str:
    made = {"type": "fim", "provider": None, "timestamp": "2025-05-01T10:00:00Z", "messages": [f"m{number}"]}
    return json.dumps(made)


def test_each_line_is_recorded_once_whenever_the_program_is_killed(tmp_path: Path) -> None:
    """Lines without ids, so that nothing but the position tells a line that was recorded from one that was not."""
    path, chance = tmp_path / "log.jsonl", random.Random(7)
    environment = {**os.environ, "GATEWAY_DATA_DIR": str(tmp_path)}
    url = f"sqlite:///{tmp_path / 'gateway.sqlite'}"
    written = 0
    path.touch()
    for life in range(LIVES):
        with subprocess.Popen([*COMMAND, "follow", str(path)], stderr=subprocess.PIPE, env=environment) as process:
            assert process.stderr
            # The first one is that the database is new.
            assert any(said.startswith(b"Following") for said in process.stderr)
            end = time.monotonic() + chance.uniform(0.05, 0.6)
            while time.monotonic() < end and written < MOST_LINES * (life + 1):
                append(path, *(without_id(number) for number in range(written, written + 50)))
                written += 50
                if chance.random() < 0.1:
                    path.rename(tmp_path / f"log.jsonl.{time.time_ns()}")
            if life == LIVES - 1:
                process.send_signal(signal.SIGTERM)
                assert process.wait(WAIT_S) == 0
            else:
                process.kill()
        if life % 2 and path.exists():
            path.rename(tmp_path / f"log.jsonl.{time.time_ns()}")
        path.touch()  # it may just have been renamed
    done = subprocess.run([*COMMAND, "follow", "--once", str(path)], env=environment, timeout=WAIT_S, check=False)
    assert done.returncode == 0
    database = Database(url)
    with database.reading() as connection:
        found = sorted(int(text[1:]) for text in connection.execute(prompts.select()).scalars("first_message"))
    database.close()
    assert found == list(range(written))


def test_standard_input_is_recorded_until_it_ends(tmp_path: Path) -> None:
    environment = {**os.environ, "GATEWAY_DATA_DIR": str(tmp_path)}
    with subprocess.Popen(
        [*COMMAND, "follow", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        said = process.communicate(f"\ufeff{line()}\r\n{{\n{line()}", timeout=WAIT_S)[1]
    assert process.returncode == 1
    assert "standard input, line at byte" in said
    assert "Recorded 2 conversations. Recorded before: 0. Invalid lines: 1." in said


def test_folder_is_refused(tmp_path: Path) -> None:
    with Ingestion(settings_for(tmp_path)) as ingestion, pytest.raises(Exception, match="is not a regular file"):
        Follower(tmp_path, ingestion, print).run(is_once=True)


def test_file_in_utf_16_is_refused_and_not_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(f"{line()}\n{line()}\n".encode("utf-16"))
    with Ingestion(settings_for(tmp_path)) as ingestion, pytest.raises(SetupError, match="is UTF-16 text"):
        Follower(file, ingestion, print).run(is_once=True)


class TestFunction:
    def test_records_once(self, gateway: Gateway) -> None:
        exchange = make_exchange("default").model_dump(mode="json")
        first = record_exchanges([exchange], gateway.settings)
        again = record_exchanges([exchange, exchange | {"id": str(uuid.uuid4())}], gateway.settings)
        assert [(done.count, done.repeated) for done in (first, again)] == [(1, 0), (0, 2)]
        assert total(gateway) == 1

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"messages": []}, "exchange 1: messages: List should have at least 1 item"),
            ({"workspace": "nobody"}, 'exchange 1: workspace "nobody" does not exist'),
        ],
    )
    def test_wrong_exchange_is_named_and_nothing_is_stored(
        self, gateway: Gateway, change: dict[str, Any], said: str
    ) -> None:
        good, bad = (make_exchange("default").model_dump(mode="json") for _ in range(2))
        with pytest.raises(RecordError, match=said):
            record_exchanges([good, bad | change], gateway.settings)
        assert total(gateway) == 0
