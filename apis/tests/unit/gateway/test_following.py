"""Lines of a file that grows are recorded once each, and what is left out is said."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from apis.tests.unit.gateway.databases import make_database
from apis.tests.unit.gateway.followed import PAUSE_S, Run, Script, append, line, nothing, places, stored
from gateway_api.errors import SetupError
from gateway_api.ingestion import Ingestion, following
from gateway_api.ingestion.following import POLL_S, Followed, Follower, Line, cut, follow_stream, patiently
from gateway_api.ingestion.storing import MOST_AT_ONCE
from gateway_api.storage_errors import StorageError, Trouble


@pytest.fixture
def ingestion(tmp_path: Path) -> Iterator[Ingestion]:
    with Ingestion(make_database(tmp_path / "data")) as ingestion:
        yield ingestion


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    return tmp_path / "logs" / "log.jsonl"


def test_lines_are_recorded_as_they_are_written(ingestion: Ingestion, path: Path) -> None:
    append(path, line("one"))
    run = Run(
        path,
        ingestion,
        nothing,
        lambda: append(path, line("two"), "", line("three"), end="\r\n"),
        nothing,
        lambda: append(path, line("four")),
    )
    assert stored(ingestion) == ["one", "two", "three", "four"]
    assert run.done == Followed(count=4)
    assert run.told == [(1, 0, 0), (3, 0, 0), (4, 0, 0)]
    assert run.ready == ["ready"]
    assert run.script.waits == [PAUSE_S, POLL_S, PAUSE_S, POLL_S, PAUSE_S]
    assert run.said == []


def test_line_waits_for_its_end(ingestion: Ingestion, path: Path) -> None:
    whole = line("one")
    seen: list[list[str]] = []

    def finish() -> None:
        seen.append(stored(ingestion))
        append(path, whole[20:])

    append(path, whole[:20], end="")
    run = Run(path, ingestion, finish, nothing)
    assert seen == [[]]
    assert stored(ingestion) == ["one"]
    assert run.script.waits == [POLL_S, PAUSE_S, POLL_S]


def test_file_may_not_exist_yet(ingestion: Ingestion, path: Path) -> None:
    run = Run(path, ingestion, lambda: append(path, line("one")), nothing, nothing)
    assert stored(ingestion) == ["one"]
    assert run.ready == ["ready"]
    assert places(ingestion) == {"log.jsonl": path.stat().st_size}


def test_what_was_read_is_not_read_again(ingestion: Ingestion, path: Path) -> None:
    append(path, line("one"))
    assert Run(path, ingestion, is_once=True).done.count == 1
    append(path, line("two"))
    assert Run(path, ingestion, is_once=True).done.count == 1
    assert Run(path, ingestion, is_once=True).done.count == 0
    assert stored(ingestion) == ["one", "two"]
    assert places(ingestion) == {"log.jsonl": path.stat().st_size}


def test_stop_before_the_start_records_nothing(ingestion: Ingestion, path: Path) -> None:
    append(path, line("one"))
    stop, ready = threading.Event(), []
    stop.set()
    done = Follower(path, ingestion, print, stop=stop, ready=lambda: ready.append(1)).run()
    assert (done, ready, stored(ingestion)) == (Followed(), [], [])


def test_what_is_left_out_is_said_with_its_byte_in_the_order_of_the_file(ingestion: Ingestion, path: Path) -> None:
    one = line("one")
    lines = ["{", one, line("x", workspace="nobody"), one, line("y", colour="red"), line("two")]
    starts = [sum(len(text) + 1 for text in lines[:number]) for number in range(len(lines))]
    append(path, *lines)
    run = Run(path, ingestion, is_once=True)
    assert run.said == [
        "log.jsonl, line at byte 0 was left out: Invalid JSON: EOF while parsing an object at line 1 column 1",
        f'log.jsonl, line at byte {starts[2]} was left out: workspace "nobody" does not exist',
        f"log.jsonl, line at byte {starts[4]} was left out: colour: Extra inputs are not permitted",
    ]
    assert run.done == Followed(count=2, repeated=1, rejected=3)
    append(path, "[]")
    run = Run(path, ingestion, is_once=True)
    assert run.said == [f"log.jsonl, line at byte {path.stat().st_size - 3} was left out: Input should be an object"]
    assert run.done == Followed(rejected=1)


def test_byte_order_mark_begins_a_file_only(ingestion: Ingestion, path: Path) -> None:
    append(path, "\ufeff" + line("one"), "\ufeff" + line("two"))
    run = Run(path, ingestion, is_once=True)
    assert stored(ingestion) == ["one"]
    assert run.done.rejected == 1


@pytest.mark.parametrize("start", [b"\x1f\x8b\x08\n", b"{\0\n"])
def test_file_of_another_format_ends_the_program(ingestion: Ingestion, path: Path, start: bytes) -> None:
    path.write_bytes(start)
    with pytest.raises(SetupError, match=r"^log\.jsonl is (compressed|UTF-16 text)"):
        Run(path, ingestion, is_once=True)
    path.write_bytes(line("one").encode() + b"\n" + start)
    run = Run(path, ingestion, is_once=True)
    assert (run.done.count, run.done.rejected) == (1, 1)


def test_many_lines_are_stored_in_parts(ingestion: Ingestion, path: Path) -> None:
    append(path, *(line(f"{number}") for number in range(2 * MOST_AT_ONCE + 1)))
    run = Run(path, ingestion, is_once=True)
    assert [told[0] for told in run.told] == [MOST_AT_ONCE, 2 * MOST_AT_ONCE, 2 * MOST_AT_ONCE + 1]
    assert stored(ingestion) == [f"{number}" for number in range(2 * MOST_AT_ONCE + 1)]


def test_line_that_is_longer_than_a_look_is_read_whole(
    ingestion: Ingestion, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long, longer = line("x" * 2_000), line("y" * 4_000)
    monkeypatch.setattr(following, "_READ_BYTES", 1_000)
    monkeypatch.setattr(following, "MOST_LINE_BYTES", len(long))
    append(path, line("one"), long, longer, line("two"), longer, "z" * 9_000, line("three"))
    run = Run(path, ingestion, is_once=True)
    assert [text[:5] for text in stored(ingestion)] == ["one", "xxxxx", "two", "three"]
    too_long = [said for said in run.said if said.endswith(f"is longer than {len(long)} bytes")]
    assert len(too_long) >= 3
    assert too_long[0].startswith(f"log.jsonl, line at byte {len(line('one')) + len(long) + 2} was left out")


def test_path_that_is_a_folder_is_refused(ingestion: Ingestion, path: Path) -> None:
    path.mkdir()
    with pytest.raises(SetupError) as refused:
        Run(path, ingestion, is_once=True)
    assert refused.value.message == f"{path} is not a regular file; `follow -` reads standard input."


def test_file_that_cannot_be_opened_is_named(ingestion: Ingestion, path: Path) -> None:
    append(path, line("one"))
    loop = path.with_name("log.jsonl.1")
    loop.symlink_to(loop)
    with pytest.raises(SetupError) as refused:
        Run(path, ingestion, is_once=True)
    assert refused.value.message == f"The file {loop} cannot be read: Too many levels of symbolic links."


def test_path_is_followed_by_one_process_only(ingestion: Ingestion, path: Path) -> None:
    append(path, line("one"))

    def another() -> None:
        append(path, line("two"))
        Run(path, ingestion, is_once=True)

    with pytest.raises(SetupError) as refused:
        Run(path, ingestion, nothing, another, nothing, nothing)
    assert refused.value.message == f"Another process follows {path} into the same database."
    assert stored(ingestion) == ["one", "two"]


class TestPatience:
    def test_busy_database_is_tried_again_until_it_answers(self) -> None:
        troubles, said = iter([Trouble.BUSY, Trouble.AWAY]), []

        def work() -> int:
            for trouble in troubles:
                raise StorageError(trouble, "the database x")
            return 7

        script = Script(nothing, nothing, nothing)
        assert patiently(work, said.append, script) == 7
        assert script.waits == [1.0, 1.0]
        assert said == [f"{StorageError(one, 'the database x')}; waiting" for one in (Trouble.BUSY, Trouble.AWAY)]

    def test_end_of_the_program_ends_the_wait(self) -> None:
        def work() -> int:
            raise StorageError(Trouble.BUSY, "the database x")

        script = Script(nothing)
        assert patiently(work, lambda _: None, script) is None
        assert len(script.waits) == 2

    def test_database_that_somebody_must_repair_ends_the_program(self) -> None:
        error = StorageError(Trouble.FULL, "the database x")

        def work() -> int:
            raise error

        with pytest.raises(SetupError) as refused:
            patiently(work, lambda _: None, Script(nothing))
        assert refused.value.message == f"{error}."

    def test_lines_that_are_not_stored_before_the_end_are_read_by_the_next_run(
        self, ingestion: Ingestion, path: Path
    ) -> None:
        path.touch()
        Run(path, ingestion, is_once=True)
        append(path, line("one"))
        ingestion.database._busy_timeout_s = 0.0
        with ingestion.database.writing():
            run = Run(path, ingestion, nothing)
        assert run.done == Followed()
        assert run.said
        assert all(said.endswith("; waiting") for said in run.said)
        ingestion.database._busy_timeout_s = 15.0
        assert Run(path, ingestion, is_once=True).done.count == 1


class TestStream:
    def follow(self, ingestion: Ingestion, file: Path, content: bytes) -> tuple[Followed, list[str], list[int]]:
        file.write_bytes(content)
        said: list[str] = []
        told: list[int] = []
        with file.open("rb") as stream:
            done = follow_stream(stream, ingestion, said.append, lambda so_far: told.append(so_far.count))
        return done, said, told

    def test_lines_are_recorded_until_the_end(self, ingestion: Ingestion, tmp_path: Path) -> None:
        content = f"\ufeff{line('one')}\r\n{{\n\n{line('two')}".encode()
        done, said, told = self.follow(ingestion, tmp_path / "in", content)
        assert stored(ingestion) == ["one", "two"]
        assert done == Followed(count=2, rejected=1)
        assert told == [1]
        place = content.index(b"\n") + 1
        assert [text.split(" was ")[0] for text in said] == [f"standard input, line at byte {place}"]

    def test_lines_may_be_cut_anywhere(
        self, ingestion: Ingestion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(following, "_READ_BYTES", 7)
        content = "".join(f"{line(f'größe {number}')}\n" for number in range(4)) + "{\n"
        done, said, told = self.follow(ingestion, tmp_path / "in", content.encode())
        assert stored(ingestion) == [f"größe {number}" for number in range(4)]
        assert done == Followed(count=4, rejected=1)
        assert said[0].startswith(f"standard input, line at byte {len(content.encode()) - 2} was")
        assert told == sorted(told)
        assert set(told) == {0, 1, 2, 3, 4}

    def test_line_that_is_too_long_is_left_out(
        self, ingestion: Ingestion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        longest = line("x" * 500)
        monkeypatch.setattr(following, "_READ_BYTES", 100)
        monkeypatch.setattr(following, "MOST_LINE_BYTES", len(longest))
        content = f"{longest}\n{'y' * (len(longest) + 1)}\n{line('two')}\n"
        done, said, _ = self.follow(ingestion, tmp_path / "in", content.encode())
        assert [text[:3] for text in stored(ingestion)] == ["xxx", "two"]
        place = len(longest) + 1
        assert said[0] == f"standard input, line at byte {place} was left out: is longer than {len(longest)} bytes"
        assert done.count == 2

    def test_many_lines_are_stored_in_parts(self, ingestion: Ingestion, tmp_path: Path) -> None:
        content = "".join(f"{line(f'{number}')}\n" for number in range(MOST_AT_ONCE + 1))
        done, _, _ = self.follow(ingestion, tmp_path / "in", content.encode())
        assert done.count == MOST_AT_ONCE + 1


@pytest.mark.parametrize(
    ("data", "lines", "rest"),
    [
        (b"", [], (10, b"")),
        (b"a", [], (10, b"a")),
        (b"a\n", [(10, b"a\n")], (12, b"")),
        (b"a\nbc\r\nd", [(10, b"a\n"), (12, b"bc\r\n")], (16, b"d")),
        (b"\n\n", [(10, b"\n"), (11, b"\n")], (12, b"")),
        (b"a\rb\x0bc\x85\n", [(10, b"a\rb\x0bc\x85\n")], (17, b"")),
    ],
)
def test_bytes_are_cut_after_line_feeds(data: bytes, lines: list[tuple[int, bytes]], rest: tuple[int, bytes]) -> None:
    assert cut(data, 10) == ([Line(*one) for one in lines], *rest)
