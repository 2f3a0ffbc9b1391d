"""The blog of Docusaurus: its posts become documents of a mounted folder, at the addresses they had."""

from __future__ import annotations

import datetime as dt
import posixpath
from collections import Counter
from pathlib import Path
from typing import Any

from octavo.content import term_file
from octavo.importing.blogs.dated import authors_of, picture_from_site, picture_in
from octavo.importing.blogs.lists import kebab_case, lead_on
from octavo.importing.common import as_dict, as_list, as_text, is_external, read_or_note, relative, without_empty
from octavo.importing.model import Plan
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

_DATED = re.compile(r"(?P<folder>.*)(?P<date>\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(?P<name>.*?)")
"""As Docusaurus has it: the last date in the path, which may be one of folders."""

_READING = 200
"""Words per minute that Docusaurus counts with."""


def plan_blog(plan: Plan, home: Path, options: dict[str, Any]) -> None:
    """Add the posts of a blog to a plan, where there are any.

    Args:
        plan: Takes the settings.
        home: The site's folder.
        options: Those of the plug-in.
    """
    folder = (home / as_text(options.get("path"), "blog")).resolve()
    if not folder.is_dir() or not folder.is_relative_to(plan.site_dir):
        return
    base = "/" + as_text(options.get("routeBasePath"), "blog").strip("/")
    name = relative(folder, plan.site_dir)
    settings = plan.settings
    settings["mounts"][name] = base
    tree = Tree(plan.site_dir, settings, name, mount=name)
    posts = []
    lists: Counter[tuple[str, str]] = Counter()
    exact = settings["routing"].setdefault("exact", {})
    for file in tree.files:
        date, route = _address(tree, file, base.rstrip("/"))
        exact[tree.path(file)] = route
        posts.append((date, tree.doc_id(file)))
        lists.update(_tag_lists(tree.front(file), base.rstrip("/")))
    if not posts:
        del settings["mounts"][name]
        return
    posts.sort(reverse=True)
    title = as_text(options.get("blogTitle"), "Blog")
    items = [{"doc": doc_id} for _, doc_id in posts]
    settings["sidebars"].append(
        {"id": name.rpartition("/")[2], "items": [{"href": base, "label": title}, {"category": title, "items": items}]}
    )
    count = options.get("postsPerPage")
    per_page = 1000 if count == "ALL" else count if isinstance(count, int) and count > 0 else 10
    lists[f"{base.rstrip('/')}/archive", base] = 1
    lead_on(plan, lists, per_page, exact.values())
    settings.setdefault("blogs", []).append(
        without_empty(
            {
                "folder": name,
                "title": title,
                "description": as_text(options.get("blogDescription")),
                "posts_per_page": per_page,
                "words_per_minute": _READING if options.get("showReadingTime") is not False else 0,
                "authors": authors_of(plan, tree, tree.files)
                | read_authors(plan, folder / as_text(options.get("authorsMapPath"), "authors.yml")),
            }
        )
    )
    feeds = [f"{base}/{kind}.xml" for kind in ("rss", "atom")]
    plan.note("Feeds of the blog", f"The feed is {base}/feed.xml now.", files=feeds)


def read_authors(plan: Plan, path: Path, pictures: str | None = None) -> dict[str, dict[str, str]]:
    """Read a file of authors: word that posts name → name, address, title and picture.

    Args:
        plan: Takes notes.
        path: The file.
        pictures: Folder from which its pictures are named, from the site's folder; None where that is the static folder.
    """
    given = as_dict(read_or_note(plan, path))
    inner = given.get("authors")
    people = inner if isinstance(inner, dict) else given
    found: dict[str, dict[str, str]] = {}
    for word, one in people.items():
        person = as_dict(one)
        url = as_text(person.get("url")) or as_text(person.get("website"))
        if name := as_text(person.get("name")):
            title = as_text(person.get("title")) or as_text(person.get("description"))
            picture = picture_from_site(plan, picture_in(person), pictures)
            found[str(word)] = without_empty(
                {"name": name, "url": url if is_external(url) else "", "title": title, "picture": picture}
            )
    return found


def _tag_lists(front: dict[str, Any], base: str) -> set[tuple[str, str]]:
    """Give the old and the new address of the list of each tag of a post."""
    found = set()
    for tag in as_list(front.get("tags")):
        label = as_text(as_dict(tag).get("label")) if isinstance(tag, dict) else str(tag)
        old = as_text(as_dict(tag).get("permalink")).strip("/") or kebab_case(label)
        if label and old and front.get("draft") is not True:
            found.add((f"{base}/tags/{old}", f"{base}/{posixpath.splitext(term_file('tags', label))[0]}"))
    return found


def _address(tree: Tree, file: str, base: str) -> tuple[str, str]:
    """Give the date of a post and its route, as Docusaurus makes it."""
    front = tree.front(file)
    stem = posixpath.splitext(file)[0]
    stem = re.sub(r"(?:^|/)index$", "", stem)
    match = _DATED.fullmatch(stem)
    given = front.get("date")
    date = given.strftime("%Y-%m-%d") if isinstance(given, (dt.date, dt.datetime)) else as_text(given)[:10]
    date = date or (match["date"].replace("/", "-") if match else "")
    slug = as_text(front.get("slug"))
    if slug:
        path = slug.strip("/")
    elif match:
        path = f"{match['date'].replace('-', '/')}/{match['folder']}{match['name']}".strip("/")
    else:
        path = stem
    return date, f"{base}/{path}"


def wraps_blog(name: str, home: Path, site_dir: Path) -> bool:
    """Whether a plug-in of the site's own is the one for blogs with something added: it takes the same options."""
    if not name.startswith((".", "@site/")):
        return False
    path = (home / name.removeprefix("@site/")).resolve()
    endings = ("", ".js", ".ts", ".mjs", ".cjs", "/index.js", "/index.ts")
    found = next((file for end in endings if (file := Path(f"{path}{end}")).is_file()), None)
    return (
        found is not None
        and found.is_relative_to(site_dir)
        and "plugin-content-blog" in found.read_text(encoding="utf-8", errors="replace")
    )
