"""Pages of other engines that show nothing but operations of an API description: those of our own reference take their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from octavo.importing.apis.descriptions import Apis
from octavo.importing.model import Plan
from octavo.importing.tree import Tree


class PageOperations(msgspec.Struct, frozen=True):
    """What a page shows."""

    descriptions: list[str]
    """Files of descriptions in which they may be, from the site's folder."""
    operations: list[str]
    """Such as `GET /kites`."""
    folder: str = ""
    """Folder below that of the documents in which our reference is to be; empty for the usual one."""


class OperationPages:
    """The pages of a site that show nothing but operations of descriptions which are files of the site."""

    def __init__(self, plan: Plan, tree: Tree, prefix: str, read: Callable[[str], PageOperations | None]) -> None:
        """Read the pages.

        Args:
            plan: Gets the references, and notes.
            tree: The pages.
            prefix: Beginning of the routes of documents, such as `/docs`.
            read: Gives the operations that are all of a page, by its file; None for any other page.
        """
        self._tree = tree
        self._prefix = prefix
        self._apis = Apis(plan, tree, [])
        self._entries: dict[str, dict[str, Any]] = {}
        """Id of a page → entry of its operations."""
        self.instead: dict[str, str] = {}
        """File of a page → route of what takes its place."""
        for file in tree.files:
            page = read(file)
            if page is not None and page.operations:
                self._replace(file, page)
        if apis := self._apis.written():
            plan.settings.setdefault("openapi", []).extend(apis)
            plan.settings["exclude"] += [tree.path(file) for file in self.instead]

    def _replace(self, file: str, page: PageOperations) -> None:
        nearest = [(description, page.folder) for description in page.descriptions]
        entries = [self._apis.operation(name, nearest) for name in page.operations]
        found = [entry for entry in entries if entry is not None]
        if len(found) != len(entries):
            return
        for entry in found:
            if "href" in entry:
                entry["href"] = f"{self._prefix}{entry['href']}"
        if len(found) == 1:
            entry = found[0]
            self.instead[file] = entry["href"] if "href" in entry else f"{self._prefix}/{entry['doc']}"
        else:
            title = str(self._tree.front(file).get("title") or page.operations[0])
            entry = {"category": title, "items": found}
            self.instead[file] = f"{self._prefix}{self._apis.group_route(page.operations[0], nearest)}"
        self._entries[self._tree.doc_id(file)] = entry

    def in_place(self, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Put operations where entries of sidebars name their pages."""
        return [self._in_place(one) for one in entries]

    def _in_place(self, one: dict[str, Any]) -> dict[str, Any]:
        entry = self._entries.get(one.get("doc", ""))
        if entry is not None:
            return {**entry, "category" if "category" in entry else "label": one["label"]} if "label" in one else entry
        return {**one, "items": self.in_place(one["items"])} if "items" in one else one
