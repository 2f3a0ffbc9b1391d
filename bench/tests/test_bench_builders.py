from __future__ import annotations

from pathlib import Path

import pytest

from bench.builders import Builder
from bench.errors import BenchError


def make_builder(folder: Path, script: str = "true") -> Builder:
    return Builder(
        name="Shell",
        version="1",
        folder=folder,
        pages=folder / "docs",
        command=["sh", "-c", script],
        out=folder / "out",
        caches=[folder / ".cache", folder / "lock"],
    )


def test_builder_that_skips_pages_is_refused(tmp_path: Path) -> None:
    builder = make_builder(tmp_path)
    builder.out.mkdir()
    (builder.out / "index.html").touch()
    with pytest.raises(BenchError, match=r"Shell wrote no page for 1 of 2 sources, such as guide\.md\."):
        builder.check_output(["index.md", "guide.md"])


def test_not_found_page_is_no_page(tmp_path: Path) -> None:
    builder = make_builder(tmp_path)
    builder.out.mkdir()
    (builder.out / "index.html").touch()
    (builder.out / "404.html").touch()
    assert builder.check_output(["index.md"]) == 1


def test_cold_build_starts_without_output_and_caches(tmp_path: Path) -> None:
    builder = make_builder(tmp_path)
    builder.out.mkdir()
    (tmp_path / ".cache").mkdir()
    (tmp_path / "lock").touch()
    builder.clear()
    assert list(tmp_path.iterdir()) == []


def test_build_runs_in_the_folder_of_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.paths.WORK", tmp_path / "work")
    make_builder(tmp_path, "mkdir out && touch out/index.html").build()
    assert (tmp_path / "out" / "index.html").is_file()
