"""Beginnings of imported paths that `tsconfig.json` gives a folder: `@/*` is `src/*`."""

from __future__ import annotations

import json
import posixpath
from pathlib import Path
from typing import Any

from octavo.importing.settings.files import UnreadableError, read_text
from octavo.importing.settings.project import project_of
from octavo.lazy import regex as re
from octavo.site import is_inside

_FILES = ("tsconfig.json", "jsconfig.json", "tsconfig.app.json")

_COMMENT = re.compile(r"""(?P<text>"(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/""", re.DOTALL)
_COMMA = re.compile(r",(\s*[}\]])")
"""Comments and commas at the end, which TypeScript takes and JSON does not."""
_MOST_FOLDERS = 50
"""Folders for which a pattern without a slash stands."""


class Paths:
    """The settings of TypeScript in a site; each folder has those of the nearest one above."""

    def __init__(self, site_dir: Path) -> None:
        """Initialize; nothing is read yet."""
        self._site_dir = site_dir
        self._known: dict[str, list[tuple[str, str]]] = {}

    def find(self, name: str, path: str) -> str | None:
        """Give the path that an imported name means, from the site's folder; None where no setting knows it.

        Args:
            name: As it is imported.
            path: Of the module that imports it.
        """
        for pattern, target in self._patterns(posixpath.dirname(path)):
            before, star, after = pattern.partition("*")
            if (not star and name == pattern) or (star and name.startswith(before) and name.endswith(after)):
                found = posixpath.normpath(target.replace("*", name[len(before) : len(name) - len(after)], 1))
                if pattern == "*" and not self._is_there(found):
                    continue  # all names that no other pattern knows, most of which are packages
                return None if found.startswith(("..", "/")) else found
        return None

    def _is_there(self, path: str) -> bool:
        """Whether a file or a folder has this path, the file with an ending of a module or without one."""
        if path.startswith(("..", "/")) or not is_inside(self._site_dir, path):
            return False
        return any(
            (self._site_dir / f"{path}{ending}").exists() for ending in ("", ".tsx", ".ts", ".jsx", ".js", ".json")
        )

    def folders(self, folder: str) -> dict[str, str]:
        """Give the beginnings that stand for a folder, for the modules of one folder: `@` → `src`.

        A pattern without a slash, `@*` for `public/*`, has one beginning for each folder in the other: `@images`.
        """
        found: dict[str, str] = {}
        for pattern, target in self._patterns(folder):
            place = posixpath.normpath(target.removesuffix("/*"))
            if not target.endswith("/*") or place.startswith(("..", "/")) or not pattern.endswith("*"):
                continue
            if pattern.endswith("/*"):
                if pattern != "/*":
                    found[pattern.removesuffix("/*")] = place
            elif (before := pattern[:-1]) and is_inside(self._site_dir, place) and (self._site_dir / place).is_dir():
                folders = sorted(one.name for one in (self._site_dir / place).iterdir() if one.is_dir())[:_MOST_FOLDERS]
                found |= {
                    f"{before}{name}": posixpath.join(place, name) for name in folders if not name.startswith(".")
                }
        return found

    def _patterns(self, folder: str) -> list[tuple[str, str]]:
        if folder not in self._known:
            own = _read(self._site_dir, folder)
            above = posixpath.dirname(folder)
            self._known[folder] = own or (self._patterns(above) if folder else self._of_project())
        return self._known[folder]

    def _of_project(self) -> list[tuple[str, str]]:
        """Read the settings that lie above the site, as far as they name folders in it."""
        site_dir = self._site_dir.resolve()
        project = project_of(site_dir)
        for folder in site_dir.parents if project != site_dir else ():
            if found := _read(folder, ""):
                prefix = f"{site_dir.relative_to(folder).as_posix()}/"
                inside = [(pattern, posixpath.normpath(target)) for pattern, target in found]
                return [
                    (pattern, target.removeprefix(prefix)) for pattern, target in inside if target.startswith(prefix)
                ]
            if folder == project:
                break
        return []


def _read(site_dir: Path, folder: str) -> list[tuple[str, str]]:
    for name in _FILES:
        file = posixpath.join(folder, name)
        if not is_inside(site_dir, file) or not (site_dir / file).is_file():
            continue
        try:
            text = read_text(site_dir / file)
            settings: Any = json.loads(_COMMA.sub(r"\1", _COMMENT.sub(lambda match: match["text"] or "", text)))
        except (UnreadableError, ValueError, RecursionError):
            continue
        options = settings.get("compilerOptions") if isinstance(settings, dict) else None
        if not isinstance(options, dict):
            continue
        paths = options.get("paths")
        base = posixpath.join(folder, str(options.get("baseUrl", ".")))
        every = [("*", posixpath.join(base, "*"))] if isinstance(options.get("baseUrl"), str) else []
        if not isinstance(paths, dict):
            if every:
                return every
            continue
        return [
            (str(pattern), posixpath.join(base, str(targets[0])))
            for pattern, targets in sorted(paths.items(), key=lambda one: -len(str(one[0])))
            if isinstance(targets, list) and targets
        ] + ([] if "*" in paths else every)
    return []
