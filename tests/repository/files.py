"""The files of the repository: those that git tracks, and new ones that it does not ignore."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

from tests.support.paths import REPOSITORY


@cache
def repository_files() -> tuple[str, ...]:
    """List the files as paths from the repository's folder."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
    return tuple(name for name in sorted(set(listed.split("\0"))) if name and (REPOSITORY / name).is_file())


@cache
def text_files() -> dict[str, str]:
    """Read the files that hold text, as path → text."""
    contents = {name: (REPOSITORY / name).read_bytes() for name in repository_files()}
    return {name: content.decode(errors="replace") for name, content in contents.items() if b"\0" not in content}


def folder_of(name: str) -> Path:
    """Give the folder of a file that `repository_files` lists."""
    return (REPOSITORY / name).parent
