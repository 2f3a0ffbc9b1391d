"""Where a site's cache and staging folders are: below the site, or elsewhere where nothing may be written there."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

WORK_DIR = ".octavo"
"""Under the site's folder: the cache, and the folders that become the published one."""

CACHE_VARIABLE = "OCTAVO_CACHE_DIR"
"""Environment variable that names another folder for all of it, with a folder of its own for each site."""


def work_folder(site_dir: Path, *, writes_site: bool = True) -> Path:
    """Choose the folder for what a site's builds keep.

    Args:
        site_dir: The site's folder.
        writes_site: It may be below the site's folder, if that can be written to.
    """
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named) / _site_name(site_dir)
    own = site_dir / WORK_DIR
    is_in_the_way = os.path.lexists(own) and not own.is_dir()  # reported when it is used
    if writes_site and (is_in_the_way or _can_write(own)):
        return own
    user = _user_cache() / "octavo" / _site_name(site_dir)
    return user if _can_write(user) else _temporary() / _site_name(site_dir)


def _site_name(site_dir: Path) -> str:
    path = site_dir.resolve()
    return f"{path.name}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}"


def _can_write(folder: Path) -> bool:
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder.is_dir() and os.access(folder, os.W_OK)


def _user_cache() -> Path:
    """Name the user's cache folder, as the system has it."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    # XDG Base Directory Specification: a relative path is invalid and must be ignored.
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named) if named.startswith("/") else Path.home() / ".cache"


@cache
def _temporary() -> Path:
    """Make a folder that lasts as long as this process: nobody else may have put anything into it."""
    folder = Path(tempfile.mkdtemp(prefix="octavo-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
