"""Which published file is the page of a Markdown file; every engine has its own custom."""

from __future__ import annotations

import re
from collections.abc import Iterable

NOT_FOUND_PAGE = "404.html"


def page_names(source: str) -> list[str]:
    """List the names that the page of a source may have, in lower case.

    `a/b.md` may become `a/b.html` or `a/b/index.html`, `a/index.md` only `a/index.html`. Numbers that order the
    files of a folder (`a/02-b.md`) may be dropped, as Octavo does after the custom of Docusaurus.
    """
    stem = source.lower().rpartition(".")[0]
    stems = dict.fromkeys([stem, "/".join(map(_without_number, stem.split("/")))])
    return [name for stem in stems for name in (f"{stem}.html", f"{stem}/index.html")]


def find_page(source: str, written: Iterable[str]) -> str | None:
    """Find the page of a source among the files written, or None; case does not count."""
    by_name = {name.lower(): name for name in written}
    return next((by_name[name] for name in page_names(source) if name in by_name), None)


def missing_pages(sources: Iterable[str], written: Iterable[str]) -> list[str]:
    """Find the sources without a page."""
    existing = {name.lower() for name in written}
    return [source for source in sources if existing.isdisjoint(page_names(source))]


def route_of(page: str) -> str:
    """Turn the name of a page file into the path under which it is served: `a/index.html` → `/a/`."""
    if page.rpartition("/")[2] == "index.html":
        return "/" + page.removesuffix("index.html")
    return "/" + page.removesuffix(".html")


def _without_number(segment: str) -> str:
    match = re.fullmatch(r"\d+\s*[-_.]+\s*([^-_.\s].*)", segment)
    return match[1] if match else segment
