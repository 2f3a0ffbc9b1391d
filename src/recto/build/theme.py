"""The built theme that the package carries: what it is made of, and what of it is published."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from recto.build.cache import digest
from recto.errors import RenderError

THEME_DIR = Path(__file__).resolve().parent.parent / "_theme"


class Theme(msgspec.Struct, frozen=True):
    """A built theme."""

    server_script: str
    """The server bundle: sets `globalThis.Recto`."""
    inline_script: str
    """Runs in the head before the first paint."""
    client: str
    """Address of the client's entry module in the published folder."""
    styles: list[str]
    """Addresses of its style sheets."""
    files: dict[str, Path]
    """Address in the published folder → file."""
    key: str
    """Hash of all of it."""


def read_theme_file(path: Path) -> bytes:
    """Read a file of the theme.

    Raises:
        RenderError: it vanished since the theme was loaded.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise RenderError(f"The theme was built anew during the build: {path.name} is gone. Build again.") from error


def load_theme(folder: Path = THEME_DIR) -> Theme:
    """Load the theme.

    Raises:
        RenderError: it is not there (a checkout in which it was not built yet).
    """
    try:
        server = (folder / "server.js").read_text(encoding="utf-8")
        inline = (folder / "inline.js").read_text(encoding="utf-8").strip()
        manifest = json.loads((folder / "client" / ".vite" / "manifest.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise RenderError(
            f"The theme has not been built: {error.filename} is missing. Run `make theme` in Recto's checkout."
        ) from error
    entry = next(chunk for chunk in manifest.values() if chunk.get("isEntry"))
    names = sorted(
        {
            name
            for chunk in manifest.values()
            for name in (chunk["file"], *chunk.get("css", []), *chunk.get("assets", []))
        }
    )
    files = {f"_recto/{name}": folder / "client" / name for name in names}
    return Theme(
        server_script=server,
        inline_script=inline,
        client=f"_recto/{entry['file']}",
        styles=[f"_recto/{name}" for name in entry.get("css", [])],
        files=files,
        key=digest(server, inline, json.dumps(manifest, sort_keys=True)),
    )
