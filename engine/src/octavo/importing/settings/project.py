"""The folder of the project that a site belongs to: what lies in it may be read, and nothing above it."""

from __future__ import annotations

import json
from pathlib import Path

from octavo.lazy import regex as re

_MOST = 4
_OF_PROJECTS = ("pyproject.toml", "setup.py", "setup.cfg", "Cargo.toml", "package.json", "go.mod", "LICENSE", "LICENSE.txt", "LICENSE.md",
                "README.md", "README.rst")  # fmt: skip
"""What shows that a folder is that of a project: pages take in nothing that lies above it."""


def levels_of_project(folder: Path) -> int:
    """Count the folders up to that of the project: the nearest repository, else the nearest folder above with a mark."""
    resolved = folder.resolve()
    folders = [resolved, *resolved.parents][: _MOST + 1]
    found = (height for height, one in enumerate(folders) if (one / ".git").exists())
    marked = (
        height for height, one in enumerate(folders) if height and any((one / mark).exists() for mark in _OF_PROJECTS)
    )
    return next(found, next(marked, 0))


def project_of(folder: Path) -> Path:
    """Give the folder of the project that a folder belongs to; itself where nothing shows one."""
    resolved = folder.resolve()
    levels = levels_of_project(resolved)
    return resolved.parents[levels - 1] if levels else resolved


def depends_on(home: Path, package: str, *, for_builds: bool = False) -> bool:
    """Return whether a project of npm asks for a package; with `for_builds`, also where it does so while it is built only."""
    return bool(_asked(home, package) or (for_builds and _asked(home, package, "devDependencies")))


def is_of_version(home: Path, package: str, number: int) -> bool:
    """Return whether a project of npm asks for a version of a package: its first number."""
    asked = _asked(home, package)
    return isinstance(asked, str) and re.match(rf"[\^~>=v ]*{number}(?:\.|\Z)", asked) is not None


def _asked(home: Path, package: str, kind: str = "dependencies") -> object:
    try:
        given = json.loads((home / "package.json").read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return None
    wanted = given.get(kind) if isinstance(given, dict) else None
    return wanted.get(package) if isinstance(wanted, dict) else None
