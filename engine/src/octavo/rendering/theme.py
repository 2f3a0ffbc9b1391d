"""The built theme that the package carries: what it is made of, and what of it is published."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from octavo.errors import RenderError
from octavo.lazy import regex as re
from octavo.runtime import digest

_SHEETS = "src/styles/sheets/"
"""Folder of the style sheets that are linked only where a page needs them."""

_SHEET_LAYOUTS = {"landing": ("landing", "splash", "blank"), "reference": ("reference",)}
"""Name of such a sheet → layouts of pages that always need it."""

PAGE_SHEETS = tuple(_SHEET_LAYOUTS)
"""Names of these sheets."""

_SHEET_CLASSES = {"landing": ("hero", "block-", "product-card", "task-card", "task-grid"), "reference": ("api-",)}
"""Name of such a sheet → beginnings of its classes, which authors may write themselves."""

_IN_CLASS = re.compile(r"""\sclass=(?:"(?:[^"]*\s)?|'(?:[^']*\s)?)?$""")
"""What a tag has before the name of a class."""

THEME_DIR = Path(__file__).resolve().parent.parent / "_theme"


class Theme(msgspec.Struct, frozen=True):
    """A built theme."""

    server_script: str
    """The server bundle: sets `globalThis.Octavo`."""
    inline_script: str
    """Runs in the head before the first paint."""
    tabs_script: str
    """The same, on pages with tabs: shows those that the reader has chosen before."""
    client: str
    """Address of the client's entry module in the published folder."""
    styles: list[str]
    """Addresses of the style sheets of all pages."""
    page_styles: dict[str, str]
    """Name (`landing`, `reference`) → address, of the style sheets of pages that need them."""
    fonts: dict[str, str]
    """Name of a face (`sans`, `serif`, `mono`) → address of its file."""
    base_url_script: str
    """Runs at the end of home pages: tells when the site was published under another base URL."""
    files: dict[str, Path]
    """Address in the published folder → file, of what every site needs."""
    diagram_files: dict[str, Path]
    """The same, of the frame in which Mermaid draws what the build could not: twenty times the rest."""
    key: str
    """Hash of all of it."""

    def styles_for(self, layout: str, *drawn: str) -> list[str]:
        """Give the addresses of the style sheets that a page needs besides those of all pages.

        Args:
            layout: How the page is laid out.
            drawn: HTML that the page shows.
        """
        return [
            address
            for name, address in self.page_styles.items()
            if layout in _SHEET_LAYOUTS[name] or any(_has_class(html, _SHEET_CLASSES[name]) for html in drawn)
        ]


class OfflineTheme(msgspec.Struct, frozen=True):
    """What takes the place of the client in copies that are opened from disk."""

    inline_script: str
    """Runs in the head before the first paint."""
    client: str
    """The client as one classic script."""
    style: str
    """Its one style sheet, fonts included."""


def load_offline_theme(folder: Path = THEME_DIR) -> OfflineTheme:
    """Load the parts of the theme that offline copies have.

    Raises:
        RenderError: they are not there.
    """
    names = ("offline-inline.js", "offline.js", "offline.css")
    inline, client, style = (read_theme_file(folder / name).decode() for name in names)
    return OfflineTheme(inline.strip(), client, style)


def read_theme_file(path: Path) -> bytes:
    """Read a file of the theme.

    Raises:
        RenderError: it vanished since the theme was loaded.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise RenderError(f"The theme was rebuilt during the build: {path.name} is gone. Build again.") from error


def load_theme(folder: Path = THEME_DIR) -> Theme:
    """Load the theme.

    Raises:
        RenderError: it is not there (a checkout in which it was not built yet).
    """
    try:
        server = (folder / "server.js").read_text(encoding="utf-8")
        inline = (folder / "inline.js").read_text(encoding="utf-8").strip()
        tabs = (folder / "inline-tabs.js").read_text(encoding="utf-8").strip()
        base_url = (folder / "base-url.js").read_text(encoding="utf-8").strip()
        manifest = json.loads((folder / "client" / ".vite" / "manifest.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise RenderError(
            f"The theme has not been built: {error.filename} is missing. Run `make theme` in Octavo's checkout."
        ) from error
    sheets = {chunk["name"]: key for key, chunk in manifest.items() if key.startswith(_SHEETS)}
    entry = next(key for key, chunk in manifest.items() if chunk.get("isEntry") and not key.startswith(_SHEETS))
    needed = _reachable(manifest, entry).union(sheets.values())
    return Theme(
        server_script=server,
        inline_script=inline,
        tabs_script=tabs,
        client=f"_octavo/{manifest[entry]['file']}",
        styles=[f"_octavo/{name}" for name in manifest[entry].get("css", [])],
        page_styles={name: f"_octavo/{manifest[key]['file']}" for name, key in sorted(sheets.items())},
        fonts=_fonts(manifest[entry]),
        base_url_script=base_url,
        files=_files(folder, manifest, needed),
        diagram_files=_files(folder, manifest, manifest.keys() - needed),
        key=digest(server, inline, tabs, base_url, json.dumps(manifest, sort_keys=True)),
    )


def _has_class(html: str, beginnings: tuple[str, ...]) -> bool:
    """Return whether an element has a class that begins in one of some ways."""
    # By the places of the words, of which most pages have few: to read all classes takes a hundred times as long.
    for beginning in beginnings:
        place = html.find(beginning)
        while place >= 0:
            before = html[html.rfind("<", 0, place) + 1 : place]
            if ">" not in before and _IN_CLASS.search(before):
                return True
            place = html.find(beginning, place + 1)
    return False


def _reachable(manifest: Mapping[str, Any], entry: str) -> set[str]:
    """Follow the imports of a chunk, those on demand too."""
    found: set[str] = set()
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [*manifest[name].get("imports", []), *manifest[name].get("dynamicImports", [])]
    return found


def _fonts(entry: Mapping[str, Any]) -> dict[str, str]:
    names = [name for name in entry.get("assets", []) if name.endswith(".woff2")]
    return {Path(name).name.partition("-")[0]: f"_octavo/{name}" for name in names}


def _files(folder: Path, manifest: Mapping[str, Any], chunks: Iterable[str]) -> dict[str, Path]:
    names = {
        name
        for chunk in (manifest[key] for key in chunks)
        for name in (chunk["file"], *chunk.get("css", []), *chunk.get("assets", []))
    }
    return {f"_octavo/{name}": folder / "client" / name for name in sorted(names)}
