"""The files by which Git says which commit is checked out, and which tags and branches there are."""

from __future__ import annotations

import os
from pathlib import Path

from octavo.last_build.inputs import CannotTellError, InputFiles, InputFolder, Single


def git_files(site_dir: Path) -> list[InputFiles]:
    """List the files of the work tree in which a site lies; of none, the places where one would be.

    Raises:
        CannotTellError: they are not where they are expected.
    """
    places = [folder / ".git" for folder in (site_dir, *site_dir.parents)]
    found = next((place for place in places if os.path.lexists(place)), None)
    if found is None:
        return []
    own = found if found.is_dir() else _named_in(found, "gitdir: ")
    shared = (
        own / (own / "commondir").read_text(encoding="utf-8", errors="replace").strip()
        if (own / "commondir").is_file()
        else own
    )
    if not (own / "HEAD").is_file():
        raise CannotTellError(str(own))
    return [
        Single(str(own / "HEAD"), *(str(shared / name) for name in ("packed-refs", "shallow", "config"))),
        InputFolder(str(shared / "refs")),
        InputFolder(str(shared / "reftable")),
    ]


def _named_in(file: Path, start: str) -> Path:
    """Read the path that a file names, as in other work trees of a repository and in submodules."""
    text = file.read_text(encoding="utf-8", errors="replace")
    if not text.startswith(start):
        raise CannotTellError(str(file))
    return file.parent / text.removeprefix(start).strip()
