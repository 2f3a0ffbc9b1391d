"""html-validate over published pages; `engine/theme/htmlvalidate.config.mjs` says which of its rules are off and why."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.support import paths
from tests.support.npm import environment, find_program

_THEME = paths.SITE.parent / "engine" / "theme"
_PROGRAM = _THEME / "node_modules" / "html-validate" / "bin" / "html-validate.mjs"
_TIMEOUT_S = 300


def html_findings(files: list[Path], folder: Path) -> list[str]:
    """Check files of HTML.

    Args:
        files: What to check.
        folder: Where the report may be written: a pipe is cut off when the program ends.
    """
    if not _PROGRAM.is_file():
        pytest.skip("html-validate is not installed: run `npm ci` in engine/theme.")
    report = folder / "html-validate.json"
    command = [find_program("node"), _PROGRAM, "--config", _THEME / "htmlvalidate.config.mjs"]
    done = subprocess.run(
        [*command, "--formatter", f"json={report}", *files],
        check=False,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
    )
    assert done.returncode in (0, 1), done.stderr
    return [
        f"{one['filePath']}:{message['line']}: {message['message']} [{message['ruleId']}]"
        for one in json.loads(report.read_text())
        for message in one["messages"]
    ]


def html_files(out: Path) -> list[Path]:
    """List the files of HTML of a published site."""
    return sorted(out.rglob("*.html"))
