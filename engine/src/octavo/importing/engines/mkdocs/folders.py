"""Folders in which pages of MkDocs look for the files that they take in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from octavo.importing.common import as_dict, as_list, as_text, relative

_EXTENSIONS = ("pymdownx.snippets", "markdown_include.include", "markdown_include_variants", "mdx_include")


class SnippetFolders:
    """What the settings of a site say about these folders."""

    def __init__(self, home: Path, site_dir: Path, docs: str) -> None:
        """Initialize.

        Args:
            home: Folder of the settings.
            site_dir: Folder of the site.
            docs: Folder of the documents, from that of the site.
        """
        self._home = home
        self._site_dir = site_dir
        self._docs = docs

    def all(self, extensions: Mapping[str, Mapping[str, Any]], plugins: Mapping[str, Any]) -> list[str]:
        """List the folders, from that of the site, in the order in which files are looked for in them.

        Args:
            extensions: Markdown extension → its options.
            plugins: Plug-in → its options.
        """
        paths: list[str] = []
        if "macros" in plugins:
            paths.append(as_text(as_dict(plugins["macros"]).get("include_dir")))
        if "table-reader" in plugins:
            paths.append(as_text(as_dict(plugins["table-reader"]).get("data_path")) or ".")
        if "include-markdown" in plugins or any(name in extensions for name in _EXTENSIONS):
            paths += self.named(extensions) or ["."]
        found = [self.find(path) for path in paths if path]
        return list(dict.fromkeys([*(one for one in found if one), self._docs]))

    def named(self, extensions: Mapping[str, Mapping[str, Any]]) -> list[str]:
        """List the paths that the options of Markdown extensions name."""
        given = [one for name in _EXTENSIONS for one in as_list(extensions.get(name, {}).get("base_path"))]
        # `!relative $config_dir` and `!relative $docs_dir`, of which the reader of YAML leaves the text.
        docs = str((self._site_dir / self._docs).resolve())
        return [as_text(one).replace("$config_dir", ".").replace("$docs_dir", docs) for one in given if one]

    def find(self, path: str) -> str | None:
        """Find a file or folder that the settings name, from the folder of the site; None where it is outside of that.

        MkDocs takes these paths from the folder in which it runs. That is the folder of the settings, or one above it, such as
        the repository's.
        """
        site_dir = self._site_dir.resolve()
        places = [(base / path).resolve() for base in (self._home, *self._home.resolve().parents)]
        inside = [place for place in places if place.is_relative_to(site_dir)]
        found = next((place for place in inside if place.exists()), None)
        if found is None and places[0] in inside:
            found = places[0]
        return None if found is None else relative(found, site_dir)
