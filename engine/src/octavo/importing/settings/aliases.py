"""Beginnings of imported paths that stand for folders: those of the bundler's settings, and those of TypeScript."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from octavo.importing.common import as_dict, as_list, as_text, relative
from octavo.importing.components import Paths
from octavo.importing.scripts import ScriptError, Scripts
from octavo.importing.settings.project import project_of

_OF_VITE = ("vite.config.ts", "vite.config.mts", "vite.config.js", "vite.config.mjs")


def aliases_of(site_dir: Path, home: Path, settings: Iterable[Any]) -> dict[str, str]:
    """Take over the aliases of a site: beginning → folder, from the site's folder; those of other folders are left out.

    Args:
        site_dir: The site's folder.
        home: Folder of the old engine's configuration.
        settings: Of the bundler, in which `alias` is a mapping or a list of pairs.
    """
    site_dir = site_dir.resolve()
    inside = home.resolve().is_relative_to(site_dir)
    own = relative(home, site_dir) if inside else "."
    found = Paths(site_dir).folders("" if own == "." else own)
    for name, target in (pair for one in settings for pair in _pairs(as_dict(one).get("alias"))):
        path = (home / target).resolve()
        if name and target and path.is_relative_to(site_dir) and name[0] not in "^/.":
            found[name.rstrip("/")] = relative(path, site_dir)
    return found


def vite_settings(home: Path, given: Any) -> list[Any]:
    """List the settings of Vite that say how paths are resolved: those of a configuration, and those of a file of its own."""
    found = [as_dict(given).get("resolve")]
    for path in (home / name for name in _OF_VITE):
        if path.is_file() and "alias" in path.read_text(encoding="utf-8", errors="replace"):
            try:
                config = as_dict(Scripts(home, project_of(home)).load(path, arguments=[{"mode": "production"}]))
            except ScriptError:
                continue
            found.append(config.get("resolve"))
    return found


def _pairs(alias: Any) -> Iterator[tuple[str, str]]:
    if isinstance(alias, (list, tuple)):
        for one in map(as_dict, as_list(alias)):
            yield as_text(one.get("find")), as_text(one.get("replacement"))
    else:
        yield from ((name, as_text(target)) for name, target in as_dict(alias).items())
