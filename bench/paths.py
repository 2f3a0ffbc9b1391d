"""Where things lie. Everything that a benchmark writes is under `WORK` and `RESULTS`, both ignored by git."""

from __future__ import annotations

import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent
PACKAGE = ROOT / "engine" / "src" / "octavo"
WORK = BENCH / ".work"
RESULTS = BENCH / "results"

SITES = WORK / "sites"
"""One folder for each builder: its configuration, its pages, its output."""

TRASH = WORK / "trash"
"""Outputs that have been measured; deleted when all measurements are done."""

CORPUS_ARCHIVE = ROOT.parent / "shared" / "corpus" / "docs-1000.tar.gz"
SITE = ROOT / "site"
DOCS = ROOT / "docs"
LIBRARY = ROOT / "tests" / "e2e" / "fixtures" / "library"
"""A site with a blog."""

VENV_BIN = Path(sys.executable).parent
"""Folder of the environment's commands; not resolved, for a link would lead to the base interpreter's."""
