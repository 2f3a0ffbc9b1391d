"""Pages of each kind hold the rules of html-validate; `engine/theme/htmlvalidate.config.mjs` says which are off and why."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from site_contract.shipped.conftest import Published
from tests.support import paths
from tests.support.npm import environment, find_program

THEME = paths.SITE.parent / "engine" / "theme"
PROGRAM = THEME / "node_modules" / "html-validate" / "bin" / "html-validate.mjs"
KINDS = (
    "404.html",
    "index.html",
    "search/index.html",
    "theme-preview/index.html",
    "category/using-the-toolhive-cli/index.html",
    "codegate/quickstart/index.html",
    "codegate/features/muxing/index.html",
    "codegate/reference/api/index.html",
    "codegate/reference/api/schemas/index.html",
    "codegate/reference/api/workspaces/v1-create-workspace/index.html",
    "toolhive/reference/api/servers/index.html",
    "toolhive/reference/cli/thv_run/index.html",
)


def findings(*files: Path) -> list[str]:
    if not PROGRAM.is_file():
        pytest.skip("html-validate is not installed: run `npm ci` in engine/theme.")
    command = [find_program("node"), PROGRAM, "--config", THEME / "htmlvalidate.config.mjs", "--formatter", "json"]
    done = subprocess.run(
        [*command, *files], check=False, env=environment(), capture_output=True, text=True, timeout=300
    )
    assert done.returncode in (0, 1), done.stderr
    return [
        f"{one['filePath']}:{message['line']}: {message['message']} [{message['ruleId']}]"
        for one in json.loads(done.stdout)
        for message in one["messages"]
    ]


def test_page_with_faults_has_findings(tmp_path: Path) -> None:
    faulty = tmp_path / "a.html"
    faulty.write_text(
        '<!doctype html><html lang="en"><title>A</title><p id="a">a</p><p id="a">b</p><img src="a.png">\n'
    )
    rules = {line.rpartition("[")[2].strip("]") for line in findings(faulty)}
    assert {"no-dup-id", "wcag/h37"} <= rules


def test_pages_of_each_kind_have_none(site: Published) -> None:
    assert findings(*(site.out / name for name in KINDS)) == []
