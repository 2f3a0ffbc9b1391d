"""Notice that something in a site's folder has changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

Snapshot = dict[str, tuple[int, int, int]]
"""Path → (time of change in ns, size in bytes, inode)."""

LOOK_S = 0.1
"""Time between two looks."""
QUIET_S = 0.02
"""Time without a further change after which a series of them counts as one."""
_LEFT_OUT = frozenset({".recto", ".git", "node_modules", "__pycache__", ".venv"})


def take_snapshot(site_dir: Path, leaves_out: Path) -> Snapshot:
    """Note the state of all files of a site.

    Args:
        site_dir: Its folder.
        leaves_out: A folder that is written by builds, and so tells nothing.
    """
    found: Snapshot = {}
    waiting = [os.fspath(site_dir)]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name in _LEFT_OUT or entry.path == os.fspath(leaves_out):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        status = entry.stat()
                        found[entry.path] = (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:
            continue  # gone between two steps; the next look sees what is there then
    return found


def wait_for_change(
    site_dir: Path, before: Snapshot, *, leaves_out: Path, should_stop: Callable[[], bool]
) -> Snapshot | None:
    """Wait until something has changed and then stays as it is for a moment.

    Returns:
        The new state; None when it is time to stop.
    """
    while not should_stop():
        now = take_snapshot(site_dir, leaves_out)
        if now != before:
            return _wait_until_quiet(site_dir, now, leaves_out)
        time.sleep(LOOK_S)
    return None


def _wait_until_quiet(site_dir: Path, before: Snapshot, leaves_out: Path) -> Snapshot:
    while True:
        time.sleep(QUIET_S)
        now = take_snapshot(site_dir, leaves_out)
        if now == before:
            return now
        before = now
