"""`octavo new`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from octavo.errors import UsageError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@click.command(short_help="Make a small site that works.")
@click.argument("dir", type=click.Path(path_type=Path))
def new(dir: Path) -> None:  # noqa: A002 - the argument's name in the help
    """Make a small working site in the folder DIR, which must be new or empty."""
    from importlib.resources import files

    if dir.exists() and (not dir.is_dir() or any(dir.iterdir())):
        raise UsageError(f"{dir} is not empty; name a folder that is new.")
    _copy(files("octavo.cli") / "starter", dir)
    click.echo(f"Made a site in {dir}. See it with: octavo serve {dir}")


def _copy(source: Traversable, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for entry in source.iterdir():
        if entry.is_dir():
            _copy(entry, target / entry.name)
        else:
            (target / entry.name).write_bytes(entry.read_bytes())
