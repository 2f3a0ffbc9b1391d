"""Files above the folder that is imported, which its pages take in: `CHANGES.rst` beside `docs`, most of all."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator
from pathlib import Path

from octavo.content import typescript_of
from octavo.importing.model import Plan
from octavo.importing.settings.project import levels_of_project
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_TAKEN_IN = re.compile(
    r"""(?:::[ \t]*|\}[ \t]*|\#\w*include[ \t]+|include(?:-markdown)?[ \t]+["']|\{![ \t]*|8<-+[ \t]+["']|<<<[ \t]*|@include:[ \t]*|\bfrom[ \t]+["'](?:(?=[^"'\n]+(?:\?raw|\.mdx?|\.json)["'])|!*(?:[\w-]+-loader[^"'\s!]*!)+)|<include\b[^<>]*>\s*)(?:@/|@site/|@\.\./(?=\.\./))?(?P<path>(?:\.\./)+(?:(?!-->)[^\s"'{}<>:!\#?])+)"""
)


def allow_files_above(plan: Plan, *trees: Tree) -> None:
    """Let pages take in the files of the project that lie above the site's folder, as far as they name any that are there."""
    height = levels_of_project(plan.site_dir)
    linked = [(name, above) for name, above in _links(plan.site_dir) if above <= height]
    home = plan.settings["markdown"].get("aliases", {}).get("@site", "")
    levels = 0
    for tree in trees:
        for file in tree.files:
            text, folder = tree.text(file), posixpath.dirname(tree.path(file))
            found = [above for name, above in linked if name in text]
            found += _levels(plan.site_dir, text, (folder, "", home), height) if "../" in text else ()
            levels = max(levels, *found, 0)
    if levels:
        plan.settings["markdown"]["files_above"] = levels


def _levels(site_dir: Path, text: str, folders: Iterable[str], height: int) -> Iterator[int]:
    """Give the number of folders above the site's for each file that a text takes in.

    Args:
        site_dir: The site's folder.
        text: A page.
        folders: Where its paths may begin: in the page's folder, or in the site's, as `<include cwd>` of Fumadocs and `@site` have it.
        height: The number of folders above the site's that are part of its project.
    """
    for match in _TAKEN_IN.finditer(text):
        for folder in folders:
            path = posixpath.normpath(posixpath.join(folder, match["path"]))
            above = path.count("../") if path.startswith("../") else 0
            if 0 < above <= height and any((site_dir / one).is_file() for one in (path, typescript_of(path))):
                yield above


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
