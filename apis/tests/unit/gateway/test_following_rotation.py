"""A file of conversations that is rotated while it is followed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from apis.tests.unit.gateway.databases import make_database
from apis.tests.unit.gateway.followed import Run, append, line, nothing, places, stored
from gateway_api.ingestion import Ingestion, following
from gateway_api.ingestion.following import GRACE_S, Followed


@pytest.fixture
def ingestion(tmp_path: Path) -> Iterator[Ingestion]:
    with Ingestion(make_database(tmp_path / "data")) as ingestion:
        yield ingestion


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    return tmp_path / "logs" / "log.jsonl"


class TestRotation:
    def test_renamed_file_is_read_on_until_its_writer_is_quiet(
        self, ingestion: Ingestion, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        append(path, line("one"))
        old = path.with_name("log.jsonl.1")

        def rotate() -> None:
            path.rename(old)
            append(path, line("new"))

        def no_grace() -> None:
            monkeypatch.setattr(following, "GRACE_S", -1.0)

        seen: dict[str, list[str]] = {}
        run = Run(
            path,
            ingestion,
            nothing,
            rotate,
            nothing,
            lambda: append(old, line("late")),
            nothing,
            lambda: seen.update(read_on=stored(ingestion)),
            no_grace,
            nothing,
            lambda: append(old, line("too late")),
            nothing,
            lambda: append(path, line("newer")),
            nothing,
            nothing,
        )
        assert GRACE_S == 5.0
        assert seen["read_on"] == ["one", "new", "late"]
        assert stored(ingestion) == ["one", "new", "late", "newer"]
        assert run.said == []
        assert places(ingestion)["log.jsonl"] == path.stat().st_size

    def test_file_that_is_finished_is_read_on_when_it_grows_and_a_rotation_brings_it_back(
        self, ingestion: Ingestion, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(following, "GRACE_S", -1.0)
        old, older = path.with_name("log.jsonl.1"), path.with_name("log.jsonl.2")
        append(path, line("one"))

        def rotate() -> None:
            if old.exists():
                old.rename(older)
            path.rename(old)
            append(path, line(f"new {older.exists()}"))

        def grow() -> None:
            append(old, line("late"))
            rotate()

        steps = (rotate, nothing, nothing, nothing, grow, nothing, nothing, nothing, nothing)
        Run(path, ingestion, nothing, *steps)
        assert sorted(stored(ingestion)) == ["late", "new False", "new True", "one"]

    def test_line_of_a_deleted_file_is_said_under_the_name_of_its_path(self, ingestion: Ingestion, path: Path) -> None:
        append(path, line("one"))
        place = path.stat().st_size

        def replace() -> None:
            with path.open("a") as file:
                path.unlink()
                file.write("{\n")
            append(path, line("two"))

        run = Run(path, ingestion, nothing, replace, nothing, nothing, nothing)
        assert [said.split(" was ")[0] for said in run.said] == [f"log.jsonl, line at byte {place}"]
        assert run.done == Followed(count=2, rejected=1)

    def test_last_line_of_a_finished_file_needs_no_end(
        self, ingestion: Ingestion, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(following, "GRACE_S", -1.0)
        append(path, line("one"))

        def rotate() -> None:
            append(path, line("two"), end="")
            path.rename(path.with_name("log.jsonl.1"))
            append(path, line("three"), line("four"), end="")

        Run(path, ingestion, nothing, rotate, nothing, nothing, nothing)
        assert stored(ingestion) in (["one", "two"], ["one", "two", "three"], ["one", "three", "two"])
        assert "four" not in stored(ingestion)  # the file at the path goes on

    def test_run_for_once_ends_rotated_files(self, ingestion: Ingestion, path: Path) -> None:
        append(path, line("one"))
        Run(path, ingestion, is_once=True)
        append(path, line("two"), line("three"), end="\n")
        append(path, line("four"), end="")
        path.rename(path.with_name("log.jsonl-20260101"))
        append(path, line("five"))
        run = Run(path, ingestion, is_once=True)
        assert sorted(stored(ingestion)) == ["five", "four", "one", "three", "two"]
        assert run.done.count == 4

    def test_files_that_were_rotated_before_the_first_start_are_skipped(self, ingestion: Ingestion, path: Path) -> None:
        append(path.with_name("log.jsonl.1"), line("old"))
        append(path, line("one"))
        Run(path, ingestion, is_once=True)
        assert stored(ingestion) == ["one"]

    def test_file_that_is_rotated_before_it_is_seen_is_recorded(self, ingestion: Ingestion, path: Path) -> None:
        Run(path, ingestion, is_once=True)
        append(path, line("one"))
        path.rename(path.with_name("log.jsonl.1"))
        Run(path, ingestion, is_once=True)
        assert stored(ingestion) == ["one"]

    def test_file_that_was_deleted_is_read_to_its_end(self, ingestion: Ingestion, path: Path) -> None:
        append(path, line("one"))

        def replace() -> None:
            with path.open("a") as file:
                path.unlink()
                file.write(line("two") + "\n")
            append(path, line("three"))

        run = Run(path, ingestion, nothing, replace, nothing, nothing, nothing)
        assert sorted(stored(ingestion)) == ["one", "three", "two"]
        assert places(ingestion) == {"log.jsonl": path.stat().st_size}
        assert run.said == []

    @pytest.mark.parametrize("hint", [(), ("log.jsonl.2.gz", "log.jsonl.1.gz")])
    def test_truncated_file_is_read_anew_and_what_may_be_lost_is_said(
        self, ingestion: Ingestion, path: Path, hint: Sequence[str]
    ) -> None:
        append(path, line("one"))
        Run(path, ingestion, is_once=True)
        size = path.stat().st_size
        for name in hint:
            path.with_name(name).touch()
        path.write_text(line("two") + "\n")
        run = Run(path, ingestion, is_once=True)
        assert stored(ingestion) == ["one", "two"]
        listed = " (perhaps log.jsonl.1.gz, log.jsonl.2.gz has them: rotate without compression)" if hint else ""
        said = f"{path}: the file was truncated or replaced after its first {size} bytes were read"
        assert run.said == [f"{said}; if it had more lines, they were not recorded{listed}"]

    def test_file_that_is_truncated_meanwhile_is_read_anew(self, ingestion: Ingestion, path: Path) -> None:
        append(path, line("one"))
        run = Run(path, ingestion, nothing, lambda: path.write_text(line("two") + "\n"), nothing, nothing, nothing)
        assert stored(ingestion) == ["one", "two"]
        assert len(run.said) == 1
        assert "was truncated or replaced" in run.said[0]

    def test_file_that_has_gone_meanwhile_is_said(self, ingestion: Ingestion, path: Path) -> None:
        append(path, line("one"))
        Run(path, ingestion, is_once=True)
        size = path.stat().st_size
        path.unlink()
        run = Run(path, ingestion, is_once=True)
        said = f"{path}: the file has gone after its first {size} bytes were read; if it had more lines, they were not"
        assert run.said == [f"{said} recorded"]
