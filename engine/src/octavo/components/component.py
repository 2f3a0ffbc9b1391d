"""A component of a site, the files that are components, and the names under which they are published."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

import msgspec

from octavo.lazy import regex as re
from octavo.runtime import digest

PUBLISHED = "_octavo/components"
HASH = 10
"""Letters of a hash in the name of a published file."""
_NO_NAME = re.compile(r"[^A-Za-z0-9_.-]")
_NAME = re.compile(r"[A-Z]\w*(?:\.[A-Z]\w*)*")
"""`Name.Member` is a member of an object; `Name.test` is none."""


class Component(msgspec.Struct, frozen=True):
    """A component that pages can use."""

    name: str
    path: str
    """Its file, from the site's folder."""
    key: str
    """Hash of all that it is drawn by."""
    client: str
    """When it is hydrated in the browser: one of `CLIENTS`."""
    line: int
    """Where its default export is."""
    is_usable: bool
    """It can be drawn: nothing is wrong with its files."""
    children: str = "html"
    """How it wants what is between its tags, see `octavo.components.children`."""
    is_waiting: bool = False
    """Its module is still being run, to see what it exports."""


def script_files(site_dir: Path, folder: str, endings: Container[str] = (".tsx", ".jsx")) -> Iterator[str]:
    """List the files in React of a folder, or those with other endings, as paths from the site's folder."""
    with suppress(OSError):
        for path in sorted((site_dir / folder).iterdir()):
            if path.suffix in endings and path.is_file():
                yield f"{folder}/{path.name}"


def component_files(site_dir: Path, folder: str) -> Iterator[str]:
    """List the files that are components: in the folder itself, with a name that begins with a capital."""
    return (path for path in script_files(site_dir, folder) if _NAME.fullmatch(stem(path)))


def unusable_files(
    site_dir: Path, folder: str, slots_folder: str, slots: Container[str]
) -> Iterator[tuple[str, str, str]]:
    """List the files that no page can use, though a component may import them: path, what is wrong, and what helps."""
    for path in script_files(site_dir, folder):
        name = stem(path)
        if name[:1].islower() and "." not in name:
            message = (
                f'No page can use this file: the name of a component begins with a capital, and "{name}" does not.'
            )
            yield path, message, "Rename it, or put it into a folder if components import it."
    for other, names in ((folder, None), (slots_folder, slots)):
        for path in script_files(site_dir, other, (".js", ".ts", ".mjs", ".cjs")):
            if _NAME.fullmatch(stem(path)) if names is None else stem(path) in names:
                message = "No page can use this file: the name of a component's file ends in .tsx or .jsx."
                yield path, message, "Rename it, or put it into a folder if components import it."


def stem(path: str) -> str:
    """Give the name of a component by its file."""
    return path.rpartition("/")[2].rpartition(".")[0]


def as_import(address: str) -> str:
    """Write the address of a file in a style sheet as an import: `x.svg#mark` is `./x.svg`."""
    path = unquote(re.sub(r"[?#].*", "", address.strip(), flags=re.DOTALL))
    return path if path.startswith(("./", "../")) else f"./{path}"


def class_ending(path: str) -> str:
    """Give what is put behind the names of a CSS module; it depends on the path alone, so edits change no HTML."""
    return f"_{digest(path)[:6]}"


def file_address(path: str, key: str) -> str:
    """Name a picture or the like, from the published folder."""
    return f"{PUBLISHED}/{published_name(path)}-{key[:HASH]}{posixpath.splitext(path)[1].lower()}"


def published_name(path: str) -> str:
    """Write the path of a file, without its ending, as the beginning of a name that needs no escapes in addresses."""
    return _NO_NAME.sub("-", posixpath.splitext(path)[0])
