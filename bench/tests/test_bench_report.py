from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bench import paths
from bench.figures import Bound
from bench.report import Report


def test_missing_part_is_said_at_once_and_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report()
    report.skip("Zensical", "pip cannot install it")
    report.close()
    assert capsys.readouterr().out.count("SKIPPED  Zensical: pip cannot install it\n") == 2


def test_results_hold_figures_and_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "RESULTS", tmp_path)
    report = Report()
    report.table(["builder", "wall"], [["Octavo", "1.80"]])
    report.bound(Bound("wall", 1.8, 1.9, "s"))
    content = msgspec.json.decode(report.write("build").read_bytes())
    assert content["tables"] == [{"header": ["builder", "wall"], "rows": [["Octavo", "1.80"]]}]
    assert content["bounds"][0]["is_met"] is True


def test_every_bound_stands_beside_its_figure_at_the_end_and_missed_ones_are_marked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = Report()
    report.bound(Bound("wall", 1.8, 1.9, "s"))
    report.bound(Bound("memory", 450.0, 400.0, "MiB"))
    report.bound(Bound("score", 98.0, 100.0, "points", is_floor=True))
    capsys.readouterr()
    report.close()
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[3:11] == [
        "bound figure limit verdict",
        lines[4],
        "wall 1.8 s ≤ 1.9 s met",
        "memory 450 MiB ≤ 400 MiB MISSED",
        "score 98 points ≥ 100 points MISSED",
        "",
        "1 of 3 bounds met",
        "MISSED memory: 450 MiB, at most 400; off by 50 MiB",
    ]
