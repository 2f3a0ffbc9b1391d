"""A build hook: a wheel or a source distribution without the built theme would install and then fail at the first page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_SCRIPTS = (
    "server.js",
    "component-server.js",
    "web-apis.js",
    "compile-script.js",
    "base-url.js",
    "inline.js",
    "inline-tabs.js",
    "offline-inline.js",
    "offline-worker.js",
    "offline.js",
    "offline.css",
    "font-licenses.txt",
)
"""What `npm run build` writes beside the client's files, which are listed in a manifest."""


class ThemeHook(BuildHookInterface[Any]):
    """Builds the theme where it is missing and npm is there; else stops the build with what to do."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's own signature
        """Run before files are collected. An installation in place is left alone: `make` builds the theme after it."""
        if version == "editable":
            return
        root = Path(self.root)
        built = root / "src" / "octavo" / "_theme"
        missing = find_missing(built)
        if missing is None:
            return
        theme = root / "theme"
        npm = shutil.which("npm")
        if npm is None or not (theme / "package-lock.json").is_file():
            raise RuntimeError(
                f"The theme is not built ({missing} is missing), and a distribution without it cannot render a page. "
                "Run `make theme` in the repository first, or build where npm is installed."
            )
        self.app.display_info("Building the theme with npm…")
        for command in ([npm, "ci", "--omit=dev", "--no-audit", "--no-fund"], [npm, "run", "build"]):
            subprocess.run(command, cwd=theme, env=os.environ | {"NO_COLOR": "1"}, check=True)
        missing = find_missing(built)
        if missing is not None:
            raise RuntimeError(f"The theme's build ended without {missing}.")


def find_missing(theme: Path) -> Path | None:
    """Give the first file that a built theme should have and has not: its build may have been interrupted."""
    manifest = theme / "client" / ".vite" / "manifest.json"
    parts = [manifest, *(theme / name for name in _SCRIPTS)]
    if manifest.is_file():
        try:
            chunks = json.loads(manifest.read_bytes()).values()
        except ValueError:
            return manifest
        names = {name for one in chunks for name in (one["file"], *one.get("css", ()), *one.get("assets", ()))}
        parts += [theme / "client" / name for name in sorted(names)]
    return next((path for path in parts if not path.is_file()), None)
