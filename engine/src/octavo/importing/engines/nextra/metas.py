"""Sidebars of Nextra (`_meta`) and of Fumadocs (`meta.json`): an order of names for each folder."""

from __future__ import annotations

import posixpath
from typing import Any

from octavo.importing.common import as_dict, as_text, is_external, without_empty
from octavo.importing.model import Plan
from octavo.importing.navigation import title_of, words_of
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_INDEXES = ("index", "page", "readme")
_LINK = re.compile(r"(?:external:)?\[(?P<label>[^\]]*)\]\((?P<href>[^)]*)\)")
_SEPARATOR = re.compile(r"---(?P<label>.*?)---")
_LONGEST_LANGUAGE = 5
_Entries = list[dict[str, Any]]


class MetaSidebars:
    """Writes the sidebars and the links of the top bar."""

    def __init__(self, plan: Plan, tree: Tree, prefix: str) -> None:
        """Initialize.

        Args:
            plan: Takes notes.
            tree: The documents.
            prefix: Of their routes.
        """
        self._plan = plan
        self._tree = tree
        self._prefix = prefix
        self._files: dict[str, dict[str, str]] = {}
        self._folders: dict[str, list[str]] = {}
        stems = {posixpath.splitext(file)[0] for file in tree.files}
        for file in tree.files:
            plain, dot, language = posixpath.splitext(file)[0].rpartition(".")
            if dot and plain in stems and len(language) <= _LONGEST_LANGUAGE:
                continue  # a translation
            parts = posixpath.splitext(file)[0].split("/")
            # In `app` each page is the index of its folder.
            self._files.setdefault("/".join(parts[:-1]), {})[parts[-1]] = file
            for depth in range(len(parts) - 1):
                around, name = "/".join(parts[:depth]), parts[depth]
                below = self._folders.setdefault(around, [])
                if name not in below:
                    below.append(name)
        self._metas: dict[str, Any] = {}
        self._gone: list[str] = []
        """Names of pages and folders that are not there."""

    def write(self, metas: dict[str, Any], folders: list[str]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Write the sidebars, one for each section that is a page of the top bar, and the items of the top bar.

        Args:
            metas: Folder below the documents ("." for them) → what its file says.
            folders: Further folders that are sections of their own.
        """
        self._metas = {"" if folder == "." else folder: value for folder, value in metas.items()}
        root = as_dict(self._metas.get(""))
        sections = [
            name
            for name, value in root.items()
            if as_dict(value).get("type") == "page" and name in self._folders.get("", []) and name not in _INDEXES
        ]
        sections += [name for name in folders if name in self._folders.get("", []) and name not in sections]
        bar = [one for name, value in root.items() for one in self._bar_item(name, as_dict(value))]
        sidebars = []
        for name in sections:
            entries = self._folder(name, as_dict(as_dict(root.get(name)).get("items")) or None)
            if own := self._index(name):
                entries = [self._doc(own, ""), *[one for one in entries if one.get("doc") != self._tree.doc_id(own)]]
            if entries:
                sidebars.append({"id": _slug(name), "items": entries})
        rest = self._folder("", None, left_out=frozenset(sections))
        if rest:
            sidebars.append({"id": "docs" if "docs" not in map(_slug, sections) else "pages", "items": rest})
        if gone := sorted(set(self._gone)):
            remedy = "A program may write them before a build; else write them, or take the names out."
            self._plan.note("Orders of pages name pages that do not exist", remedy, count=len(gone), files=gone[:5])
        return sidebars, bar

    def _bar_item(self, name: str, value: dict[str, Any]) -> list[dict[str, Any]]:
        label = as_text(value.get("title")) or words_of(name)
        href = as_text(value.get("href"))
        if value.get("type") == "menu":
            inner = [
                {"label": as_text(one.get("title")) or words_of(key), "href": as_text(one.get("href"))}
                for key, one in ((key, as_dict(raw)) for key, raw in as_dict(value.get("items")).items())
                if one.get("href")
            ]
            return [{"label": label, "items": inner}] if inner else []
        if value.get("type") != "page" or value.get("display") == "hidden":
            return []
        if href:
            return [{"label": label, "href": href}]
        file = self._index(name) or self._files.get("", {}).get(name)
        if file is None:
            file = next((one for one in self._tree.files if one.startswith(f"{name}/")), None)
        return [{"label": label, "href": self._tree.route(file, self._prefix)}] if file else []

    def _index(self, folder: str) -> str | None:
        files = self._files.get(folder, {})
        return next((files[name] for name in files if name.lower() in _INDEXES), None)

    def _folder(self, folder: str, given: Any, left_out: frozenset[str] = frozenset()) -> _Entries:
        """Write the entries of a folder: those that are named, in their order, then the others."""
        meta = given if given is not None else self._metas.get(folder)
        pages = as_dict(meta).get("pages") if isinstance(as_dict(meta).get("pages"), list) else None
        files, folders = self._files.get(folder, {}), self._folders.get(folder, [])
        known = [name for name in dict.fromkeys((*files, *folders)) if name not in left_out]
        if folder or any(name not in _INDEXES for name in known):
            known = [name for name in known if name.lower() not in _INDEXES or (folder == "" and name != "page")]
        order: list[tuple[str, Any]] = (
            [(as_text(one), None) for one in pages] if pages is not None else list(as_dict(meta).items())
        )
        named = {name.removeprefix("!").removeprefix("...") for name, _ in order}
        named |= {name.partition("/")[0] for name in named}
        others = [name for name in sorted(known, key=_natural) if name not in named]
        if pages is None and not any(name == "*" for name, _ in order):
            order += [(name, None) for name in others]
        written: _Entries = []
        group: _Entries = written
        for name, value in order:
            separator = _SEPARATOR.fullmatch(name) if pages is not None else None
            if separator or as_dict(value).get("type") == "separator":
                label = separator["label"].strip() if separator else as_text(as_dict(value).get("title"))
                group = written
                if label:
                    entry: dict[str, Any] = {"category": label, "is_collapsible": False, "items": []}
                    written.append(entry)
                    group = entry["items"]
            elif name in ("...", "*", "z...a"):
                picked = others if name != "z...a" else others[::-1]
                group += [entry for one in picked for entry in self._entry(folder, one, None)]
            elif name not in left_out:
                group += self._entry(folder, name, value)
        return [one for one in written if one.get("items") != []]

    def _entry(self, folder: str, name: str, value: Any) -> _Entries:
        raw = as_dict(value)
        label = as_text(value) or as_text(raw.get("title"))
        if name.startswith("!") or raw.get("display") == "hidden" or raw.get("type") == "menu":
            return []
        if link := _LINK.fullmatch(name):
            return [{"href": link["href"], "label": link["label"]}]
        if href := as_text(raw.get("href")):
            if raw.get("type") == "page" and not folder:
                return []  # it is in the top bar
            return [{"href": href, "label": label or href}] if is_external(href) or href.startswith("/") else []
        if name.startswith("..."):
            return self._folder(posixpath.join(folder, name[3:]), None)
        if "/" in name:
            folder, name = posixpath.normpath(posixpath.join(folder, posixpath.dirname(name))), posixpath.basename(name)
        path = posixpath.join(folder, name) if folder else name
        file = self._files.get(folder, {}).get(name.removesuffix(".mdx"))
        if file is None and path not in self._folders_of_all():
            if name.lower() not in _INDEXES and raw.get("type") != "page" and not self._is_program(path):
                self._gone.append(path)
            return []
        own = self._index(path)
        inner = self._folder(path, as_dict(raw.get("items")) or None)
        own = file or own
        if not inner:
            return [self._doc(own, label)] if own else []
        title = label or as_text(as_dict(self._metas.get(path)).get("title"))
        title = title or (title_of(self._tree, own) if own else _section_name(name))
        link_to = {"type": "doc", "id": self._tree.doc_id(own)} if own else None
        collapsed = (
            as_dict(raw.get("theme")).get("collapsed") is False
            or as_dict(self._metas.get(path)).get("defaultOpen") is True
        )
        entry: dict[str, Any] = {"category": title, "link": link_to, "items": inner}
        return [without_empty({**entry, **({"is_collapsed": False} if collapsed else {})})]

    def _is_program(self, path: str) -> bool:
        """Whether a page is there that is written in React, or a folder of such pages."""
        place = self._tree.site_dir / self._tree.root / path
        return place.is_dir() or any(place.with_name(f"{place.name}.{end}").is_file() for end in ("tsx", "jsx", "js"))

    def _folders_of_all(self) -> set[str]:
        return {f"{around}/{name}" if around else name for around, names in self._folders.items() for name in names}

    def _doc(self, file: str, label: str) -> dict[str, Any]:
        own = as_text(self._tree.front(file).get("sidebarTitle"))
        return {"doc": self._tree.doc_id(file), "label": label or own or title_of(self._tree, file)}


def _section_name(name: str) -> str:
    return words_of(name.strip("()"))


def _natural(name: str) -> list[Any]:
    return [
        (0, int(part), "") if part.isdecimal() else (1, 0, part.lower()) for part in re.split(r"(\d+)", name) if part
    ]


def _slug(name: str) -> str:
    return re.sub(r"[^\w]+", "-", name).strip("-") or "docs"
