"""Stories in TypeScript: types made from a document, compiled with a story that uses them, and run against a server."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.npm import INSTALL_S, environment, find_program, install_packages

HERE = Path(__file__).parent
STEP_S = 100
"""Longest run of one program."""

LIMIT_S = INSTALL_S + 3 * STEP_S
"""Longest story."""

OPTIONS = ("--output", "api.ts", "--default-non-nullable=false")
"""What has a default may be left out of a request."""

CONFIG = {
    "compilerOptions": {
        "strict": True,
        "noEmit": True,
        "noUncheckedIndexedAccess": True,
        "exactOptionalPropertyTypes": True,
        "erasableSyntaxOnly": True,
        "verbatimModuleSyntax": True,
        "target": "es2022",
        "lib": ["es2022", "dom", "dom.iterable"],
        "module": "esnext",
        "moduleResolution": "bundler",
        "types": [],
    }
}


def tell_story(name: str, document: Mapping[str, Any], folder: Path, *arguments: str) -> Any:
    """Make types of a document, compile a story with them, and run it.

    Args:
        name: File beside this one, without `.ts`; it imports its types from `./api.ts`.
        document: The OpenAPI document.
        folder: An empty folder to work in.
        arguments: What the story is given, the address of the server first.

    Returns:
        What the story has printed, read as JSON.

    Raises:
        AssertionError: One of the steps failed; the text is what it wrote.
    """
    packages = install_packages(HERE, "TypeScript's clients")
    (folder / "node_modules").symlink_to(packages)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "tsconfig.json").write_text(json.dumps(CONFIG))
    (folder / "openapi.json").write_text(json.dumps(document))
    shutil.copy(HERE / f"{name}.ts", folder / "story.ts")
    _node(packages, "openapi-typescript/bin/cli.js", "openapi.json", *OPTIONS, folder=folder)
    _node(packages, "typescript/bin/tsc", "--project", ".", folder=folder)
    printed = _run("node", "--experimental-strip-types", "--no-warnings", "story.ts", *arguments, folder=folder)
    return json.loads(printed)


def _node(packages: Path, script: str, *arguments: str, folder: Path) -> str:
    return _run("node", str(packages / script), *arguments, folder=folder)


def _run(program: str, *arguments: str, folder: Path) -> str:
    done = subprocess.run(
        [find_program(program), *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=STEP_S,
        check=False,
    )
    assert done.returncode == 0, f"{program} {' '.join(arguments)}\n{done.stdout}{done.stderr}"
    return done.stdout
