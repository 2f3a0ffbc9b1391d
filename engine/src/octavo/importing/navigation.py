"""Sidebars for engines that order documents by their own rules: written out from a tree of files."""

from __future__ import annotations

import html
import posixpath
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from octavo.content import title_in
from octavo.importing.common import as_dict, as_text, without_empty
from octavo.importing.tree import Tree, split_front_matter
from octavo.lazy import regex as re

Order = Callable[[str], float]
"""File → its place among its siblings."""

_LAST = float("inf")
_TITLE = re.compile(r"^#[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_MARKS = (
    # Attributes at the end: an id, classes, or a name with a value.
    (re.compile(r"[ \t]*\{(?::|[ \t]*[#.]|[ \t]*[\w-]+=)[^{}]*\}[ \t]*$"), ""),
    (re.compile(r"[ \t]*#+[ \t]*$"), ""),
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"</?[A-Za-z][^<>]*>"), ""),
    (re.compile(r"[`*]"), ""),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)
"""Marks of a heading → what readers see of them, in this order."""


def title_of(tree: Tree, file: str) -> str:
    """Label of a document in a sidebar: that of its front matter, or its title."""
    front = {} if file.endswith(".rst") else tree.front(file)
    for value in (as_dict(front.get("sidebar")).get("label"), front.get("linkTitle"), front.get("sidebar_label")):
        if as_text(value):
            return as_text(value)
    return shown_title(tree, file)


def shown_title(tree: Tree, file: str) -> str:
    """Title of a document: that of its front matter, its first heading, or its name in words."""
    if file.endswith(".rst"):
        return title_in(tree.text(file)) or words_of(posixpath.splitext(posixpath.basename(file))[0])
    if title := as_text(tree.front(file).get("title")):
        return title
    found = _TITLE.search(split_front_matter(tree.text(file))[1])
    shown = _without_marks(found[1]) if found else ""
    return shown or words_of(posixpath.splitext(posixpath.basename(file))[0])


def _without_marks(title: str) -> str:
    """Write a heading as readers see it: labels are text, where marks and attributes would be shown."""
    for pattern, shown in _MARKS:
        title = pattern.sub(shown, title)
    return html.unescape(title).strip()


def words_of(name: str) -> str:
    """Write the name of a file or folder as a label."""
    words = re.sub(r"^\d+[-_.]", "", name).replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:] if words else name


_HOMES = frozenset(["doc", "docs", "documentation", "site", "web", "website", "www"])


def name_of_site(home: Path) -> str:
    """Write the name of a site's folder as its title; that of the project around it where the name says no more than `docs`."""
    is_said = home.name.lower() not in _HOMES or not home.parent.name
    return words_of(home.name if is_said else home.parent.name)


class MadePage(msgspec.Struct, frozen=True):
    """What the old engine knows of a folder whose page it makes itself."""

    title: str
    place: float | None
    """In the order of its neighbors; None for that of its first file."""
    route: str
    """Empty where it has no page."""


def folder_entries(
    tree: Tree,
    folder: str,
    order: Order,
    indexes: tuple[str, ...],
    files: list[str] | None = None,
    made: Callable[[str], MadePage | None] | None = None,
) -> list[dict[str, Any]]:
    """Write the documents of a folder, and of those below it, as entries of a sidebar.

    Args:
        tree: The documents.
        folder: Below the docs folder; empty for all of them.
        order: Place of a file; that of a folder is the place of its index.
        indexes: Names, without ending, of a folder's own page.
        files: Those of the folder and below it, where the caller knows them.
        made: Gives the page that the old engine makes of a folder without a page of its own, by the folder's path.
    """
    prefix = f"{folder}/" if folder else ""
    if files is None:
        files = [file for file in tree.files if file.startswith(prefix)]
    here: list[str] = []
    folders: dict[str, list[str]] = {}
    for file in files:
        name, below, _ = file[len(prefix) :].partition("/")
        if below:
            folders.setdefault(name, []).append(file)
        else:
            here.append(file)
    items: list[tuple[float, str, dict[str, Any]]] = []
    own = index_of(here, indexes)
    items += [
        (order(file), posixpath.basename(file), {"doc": tree.doc_id(file), "label": title_of(tree, file)})
        for file in here
        if file != own and not as_dict(tree.front(file).get("sidebar")).get("hidden")
    ]
    for name, inside in folders.items():
        path = prefix + name
        index = index_of([file for file in inside if file.rfind("/") == len(path)], indexes)
        inner = folder_entries(tree, path, order, indexes, inside, made)
        link: dict[str, Any] | None = {"type": "doc", "id": tree.doc_id(index)} if index else None
        label = title_of(tree, index) if index else words_of(name)
        place = order(index) if index else min(map(order, inside), default=_LAST)
        if index is None and made is not None and (page := made(path)) is not None:
            label, place = page.title or label, page.place if page.place is not None else place
            link = {"type": "generated-index", "slug": page.route} if page.route else None
        if inner:
            items.append((place, name, without_empty({"category": label, "link": link, "items": inner})))
        elif index:
            items.append((place, name, {"doc": tree.doc_id(index), "label": label}))
    entries = [entry for _, _, entry in sorted(items, key=lambda item: item[:2])]
    return [{"doc": tree.doc_id(own), "label": title_of(tree, own)}, *entries] if own and not folder else entries


def index_of(files: list[str], indexes: tuple[str, ...]) -> str | None:
    """Pick the folder's own page out of its files."""
    stems = {posixpath.splitext(posixpath.basename(file))[0].lower(): file for file in files}
    return next((stems[name] for name in indexes if name in stems), None)


def front_order(key: str) -> Callable[[Tree], Order]:
    """Order by a number of the front matter."""

    def order_in(tree: Tree) -> Order:
        def order(file: str) -> float:
            front = tree.front(file)
            value = as_dict(front.get("sidebar")).get("order") if key == "sidebar.order" else front.get(key)
            return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and value else _LAST

        return order

    return order_in
