"""The blog of Material for MkDocs: its posts become those of a blog here, at the addresses that they had."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from pathlib import Path
from typing import Any

from octavo.content import slugify
from octavo.importing.blogs.docusaurus import read_authors
from octavo.importing.blogs.lists import lead_on
from octavo.importing.common import as_list, as_text, without_empty
from octavo.importing.model import Plan
from octavo.importing.tree import Tree, split_front_matter
from octavo.lazy import regex as re

_TITLE = re.compile(r"^#[ \t]+(?P<title>[^\n]+?)[ \t]*#*[ \t]*(?:\{[^}\n]*\})?[ \t]*$", re.MULTILINE)
_PARTS = {"yyyy": "%Y", "yy": "%y", "MM": "%m", "dd": "%d"}
"""Part of the plug-in's format of dates → that of Python."""


def plan_material_blog(plan: Plan, tree: Tree, docs: str, options: dict[str, Any]) -> None:
    """Add a blog to a plan, where it has posts.

    Args:
        plan: Takes the settings.
        tree: The documents.
        docs: Their folder, from the site's folder.
        options: Those of the plug-in.
    """
    folder = as_text(options.get("blog_dir"), "blog").strip("/")
    home = "" if folder in ("", ".") else f"{folder}/"
    inner = as_text(options.get("post_dir"), "{blog}/posts").replace("{blog}/", home)
    posts = [file for file in tree.files if file.startswith(f"{inner}/")]
    if not posts or not home:
        plan.note("The plug-in blog", "Posts are ordinary documents: the blog is the whole site, or has none.")
        return
    ending = plan.settings["routing"]["ending"]
    exact = plan.settings["routing"].setdefault("exact", {})
    lists: Counter[tuple[str, str]] = Counter()
    for file in posts:
        if route := _route(tree, file, options):
            exact[tree.path(file)] = f"/{home}{route}{ending}"
            lists.update((f"/{home}{one}", f"/{folder}") for one in _lists(tree.front(file)))
    index = f"{home}index.md"
    title = "Blog"
    introduction = ""
    if index in tree.files:
        body = split_front_matter(tree.text(index))[1]
        heading = _TITLE.search(body)
        title = as_text(tree.front(index).get("title")) or (heading["title"] if heading else title)
        plan.settings["exclude"].append(tree.path(index))  # the list takes its place
        if (_TITLE.sub("", body, count=1) if heading else body).strip():
            introduction = tree.path(index)
    count = options.get("pagination_per_page", 10)
    per_page = count if isinstance(count, int) and count > 0 else 10
    lead_on(plan, lists, per_page, exact.values())
    authors = as_text(options.get("authors_file"), "{blog}/.authors.yml").replace("{blog}", folder)
    plan.settings.setdefault("blogs", []).append(
        without_empty(
            {
                "folder": folder,
                "title": title,
                "introduction": introduction,
                "posts_per_page": per_page,
                "words_per_minute": _words_per_minute(options),
                "authors": read_authors(plan, Path(plan.site_dir) / docs / authors, docs),
            }
        )
    )
    plan.note(
        "Categories and archive of the blog",
        "Tags have pages of their own; those of categories and years lead to the list.",
    )


def _words_per_minute(options: dict[str, Any]) -> int:
    """Give how fast readers read, as the plug-in counts; 0 where posts do not say how long they take."""
    given = options.get("post_readtime_words_per_minute", 265)
    return given if options.get("post_readtime") is not False and isinstance(given, int) and given > 0 else 0


def _date(front: dict[str, Any]) -> dt.date | None:
    given = front.get("date")
    given = given.get("created") if isinstance(given, dict) else given
    try:
        return given if isinstance(given, dt.date) else dt.date.fromisoformat(as_text(given)[:10])
    except ValueError:
        return None


def _lists(front: dict[str, Any]) -> list[str]:
    """Name the lists that have a post, at the addresses below the blog that the plug-in gives them if nothing else is said."""
    date = _date(front)
    categories = {slugify(str(one)) for one in as_list(front.get("categories"))}
    return [*(f"category/{one}" for one in sorted(categories) if one), *([f"archive/{date.year}"] if date else [])]


def _route(tree: Tree, file: str, options: dict[str, Any]) -> str | None:
    """Make the address of a post below that of its blog, without its ending; None where it has no date."""
    front = tree.front(file)
    date = _date(front)
    if date is None:
        return None
    # MkDocs takes a title for that of the page only where the page begins with it, and else the file's name.
    heading = _TITLE.match(split_front_matter(tree.text(file))[1].lstrip())
    title = as_text(front.get("title")) or (heading["title"] if heading else re.sub("[-_]", " ", Path(file).stem))
    pattern = as_text(options.get("post_url_date_format"), "yyyy/MM/dd")
    for part, own in _PARTS.items():
        pattern = pattern.replace(part, own)
    values = {
        "date": date.strftime(pattern),
        "slug": as_text(front.get("slug")) or slugify(re.sub(r"[`*]", "", title)),
        "file": Path(file).stem,
        "categories": "",
    }
    route = re.sub(
        r"\{(\w+)\}", lambda match: values.get(match[1], ""), as_text(options.get("post_url_format"), "{date}/{slug}")
    )
    return re.sub(r"/{2,}", "/", route).strip("/")
