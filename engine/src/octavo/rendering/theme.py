"""The built theme that the package carries: what it is made of, and what of it is published."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from octavo.errors import RenderError
from octavo.runtime import digest

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
    """Addresses of its style sheets."""
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
    entry = next(name for name, chunk in manifest.items() if chunk.get("isEntry"))
    needed = _reachable(manifest, entry)
    return Theme(
        server_script=server,
        inline_script=inline,
        tabs_script=tabs,
        client=f"_octavo/{manifest[entry]['file']}",
        styles=[f"_octavo/{name}" for name in manifest[entry].get("css", [])],
        fonts=_fonts(manifest[entry]),
        base_url_script=base_url,
        files=_files(folder, manifest, needed),
        diagram_files=_files(folder, manifest, manifest.keys() - needed),
        key=digest(server, inline, tabs, base_url, json.dumps(manifest, sort_keys=True)),
    )


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
