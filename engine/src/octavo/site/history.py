"""When each file was last changed, and by whom: asked of git once for the whole site."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec


class LastCommit(msgspec.Struct, frozen=True):
    """The last commit that touched a file."""

    date: str
    """ISO 8601 date, UTC."""
    author: str


def find_head(site_dir: Path) -> str | None:
    """Find the commit that is checked out, or None outside a git work tree (or where there is no git)."""
    if not any((folder / ".git").exists() for folder in (site_dir.resolve(), *site_dir.resolve().parents)):
        return None
    return _git(site_dir, "rev-parse", "HEAD").strip() or None


def load_history(site_dir: Path) -> Mapping[str, LastCommit]:
    """Load the last change of every file, as path from the site's folder → change.

    Files that were never committed are missing. One pass over the log, newest first.
    """
    log = _git(site_dir, "log", "--format=%x00%ct%x00%an", "--name-only", "--relative", "--no-renames", "--", ".")
    changes: dict[str, LastCommit] = {}
    change = LastCommit("", "")
    for line in log.splitlines():
        if line.startswith("\x00"):
            _, seconds, author = line.split("\x00", 2)
            change = LastCommit(datetime.fromtimestamp(int(seconds), tz=UTC).date().isoformat(), author)
        elif line:
            changes.setdefault(line, change)
    return changes


def _git(site_dir: Path, *arguments: str) -> str:
    import subprocess

    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", "-c", "core.quotePath=false", "-C", str(site_dir), *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=environment,
            check=False,
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""
