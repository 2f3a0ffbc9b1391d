"""`octavo new`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from octavo.errors import UsageError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_IGNORED = "# What builds write\n/build/\n/.octavo/\n"


@click.command(short_help="Make a small site that works.")
@click.argument("dir", type=click.Path(path_type=Path))
def new(dir: Path) -> None:  # noqa: A002 - the argument's name in the help
    """Make a small working site in the folder DIR, which must be new, or hold no more than a fresh repository does.

    Files that are there already stay as they are.
    """
    from importlib.resources import files

    if dir.exists() and (not dir.is_dir() or not all(_is_of_repository(path.name) for path in dir.iterdir())):
        raise UsageError(f"{dir} is not empty; name a folder that is new.")
    _copy(files("octavo.cli") / "starter", dir)
    if not (dir / ".gitignore").exists():
        (dir / ".gitignore").write_text(_IGNORED, encoding="utf-8")
    click.echo(f"Made a site in {dir}. See it with: octavo serve {dir}")


def _is_of_repository(name: str) -> bool:
    """Tell whether a file or folder belongs to a repository without content: `.git`, a license, a read-me."""
    return name.startswith(".") or name.partition(".")[0].upper() in ("README", "LICENSE", "COPYING")


def _copy(source: Traversable, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for entry in source.iterdir():
        if entry.is_dir():
            _copy(entry, target / entry.name)
        else:
            (target / entry.name).write_bytes(entry.read_bytes())
