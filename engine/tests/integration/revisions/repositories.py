"""Repositories with releases."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SETTINGS = 'title = "Site"\n[versions]\nfrom = "tags"\n'
"""Settings of a site whose versions are the tags of its repository."""

ENVIRONMENT = {
    **os.environ,
    **{f"GIT_{who}_{what}": "site@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout


def release(folder: Path, version: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", version)
    git(folder, "tag", "-a", "-m", version, f"v{version}")
