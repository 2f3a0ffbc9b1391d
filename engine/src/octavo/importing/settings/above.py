"""Files above the folder that is imported, which its pages take in: `CHANGES.rst` beside `docs`, most of all."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from octavo.importing.model import Plan
from octavo.importing.tree import Tree

_TAKEN_IN = re.compile(
    r"""(?:::[ \t]*|\}[ \t]*|\#\w*include[ \t]+|include(?:-markdown)?[ \t]+["']|\{![ \t]*|8<-+[ \t]+["'])(?P<path>(?:\.\./)+[^\s"'{}:!\#]+)"""
)
_MOST = 4
_OF_PROJECTS = ("pyproject.toml", "setup.py", "setup.cfg", "Cargo.toml", "package.json", "go.mod", "LICENSE", "LICENSE.txt", "LICENSE.md",
                "README.md", "README.rst")  # fmt: skip
"""What shows that a folder is that of a project: pages take in nothing that lies above it."""


def allow_files_above(plan: Plan, tree: Tree) -> None:
    """Let pages take in the files of the project that lie above the site's folder, as far as they name any that are there."""
    levels = 0
    height = _height(plan.site_dir)
    for file in tree.files:
        text = tree.text(file)
        if "../" not in text:
            continue
        for match in _TAKEN_IN.finditer(text):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(tree.path(file)), match["path"]))
            above = path.count("../") if path.startswith("../") else 0
            if levels < above <= height and (plan.site_dir / path).is_file():
                levels = above
    if levels:
        plan.settings["markdown"]["files_above"] = levels


def _height(folder: Path) -> int:
    """Count the folders up to that of the project: the nearest repository, else the nearest folder above with a mark."""
    resolved = folder.resolve()
    folders = [resolved, *resolved.parents][: _MOST + 1]
    found = (height for height, one in enumerate(folders) if (one / ".git").exists())
    marked = (
        height for height, one in enumerate(folders) if height and any((one / mark).exists() for mark in _OF_PROJECTS)
    )
    return next(found, next(marked, 0))
