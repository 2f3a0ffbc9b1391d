"""The pages of a Hugo site as templates list them: sections, and what is in them."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from octavo.lazy import regex as re

_ENDINGS = (".md", ".markdown")
_LANGUAGE = re.compile(r"\.([a-z]{2}(?:-[a-z]{2,4})?)\Z")
Names = Callable[[str], list[str]]
"""Lists the files of a folder, and the folders in it with a slash at their end."""
_MOST_PAGES = 3000
_DEEPEST = 12


class ContentTree:
    """The files below Hugo's folder of content."""

    def __init__(self, root: str, language: str) -> None:
        """Initialize.

        Args:
            root: The folder, from the site's.
            language: The language at the end of the files' names, as `de` in `a.de.md`; empty where they have none.
        """
        self._root = root
        self._language = language

    def inner(self, path: str) -> str:
        """Give a path from the folder of content."""
        return path.removeprefix(f"{self._root}/") if self._root else path

    def pages_in(self, path: str, names_in: Names) -> list[str]:
        """List the pages of a section by the path of its `_index.md`; "" is the site.

        Raises:
            LookupError: there are too many.
        """
        folder = posixpath.dirname(path) if path else self._root
        return self._below(folder, names_in, is_deep=False) if not path or self._is_section(path) else []

    def pages_below(self, path: str, names_in: Names) -> list[str]:
        """List all pages below a section, those of sections within it as well.

        Raises:
            LookupError: there are too many.
        """
        return self._below(posixpath.dirname(path) if path else self._root, names_in, is_deep=True)

    def ancestors(self, path: str, names_in: Names) -> list[str]:
        """List the sections around a page, the nearest first."""
        found: list[str] = []
        folder = posixpath.dirname(path)
        if self._is_section(path) or posixpath.basename(path).startswith("index."):
            folder = posixpath.dirname(folder) if folder != self._root else ""
        while folder:
            if index := self._index(names_in(folder), "_index"):
                found.append(f"{folder}/{index}")
            folder = posixpath.dirname(folder) if folder != self._root else ""
        return found

    def _is_section(self, path: str) -> bool:
        return posixpath.basename(path).startswith("_index.")

    def _index(self, names: list[str], stem: str) -> str | None:
        wanted = [f"{stem}.{self._language}"] if self._language else []
        return next((f"{one}{end}" for one in (*wanted, stem) for end in _ENDINGS if f"{one}{end}" in names), None)

    def _below(self, folder: str, names_in: Names, *, is_deep: bool) -> list[str]:
        found: list[str] = []
        waiting = [(folder, 0)]
        while waiting:
            here, depth = waiting.pop(0)
            names = names_in(here)
            for name in sorted(names):
                path = posixpath.join(here, name.rstrip("/"))
                if not name.endswith("/"):
                    if self._is_page(name, names):
                        found.append(path)
                    continue
                inner = names_in(path)
                bundle, section = self._index(inner, "index"), self._index(inner, "_index")
                if bundle and not section:
                    found.append(f"{path}/{bundle}")
                    continue
                if section:
                    found.append(f"{path}/{section}")
                if (is_deep or not section) and depth < _DEEPEST:
                    waiting.append((path, depth + 1))
            if len(found) > _MOST_PAGES:
                raise LookupError(f"the site has more than {_MOST_PAGES:,} pages to list")
        return found

    def _is_page(self, name: str, names: list[str]) -> bool:
        stem, ending = posixpath.splitext(name)
        if ending not in _ENDINGS or stem.partition(".")[0] in ("_index", "index") or name.startswith((".", "_")):
            return False
        language = _LANGUAGE.search(stem)
        if language is None:
            return not self._language or f"{stem}.{self._language}{ending}" not in names
        return language[1] == self._language
