"""Pages in reStructuredText where docutils is not installed: their source is shown, with a finding that says what to install."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from .sites import write

_HIDDEN = """
import sys
from importlib.machinery import PathFinder


class Finder(PathFinder):
    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        return None if fullname.partition(".")[0] == "docutils" else super().find_spec(fullname, path, target)


sys.meta_path[sys.meta_path.index(PathFinder)] = Finder
"""
"""Runs at the start of each Python process, which then finds no docutils."""


def test_page_in_restructuredtext_without_docutils_is_a_finding(tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    write(hidden, {"sitecustomize.py": _HIDDEN})
    site = tmp_path / "site"
    write(
        site,
        {
            "octavo.toml": 'title = "Kite"\n\n[markdown]\nextensions = ["rst"]\n',
            "docs/index.md": "---\ntitle: Home\n---\n\nText.\n",
            "docs/a.rst": "Wind\n====\n\nBlows.\n",
        },
    )
    done = subprocess.run(
        [sys.executable, "-m", "octavo", "build", str(site), "--out", str(tmp_path / "out"), "--no-search", "--json",
         "--keep-going"],
        env={**os.environ, "PYTHONPATH": str(hidden)},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    found = [one for one in json.loads(done.stdout)["findings"] if one["code"] == "foreign-syntax"]
    assert [(one["span"]["path"], one["span"]["line"]) for one in found] == [("docs/a.rst", 1)]
    assert "without docutils" in found[0]["message"]
    assert 'pip install "octavo[rst]"' in found[0]["suggestion"]
    assert "Blows." in (tmp_path / "out/a/index.html").read_text("utf-8")
