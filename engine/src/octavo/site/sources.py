"""Find the Markdown files of a site."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from octavo.config import Config, Locale, Version
from octavo.diagnostics import Diagnostic, Span
from octavo.errors import UsageError
from octavo.site.model import Source

MARKDOWN_SUFFIXES = (".md", ".mdx")
CATEGORY_NAMES = ("_category_.yaml", "_category_.yml", "_category_.json")


def docs_root(config: Config, locale: Locale, version: Version) -> str:
    """Name the folder that holds the documents of a locale and version, from the site's folder."""
    return _translated(version.docs if version.docs != "docs" else config.docs, config, locale)


def pages_root(config: Config, locale: Locale) -> str:
    """Name the folder that holds the pages outside the sidebars."""
    return _translated(config.pages, config, locale)


def mount_root(config: Config, locale: Locale, folder: str) -> str:
    """Name the folder of a locale that translates one of the mounted folders."""
    return _translated(folder, config, locale)


def _translated(folder: str, config: Config, locale: Locale) -> str:
    if locale is config.default_locale:
        return folder
    return locale.folders.get(folder) or (f"{locale.docs}/{folder}" if locale.docs else folder)


def collect_sources(
    site_dir: Path, config: Config, root: str, *, is_page: bool = False, mount: str | None = None
) -> list[Source]:
    """List the Markdown files under a folder, sorted; names that begin with `_` or `.` are left out.

    Symbolic links are not followed out of the site's folder.

    Args:
        site_dir: The site's folder.
        config: Its settings; they say which files are no documents, and which are indexes of folders.
        root: The folder.
        is_page: It is the pages folder.
        mount: The mounted folder that it is, or whose translation.
    """
    indexes = frozenset(name for name in config.routing.index_names if name.startswith("_"))
    excluded = excluded_paths(config)
    inner = [f"{folder}/" for folder in config.mounts if folder != root and _is_below(folder, root)]
    return sorted(
        (
            Source(path=path, root=root, is_page=is_page, mount=mount)
            for path in walk_files(site_dir, root, MARKDOWN_SUFFIXES, indexes=indexes)
            if not (excluded and excluded(path)) and not path.startswith(tuple(inner))
        ),
        key=lambda source: source.path,
    )


def _is_below(folder: str, root: str) -> bool:
    return root == "." or folder.startswith(f"{root}/")


def excluded_paths(config: Config) -> Callable[[str], object] | None:
    """Make a test of paths from the site's folder by the setting `exclude`; None where it names nothing."""
    return _matcher(tuple(config.exclude))


@lru_cache(maxsize=8)
def _matcher(patterns: tuple[str, ...]) -> Callable[[str], object] | None:
    """Compile patterns of paths: `*` and `?` match within one part, `**` matches any number of parts."""
    if not patterns:
        return None
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    regexes = (
        "".join(parts.get(part) or re.escape(part) for part in re.split(r"(\*\*/|\*\*|\*|\?)", pattern))
        for pattern in patterns
    )
    return re.compile("|".join(f"(?:{regex})" for regex in regexes)).fullmatch


def walk_files(
    site_dir: Path, root: str, suffixes: tuple[str, ...], *, indexes: frozenset[str] = frozenset()
) -> Iterator[str]:
    """Walk the files under a folder that end in one of the suffixes, as paths from the site's folder.

    Args:
        site_dir: The site's folder.
        root: The folder, from the site's folder; "." for the site's folder itself.
        suffixes: Endings of the files.
        indexes: Names, without ending, that begin with an underscore and count all the same.
    """
    stack = [root]
    while stack:
        folder = stack.pop()
        try:
            entries = list(os.scandir(site_dir / folder))
        except FileNotFoundError:
            continue
        for entry in entries:
            hidden = entry.name.startswith((".", "_"))
            if (hidden and entry.name.rpartition(".")[0] not in indexes) or entry.name == "node_modules":
                continue
            path = entry.name if folder == "." else f"{folder}/{entry.name}"
            if not path.isascii() and not _is_unicode(path):
                raise UsageError(f"The name of {path!a} is not UTF-8. Rename it.")
            if entry.is_dir(follow_symlinks=False):
                stack.append(path)
            elif entry.name.endswith(suffixes) and (not entry.is_symlink() or is_inside(site_dir, path)):
                yield path


def find_left_out(site_dir: Path, roots: Iterable[str]) -> list[str]:
    """List the Markdown files under some folders that are no documents because of an underscore in front of their names.

    What is in a folder with such a name is a partial beyond doubt, and not listed.
    """
    found = [
        f"{folder}/{name}".removeprefix("./")
        for root in roots
        for folder, names in _walk_open(site_dir, root)
        for name in names
        if name.startswith("_") and name.endswith(MARKDOWN_SUFFIXES)
    ]
    return sorted(set(found))


def _walk_open(site_dir: Path, root: str) -> Iterator[tuple[str, list[str]]]:
    """Walk the folders under one that hold documents: (folder from the site's folder, names of its files)."""
    for path, folders, names in os.walk(site_dir / root):
        folders[:] = [name for name in folders if not name.startswith((".", "_")) and name != "node_modules"]
        yield Path(path).relative_to(site_dir).as_posix(), names


def _is_unicode(path: str) -> bool:
    """Tell whether a path can be written in UTF-8; the system hands other bytes on as surrogates."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_inside(site_dir: Path, path: str) -> bool:
    """Tell whether a path, links resolved, stays in the site's folder."""
    return (site_dir / path).resolve().is_relative_to(site_dir.resolve())


def find_bad_byte(data: bytes) -> tuple[int, int] | None:
    """Find the first byte that is not UTF-8, as (1-based line, 1-based column in characters)."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        start = before.rfind(b"\n") + 1
        return before.count(b"\n") + 1, len(before[start:].decode("utf-8", "replace")) + 1
    return None


def encoding_problem(path: str, data: bytes) -> Diagnostic | None:
    """Report a settings file that is not UTF-8: what it says cannot be known."""
    place = find_bad_byte(data)
    if place is None:
        return None
    return Diagnostic("encoding", "error", Span(path, *place), "This byte is not UTF-8.", "Save the file as UTF-8.")
