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
    report.table(["builder", "wall"], [["Recto", "1.80"]])
    report.bound(Bound("wall", 1.8, 1.9, "s"))
    content = msgspec.json.decode(report.write("build").read_bytes())
    assert content["tables"] == [{"header": ["builder", "wall"], "rows": [["Recto", "1.80"]]}]
    assert content["bounds"][0]["is_met"] is True
