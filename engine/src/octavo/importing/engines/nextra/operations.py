"""Pages of Fumadocs that show operations of an API description."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from octavo.importing.apis.pages import OperationPages, PageOperations
from octavo.importing.common import relative
from octavo.importing.model import Plan
from octavo.importing.tree import Tree, split_front_matter
from octavo.site import is_inside

_PAGE = re.compile(r"\s*(?:\{/\*.*?\*/\}\s*)*<APIPage\b(?P<given>[^<>]*)/>\s*", re.DOTALL)
_DOCUMENT = re.compile(r"""\bdocument=\{?\s*["'`](?P<path>[^"'`]+)["'`]""")
_OPERATION = re.compile(
    r"""\{(?=[^{}]*?\bpath["']?\s*:\s*["'](?P<path>(?:[^"'{}]|\{[^{}]*\})+)["'])(?=.*?\bmethod["']?\s*:\s*["'](?P<method>\w+)["'])"""
)


def operation_pages(plan: Plan, tree: Tree, home: Path, prefix: str) -> OperationPages:
    """Find the pages of operations.

    Args:
        plan: Gets the references, and notes.
        tree: The pages.
        home: Folder of the old engine's configuration, at which paths of descriptions begin.
        prefix: Beginning of the routes of documents, such as `/docs`.
    """
    folder = relative(home, plan.site_dir)
    base = "" if folder == "." else folder

    def read(file: str) -> PageOperations | None:
        text = tree.text(file)
        page = _PAGE.fullmatch(split_front_matter(text)[1]) if "<APIPage" in text else None
        document = _DOCUMENT.search(page["given"]) if page else None
        if page is None or document is None:
            return None
        path = posixpath.normpath(posixpath.join(base, document["path"]))
        if not is_inside(plan.site_dir, path) or not (plan.site_dir / path).is_file():
            return None
        found = _OPERATION.finditer(page["given"])
        return PageOperations([path], [f"{one['method'].upper()} {one['path']}" for one in found])

    return OperationPages(plan, tree, prefix, read)
