"""The npm project in the folder of copies: what it names, and what is asked for."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from octavo.errors import UsageError
from octavo.lazy import regex as re
from octavo.unfit import plain_mistake

PROJECT: Final = "package.json"
_NAME = re.compile(
    r"(?P<package>(?:@[a-z0-9~][\w.~-]*/)?[a-z0-9~][\w.~-]*)(?P<path>(?:/[\w.~-]+)*)(?:@(?P<wanted>[^/]+))?"
)


class Own(msgspec.Struct, omit_defaults=True):
    """What Octavo keeps in package.json."""

    imports: list[str] = []
    """Names that components import: packages, and files in them."""
    files: list[str] = []
    """What was written beside it."""


def parse_wanted(wanted: Sequence[str], given: Collection[str]) -> tuple[list[str], list[str]]:
    """Read what is wanted: (what npm is asked for, names that components import)."""
    specs: list[str] = []
    names: list[str] = []
    for one in wanted:
        if one.startswith((".", "/")):
            folder = Path(one).resolve()
            specs.append(str(folder))
            names.append(_name_of(folder, one))
            continue
        found = _NAME.fullmatch(one)
        if found is None or not _is_inside(found["path"].lstrip("/")):
            raise UsageError(
                f'"{one}" is not a name of a package. Examples: d3-scale, d3-scale@4, @scope/name, lodash/debounce, ./my-package'
            )
        if found["package"] in given or found["package"] == "react":
            raise UsageError(f'"{found["package"]}" comes with Octavo: components import it without a copy.')
        specs.append(f"{found['package']}@{found['wanted']}" if found["wanted"] else found["package"])
        names.append(found["package"] + found["path"])
    return list(dict.fromkeys(specs)), names


def _name_of(folder: Path, written: str) -> str:
    try:
        name = json.loads((folder / PROJECT).read_text(encoding="utf-8"))["name"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{written} is not a package: it has no {PROJECT} with a name.") from error
    if not _NAME.fullmatch(str(name)):
        raise UsageError(f'{written} is not a package: "{name}" in its {PROJECT} is not a name of one.')
    return str(name)


def _is_inside(name: str) -> bool:
    """Whether a name, with slashes, is that of a file below a folder: no path may lead out of the folder of copies."""
    return not name.startswith("/") and not {"..", "."}.intersection(name.split("/")) and "\\" not in name


def package_of(name: str) -> str:
    """Name the package of an import."""
    return "/".join(name.split("/")[: 2 if name.startswith("@") else 1])


def read_project(folder: Path) -> dict[str, Any]:
    path = folder / PROJECT
    try:
        project = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        # Without a name, npm would write that of the temporary folder into the lock file.
        about = "Packages of which `octavo bundle` has made copies."
        return {"name": "copies", "private": True, "description": about, "dependencies": {}}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error
    if not isinstance(project, dict):
        raise UsageError(f"{path} cannot be read: it must be an object.")
    return project


def read_own(project: dict[str, Any]) -> Own:
    try:
        own = msgspec.convert(project.get("octavo", {}), Own)
    except msgspec.ValidationError as error:
        raise UsageError(f'"octavo" in {PROJECT} cannot be read: {plain_mistake(error)}.') from error
    for name in (*own.imports, *own.files):
        if not _is_inside(name):
            raise UsageError(f'"octavo" in {PROJECT} cannot be read: "{name}" is outside of the folder.')
    return own
