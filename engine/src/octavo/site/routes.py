"""From a file's place to its id and its route."""

from __future__ import annotations

import posixpath
from functools import lru_cache
from typing import Literal

from octavo.config import Routing
from octavo.content import FrontMatter
from octavo.lazy import regex as re

_NUMBER_PREFIX = re.compile(r"^(?P<number>\d{1,3})\s*[-_.]+\s*(?P<rest>[^-_.\s].*)$")
_LOOKS_LIKE_DATE_OR_VERSION = re.compile(r"^\d+[-_.]\d+")
_DEFAULT = Routing()


@lru_cache(maxsize=4096)
def split_number_prefix(name: str) -> tuple[float | None, str]:
    """Split `02-install` into (2.0, "install"); dates, years and versions such as `2024-05-01` keep their digits."""
    if _LOOKS_LIKE_DATE_OR_VERSION.match(name):
        return None, name
    match = _NUMBER_PREFIX.match(name)
    return (float(match["number"]), match["rest"]) if match else (None, name)


def strip_number_prefixes(path: str, routing: Routing = _DEFAULT) -> str:
    """Remove the number prefix of each part of a path, unless the site keeps them."""
    return path if routing.number_prefixes else _without_prefixes(path)


@lru_cache(maxsize=4096)
def _without_prefixes(path: str) -> str:
    """Remove the number prefixes of a path; most are those of folders, and each is that of many files."""
    return "/".join([split_number_prefix(part)[1] for part in path.split("/")])


def document_id(relative: str, front_matter: FrontMatter, routing: Routing = _DEFAULT) -> str:
    """Make a document's id of its path below the docs folder: `02-how-to/install.mdx` → `how-to/install`."""
    folder, _, name = posixpath.splitext(relative)[0].rpartition("/")
    name = front_matter.id or strip_number_prefixes(name, routing)
    return f"{strip_number_prefixes(folder, routing)}/{name}" if folder else name


def is_folder_index(relative: str, routing: Routing = _DEFAULT) -> bool:
    """Return whether a file is the index of its folder: `index`, `readme`, or the folder's own name."""
    folder, _, name = posixpath.splitext(relative)[0].rpartition("/")
    name = strip_number_prefixes(name, routing)
    parent = strip_number_prefixes(folder.rpartition("/")[2], routing)
    return name.lower() in routing.index_names or (routing.folder_name_is_index and parent != "" and name == parent)


def document_route(relative: str, front_matter: FrontMatter, prefix: str, routing: Routing = _DEFAULT) -> str:
    """Make a document's route, without the base URL. Folder indexes end in a slash, others as the site wants it.

    Args:
        relative: Path below the docs folder.
        front_matter: Its `slug` and `id` count.
        prefix: Beginning of the edition's routes, without a final slash.
        routing: Rules of the site.
    """
    folder = strip_number_prefixes(relative.rpartition("/")[0], routing)
    slug = front_matter.slug
    if slug:
        path = slug if slug.startswith("/") else f"/{folder}/{slug}"
        # Two slashes at the beginning of an address would name a host.
        path = posixpath.normpath(re.sub(r"/{2,}", "/", path)).rstrip("/")
        ending = "/" if slug.endswith("/") or routing.ending == "/" else ""
        return f"{prefix}{path}{ending}" or "/"
    if is_folder_index(relative, routing):
        return f"{prefix}/{folder}/" if folder else f"{prefix}/"
    stem = posixpath.splitext(relative)[0].rpartition("/")[2]
    name = (front_matter.id or strip_number_prefixes(stem, routing)) + routing.ending
    return f"{prefix}/{folder}/{name}" if folder else f"{prefix}/{name}"


def other_slash_form(route: str) -> str:
    """Give the form of a route with the final slash added or removed."""
    return route.rstrip("/") if route.endswith("/") else f"{route}/"


def join_route(route: str, path: str) -> str:
    """Join a path to the route of its page, as a browser does."""
    folder = route[: route.rindex("/") + 1]
    joined = posixpath.normpath(posixpath.join(folder, path))
    is_folder = path.endswith("/") or path.rpartition("/")[2] in (".", "..")
    return f"{joined}/" if is_folder and joined != "/" else joined


def with_slash(route: str, root: str, slashes: Literal["ignore", "always", "never"]) -> str:
    """Give a route the final slash that the site wants, or take it away.

    Args:
        route: Route of a page. One that names a file, `/a.html`, stays as it is.
        root: Route of the edition's root, which always ends in a slash.
        slashes: See `Config.trailing_slash`.
    """
    if slashes == "ignore" or route in (root, "/") or route.endswith(".html"):
        return route
    return route.rstrip("/") + ("/" if slashes == "always" else "")
