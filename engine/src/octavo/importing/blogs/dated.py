"""Folders of dated posts: Hugo, VitePress, VuePress and Starlight have no blog of their own, but a folder with this name."""

from __future__ import annotations

import datetime as dt
import posixpath
from collections.abc import Iterable, Iterator
from typing import Any

from octavo.content import TITLE_KEYS, URL_KEYS, date_in_name, people_in
from octavo.importing.common import as_dict, as_list, as_text, is_external, without_empty
from octavo.importing.model import Plan
from octavo.importing.navigation import title_of, words_of
from octavo.importing.tree import Tree, split_front_matter
from octavo.lazy import regex as re

_NAMES = frozenset({"blog", "blogs", "news", "post", "posts"})
_INDEXES = frozenset({"index", "_index", "readme"})
_ENOUGH = 0.5
"""Part of the pages of a folder that have a date, from which on it is a blog."""
_FEW_WORDS = 25
"""An index with fewer words says no more than a heading; the list takes its place."""
_PICTURES = ("image_url", "imageURL", "avatar", "image", "picture")
_NO_TEXT = re.compile(
    r"<(script|style|template)\b.*?</\1\s*>|^(?:import|export)\b[^\n]*$|\{\{.*?\}\}|<[^>]*>|^#[ \t][^\n]*$|\]\([^)\n]*\)",
    re.DOTALL | re.MULTILINE,
)


def plan_dated_blogs(plan: Plan, tree: Tree) -> Tree:
    """Add a blog to a plan for each folder whose name and whose dates say that it is one.

    Returns:
        The documents without the indexes that the lists of posts replace.
    """
    settings = plan.settings
    before = len(settings["exclude"])
    for folder in _folders(tree):
        posts = [file for file in tree.files if file.startswith(f"{folder}/") and not _is_index(file)]
        dated = [file for file in posts if _has_date(tree, file)]
        if not dated or len(dated) < _ENOUGH * len(posts):
            continue
        settings.setdefault("blogs", []).append(
            without_empty({"folder": folder, **_index(plan, tree, folder), "authors": authors_of(plan, tree, dated)})
        )
    return Tree(tree.site_dir, settings, tree.root) if len(settings["exclude"]) > before else tree


def _folders(tree: Tree) -> list[str]:
    """List the folders with the name of a blog; one within another belongs to it."""
    found: list[str] = []
    for file in tree.files:
        parts = file.split("/")[:-1]
        at = next((number for number, part in enumerate(parts) if part.lower() in _NAMES), None)
        if at is not None and (folder := "/".join(parts[: at + 1])) not in found:
            found.append(folder)
    return found


def _is_index(file: str) -> bool:
    return posixpath.splitext(posixpath.basename(file))[0].lower() in _INDEXES and not date_in_name(file)


def _has_date(tree: Tree, file: str) -> bool:
    given = tree.front(file).get("date")
    return (
        isinstance(given, dt.date)
        or re.match(r"\d{4}-\d{2}-\d{2}", as_text(given)) is not None
        or date_in_name(file) is not None
    )


def _index(plan: Plan, tree: Tree, folder: str) -> dict[str, str]:
    """Give title and description of a blog, and leave out its index where that has no text of its own."""
    files = [file for file in tree.files if posixpath.dirname(file) == folder and _is_index(file)]
    if not files:
        return {"title": words_of(posixpath.basename(folder))}
    front, body = split_front_matter(tree.text(files[0]))
    if len(re.findall(r"\w+", _NO_TEXT.sub(" ", body))) < _FEW_WORDS:
        plan.settings["exclude"].append(tree.path(files[0]))
    else:
        remedy = "It has a text of its own, and the list of posts is not added to it."
        plan.note("The first page of the blog", remedy, files=[files[0]])
    title = title_of(tree, files[0])
    return {
        "title": title if title and title.lower() not in _INDEXES else words_of(posixpath.basename(folder)),
        "description": as_text(front.get("description")),
    }


def authors_of(plan: Plan, tree: Tree, posts: Iterable[str]) -> dict[str, dict[str, str]]:
    """Gather the people whose posts say themselves where they are at home, what they do, or how they look."""
    found: dict[str, dict[str, str]] = {}
    for file in posts:
        front = tree.front(file)
        for name, person in _people(front.get("authors") or front.get("author")):
            position = _first(person, TITLE_KEYS)
            linked = people_in(position)[0] if "](" in position else (position, "")
            url = _first(person, URL_KEYS) or linked[1]
            picture = picture_from_site(plan, picture_in(person), posixpath.dirname(tree.path(file)))
            known = without_empty(
                {
                    "name": name,
                    "url": url if is_external(url) else "",
                    "title": linked[0],
                    "picture": picture,
                }
            )
            if name and len(known) > 1:
                found[name] = {**known, **found.get(name, {})}
    return found


def picture_in(person: dict[str, Any]) -> str:
    """Find what an engine calls the picture of an author: `image_url` (Docusaurus), `avatar` (Material)."""
    return _first(person, _PICTURES)


def _first(person: dict[str, Any], keys: Iterable[str]) -> str:
    return next((found for key in keys if (found := as_text(person.get(key)))), "")


def picture_from_site(plan: Plan, picture: str, folder: str | None) -> str:
    """Write the picture of an author as the settings name it: an address, or a file from the site's or the static folder.

    Args:
        plan: The site.
        picture: As the old site has it; from its root where it begins with a slash.
        folder: Where other paths begin, from the site's folder; None where that is the static folder.
    """
    if not picture or is_external(picture):
        return picture
    base = as_text(plan.settings.get("base_url"))
    if picture.startswith("/") or folder is None:
        rooted = f"/{picture.lstrip('/')}"
        return f"/{rooted.removeprefix(base)}" if len(base) > 1 and rooted.startswith(base) else rooted
    return posixpath.normpath(posixpath.join(folder, picture))


def _people(given: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for one in as_list(given) if isinstance(given, list) else [given]:
        if isinstance(one, str):
            yield from ((name, {"url": url}) for name, url in people_in(one))
        else:
            person = as_dict(one)
            # Who has a key is described in the file of authors.
            name = "" if person.get("key") else as_text(person.get("name"))
            yield name, person
