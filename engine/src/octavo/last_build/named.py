"""The files outside of a site's folder that its settings name, such as `../pyproject.toml` in `variable_files`."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from octavo.last_build.inputs import CannotTellError, Single


def named_files(site_dir: Path, settings: Path) -> Single:
    """List them. Any text in the settings counts that leads out of the site, whatever it is for.

    Args:
        site_dir: The site's folder, absolute.
        settings: Its `octavo.toml`.

    Raises:
        CannotTellError: the settings cannot be read, or name a folder, of which anything may matter.
        OSError: they cannot be opened.
    """
    paths: list[str] = []
    for text, path in _outside(site_dir, settings):
        if not text.startswith("/") and Path(path).is_dir():
            raise CannotTellError(path)
        paths.append(path)
    return Single(*sorted(set(paths)))


def watched_outside(site_dir: Path, settings: Path) -> tuple[list[Path], list[Path]]:
    """List what is to be watched of them while the site is written.

    Args:
        site_dir: The site's folder, absolute.
        settings: Its `octavo.toml`.

    Returns:
        (files, of which some may be missing; folders, without those that contain the site itself).

    Raises:
        CannotTellError: the settings cannot be read.
        OSError: they cannot be opened.
    """
    found = sorted({path for text, path in _outside(site_dir, settings) if not text.startswith("/")})
    folders = [Path(path) for path in found if Path(path).is_dir()]
    files = [Path(path) for path in found if not Path(path).is_dir()]
    return files, [folder for folder in folders if not site_dir.is_relative_to(folder)]


def _outside(site_dir: Path, settings: Path) -> Iterator[tuple[str, str]]:
    """List the texts of the settings that lead out of the site, each with its path."""
    try:
        values = tomllib.loads(settings.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise CannotTellError(str(settings)) from error
    site = os.fspath(site_dir)
    for text in _texts(values):
        path = os.path.normpath(f"{site}/{text}" if not text.startswith("/") else text)
        if path != site and not path.startswith(site + os.sep):
            yield text, path


def _texts(values: Any) -> Iterator[str]:
    waiting = [values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            if "\0" not in value:
                yield value
        elif isinstance(value, dict):
            waiting += [*value, *value.values()]
        elif isinstance(value, list):
            waiting += value
