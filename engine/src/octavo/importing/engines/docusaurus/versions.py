"""Versions of documents in Docusaurus: a list of their names, and a folder and a file of sidebars for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from octavo.importing.common import as_dict, as_list, as_text
from octavo.importing.model import Plan
from octavo.importing.settings.files import UnreadableError, read_json


class DocsInstance(msgspec.Struct):
    """One instance of the docs plug-in."""

    id: str
    options: dict[str, Any]
    folder: Path
    base: str
    """Beginning of its routes, without slashes."""


class SavedVersion(NamedTuple):
    """One version of an instance of the docs plug-in."""

    name: str
    label: str
    folder: Path
    path: str
    """Part of its routes, without slashes; empty for the version that readers get first."""
    banner: str
    """As in `[[versions]]`."""
    sidebars: Path
    """File with its sidebars, which need not exist; those of the current version are in the settings."""


def find_versions(plan: Plan, home: Path, instance: DocsInstance) -> list[SavedVersion]:
    """Find the versions of an instance whose folders are there; none where it has one alone.

    Args:
        plan: Takes a note where the list of versions cannot be read.
        home: Folder of the configuration.
        instance: The instance; all but `default` have their id in the names of their files.
    """
    options = instance.options
    names = _names(plan, home / _own(instance, "versions.json"))
    if not names or options.get("disableVersioning") is True:
        return []
    only = as_list(options.get("onlyIncludeVersions"))
    every = ["current", *names] if options.get("includeCurrentVersion") is not False else list(names)
    every = [name for name in dict.fromkeys(every) if not only or name in only] or ["current"]
    last = as_text(options.get("lastVersion")) or (names[0] if names[0] in every else every[0])
    found = [_version(home, instance, name, last) for name in every]
    for number, one in enumerate(found):
        if not one.folder.is_dir() and one.name == last and "current" not in every and instance.folder.is_dir():
            # A script copies the documents there before each build of the old engine.
            found[number] = one._replace(folder=instance.folder)
        elif not one.folder.is_dir():
            plan.note(
                f"The version {one.name}: versions.json names it, but there is no folder {_named(home, one.folder)}",
                "Put its pages there and import again, if it is still published.",
            )
    found = [one for one in found if one.folder.is_dir()]
    if found and last not in [one.name for one in found]:
        found[0] = found[0]._replace(path="")
    return found


def at_version(instance: DocsInstance, version: SavedVersion) -> DocsInstance:
    """Give an instance with the folder and the routes of one of its versions."""
    base = "/".join(filter(None, (instance.base, version.path)))
    return msgspec.structs.replace(instance, folder=version.folder, base=base)


def _version(home: Path, instance: DocsInstance, name: str, last: str) -> SavedVersion:
    own = as_dict(as_dict(instance.options.get("versions")).get(name))
    is_current = name == "current"
    banner = own.get("banner", "none" if name == last else "unreleased" if is_current else "unmaintained")
    return SavedVersion(
        name,
        as_text(own.get("label"), "Next" if is_current else name),
        instance.folder if is_current else home / _own(instance, "versioned_docs") / f"version-{name}",
        "" if name == last else as_text(own.get("path"), "next" if is_current else name).strip("/") or name,
        banner if banner in ("unreleased", "unmaintained") else "none",
        home / _own(instance, "versioned_sidebars") / f"version-{name}-sidebars.json",
    )


def _names(plan: Plan, path: Path) -> list[str]:
    if not path.exists():
        return []
    try:
        return [str(one) for one in as_list(read_json(path))]
    except UnreadableError as error:
        plan.note(f"The versions could not be read: {error}", "Write them into [[versions]].")
        return []


def _named(home: Path, folder: Path) -> str:
    return folder.relative_to(home).as_posix() if folder.is_relative_to(home) else folder.name


def _own(instance: DocsInstance, name: str) -> str:
    return name if instance.id == "default" else f"{instance.id}_{name}"
