"""Pages of Fumadocs that show one operation of an API description: they are replaced by the operation of our own reference."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from octavo.importing.common import relative
from octavo.importing.engines.mintlify.apis import Apis
from octavo.importing.model import Plan
from octavo.importing.tree import Tree, split_front_matter
from octavo.site import is_inside

_PAGE = re.compile(r"\s*(?:\{/\*.*?\*/\}\s*)*<APIPage\b(?P<given>[^<>]*)/>\s*", re.DOTALL)
_DOCUMENT = re.compile(r"""\bdocument=\{?\s*["'`](?P<path>[^"'`]+)["'`]""")
_OPERATION = re.compile(
    r"""\{(?=[^{}]*?\bpath["']?\s*:\s*["'](?P<path>(?:[^"'{}]|\{[^{}]*\})+)["'])(?=.*?\bmethod["']?\s*:\s*["'](?P<method>\w+)["'])"""
)


class OperationPages:
    """The pages of a site that show nothing but an operation of a description which is a file of the site."""

    def __init__(self, plan: Plan, tree: Tree, home: Path, prefix: str) -> None:
        """Read the pages.

        Args:
            plan: Gets the references, and notes.
            tree: The pages.
            home: Folder of the old engine's configuration, at which paths of descriptions begin.
            prefix: Beginning of the routes of documents, such as `/docs`.
        """
        self._tree = tree
        self._apis = Apis(plan, tree, [])
        self._entries: dict[str, dict[str, Any]] = {}
        """Id of a page → entry of the operation."""
        self.instead: dict[str, str] = {}
        """File of a page → route of the operation."""
        folder = relative(home, plan.site_dir)
        for file in tree.files:
            name = self._named(file, plan.site_dir, "" if folder == "." else folder)
            entry = self._apis.operation(name, []) if name else None
            if entry is not None:
                if "href" in entry:
                    entry["href"] = f"{prefix}{entry['href']}"
                self._entries[tree.doc_id(file)] = entry
                self.instead[file] = entry["href"] if "href" in entry else f"{prefix}/{entry['doc']}"
        if apis := self._apis.written():
            plan.settings["openapi"] = apis
            plan.settings["exclude"] += [tree.path(file) for file in self.instead]

    def in_place(self, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Put operations where entries of sidebars name their pages."""
        return [self._in_place(one) for one in entries]

    def _in_place(self, one: dict[str, Any]) -> dict[str, Any]:
        entry = self._entries.get(one.get("doc", ""))
        if entry is not None:
            return {**entry, "label": one["label"]} if "label" in one else entry
        return {**one, "items": self.in_place(one["items"])} if "items" in one else one

    def _named(self, file: str, site_dir: Path, folder: str) -> str:
        """Name the operation that is all of a page, with its description; empty for any other page."""
        text = self._tree.text(file)
        page = _PAGE.fullmatch(split_front_matter(text)[1]) if "<APIPage" in text else None
        document = _DOCUMENT.search(page["given"]) if page else None
        if page is None or document is None:
            return ""
        operations = list(_OPERATION.finditer(page["given"]))
        path = posixpath.normpath(posixpath.join(folder, document["path"]))
        if len(operations) != 1 or not is_inside(site_dir, path) or not (site_dir / path).is_file():
            return ""
        return f"{path} {operations[0]['method'].upper()} {operations[0]['path']}"
