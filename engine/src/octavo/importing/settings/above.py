"""Files above the folder that is imported, which its pages take in: `CHANGES.rst` beside `docs`, most of all."""

from __future__ import annotations

import posixpath
import re

from octavo.importing.model import Plan
from octavo.importing.settings.project import levels_of_project
from octavo.importing.tree import Tree

_TAKEN_IN = re.compile(
    r"""(?:::[ \t]*|\}[ \t]*|\#\w*include[ \t]+|include(?:-markdown)?[ \t]+["']|\{![ \t]*|8<-+[ \t]+["'])(?P<path>(?:\.\./)+[^\s"'{}:!\#]+)"""
)


def allow_files_above(plan: Plan, tree: Tree) -> None:
    """Let pages take in the files of the project that lie above the site's folder, as far as they name any that are there."""
    levels = 0
    height = levels_of_project(plan.site_dir)
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
