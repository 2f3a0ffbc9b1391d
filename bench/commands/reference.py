"""`reference`: a description of 1,000 operations and 1,500 schemas, against one of a tenth of that."""

from __future__ import annotations

import compileall
import json
import os
import shutil
from pathlib import Path

from bench import install, paths
from bench.api_description import make_description
from bench.errors import Unavailable
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
    rows = [_row("Octavo", large, page_kb, len(list(out.rglob("*.html"))))]
    try:
        rows.append(_build_with_redoc())
    except Unavailable as error:
        report.skip("Redoc", error)
    report.table(["", "wall, s", "CPU, s", "largest process, MiB", "largest page, kB", "pages"], rows)
    report.bound(Bound("large description, wall", large.wall_s, TIME_LIMIT_S, "s"))
    report.bound(Bound("large description, largest process", large.largest_mib, MEMORY_LIMIT_MIB, "MiB"))
    report.bound(Bound("time for an operation, against a tenth of them", factor, FACTOR, "× the time"))
    report.bound(Bound("largest page, uncompressed", page_kb, PAGE_LIMIT_KB, "kB"))


def _row(name: str, run: Run, page_kb: float, pages: int) -> list[str]:
    return [name, f"{run.wall_s:.1f}", f"{run.cpu_s:.1f}", f"{run.largest_mib:.0f}", f"{page_kb:,.0f}", str(pages)]


def _build_with_redoc() -> list[str]:
    """Build the same description into Redoc's one static page, from which readers' browsers draw the rest.

    Raises:
        Unavailable: Redoc cannot be installed.
    """
    command, version = install.redoc()
    folder = paths.SITES / f"reference-{OPERATIONS}"
    page = folder / "redoc.html"
    words: list[str | Path] = [command, "build-docs", "large.json", "-o", page]
    # It starts with `env node`; and neither tells its makers of itself nor asks them for news.
    quiet = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    env = {**quiet, "PATH": f"{paths.VENV_BIN}{os.pathsep}{os.environ.get('PATH', '')}"}
    run = run_measured(words, cwd=folder, log=folder / "redoc.log", env=env, timeout_s=300)
    return _row(f"Redoc {version}", run, page.stat().st_size / 1000, 1)


def _build(operations: int) -> tuple[Run, Path]:
    """Build a description in a fresh folder: (the run, published folder)."""
    folder = paths.SITES / f"reference-{operations}"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "index.md").write_text("# Home\n\nWelcome.\n", encoding="utf-8")
    (folder / "octavo.toml").write_text(_TOML, encoding="utf-8")
    description = make_description(operations, operations * 3 // 2)
    (folder / "large.json").write_text(json.dumps(description), encoding="utf-8")
    out = folder / "build"
    command = [paths.VENV_BIN / "octavo", "build", folder, "--out", out, "--quiet"]
    return run_measured(command, cwd=folder, log=folder / "build.log"), out
