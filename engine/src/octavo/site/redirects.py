"""Where a path leads that no page has: exact redirects first, then those of whole folders."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping

from octavo.config import Config

WHOLE_FOLDER = "/*"
"""Ends the source of a redirect that holds for a folder and all below it."""


class Redirects:
    """The redirects of a site, to be asked for paths from its root."""

    def __init__(self, exact: Mapping[str, str], folders: Mapping[str, str]) -> None:
        """Initialize.

        Args:
            exact: Path → target.
            folders: Folder with its final slash (`/old/`) → target. One that ends in `/*` gets the rest of the path
                in the star's place; any other is where all paths of the folder lead.
        """
        self.exact = dict(exact)
        self.folders = dict(sorted(folders.items(), key=lambda entry: len(entry[0]), reverse=True))
        """Folder → target, the longest first: it knows best."""

    @staticmethod
    def of(config: Config) -> Redirects:
        """Take them from the configuration."""
        pairs = [(redirect.source, redirect.to) for redirect in config.redirects]
        first = config.default_locale.path
        return Redirects(
            # Where all addresses name their language, the site's own leads to the first one.
            ({"/": f"/{first}/"} if first else {})
            | {source: target for source, target in pairs if not source.endswith(WHOLE_FOLDER)},
            {source[:-1]: target for source, target in pairs if source.endswith(WHOLE_FOLDER)},
        )

    def find(self, path: str) -> str | None:
        """Find where a path leads, decoded, from the site's root or absolute; None where no redirect holds."""
        return self.exact.get(path) or self.find_folder(path)

    def find_folder(self, path: str) -> str | None:
        """Find where the redirect of a folder leads a path."""
        for folder, target in self.folders.items():
            if path.startswith(folder) or f"{path}/" == folder:
                # A rest that starts with a slash would turn a target that is the root into `//host`.
                return fill_star(target, path[len(folder) :].lstrip("/"))
        return None

    def sources_of(self, routes: Iterable[str], known: Iterable[str]) -> dict[str, str]:
        """List the paths that the redirects of folders are known to be asked for: path → target.

        Args:
            routes: What the site has: a path that leads to one of them may be asked for.
            known: Paths that were published once.
        """
        # None may name a file outside of the published folder.
        paths = [path for path in known if posixpath.normpath(path) in (path, path.rstrip("/"))]
        for folder, target in self.folders.items():
            if target.endswith(WHOLE_FOLDER):
                paths += [folder + route[len(target) - 1 :] for route in routes if route.startswith(target[:-1])]
        found = {path: self.find_folder(path) for path in paths if path not in self.exact}
        return {path: target for path, target in found.items() if target is not None}


def fill_star(target: str, rest: str) -> str:
    """Put the rest of a path in the place of a target's star, if it has one."""
    return target[:-1] + rest if target.endswith(WHOLE_FOLDER) else target
