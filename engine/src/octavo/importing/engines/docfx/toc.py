"""Tables of contents of DocFX, `toc.yml`: each is a sidebar, the one at the root names what is in the top bar."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any

from octavo.importing.common import as_dict, as_list, as_text, is_external, read_or_note
from octavo.importing.model import Plan
from octavo.importing.navigation import title_of
from octavo.importing.tree import Tree

_NAMES = ("toc.yml", "toc.yaml", "TOC.yml", "toc.json")
_DEEPEST = 10
"""Tables that are written within each other."""
_MADE = (".yml", ".yaml", ".json")
"""Files that describe an API, from which DocFX makes pages."""


class TocFiles:
    """The tables of contents of a site, and what was read of them."""

    def __init__(self, plan: Plan, tree: Tree, uids: dict[str, str]) -> None:
        """Begin with the table at the root.

        Args:
            plan: Gets notes.
            tree: The documents.
            uids: Names of pages → their files, from the folder of the documents.
        """
        self._plan = plan
        self._tree = tree
        self._uids = uids
        self._used: set[str] = set()
        self._read: set[str] = set()
        self._missing: list[str] = []
        self._apis: list[str] = []

    def sidebars(self) -> list[dict[str, Any]]:
        """Give the sidebars: that of the root, and those of the folders that it leads to."""
        root = self._entries("")
        inner = [(entry, folder) for entry in root if (folder := self._folder_of(entry, "")) is not None]
        made: list[dict[str, Any]] = []
        for _, folder in inner:
            items = self._items(self._entries(folder), folder, (folder,))
            if items:
                made.append({"id": folder.replace("/", "-") or "docs", "items": items})
        led = [id(entry) for entry, _ in inner]
        others = self._items([one for one in root if id(one) not in led], "", ("",))
        if others:
            made.append({"id": "docs" if all(one["id"] != "docs" for one in made) else "root", "items": others})
        self._tables_below(made)
        self._report()
        return made

    def bar(self) -> list[dict[str, Any]]:
        """Give the entries of the top bar, where the table at the root leads to other tables."""
        root = self._entries("")
        if not any(self._folder_of(entry, "") is not None for entry in root):
            return []
        items: list[dict[str, Any]] = []
        for entry in root:
            folder = self._folder_of(entry, "")
            own = as_text(entry.get("topicHref")) or as_text(entry.get("homepage")) or as_text(entry.get("href"))
            file = self._tree.find(own) if own and not is_external(own) else None
            if file is None and folder is not None:
                file = self._tree.find(f"{folder}/index.md") or next(
                    iter(self._files(self._entries(folder), folder)), None
                )
            href = own if is_external(own) else self._tree.route(file) if file else ""
            if href:
                items.append(
                    {
                        "label": as_text(entry.get("name")) or (title_of(self._tree, file) if file else href),
                        "href": href,
                    }
                )
        return items

    def _entries(self, folder: str, path: str = "") -> list[dict[str, Any]]:
        """Read the table of a folder."""
        base = self._plan.site_dir / self._tree.root
        names = [posixpath.join(folder, name) for name in _NAMES] if not path else [path]
        for name in names:
            if (base / name).is_file():
                self._read.add(name)
                found = read_or_note(self._plan, base / name)
                listed = found.get("items") if isinstance(found, dict) else found
                return [as_dict(one) for one in as_list(listed) if isinstance(one, dict)]
        return []

    def _folder_of(self, entry: dict[str, Any], folder: str) -> str | None:
        """Give the folder of the table that an entry leads to; None where it leads to no other one."""
        for key in ("tocHref", "href"):
            href = as_text(entry.get(key)).partition("?")[0]
            if href and not is_external(href) and (href.endswith("/") or posixpath.basename(href) in _NAMES):
                path = _path(folder, href)
                return posixpath.dirname(path) if posixpath.basename(path) in _NAMES else path
        return None

    def _items(self, entries: list[dict[str, Any]], folder: str, open_folders: tuple[str, ...]) -> list[dict[str, Any]]:
        """Write entries as those of a sidebar; one that is a name alone is the title of those below it.

        Args:
            entries: As the table says them.
            folder: Folder of the table.
            open_folders: Folders of the tables that have led to this one: none is written within itself.
        """
        items: list[dict[str, Any]] = []
        part = items
        for entry in entries:
            name = as_text(entry.get("name"))
            target = as_text(entry.get("topicHref")) or as_text(entry.get("href"))
            uid = as_text(entry.get("topicUid")) or as_text(entry.get("uid"))
            inner_folder = self._folder_of(entry, folder)
            inner = self._items([as_dict(one) for one in as_list(entry.get("items"))], folder, open_folders)
            if inner_folder is not None:
                target = as_text(entry.get("topicHref"))
                if inner_folder not in open_folders and len(open_folders) <= _DEEPEST:
                    inner += self._items(self._entries(inner_folder), inner_folder, (*open_folders, inner_folder))
            if inner and not (name or target or uid):
                part += inner
                continue
            if name and not target and not uid and not inner and "items" not in entry and inner_folder is None:
                part = []
                items.append({"category": name, "is_collapsed": False, "items": part})
                continue
            written = self._entry(name, target, uid, inner, folder)
            if written:
                part.append(written)
        return [one for one in items if one.get("items") != []]

    def _entry(
        self, name: str, target: str, uid: str, inner: list[dict[str, Any]], folder: str
    ) -> dict[str, Any] | None:
        file = self._uids.get(uid) if uid else None
        if target and not is_external(target):
            path = _path(folder, target)
            file = self._tree.find(path) or file
            if file is None and path.endswith(_MADE):
                self._apis.append(path)
            elif file is None:
                self._missing.append(path)
        own = self._tree.doc_id(file) if file else ""
        title = name or (title_of(self._tree, file) if file else target or uid)
        is_first = bool(own) and own not in self._used
        if is_first:
            self._used.add(own)
        if inner:
            link = {"link": {"type": "doc", "id": own}} if is_first else {}
            return {"category": title, **link, "items": inner}
        if is_first:
            return {"doc": own, "label": title}
        if file:
            return {"href": self._tree.route(file), "label": title}
        return {"href": target, "label": title} if is_external(target) else None

    def _files(self, entries: list[dict[str, Any]], folder: str) -> Iterator[str]:
        """List the files that a table leads to, in order."""
        for entry in entries:
            target = as_text(entry.get("topicHref")) or as_text(entry.get("href"))
            if target and not is_external(target):
                found = self._tree.find(_path(folder, target))
                if found and not target.endswith("/"):
                    yield found
            yield from self._files([as_dict(one) for one in as_list(entry.get("items"))], folder)

    def _tables_below(self, made: list[dict[str, Any]]) -> None:
        """Add the tables that no other one leads to: each is the sidebar of its folder."""
        base = self._plan.site_dir / self._tree.root
        for path in sorted(base.rglob("toc.y*ml")):
            name = path.relative_to(base).as_posix()
            if name in self._read or any(
                part.startswith((".", "_", "node_modules")) for part in path.relative_to(base).parts
            ):
                continue
            folder = posixpath.dirname(name)
            items = self._items(self._entries(folder, name), folder, (folder,))
            identity = folder.replace("/", "-") or "docs"
            if items and all(one["id"] != identity for one in made):
                made.append({"id": identity, "items": items})

    def _report(self) -> None:
        if missing := list(dict.fromkeys(self._missing)):
            remedy = "Write them, or take the lines out."
            self._plan.note("Entries of toc.yml whose file is missing", remedy, count=len(missing), files=missing[:5])
        if apis := list(dict.fromkeys(self._apis)):
            remedy = (
                "Their pages are made from a program's source by DocFX. Name descriptions in OpenAPI under [[openapi]]."
            )
            self._plan.note("Descriptions of APIs in toc.yml", remedy, count=len(apis), files=apis[:5])


def _path(folder: str, href: str) -> str:
    """Give the path that an address in the table of a folder means; `~/` is the folder of the site."""
    bare = href.partition("#")[0].partition("?")[0]
    return posixpath.normpath(bare.removeprefix("~/") if bare.startswith("~/") else posixpath.join(folder, bare))
