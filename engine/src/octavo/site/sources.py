"""Find the Markdown files of a site."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from octavo.config import Config, Locale, Version
from octavo.errors import UsageError
from octavo.site.model import Source

MARKDOWN_SUFFIXES = (".md", ".mdx")
CATEGORY_NAMES = ("_category_.yaml", "_category_.yml", "_category_.json")


def docs_root(config: Config, locale: Locale, version: Version) -> str:
    """Name the folder that holds the documents of a locale and version, from the site's folder."""
    docs = version.docs if version.docs != "docs" else config.docs
    return docs if locale is config.default_locale or not locale.docs else f"{locale.docs}/{docs}"


def pages_root(config: Config, locale: Locale) -> str:
    """Name the folder that holds the pages outside the sidebars."""
    return config.pages if locale is config.default_locale or not locale.docs else f"{locale.docs}/{config.pages}"


def collect_sources(site_dir: Path, root: str, *, is_page: bool) -> list[Source]:
    """List the Markdown files under a folder, sorted; names that begin with `_` or `.` are left out.

    Symbolic links are not followed out of the site's folder.
    """
    return sorted(
        (Source(path=path, root=root, is_page=is_page) for path in walk_files(site_dir, root, MARKDOWN_SUFFIXES)),
        key=lambda source: source.path,
    )


def walk_files(site_dir: Path, root: str, suffixes: tuple[str, ...]) -> Iterator[str]:
    """Walk the files under a folder that end in one of the suffixes, as paths from the site's folder."""
    stack = [root]
    while stack:
        folder = stack.pop()
        try:
            entries = list(os.scandir(site_dir / folder))
        except FileNotFoundError:
            continue
        for entry in entries:
            if entry.name.startswith((".", "_")):
                continue
            path = f"{folder}/{entry.name}"
            if not path.isascii() and not _is_unicode(path):
                raise UsageError(f"The name of {path!a} is not UTF-8. Rename it.")
            if entry.is_dir(follow_symlinks=False):
                stack.append(path)
            elif entry.name.endswith(suffixes) and (not entry.is_symlink() or is_inside(site_dir, path)):
                yield path


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
