"""Files above the folder that is imported, which its pages take in: `CHANGES.rst` beside `docs`, most of all."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from octavo.importing.model import Plan
from octavo.importing.settings.project import levels_of_project
from octavo.importing.tree import Tree

_TAKEN_IN = re.compile(
    r"""(?:::[ \t]*|\}[ \t]*|\#\w*include[ \t]+|include(?:-markdown)?[ \t]+["']|\{![ \t]*|8<-+[ \t]+["']|<<<[ \t]*|@include:[ \t]*|\bfrom[ \t]+["'](?=[^"'\n]+(?:\?raw|\.mdx?|\.json)["'])|<include\b[^<>]*>\s*)(?:@/)?(?P<path>(?:\.\./)+(?:(?!-->)[^\s"'{}<>:!\#?])+)"""
)


def allow_files_above(plan: Plan, tree: Tree) -> None:
    """Let pages take in the files of the project that lie above the site's folder, as far as they name any that are there."""
    height = levels_of_project(plan.site_dir)
    linked = [(name, above) for name, above in _links(plan.site_dir) if above <= height]
    levels = max((above for name, above in linked if any(name in tree.text(file) for file in tree.files)), default=0)
    for file in tree.files:
        text = tree.text(file)
        if "../" not in text:
            continue
        for match in _TAKEN_IN.finditer(text):
            # From the file, or from the site's folder, as `<include cwd>` of Fumadocs has it.
            for folder in (posixpath.dirname(tree.path(file)), ""):
                path = posixpath.normpath(posixpath.join(folder, match["path"]))
                above = path.count("../") if path.startswith("../") else 0
                if levels < above <= height and (plan.site_dir / path).is_file():
                    levels = above
    if levels:
        plan.settings["markdown"]["files_above"] = levels


_DEEPEST = 3


def _links(site_dir: Path) -> Iterator[tuple[str, int]]:
    """List the links in a site's folder that lead above it: their names, each with the number of folders that it leads up."""
    resolved = site_dir.resolve()
    for folder, inner, files in os.walk(site_dir):
        depth = len(Path(folder).relative_to(site_dir).parts)
        for name in (*inner, *files):
            path = Path(folder, name)
            if not path.is_symlink():
                continue
            target = Path(os.path.realpath(path))
            above = next(
                (at for at, parent in enumerate((resolved, *resolved.parents)) if target.is_relative_to(parent)), 0
            )
            if above and target.exists():
                yield f"{name}/" if target.is_dir() else name, above
        inner[:] = [one for one in inner if not one.startswith(".") and one != "node_modules" and depth < _DEEPEST]
