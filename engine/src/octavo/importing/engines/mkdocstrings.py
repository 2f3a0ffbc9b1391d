"""mkdocstrings and the plug-ins around it: their settings as those of the extension `python_api`."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from octavo.content import without_code
from octavo.importing.common import as_dict, as_list, as_text
from octavo.importing.model import Plan
from octavo.importing.tree import Tree
from octavo.lazy import regex as re

EXTENSION = "octavo.shipped.python_api"
_OBJECT = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+)?:::(?:[ \t]+|(?=\w+\.))([A-Za-z_][\w.]*)[ \t]*$", re.MULTILINE)
"""Without a space only a dotted name: `:::note` opens a container."""
_AUTODOC = re.compile(
    r"^[ \t]*\.\.[ \t]+(?:py:)?(?:auto\w+|module|currentmodule)::[ \t]*([A-Za-z_][\w.]*)", re.MULTILINE
)
"""The same in reStructuredText, within blocks of code of MyST."""
_SWITCHES = ("show_root_heading", "show_source", "show_bases", "show_submodules", "show_if_no_docstring")
_FOLDERS = (".", "src", "lib", "python")
_OF_PROJECTS = ("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "README.md", "README.rst")
_DEEPEST = 3
_LEFT_OUT = frozenset(["node_modules", "tests", "test", "docs", "site", "build", "dist", "venv"])


def add_python_api(plan: Plan, plugins: Mapping[str, Any], home: Path, tree: Tree) -> bool:
    """Write the settings of the extension, and the Markdown extension for links by name; tells whether it was done.

    Args:
        plan: Gets them.
        plugins: The plug-ins of the site: name → options.
        home: Folder of its configuration.
        tree: Its documents.
    """
    handler = as_dict(as_dict(as_dict(plugins.get("mkdocstrings")).get("handlers")).get("python"))
    given = [as_text(path) for path in as_list(handler.get("paths")) if isinstance(path, str)]
    pages = _folder_of_pages(plugins)
    form = _AUTODOC if "autodoc" in plugins else _OBJECT
    texts = (tree.text(file) for file in tree.files)
    wanted = {
        name.partition(".")[0]
        for text in texts
        for name in form.findall(text if form is _AUTODOC else without_code(text))
    }
    navigated = as_list(as_dict(plugins.get("api-autonav")).get("modules"))
    wanted |= {Path(as_text(one)).name for one in navigated}
    if pages and not wanted:
        wanted = set(_packages(home, [*given, *_FOLDERS]))
    found = {name: path for name in sorted(wanted) if (path := _find(name, home, [*given, *_FOLDERS]))}
    if not found:
        return False
    if importlib.util.find_spec("griffe") is None:
        remedy = "Install octavo[python-api] and import again: `::: name` is replaced by the reference then."
        plan.note("The plug-in mkdocstrings", remedy)
        return False
    paths = dict.fromkeys(os.path.relpath(path, plan.site_dir) for path in found.values())
    plan.settings["extensions"] = [EXTENSION]
    # The first call reads whole packages, and must not depend on what else the machine does.
    plan.settings["extension_timeout_s"] = 60
    plan.settings["extension_options"] = {
        "python_api": {
            "packages": list(found),
            "paths": list(paths),
            "docs": pages,
            "options": dict(_options(as_dict(handler.get("options")))),
        }
    }
    markdown = plan.settings["markdown"]
    markdown["extensions"] = sorted({*markdown["extensions"], "autorefs"})
    given_inventories = as_list(handler.get("inventories")) or as_list(handler.get("import"))
    note_inventories(plan, (as_text(one.get("url") if isinstance(one, dict) else one) for one in given_inventories))
    return True


def note_inventories(plan: Plan, addresses: Iterable[str]) -> None:
    """Say that names of other projects are not links until their inventories are here: an import fetches nothing.

    Args:
        plan: Takes the note.
        addresses: Of the projects, or of their inventories.
    """
    projects = dict.fromkeys(one.removesuffix("objects.inv").rstrip("/") for one in addresses if one)
    if projects:
        remedy = f"Download the file objects.inv of each, and name it under [inventories]: {', '.join(projects)}."
        plan.note("Names of other projects are not links", remedy, count=len(projects))


def _folder_of_pages(plugins: Mapping[str, Any]) -> str:
    """Give the folder of the pages that other plug-ins make of all modules; the recipe of mkdocstrings says `reference`."""
    if "api-autonav" in plugins:
        return as_text(as_dict(plugins["api-autonav"]).get("api_root_uri"), "api").strip("/")
    return "reference" if "gen-files" in plugins else ""


def _options(given: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Take over the options that mean something here, in the values that they may have."""
    yield "show_if_no_docstring", given.get("show_if_no_docstring") is True
    for name in _SWITCHES:
        if name != "show_if_no_docstring" and isinstance(given.get(name), bool):
            yield name, given[name]
    filters = given.get("filters")
    if filters == "public" or (isinstance(filters, list) and all(isinstance(one, str) for one in filters)):
        yield "filters", filters
    for name in ("members", "inherited_members"):
        if isinstance(given.get(name), bool) and (name != "members" or not given[name]):
            yield name, given[name]
    if given.get("members_order") in ("source", "alphabetical"):
        yield "members_order", given["members_order"]
    if given.get("docstring_style") in ("auto", "google", "numpy", "sphinx"):
        yield "docstring_style", given["docstring_style"]
    level = given.get("heading_level")
    if isinstance(level, int) and 1 <= level <= 6:
        yield "heading_level", level


def _is_package(path: Path) -> bool:
    return (path / "__init__.py").is_file() or path.with_suffix(".py").is_file()


def _find(name: str, home: Path, folders: list[str]) -> Path | None:
    """Find the folder that holds a package or module: where the settings say, or in the project."""
    near = [(home / folder).resolve() for folder in [*folders, "..", "../src", "../..", "../../src"]]
    above = home.resolve().parent
    if any((above / mark).is_file() for mark in _OF_PROJECTS):
        # Projects of several packages have a folder for each beside that of their documents.
        near += [
            one
            for one in sorted(above.iterdir())
            if one.is_dir() and one.name not in _LEFT_OUT and one.name[0] not in "._"
        ]
    for folder in near:
        if _is_package(folder / name):
            return folder
    level = [home]
    for _ in range(_DEEPEST):
        level = [
            path
            for parent in level
            for path in sorted(parent.iterdir())
            if path.is_dir() and not path.is_symlink() and path.name not in _LEFT_OUT and path.name[0] not in "._"
        ]
        for path in level:
            if _is_package(path / name):
                return path
    return None


def _packages(home: Path, folders: list[str]) -> Iterator[str]:
    """List the packages in the first of some folders that has any."""
    for folder in folders:
        path = home / folder
        names = [one.parent.name for one in sorted(path.glob("*/__init__.py"))] if path.is_dir() else []
        names = [name for name in names if name not in _LEFT_OUT and name[0] not in "._"]
        if names:
            yield from names
            return
