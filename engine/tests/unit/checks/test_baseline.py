"""Findings that a site is allowed to keep."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.checks.baseline import Known, compare_findings, load_baseline, save_baseline
from octavo.diagnostics import Diagnostic, Span
from octavo.errors import UsageError


def finding(path: str, message: str = "Wrong.", line: int = 1) -> Diagnostic:
    return Diagnostic("kit", "warn", Span(path, line), message)


def test_baseline_is_sorted_counted_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    save_baseline(file, [finding("b.md"), finding("a.md", "Worse."), finding("b.md", line=9), finding("a.md")])
    assert load_baseline(file) == [
        Known("a.md", "kit", "Worse."),
        Known("a.md", "kit", "Wrong."),
        Known("b.md", "kit", "Wrong.", 2),
    ]
    text = file.read_text(encoding="utf-8")
    assert text.startswith('[\n  {\n    "path": "a.md",\n')
    assert text.endswith("]\n")


def test_known_findings_are_tolerated_wherever_they_have_moved() -> None:
    known = [Known("a.md", "kit", "Wrong.", 2), Known("b.md", "kit", "Wrong.", 3), Known("c.md", "odd", "Wrong.")]
    found = [finding("a.md", line=line) for line in (5, 6, 7)] + [finding("b.md"), finding("c.md")]
    compared = compare_findings(found, known)
    assert compared.new == [found[2], found[4]]
    assert (compared.tolerated, compared.mended) == (3, 3)


def test_site_without_a_baseline_has_new_findings_only() -> None:
    assert compare_findings([finding("a.md")], []).new == [finding("a.md")]
    assert compare_findings([], []).mended == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "does not exist. Write the findings of today with `--update-baseline`"),
        (b"no JSON", "cannot be read as a baseline: JSON is malformed"),
        (b'[{"path": "a"}]', "cannot be read as a baseline: Object missing required field `code`"),
        (
            b'[{"path": "a", "code": "b", "message": "c", "odd": 1}]',
            "cannot be read as a baseline: Object contains unknown",
        ),
    ],
)
def test_file_that_is_no_baseline_is_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    if content is not None:
        (tmp_path / "baseline.json").write_bytes(content)
    with pytest.raises(UsageError, match=message):
        load_baseline(tmp_path / "baseline.json")


def test_folder_in_the_place_of_a_baseline_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be read as a baseline: Is a directory\. Rewrite it"):
        load_baseline(tmp_path)
    with pytest.raises(UsageError, match=r"cannot be written: Is a directory\."):
        save_baseline(tmp_path, [])
