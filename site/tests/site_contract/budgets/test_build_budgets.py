"""Ceilings of memory and bytes that hold on any machine; times are measured by `make bench`."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest

from bench.api_description import make_description
from bench.commands.reference import MEMORY_LIMIT_MIB, OPERATIONS, PAGE_LIMIT_KB
from bench.generate import generate_pages
from bench.processes import Run, run_measured
from tests.support import paths

SITE = paths.SITE
PAGES = 1_000
CORPUS_LIMIT_MIB = 400
TIMEOUT_S = 240

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory of processes is read from /proc")


def build(folder: Path) -> Run:
    """Build a site in a process of its own and measure it."""
    command = [sys.executable, "-m", "octavo", "build", folder, "--out", folder / "out", "--quiet"]
    return run_measured(command, cwd=folder, log=folder / "build.log", timeout_s=TIMEOUT_S)


def test_thousand_pages_are_built_in_400_mib(tmp_path: Path) -> None:
    """Summed over all processes of the build; pages made from the site's own, as where the shared corpus is missing."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((SITE / "docs").rglob("*.mdx"))]
    for name, text in generate_pages(texts, count=PAGES, rng=random.Random(1)).items():
        page = tmp_path / "docs" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    (tmp_path / "octavo.toml").write_text('title = "Thousand"\n', encoding="utf-8")
    run = build(tmp_path)
    assert len(list((tmp_path / "out").rglob("index.html"))) >= PAGES
    assert run.peak_mib < CORPUS_LIMIT_MIB


def test_description_of_a_thousand_operations_is_built_in_500_mib_and_no_page_is_larger_than_300_kb(
    tmp_path: Path,
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home\n\nWelcome.\n", encoding="utf-8")
    settings = 'title = "Large"\n\n[[openapi]]\nid = "large"\ndoc = "api"\nspec = "large.json"\nlayout = "pages"\n'
    (tmp_path / "octavo.toml").write_text(settings, encoding="utf-8")
    description = make_description(OPERATIONS, OPERATIONS * 3 // 2)
    (tmp_path / "large.json").write_text(json.dumps(description), encoding="utf-8")
    run = build(tmp_path)
    pages = [page.stat().st_size for page in (tmp_path / "out").rglob("*.html")]
    assert len(pages) > OPERATIONS
    assert max(pages) <= PAGE_LIMIT_KB * 1000
    assert run.largest_mib < MEMORY_LIMIT_MIB
