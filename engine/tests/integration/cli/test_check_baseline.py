"""`octavo check --baseline`: an old site adopts the checks without mending everything first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.tests.integration.cli.conftest import Result, Run
from tests.support.sites import HOME, MakeSite, SiteFolder, page


@pytest.fixture
def site(make_site: MakeSite) -> SiteFolder:
    return make_site({**HOME, "docs/a.md": page("A", "[x](./gone.md)\n\n[x](./gone.md)\n\n[y](./a.md#no)")})


@pytest.fixture
def baseline(run: Run, site: SiteFolder, tmp_path: Path) -> Path:
    """The findings of the site as it is."""
    path = tmp_path / "baseline.json"
    assert run("check", site.root, "--baseline", path, "--update-baseline").code == 0
    return path


def errors_of(result: Result) -> list[str]:
    return [line for line in result.err.splitlines() if not line.endswith("done.") and not line.startswith("  ")]


def test_known_findings_are_tolerated(run: Run, site: SiteFolder, baseline: Path) -> None:
    result = run("check", site.root, "--strict", "--baseline", baseline)
    assert (result.code, result.out) == (0, "Nothing new is wrong: 2 pages checked.\n")
    assert errors_of(result) == [f"3 known findings of {baseline} not shown."]


def test_file_lists_each_finding_once_with_how_often_it_occurs(baseline: Path) -> None:
    assert json.loads(baseline.read_text()) == [
        {
            "path": "docs/a.md",
            "code": "broken-anchor",
            "message": 'link "./a.md#no": this page has no heading or element with the id "no".',
            "count": 1,
        },
        {
            "path": "docs/a.md",
            "code": "broken-link",
            "message": 'link "./gone.md" leads to no document and no file.',
            "count": 2,
        },
    ]


def test_finding_that_has_moved_to_another_line_is_known(run: Run, site: SiteFolder, baseline: Path) -> None:
    text = (site.root / "docs/a.md").read_text()
    site.write({"docs/a.md": text.replace("[x]", "New text.\n\n[x]", 1)})
    assert run("check", site.root, "--strict", "--baseline", baseline).code == 0


def test_new_finding_fails_and_is_the_only_one_shown(run: Run, site: SiteFolder, baseline: Path) -> None:
    site.write({"docs/b.md": page("B", "[z](./nothing.md)")})
    result = run("check", site.root, "--baseline", baseline)
    assert result.code == 1
    assert errors_of(result) == [
        f"3 known findings of {baseline} not shown.",
        'docs/b.md:5:1: error: link "./nothing.md" leads to no document and no file. [broken-link]',
        "1 error, 0 warnings.",
    ]


def test_one_more_of_a_known_kind_is_new(run: Run, site: SiteFolder, baseline: Path) -> None:
    text = (site.root / "docs/a.md").read_text()
    site.write({"docs/a.md": text + "\n[x](./gone.md)\n"})
    result = run("check", site.root, "--format", "json", "--baseline", baseline)
    assert (result.code, [finding["span"]["line"] for finding in json.loads(result.out)]) == (1, [11])


def test_mended_findings_are_said_to_be_so(run: Run, site: SiteFolder, baseline: Path) -> None:
    site.write({"docs/a.md": page("A", "[x](./gone.md)")})
    assert errors_of(run("check", site.root, "--baseline", baseline)) == [
        f"1 known finding of {baseline} not shown.",
        f"2 of {baseline} fixed; update it with --update-baseline.",
    ]


def test_baseline_that_is_not_there_is_explained(run: Run, site: SiteFolder, tmp_path: Path) -> None:
    result = run("check", site.root, "--baseline", tmp_path / "none.json")
    expected = f"octavo: {tmp_path}/none.json does not exist. Write the findings of today with `--update-baseline`.\n"
    assert result == (2, "", expected)


@pytest.mark.parametrize("content", [b"{}", b"[1]", b"\xff", b'[{"path": "a", "code": "b"}]'])
def test_file_that_is_no_baseline_is_refused(run: Run, site: SiteFolder, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "baseline.json"
    path.write_bytes(content)
    result = run("check", site.root, "--baseline", path)
    assert result.code == 2
    assert result.err.startswith(f"octavo: {path} cannot be read as a baseline: ")


def test_update_needs_a_file(run: Run, site: SiteFolder) -> None:
    expected = "octavo: --update-baseline writes the file that --baseline names; name one.\n"
    assert run("check", site.root, "--update-baseline") == (2, "", expected)
