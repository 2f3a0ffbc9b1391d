"""Unit tests are pure: what starts processes, V8 or browsers takes seconds, and belongs to the other folders."""

from __future__ import annotations

import re

from tests.support.paths import REPOSITORY

FOLDERS = ("engine/tests/unit", "apis/tests/unit")
_COSTLY = re.compile(
    r"^\s*(?:import|from) (?:subprocess|multiprocessing|playwright|py_mini_racer)\b|\bProcessPoolExecutor\b|\.create_subprocess_",
    re.MULTILINE,
)


def test_imports_of_what_is_costly_are_found() -> None:
    found = [
        "import subprocess",
        "def run():\n    from multiprocessing import Pool",
        "from playwright.sync_api import Page",
    ]
    assert [text for text in found if not _COSTLY.search(text)] == []
    assert not _COSTLY.search("import asyncio\nfrom tests.support.processes import names\n")


def test_unit_tests_start_no_processes_and_no_browsers() -> None:
    files = [path for folder in FOLDERS for path in sorted((REPOSITORY / folder).rglob("*.py"))]
    assert len(files) > 200
    found = [path for path in files if _COSTLY.search(path.read_text(encoding="utf-8"))]
    assert [path.relative_to(REPOSITORY).as_posix() for path in found] == []
