"""Where a followed file goes on after every kind of rotation, decided from what is in the folder."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from gateway_api.ingestion.following import cut
from gateway_api.ingestion.generations import Generation, Plan, look, mark_of, plan, rotated_names


class Log:
    """A file that is followed, and what was written down about it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "log.jsonl"
        self.known: tuple[Generation, ...] = ()

    def write(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text)

    def look(self) -> Plan:
        with look(self.path) as files:
            found = plan(self.path, self.known, files)
        self.known = found.generations
        return found

    def read(self) -> str:
        """Read everything that is new."""
        found, texts, read = self.look(), [], []
        for one in found.generations:
            with self.path.with_name(one.name).open("rb") as file:
                data = file.read()
                texts.append(data[one.position :].decode())
                read.append(Generation(*one.key, one.name, len(data), mark_of(file, len(data))))
        self.known = tuple(read)
        return "".join(texts)


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path)


def test_file_that_grows_is_read_on(log: Log) -> None:
    log.write("a\n")
    assert log.read() == "a\n"
    log.write("b\n")
    assert (log.read(), log.read()) == ("b\n", "")


def test_rotated_files_of_before_the_first_start_are_skipped(log: Log) -> None:
    log.path.with_name("log.jsonl.1").write_text("old\n")
    log.write("a\n")
    assert log.read() == "a\n"
    log.path.with_name("log.jsonl.1").rename(log.path.with_name("log.jsonl.2"))
    assert log.read() == ""


@pytest.mark.parametrize("name", ["log.jsonl.1", "log.jsonl-20260101", "log.jsonl.2026-01-01_10-00-00", "log-1.jsonl"])
def test_renamed_file_is_finished_before_the_new_one(log: Log, name: str) -> None:
    log.write("a\n")
    assert log.read() == "a\n"
    log.write("b\n")
    log.path.rename(log.path.with_name(name))
    log.write("c\n")
    assert log.read() == "b\nc\n"


def test_several_rotations_while_nobody_looked(log: Log) -> None:
    log.write("a\n")
    assert log.read() == "a\n"
    log.write("b\n")
    log.path.rename(log.path.with_name("log.jsonl.2"))
    log.write("c\n")
    log.path.rename(log.path.with_name("log.jsonl.1"))
    log.write("d\n")
    assert sorted(log.read().split()) == ["b", "c", "d"]
    assert log.read() == ""


def test_truncated_file_begins_again(log: Log) -> None:
    log.write("a\nb\n")
    assert log.read() == "a\nb\n"
    log.path.write_text("")
    found = log.look()
    assert [one.position for one in found.generations] == [0]
    assert "was truncated or replaced after its first 4 bytes" in found.lost[0][1]
    log.write("c\n")
    assert log.read() == "c\n"


def test_truncated_file_that_has_grown_beyond_is_noticed(log: Log) -> None:
    log.write("a\n")
    assert log.read() == "a\n"
    log.path.write_text("other\nand more\n")
    assert log.read() == "other\nand more\n"


def test_rest_is_read_from_the_copy_of_a_truncated_file(log: Log) -> None:
    log.write("a\n")
    assert log.read() == "a\n"
    log.write("b\n")
    shutil.copy(log.path, log.path.with_name("log.jsonl.1"))
    log.path.write_text("c\n")
    assert log.read() == "b\nc\n"
    assert log.look().lost == ()


def test_file_that_has_gone_is_reported(log: Log) -> None:
    log.write("a\n")
    log.read()
    log.path.unlink()
    found = log.look()
    assert found.generations == ()
    assert "has gone after its first 2 bytes" in found.lost[0][1]


def test_rotated_file_that_is_deleted_is_no_loss(log: Log) -> None:
    log.write("a\n")
    log.read()
    log.path.rename(log.path.with_name("log.jsonl.1"))
    log.write("b\n")
    log.read()
    log.path.with_name("log.jsonl.1").unlink()
    assert log.look().lost == ()


@pytest.mark.costly
def test_no_file_is_missed_while_files_are_renamed(log: Log) -> None:
    """A file that is renamed after its folder was listed and before it is opened is under neither name."""
    inodes: list[int] = []
    stop = threading.Event()

    def rotate() -> None:
        for number in range(300):
            log.write("a\n")
            inodes.append(log.path.stat().st_ino)
            log.path.rename(log.path.with_name(f"log.jsonl.{number}"))
        stop.set()

    thread = threading.Thread(target=rotate)
    thread.start()
    while not stop.is_set():
        there = set(inodes)
        with look(log.path) as files:
            assert there <= {file.inode for file in files}
    thread.join()


@pytest.mark.parametrize(
    ("name", "is_rotated"),
    [
        ("log.jsonl", True),
        ("log.jsonl.12", True),
        ("log-2026-01-01.jsonl", True),
        ("log.jsonl.1.gz", False),
        ("log.jsonl.bak", False),
        ("log.jsonl~", False),
        ("blog.jsonl", False),
        ("log2.jsonl", False),
        ("logxjsonl.1", False),
    ],
)
def test_names_of_rotated_files(name: str, is_rotated: bool) -> None:
    assert bool(rotated_names("log.jsonl").fullmatch(name)) == is_rotated


@pytest.mark.parametrize(
    ("data", "lines", "rest"),
    [
        (b"", [], b""),
        (b"a\nb", [(0, b"a\n")], b"b"),
        (b"a\r\n\nb\n", [(0, b"a\r\n"), (3, b"\n"), (4, b"b\n")], b""),
        ("\u2028\x0b\n".encode(), [(0, "\u2028\x0b\n".encode())], b""),
        (b"a\rb\n", [(0, b"a\rb\n")], b""),
    ],
)
def test_lines_end_at_line_feeds_only(data: bytes, lines: list[tuple[int, bytes]], rest: bytes) -> None:
    whole, place, left = cut(data, 0)
    assert ([tuple(line) for line in whole], left) == (lines, rest)
    assert place == len(data) - len(rest)
