"""Files that a user names: what is not a file, what is too long, and where there is no room."""

from __future__ import annotations

import errno
import io
import os
import resource
import stat
from pathlib import Path

import pytest

from gateway_api.database import Database
from gateway_api.errors import KeyFileError, SetupError
from gateway_api.importing import MOST_LINE_BYTES, read_lines, spool
from gateway_api.migrations import migrate
from gateway_api.prices import load_prices
from gateway_api.sealing import Seal, load_seal
from service_guard import move_to_new, read_regular


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A pipe that nobody writes to: who opens it as a file waits for ever."""
    path = tmp_path / "pipe"
    os.mkfifo(path, 0o600)
    return path


def test_pipe_and_folder_are_no_files(pipe: Path) -> None:
    with pytest.raises(OSError, match="Is not a regular file"):
        read_regular(pipe)
    with pytest.raises(OSError, match="Is a directory"):
        read_regular(pipe.parent)


def test_pipe_in_place_of_the_key_file_or_the_prices_is_named(pipe: Path, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=f"The price file {pipe} cannot be read: Is not a regular file"):
        load_prices(pipe)
    with pytest.raises(KeyFileError, match=f"The key file {pipe} cannot be read: Is not a regular file"):
        Seal(b"k" * 32, pipe).close("text", owner="one")
    database = Database(f"sqlite:///{tmp_path / 'gateway.sqlite'}")
    try:
        migrate(database)
        with pytest.raises(SetupError, match=f"The key file {pipe} cannot be used: Is not a regular file"):
            load_seal(pipe, database)
    finally:
        database.close()


@pytest.mark.parametrize("is_there", [True, False], ids=["empty", "new"])
def test_database_is_for_its_owner_only_before_anything_is_written_to_it(tmp_path: Path, is_there: bool) -> None:
    file = tmp_path / "gateway.sqlite"
    if is_there:
        file.touch(0o644)
    before = os.umask(0)
    try:
        Database(f"sqlite:///{file}").close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("has_links", [True, False], ids=["links", "no links"])
def test_finished_file_gets_its_name_and_replaces_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    """File systems of USB sticks have no links."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    if not has_links:
        monkeypatch.setattr(os, "link", refuse)
    draft, target = tmp_path / "draft", tmp_path / "target"
    draft.write_text("one")
    move_to_new(draft, target)
    assert (target.read_text(), draft.exists()) == ("one", False)
    draft.write_text("two")
    with pytest.raises(FileExistsError):
        move_to_new(draft, target)
    assert target.read_text() == "one"


def test_line_that_is_too_long_is_read_in_part_only() -> None:
    lines = [b"a\n", b"b" * (3 * MOST_LINE_BYTES) + b"\n", b"\n", b"c" * MOST_LINE_BYTES + b"\n", b"d"]
    found = list(read_lines(io.BytesIO(b"".join(lines))))
    assert [len(line) for line in found] == [2, MOST_LINE_BYTES + 2, 1, MOST_LINE_BYTES + 1, 1]
    assert found[-2:] == lines[-2:]


def test_temporary_folder_without_room_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "_MEMORY_BYTES", 1_000)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    kept = spool.Spool()
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(SetupError, match=r"The temporary folder .* Nothing was imported; TMPDIR names another"):
            kept.add(b"x" * 1_000_000)
        kept.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
