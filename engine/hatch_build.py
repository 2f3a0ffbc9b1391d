"""A build hook: a wheel or a source distribution without the built theme would install and then fail at the first page."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ThemeHook(BuildHookInterface[Any]):
    """Builds the theme where it is missing and npm is there; else stops the build with what to do."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's own signature
        """Run before files are collected. An installation in place is left alone: `make` builds the theme after it."""
        if version == "editable":
            return
        root = Path(self.root)
        built = root / "src" / "octavo" / "_theme" / "server.js"
        if built.is_file():
            return
        theme = root / "theme"
        npm = shutil.which("npm")
        if npm is None or not (theme / "package-lock.json").is_file():
            raise RuntimeError(
                f"The theme is not built ({built} is missing), and a distribution without it cannot render a page. "
                "Run `make theme` in the repository first, or build where npm is installed."
            )
        self.app.display_info("Building the theme with npm…")
        for command in ([npm, "ci", "--omit=dev", "--no-audit", "--no-fund"], [npm, "run", "build"]):
            subprocess.run(command, cwd=theme, env=os.environ | {"NO_COLOR": "1"}, check=True)
        if not built.is_file():
            raise RuntimeError(f"The theme's build ended without {built}.")
