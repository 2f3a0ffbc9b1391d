"""The Markdown files of the site that is imported, read where they lie."""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import yaml

from octavo.config import Config
from octavo.content import HEXO_FENCE, FrontMatter, markdown_of
from octavo.site import collect_sources, document_id, document_route, excluded_paths, page_suffixes

_NO_CONTENT = frozenset(
    [
        "node_modules",
        "test",
        "tests",
        "__tests__",
        "fixtures",
        "examples",
        "templates",
        "build",
        "dist",
        "vendor",
        "venv",
    ]
)
"""Folders whose Markdown nobody means to publish."""
_FEW = 3
"""Files that make a folder worth naming."""
_HTML = "HTML"
_OTHER_PAGES = {
    ".adoc": "AsciiDoc",
    ".base": "bases of Obsidian",
    ".canvas": "canvases of Obsidian",
    ".asciidoc": "AsciiDoc",
    ".htm": _HTML,
    ".html": _HTML,
    ".ipynb": "notebooks of Jupyter",
    ".mdoc": "Markdoc",
    ".org": "Org",
    ".qmd": "Quarto",
    ".rmd": "R Markdown",
    ".rst": "reStructuredText",
    ".textile": "Textile",
}
"""Ending → what is written in it; engines and their plug-ins make pages of such files."""
_WITH_HTML = ("hugo", "jekyll")
"""Engines that make pages of HTML in the folder of documents."""
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Tree:
    """The documents of one folder, as the settings that will be written see them."""

    def __init__(self, site_dir: Path, settings: Mapping[str, Any], root: str, *, mount: str | None = None) -> None:
        """Read the names of the files.

        Args:
            site_dir: The folder of `octavo.toml`.
            settings: What it will contain; `exclude`, `routing`, `mounts` and `locales` count.
            root: Folder of the documents, from the site's folder.
            mount: The mounted folder that it is.
        """
        keys = ("exclude", "routing", "mounts", "locales")
        raw = {"title": "", **{key: settings[key] for key in keys if key in settings}}
        if reading := {"rst", "notebooks"}.intersection((settings.get("markdown") or {}).get("extensions", [])):
            raw["markdown"] = {".": {"extensions": sorted(reading)}}  # of the rest, nothing counts here
        self._split = (
            split_hexo if "hexo" in (settings.get("markdown") or {}).get("extensions", []) else split_front_matter
        )
        self._is_hugo = "hugo" in (settings.get("markdown") or {}).get("extensions", [])
        self.config = msgspec.convert(raw, Config)
        self.site_dir = site_dir
        self.root = root
        sources = collect_sources(site_dir, self.config, root, mount=mount)
        # Translations beside their originals share their paths and ids.
        self._sources = [source for source in sources if not source.suffix]
        self._front: dict[str, dict[str, Any]] = {}

    @cached_property
    def files(self) -> list[str]:
        """Paths below the folder, sorted."""
        return [source.relative for source in self._sources]

    @cached_property
    def _by_name(self) -> dict[str, str]:
        return {source.relative: source.path for source in self._sources}

    @cached_property
    def _by_id(self) -> dict[str, str]:
        return {self.doc_id(file): file for file in self.files}

    @property
    def ending(self) -> str:
        """What the addresses of pages end in, as in `[routing]`."""
        return self.config.routing.ending

    def path(self, file: str) -> str:
        """Path from the site's folder."""
        return self._by_name[file]

    def text(self, file: str) -> str:
        """Text of a file; of a notebook, what is written in its cells."""
        text = (self.site_dir / self._by_name[file]).read_text(encoding="utf-8", errors="replace")
        return markdown_of(text) if file.endswith(".ipynb") else text

    def _head(self, file: str) -> str:
        """Give a file's text; Hugo passes over empty lines above the front matter."""
        text = self.text(file)
        return text.lstrip() if self._is_hugo else text

    def front(self, file: str) -> dict[str, Any]:
        """Front matter of a file, empty where it has none or it can't be read."""
        if file not in self._front:
            self._front[file] = {} if file.endswith(".rst") else self._split(self._head(file))[0]
        return self._front[file]

    def find(self, link: str) -> str | None:
        """Find the file that a path means, with or without its ending; None where there is none."""
        path = posixpath.normpath(link.partition("#")[0].strip("/")) if link.strip("/") else "index"
        stem = path.removesuffix(".html")
        names = [
            path,
            *(
                f"{stem}{end}"
                for end in (
                    ".md",
                    ".mdx",
                    "/index.md",
                    "/index.mdx",
                    "/README.md",
                    "/_index.md",
                    ".markdown",
                    ".rst",
                    "/index.rst",
                    ".ipynb",
                    "/index.ipynb",
                )
            ),
        ]
        return next((name for name in names if name in self._by_name), None)

    def doc_id(self, file: str) -> str:
        """Id of a document, as sidebars name it."""
        own = self.front(file).get("id")
        front = FrontMatter(id=str(own) if own is not None else None)
        prefix = self._sources[0].key_prefix if self._sources else ""
        return prefix + document_id(file, front, self.config.routing)

    def by_id(self, doc_id: str) -> str | None:
        """File of a document's id."""
        return self._by_id.get(doc_id)

    def route(self, file: str, prefix: str = "") -> str:
        """Route of a file by the settings' rules."""
        front = self.front(file)
        own_id, slug = (str(front[key]) if isinstance(front.get(key), (str, int)) else None for key in ("id", "slug"))
        return document_route(file, FrontMatter(id=own_id, slug=slug), prefix, self.config.routing)


def unread_folders(site_dir: Path, home: Path, config: Config, read: Collection[str]) -> dict[str, int]:
    """Count the Markdown files of a project that are neither read nor excluded, by folder, the fullest first.

    Args:
        site_dir: The folder of `octavo.toml`.
        home: Where the old engine's configuration lies; folders above it belong to other things.
        config: The settings that were written.
        read: Paths of the documents, from the site's folder.
    """
    if not home.resolve().is_relative_to(site_dir.resolve()):
        return {}  # the documents lie elsewhere, and what is around them is another project
    is_excluded = excluded_paths(config)
    counts: Counter[str] = Counter()
    suffixes = page_suffixes(config)
    for folder, folders, files in os.walk(home):
        folders[:] = [name for name in folders if not name.startswith((".", "_")) and name not in _NO_CONTENT]
        where = Path(folder).resolve().relative_to(site_dir.resolve()).as_posix()
        below = Path(folder).relative_to(home).parts[:3]
        for name in files:
            path = name if where == "." else f"{where}/{name}"
            is_page = name.endswith(suffixes) and not name.startswith(("_", "."))
            if below and is_page and path not in read and not (is_excluded and is_excluded(path)):
                counts[relative_folder(site_dir, home, below)] += 1
    return {name: count for name, count in counts.most_common() if count >= _FEW}


def unread_pages(site_dir: Path, config: Config, engine: str) -> dict[str, list[str]]:
    """List the files in the folders of documents that the old engine, or a plug-in of it, makes pages of, and that are not Markdown.

    Returns:
        What they are → their paths from the site's folder.
    """
    is_excluded = excluded_paths(config)
    found: dict[str, list[str]] = {}
    read = page_suffixes(config)
    for root in dict.fromkeys([config.docs, *config.mounts]):
        for folder, folders, files in os.walk(site_dir / root):
            folders[:] = sorted(name for name in folders if not name.startswith((".", "_")) and name not in _NO_CONTENT)
            where = Path(folder).relative_to(site_dir).as_posix()
            for name in sorted(files):
                path = name if where == "." else f"{where}/{name}"
                what = _OTHER_PAGES.get(posixpath.splitext(name)[1].lower())
                if what == _HTML and (engine not in _WITH_HTML or root == config.static):
                    continue
                if (
                    what
                    and not name.endswith(read)
                    and not name.startswith(("_", "."))
                    and not (is_excluded and is_excluded(path))
                ):
                    found.setdefault(what, []).append(path)
    return found


def relative_folder(site_dir: Path, home: Path, parts: tuple[str, ...]) -> str:
    """Name a folder below another one from the site's folder."""
    return home.joinpath(*parts).resolve().relative_to(site_dir.resolve()).as_posix()


def split_hexo(text: str) -> tuple[dict[str, Any], str]:
    """Split a file of Hexo, which needs no line above its front matter."""
    text = text.replace("\r\n", "\n")
    match = None if text.startswith("---") else HEXO_FENCE.match(text)
    return (_parse(match["yaml"], "---"), text[match.end() :]) if match else split_front_matter(text)


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Split a file into its front matter (YAML or TOML) and the rest."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    for fence in ("---", "+++"):
        if not text.startswith(f"{fence}\n"):
            continue
        head, found, body = text[4:].partition(f"\n{fence}")
        if not found or (body and not body.startswith(("\n", " "))):
            return {}, text
        return _parse(head, fence), body.partition("\n")[2]
    return {}, text


def _parse(head: str, fence: str) -> dict[str, Any]:
    import tomllib

    try:
        found = yaml.load(head, _LOADER) if fence == "---" else tomllib.loads(head)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, tomllib.TOMLDecodeError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
