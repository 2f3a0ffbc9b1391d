"""What makes the pages, by content: versions of the tools and a hash of our own code. Part of every cache key.

Times of files tell nothing: an installer sets them as it likes, and a checkout of another commit may keep them.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from octavo._version import __version__
from octavo.lazy import regex as re
from octavo.runtime.cache import digest

_PACKAGE = Path(__file__).resolve().parent.parent
_DISTRIBUTION = re.compile(r"(?P<name>.+)-(?P<version>[^-]+)\.(?:dist-info|egg-info)")

_DOCUMENT_CODE = (
    ".",
    "config",
    "content",
    "diagrams",
    "documents",
    "extending",
    "extension_host",
    "lazy",
    "reference",
    "shipped",
    "site",
    "words",
)
_DOCUMENT_TOOLS = ("cssselect2", "imagesize", "merman", "msgspec", "pygments", "pyromark", "pyyaml", "tinycss2")
_PAGE_CODE = (
    "checks",
    "component_host",
    "components",
    "contract",
    "last_build",
    "look",
    "pictures",
    "pipeline",
    "publish",
    "rendering",
    "runtime",
    "stylesheets",
    "translations",
)
_PAGE_TOOLS = ("mini-racer", "pillow")
_INDEX_CODE = ("search",)
_INDEX_TOOLS = ("msgspec", "tantivy")


@cache
def documents_key() -> str:
    """Hash what compiles documents."""
    return _key(_DOCUMENT_CODE, _DOCUMENT_TOOLS)


@cache
def pages_key() -> str:
    """Hash what renders pages, the theme not included: it has a hash of its own."""
    return digest(documents_key(), _key(_PAGE_CODE, _PAGE_TOOLS))


@cache
def index_key() -> str:
    """Hash what makes a search index of documents."""
    return _key(_INDEX_CODE, _INDEX_TOOLS)


def hash_code(package: Path, folders: Iterable[str]) -> str:
    """Hash the Python and JSON files, also compressed ones, of some folders of a package by name and content.

    Args:
        package: The package's folder.
        folders: Names of folders in it, with everything below them; `.` means the files beside them.
    """
    state = hashlib.sha256()
    root = str(package)
    for folder in folders:
        for path in _code_files(root) if folder == "." else _code_files(f"{root}/{folder}", is_deep=True):
            with open(path, "rb") as file:  # noqa: PTH123 - hundreds of files in each run: objects cost more than reading
                content = file.read()
            state.update(f"{path[len(root) :]} {len(content)}\n".encode())
            state.update(content)
    return state.hexdigest()


def _code_files(folder: str, *, is_deep: bool = False) -> Iterator[str]:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name.endswith((".py", ".json", ".json.br")):
            yield f"{folder}/{entry.name}"
        elif is_deep and "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
            yield from _code_files(f"{folder}/{entry.name}", is_deep=True)


def tool_versions(names: Iterable[str], folders: Iterable[str]) -> Mapping[str, str]:
    """Find the installed versions of distributions; those that aren't found are missing.

    The names of the folders that installers leave tell them. `importlib.metadata` reads the files in these folders
    as well, and its import alone takes a tenth of the time of a build in which nothing has changed.

    Args:
        names: Normalized names, in lower case with hyphens.
        folders: Where modules are looked for, in order, as in `sys.path`.
    """
    wanted = set(names)
    found: dict[str, str] = {}
    for folder in folders:
        try:
            entries = [entry.name for entry in Path(folder or ".").iterdir()]
        except OSError:
            continue
        for entry in entries:
            if match := _DISTRIBUTION.fullmatch(entry):
                name = re.sub(r"[-_.]+", "-", match["name"]).lower()
                if name in wanted:
                    found.setdefault(name, match["version"])
    return found


def _key(code: Iterable[str], tools: Iterable[str]) -> str:
    versions = tool_versions(tools, sys.path)
    return digest(__version__, hash_code(_PACKAGE, code), *(f"{name} {versions[name]}" for name in sorted(versions)))
