"""From a file's place to its id and its route."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

from octavo.content import FrontMatter

_NUMBER_PREFIX = re.compile(r"^(?P<number>\d{1,3})\s*[-_.]+\s*(?P<rest>[^-_.\s].*)$")
_LOOKS_LIKE_DATE_OR_VERSION = re.compile(r"^\d+[-_.]\d+")


@lru_cache(maxsize=4096)
def split_number_prefix(name: str) -> tuple[float | None, str]:
    """Split `02-install` into (2.0, "install"); dates, years and versions such as `2024-05-01` keep their digits."""
    if _LOOKS_LIKE_DATE_OR_VERSION.match(name):
        return None, name
    match = _NUMBER_PREFIX.match(name)
    return (float(match["number"]), match["rest"]) if match else (None, name)


def strip_number_prefixes(path: str) -> str:
    """Remove the number prefix of each part of a path."""
    return "/".join(split_number_prefix(part)[1] for part in path.split("/"))


def document_id(relative: str, front_matter: FrontMatter) -> str:
    """Make a document's id of its path below the docs folder: `02-how-to/install.mdx` → `how-to/install`."""
    folder, _, name = posixpath.splitext(relative)[0].rpartition("/")
    name = front_matter.id or split_number_prefix(name)[1]
    return f"{strip_number_prefixes(folder)}/{name}" if folder else name


def is_folder_index(relative: str) -> bool:
    """Tell whether a file is the index of its folder: `index`, `readme`, or the folder's own name."""
    folder, _, name = posixpath.splitext(relative)[0].rpartition("/")
    name = split_number_prefix(name)[1]
    parent = split_number_prefix(folder.rpartition("/")[2])[1]
    return name.lower() in ("index", "readme") or (parent != "" and name == parent)


def document_route(relative: str, front_matter: FrontMatter, prefix: str) -> str:
    """Make a document's route, without the base URL. Folder indexes end in a slash, others don't.

    Args:
        relative: Path below the docs folder.
        front_matter: Its `slug` and `id` count.
        prefix: Beginning of the edition's routes, without a final slash.
    """
    folder = strip_number_prefixes(relative.rpartition("/")[0])
    slug = front_matter.slug
    if slug:
        path = slug if slug.startswith("/") else f"/{folder}/{slug}"
        # Two slashes at the beginning of an address would name a host.
        path = posixpath.normpath(re.sub(r"/{2,}", "/", path)).rstrip("/")
        return f"{prefix}{path}{'/' if slug.endswith('/') else ''}" or "/"
    if is_folder_index(relative):
        return f"{prefix}/{folder}/" if folder else f"{prefix}/"
    name = front_matter.id or split_number_prefix(posixpath.splitext(relative)[0].rpartition("/")[2])[1]
    return f"{prefix}/{folder}/{name}" if folder else f"{prefix}/{name}"


def other_slash_form(route: str) -> str:
    """Give the form of a route with the final slash added or removed."""
    return route.rstrip("/") if route.endswith("/") else f"{route}/"
