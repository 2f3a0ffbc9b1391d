"""`reference`: a description of 1,000 operations and 1,500 schemas, against one of a tenth of that."""

from __future__ import annotations

import compileall
import json
import shutil
from pathlib import Path

from bench import paths
from bench.api_description import make_description
from bench.figures import Bound
from bench.processes import Run, run_measured
from bench.report import Report

OPERATIONS = 1_000
TIME_LIMIT_S = 10
MEMORY_LIMIT_MIB = 500
FACTOR = 1.5
PAGE_LIMIT_KB = 300
_TOML = 'title = "Large"\n\n[[openapi]]\nid = "large"\ndoc = "api"\nspec = "large.json"\nlayout = "pages"\n'


def run(report: Report) -> None:
    """Build both sizes cold."""
    report.head(f"API reference: {OPERATIONS:,} operations and {OPERATIONS * 3 // 2:,} schemas, cold")
    # As pip compiles a package that it installs; a checkout may run without.
    compileall.compile_dir(paths.PACKAGE, quiet=1)
    small, _ = _build(OPERATIONS // 10)
    large, out = _build(OPERATIONS)
    factor = large.wall_s / (10 * small.wall_s)
    page_kb = max(page.stat().st_size for page in out.rglob("*.html")) / 1000
    report.bound(Bound("large description, wall", large.wall_s, TIME_LIMIT_S, "s"))
    report.bound(Bound("large description, largest process", large.largest_mib, MEMORY_LIMIT_MIB, "MiB"))
    report.bound(Bound("time for an operation, against a tenth of them", factor, FACTOR, "× the time"))
    report.bound(Bound("largest page, uncompressed", page_kb, PAGE_LIMIT_KB, "kB"))


def _build(operations: int) -> tuple[Run, Path]:
    """Build a description in a fresh folder: (the run, published folder)."""
    folder = paths.SITES / f"reference-{operations}"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "index.md").write_text("# Home\n\nWelcome.\n", encoding="utf-8")
    (folder / "recto.toml").write_text(_TOML, encoding="utf-8")
    description = make_description(operations, operations * 3 // 2)
    (folder / "large.json").write_text(json.dumps(description), encoding="utf-8")
    out = folder / "build"
    command = [paths.VENV_BIN / "recto", "build", folder, "--out", out, "--quiet"]
    return run_measured(command, cwd=folder, log=folder / "build.log"), out
