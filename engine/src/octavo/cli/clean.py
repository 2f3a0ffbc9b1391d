"""`octavo clean`."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import click

from octavo.cli.build import DEFAULT_OUT, site_argument
from octavo.cli.report import count
from octavo.errors import PublishError, UsageError

_WORK_DIR = ".octavo"
_KEPT = "insights.sqlite"
"""Begins the names of what readers have searched for, which no build brings back."""


@click.command(short_help="Remove what builds have written.")
@site_argument
@click.option("--out", type=click.Path(path_type=Path), help="The published folder.  [default: SITE/build]")
def clean(site: Path, out: Path | None) -> None:
    """Remove the published folder and the caches of the site in the folder SITE (default: this folder).

    What readers have searched for (.octavo/insights.sqlite) stays. A folder that no build has published is left alone.
    """
    from octavo.config import CONFIG_NAME
    from octavo.manifest import MANIFEST_PATH

    if not (site / CONFIG_NAME).is_file():
        raise UsageError(f"{site} contains no {CONFIG_NAME}; name the folder of a site.")
    target = out or site / DEFAULT_OUT
    if target.exists() and not (target / MANIFEST_PATH).is_file():
        raise UsageError(f"{target} was not published by a build ({MANIFEST_PATH} is missing); remove it yourself.")
    work = site / _WORK_DIR
    old = [path for path in work.iterdir() if not path.name.startswith(_KEPT)] if work.is_dir() else []
    old += [target] if target.exists() else []
    for path in old:
        _remove(path)
    click.echo(f"Removed {count(len(old), 'folder or file', 'folders and files')} of {site.resolve()}.")


def _remove(path: Path) -> None:
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    except OSError as error:
        if error.errno == errno.EBUSY and path.is_dir() and not any(path.iterdir()):
            return  # a volume is mounted on it: the folder itself stays
        raise PublishError(f"{path} cannot be removed: {error.strerror}.") from error
