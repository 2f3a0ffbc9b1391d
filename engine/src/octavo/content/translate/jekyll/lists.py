"""The lists of a Jekyll site: its pages, posts, collections, categories and tags, read from their front matter."""

from __future__ import annotations

import datetime as dt
import posixpath
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from octavo.content.translate.surroundings import Surroundings
from octavo.lazy import regex as re

_POST = re.compile(r"(?P<date>\d{4}-\d{1,2}-\d{1,2})-(?P<slug>.+)")
_MARKUP = (".md", ".markdown", ".mkd")
_NO_FOLDERS = frozenset(["node_modules", "vendor", "octavo-components", "bin", "script", "scripts"])
_MOST = 3000
_WORDS = re.compile(r"[,\s]+")


class ListedPage(Mapping[str, Any]):
    """A page, as templates see those that they list."""

    def __init__(self, path: str, around: Surroundings, collection: str = "") -> None:
        self.path = path
        self._around = around
        self._collection = collection

    @cached_property
    def _values(self) -> dict[str, Any]:
        around, path = self._around, self.path
        front = around.front if path == around.source.path else around.front_of(path)
        stem = posixpath.splitext(posixpath.basename(path))[0]
        post = _POST.fullmatch(stem)
        values: dict[str, Any] = {
            "slug": post["slug"] if post else stem,
            "name": posixpath.basename(path),
            "path": path,
            "relative_path": path,
            "collection": self._collection,
            "url": around.relative(path),
            **front,
        }
        if not isinstance(values.get("title"), str):
            values["title"] = around.title_of(path) or (post["slug"] if post else stem).replace("-", " ").title()
        if post and "date" not in front:
            values["date"] = _as_date(post["date"])
        folders = path.partition("/_posts/")[0].split("/") if post and "/_posts/" in path else []
        for name, single in (("categories", "category"), ("tags", "tag")):
            given = front.get(name) or front.get(single) or (folders if name == "categories" else [])
            values[name] = _WORDS.split(given.strip()) if isinstance(given, str) else given
        return values

    def __getitem__(self, key: str) -> Any:
        if key == "excerpt":
            text = self._around.content_of(self.path) or ""
            first = next((one for one in re.split(r"\n[ \t]*\n", text) if one.strip() and not one.startswith("#")), "")
            return "" if "{%" in first or "{{" in first else first.strip()
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ListedPage) and other.path == self.path

    def __hash__(self) -> int:
        return hash(self.path)


class SiteLists(Mapping[str, Any]):
    """The values of a site: those of its settings, and its lists."""

    def __init__(self, settings: Mapping[str, Any], home: str, around: Surroundings) -> None:
        """Initialize.

        Args:
            settings: Values of `_config.yml`, and others that go first.
            home: Folder of the site, from that of Octavo's settings; empty, or with a slash at its end.
            around: Reads files and lists folders.
        """
        self._settings = settings
        self._home = home
        self._around = around

    def __getitem__(self, key: str) -> Any:
        if key in self._settings and key not in ("collections", "posts", "pages"):
            return self._settings[key]
        found = self._list(key) if isinstance(key, str) else None
        if found is None:
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._settings)

    def __len__(self) -> int:
        return len(self._settings)

    def _list(self, key: str) -> Any:
        if key == "posts":
            return self._posts()
        if key in ("pages", "html_pages"):
            return self._pages() or None
        if key in ("categories", "tags"):
            posts = self._posts()
            words = dict.fromkeys(str(word) for post in posts or () for word in post[key])
            return None if posts is None else {word: [one for one in posts if word in one[key]] for word in words}
        given = self._settings.get("collections")
        names = list(given) if isinstance(given, (dict, list)) else []
        return self._collection(key) if key in names else None

    def _folder(self, name: str) -> str:
        inside = str(self._settings.get("collections_dir") or "").strip("/")
        return posixpath.join(self._home, inside, f"_{name}")

    def _collection(self, name: str) -> list[ListedPage] | None:
        paths = list(_files(self._folder(name), self._around))
        found = [ListedPage(path, self._around, name) for path in paths]
        return [one for one in found if one.get("published") is not False] if paths else None

    def _posts(self) -> list[ListedPage] | None:
        found = [one for one in self._collection("posts") or [] if "date" in one]
        return sorted(found, key=lambda one: (str(_as_date(one["date"])), one.path), reverse=True) or None

    def _pages(self) -> list[ListedPage]:
        found = pages_below(self._home.rstrip("/"), self._around)
        pages = [one for one in found if not posixpath.basename(one.path).startswith("_")]
        return [one for one in pages if one.get("published") is not False]


def pages_below(folder: str, around: Surroundings) -> list[ListedPage]:
    """List the pages below a folder that have front matter."""
    return [ListedPage(path, around) for path in _files(folder, around)]


def _files(folder: str, around: Surroundings) -> Iterator[str]:
    """List the Markdown files below a folder that have front matter; an empty one is the site's."""
    waiting, count = [folder], 0
    while waiting:
        here = waiting.pop(0)
        for name in sorted(around.names_in(here)):
            path = posixpath.join(here, name.rstrip("/"))
            if name.endswith("/"):
                if not name.startswith("_") and name.rstrip("/") not in _NO_FOLDERS:
                    waiting.append(path)
            elif name.endswith(_MARKUP) and (around.read_path(path) or "").startswith("---"):
                count += 1
                if count > _MOST:
                    return
                yield path


def _as_date(value: Any) -> Any:
    if isinstance(value, str):
        parts = value.strip()[:10].split("-")
        try:
            return dt.date(*map(int, parts))
        except (TypeError, ValueError):
            return value
    return value.date() if isinstance(value, dt.datetime) else value
