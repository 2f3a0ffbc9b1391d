"""The folder of a project, and its patterns of files."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from octavo.importing.model import Plan

_SCRIPTS = (".ts", ".mts", ".cts", ".js", ".mjs", ".cjs")


def find_project(home: Path, folder: Path) -> Path:
    """Find the folder of the project: the nearest one above that is under version control, else what was named."""
    for candidate in (home, *home.parents):
        if (candidate / ".git").exists():
            return candidate
        # In these folders projects are side by side.
        if candidate.parent in (Path("/"), Path(tempfile.gettempdir()), Path.home()):
            break
    return (
        folder.parent
        if folder.resolve() == home.resolve()
        and folder.name in ("website", "docs", "www", "site", "docusaurus", "documentation")
        else folder
    )


def expand_braces(patterns: list[Any]) -> list[str]:
    """Write `{a,b}` out, which our patterns do not have."""
    found: list[str] = []
    for pattern in map(str, patterns):
        before, brace, rest = pattern.partition("{")
        inner, closed, after = rest.partition("}")
        found += expand_braces([f"{before}{one}{after}" for one in inner.split(",")]) if brace and closed else [pattern]
    return found


def find_program(plan: Plan, named: Path) -> Path | None:
    """Find the file of a program that settings name; `./sidebars.js` may be written in TypeScript, `./sidebars` has no ending.

    Returns:
        None where there is no such file, which is noted.
    """
    stem = named.with_suffix("") if named.suffix in _SCRIPTS else named
    found = next((one for one in (named, *(Path(f"{stem}{ending}") for ending in _SCRIPTS)) if one.is_file()), None)
    if found is None:
        plan.note(f"The file of sidebars {named.name} does not exist", "Write the sidebars into [[sidebars]].")
    return found
