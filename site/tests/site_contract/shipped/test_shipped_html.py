"""All pages hold the rules of html-validate; `engine/theme/htmlvalidate.config.mjs` says which are off and why."""

from __future__ import annotations

from pathlib import Path

from site_contract.shipped.conftest import Published
from tests.support.html import html_files, html_findings


def test_page_with_faults_has_findings(tmp_path: Path) -> None:
    faulty = tmp_path / "a.html"
    faulty.write_text(
        '<!doctype html><html lang="en"><title>A</title><p id="a">a</p><p id="a">b</p><img src="a.png">\n'
    )
    rules = {line.rpartition("[")[2].strip("]") for line in html_findings([faulty], tmp_path)}
    assert {"no-dup-id", "wcag/h37"} <= rules


def test_pages_have_none(site: Published, tmp_path: Path) -> None:
    pages = html_files(site.out)
    assert len(pages) > 100
    assert html_findings(pages, tmp_path) == []
