"""What is known of the site that is imported, and what will be written for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from octavo.importing.watched import Watched

EngineName = Literal[
    "docusaurus",
    "mkdocs",
    "starlight",
    "vitepress",
    "vuepress",
    "docsify",
    "docfx",
    "nextra",
    "fumadocs",
    "rspress",
    "vocs",
    "mdbook",
    "hugo",
    "sphinx",
    "jekyll",
    "hexo",
    "mintlify",
    "gitbook",
    "nuxt",
    "zola",
    "eleventy",
    "retype",
    "obsidian",
    "plain",
]
ENGINE_NAMES: tuple[EngineName, ...] = get_args(EngineName)


class Recognized(msgspec.Struct, frozen=True):
    """The engine that a folder was written for."""

    engine: EngineName
    home: Path
    """Folder of the engine's configuration."""
    config: Path | None
    """The configuration file."""
    reason: str
    """Why it is taken for that engine, in one sentence."""


class Note(msgspec.Struct, frozen=True):
    """Something of the old site that is not carried over as it was."""

    what: str
    remedy: str
    count: int = 1
    files: list[str] = []
    """Some of the files, from the site's folder."""


OWN_STYLES = "Colors and the logo are settings. Name files with other rules in `styles` of octavo.toml, and write their selectors anew."
"""What to do with style sheets of the old site."""


class Plan(msgspec.Struct):
    """What will be written."""

    engine: EngineName
    site_dir: Path
    """Folder that gets the `octavo.toml`; all paths start there."""
    settings: dict[str, Any]
    """Content of `octavo.toml`, in order."""
    notes: list[Note] = []
    files: dict[str, str] = {}
    """Small files that are written beside: path → text. None is written over."""
    copies: dict[str, Path] = {}
    """Files of the old site that are written at another place as well: path → file. None is written over."""
    programs: list[str] = []
    """Names of the components in React that were taken over, or lie there already."""
    react_pages: dict[str, str] = {}
    """Pages that are programs in React: path from the site's folder → route."""
    context: dict[str, Any] = {}
    """What components may ask for of the old site's settings, beside its title and address."""

    watched: list[Watched] = []
    """Tables of the old site's settings; the report names the keys in them that the import has not read."""

    def watch(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Register a table of the old site's settings, so that the report names the keys that are not read."""
        self.watched.append(settings if isinstance(settings, Watched) else Watched(settings))
        return self.watched[-1]

    def note(self, what: str, remedy: str, *, count: int = 1, files: list[str] | None = None) -> None:
        """Add something that is not carried over; what was noted before is counted."""
        for index, known in enumerate(self.notes):
            if (known.what, known.remedy) == (what, remedy):
                self.notes[index] = Note(what, remedy, known.count + count, [*known.files, *(files or [])])
                return
        self.notes.append(Note(what, remedy, count, files or []))

    def path(self, path: Path) -> str:
        """Name a file or folder from the site's folder."""
        return path.resolve().relative_to(self.site_dir.resolve()).as_posix()
