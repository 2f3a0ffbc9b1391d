"""`ModuleLibrary`: the packages of a site, read by griffe, and where each of their objects is shown."""

from __future__ import annotations

import difflib
import fnmatch
import logging
import os
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from sys import version_info
from typing import Any

import griffe

from octavo.extensions import Inputs
from octavo.shipped.python_api.choices import Settings
from octavo.shipped.python_api.members import add_comments, publish_handed_on
from octavo.shipped.python_api.needed import NeededModules

logging.getLogger("griffe").propagate = False

_MOST_KEPT = 16
"""Libraries that are kept; each page mostly describes what is in one module."""
_LENGTHS = 3
"""Letters by which the lengths of two names may differ that are alike."""
_MOST_COMPARED = 200
_SPECIAL = re.compile(r"__\w+__")
_TESTS = frozenset(["tests", "conftest"])
"""Names of modules that nobody documents; in large packages they are half of the source."""
Object = griffe.Object | griffe.Alias


class _Packages:
    """The files of the packages that the settings name, and the libraries that were made of them."""

    def __init__(self, settings: Settings, inputs: Inputs, files: list[Path]) -> None:
        self.found = {name: _files_of(name, files, settings, inputs.site_dir) for name in settings.packages}
        if settings.docs and settings.exclude is None:
            self.found = {name: (base, _without_tests(name, found)) for name, (base, found) in self.found.items()}
        self.names = {dotted: path for _, found in self.found.values() for dotted, path in found.items()}
        self.needed = NeededModules(self.names)
        self.libraries: dict[frozenset[str], ModuleLibrary] = {}


class ModuleLibrary:
    """The modules of the packages that the settings name: all of them, or those that an object needs."""

    _kept: tuple[object, _Packages] | None = None

    def __init__(self, settings: Settings, inputs: Inputs, packages: _Packages, wanted: frozenset[str]) -> None:
        self.settings = settings
        self._packages = packages
        self._wanted = wanted
        self.site_dir = inputs.site_dir
        self.modules: dict[str, griffe.Module] = {}
        """Dotted name → module, in order of names."""
        self.shown: dict[str, str] = {}
        """Path of an object, also where it is defined or handed on → id under which it is shown."""
        self.others: dict[str, list[str]] = {}
        """Id under which an object is shown → paths by which other public modules hand it on."""
        self._inherited: dict[str, dict[str, Object]] = {}
        """Path of a class → its members that bases define; following them takes griffe long."""
        self._bases: dict[str, str] = {}
        """Package → folder that it was found in."""
        self._lines = griffe.LinesCollection()
        self._loader = griffe.GriffeLoader(
            search_paths=[],
            docstring_parser=griffe.Parser(settings.options.docstring_style),
            lines_collection=self._lines,
            allow_inspection=False,
        )
        for name in settings.packages:
            self._load(name, wanted, inputs)
        for top in list(self._loader.modules_collection.members.values()):
            self._loader.expand_exports(top)
            self._loader.expand_wildcards(top, external=False)
            self._loader.extensions.call("on_package", pkg=top, loader=self._loader)
        self._loader.resolve_aliases(implicit=False, external=False)
        self._place()

    @classmethod
    def of(cls, settings: Settings, inputs: Inputs, asked: str = "") -> ModuleLibrary:
        """Read the packages; they are kept while their files are as they were.

        Args:
            settings: Name the packages.
            inputs: The files that were declared, and what takes the findings.
            asked: Dotted path of the object that is described. Where modules have no pages, only what it needs is read,
                so that what is written about it is the same whatever was asked for before.
        """
        files = inputs.declared()
        key = [(os.fspath(path), (status := path.stat()).st_mtime_ns, status.st_size) for path in files]
        if cls._kept is None or cls._kept[0] != key:
            cls._kept = key, _Packages(settings, inputs, files)
        packages = cls._kept[1]
        wanted = frozenset(packages.names) if settings.docs else packages.needed.of(asked)
        library = packages.libraries.get(wanted)
        if library is None:
            library = cls(settings, inputs, packages, wanted)
            if not inputs.findings:  # else what is wrong is reported again
                if len(packages.libraries) >= _MOST_KEPT:
                    packages.libraries.pop(next(iter(packages.libraries)))
                packages.libraries[wanted] = library
        return library

    def find(self, path: str) -> Object | None:
        """Find an object by its dotted path."""
        try:
            found = self._loader.modules_collection.get_member(path)
        except (KeyError, ValueError, griffe.GriffeError):
            return None  # ValueError: it is empty
        return found if isinstance(found, (griffe.Object, griffe.Alias)) and not _is_lost(found) else None

    def nearest(self, path: str) -> str | None:
        """Find the shown object whose path is most like this one, among those whose own name is like its name.

        Comparing all paths would take seconds for each mistake in a large package.
        """
        last = path.rpartition(".")[2]
        names = [name for name in self._by_name if abs(len(name) - len(last)) <= _LENGTHS]
        alike = difflib.get_close_matches(last, names, n=5)
        paths = [one for name in alike for one in self._by_name[name]]
        close = difflib.get_close_matches(path, paths[:_MOST_COMPARED], n=1)
        return close[0] if close else None

    def inherited(self, found: Object) -> Mapping[str, Object]:
        """Map the names of the members that a class has from its bases, as far as those can be read."""
        members = self._inherited.get(found.path)
        if members is None:
            members = self._inherited[found.path] = _inherited(found)
        return members

    def modules_in(self, package: Object) -> Sequence[griffe.Module]:
        """List the modules that a package shows, without those of the packages in it."""
        return self._by_package.get(package.path, ())

    @cached_property
    def _by_package(self) -> dict[str, list[griffe.Module]]:
        found: dict[str, list[griffe.Module]] = {}
        for module in self.modules.values():
            found.setdefault(module.path.rpartition(".")[0], []).append(module)
        return found

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """Own name of an object → paths under which it is known."""
        found: dict[str, list[str]] = {}
        unread = () if self.settings.docs else self._packages.names
        for path in dict.fromkeys([*self.modules, *self.shown, *unread]):
            found.setdefault(path.rpartition(".")[2], []).append(path)
        return found

    def is_beyond(self, path: str) -> bool:
        """Whether a dotted path leads into a module of the packages that was not read."""
        module = self._packages.needed.module_of(path)
        return bool(module) and module not in self._wanted

    def pages(self) -> Iterator[tuple[griffe.Module, str]]:
        """Give each module that has a page, with the path of its document."""
        for name, module in self.modules.items():
            root = next(one for one in self.settings.packages if name == one or name.startswith(f"{one}."))
            parts = name.split(".")[root.count(".") :]
            if _has_modules(module):
                parts.append("index")
            elif is_taken_for_index(parts):
                parts[-1] += "-module"
            yield module, "/".join(parts) + ".md"

    def slug_of(self, module: griffe.Module) -> str:
        """Give the end of a page's address where that is not the one of its file; see `pages`."""
        parts = module.path.split(".")
        return parts[-1] if not _has_modules(module) and is_taken_for_index(parts) else ""

    def path_of(self, found: Object) -> str:
        """Give the file of an object, from the site's folder."""
        path = found.filepath
        one = path[0] if isinstance(path, list) else path
        return posixpath.normpath(os.path.relpath(one, self.site_dir).replace(os.sep, "/"))

    def source_url(self, found: Object) -> str:
        """Give the address of an object's source; empty where the settings name no repository."""
        base = next((base for name, base in self._bases.items() if f"{found.path}.".startswith(f"{name}.")), None)
        if not self.settings.repository or base is None:
            return ""
        path = posixpath.relpath(self.path_of(found), base)
        lines = f"#L{found.lineno}-L{found.endlineno}" if found.lineno else ""
        return f"{self.settings.repository.rstrip('/')}/{path}{lines}"

    # Reading

    def _load(self, name: str, wanted: frozenset[str], inputs: Inputs) -> None:
        base, found = self._packages.found[name]
        if not found:
            folders = ", ".join(self.settings.paths)
            message = f'There is no package "{name}" in the folders {folders}.'
            hint = "Name the folder that it is in by `paths` in [extension_options.python_api]."
            inputs.report(message, "octavo.toml", level="error", suggestion=hint)
            return
        self._bases[name] = base
        for dotted, path in sorted(found.items()):
            if dotted in wanted:
                self._visit(dotted, path, inputs)

    def _visit(self, dotted: str, path: Path, inputs: Inputs) -> None:
        above, _, name = dotted.rpartition(".")
        parent = self._parent(above, path) if above else None
        try:
            code = path.read_text(encoding="utf-8-sig")
            self._lines[path] = code.splitlines()
            module = griffe.visit(
                name,
                filepath=path,
                code=code,
                extensions=self._loader.extensions,
                parent=parent,
                docstring_parser=self._loader.docstring_parser,
                lines_collection=self._lines,
                modules_collection=self._loader.modules_collection,
            )
        except (SyntaxError, UnicodeDecodeError, RecursionError) as error:
            shown = posixpath.normpath(os.path.relpath(path, self.site_dir).replace(os.sep, "/"))
            line = getattr(error, "lineno", None) or 1
            newer = (
                ""
                if not isinstance(error, SyntaxError)
                else f" Python {version_info[0]}.{version_info[1]} reads it: newer syntax needs a newer one."
            )
            inputs.report(f"This module cannot be read, and has no page: {error}.{newer}", shown, line)
            return
        publish_handed_on(module, code)
        if "#:" in code:
            add_comments(module, self._lines[path], griffe.Parser(self.settings.options.docstring_style))
        holder: Any = parent if parent is not None else self._loader.modules_collection
        holder.set_member(name, module)
        hidden = any(part.startswith("_") for part in dotted.split("."))
        excluded = any(
            fnmatch.fnmatchcase(dotted, one) or dotted.startswith(f"{one}.") for one in self.settings.exclude or ()
        )
        if not hidden and not excluded:
            self.modules[dotted] = module

    def _parent(self, dotted: str, path: Path) -> griffe.Module:
        """Find the package above a module, or make one for a folder without a file of its own."""
        above, _, name = dotted.rpartition(".")
        outer = self._parent(above, path.parent) if above else None
        holder: Any = outer if outer is not None else self._loader.modules_collection
        if name not in holder.members:
            made = griffe.Module(
                name,
                filepath=[path.parent],
                parent=outer,
                lines_collection=self._lines,
                modules_collection=self._loader.modules_collection,
            )
            holder.set_member(name, made)
        found: griffe.Module = holder.members[name]
        return found

    # What is shown where

    def _place(self) -> None:
        """Find for each public object the module that shows it: the one that defines it, where that is public."""
        for name, module in list(self.modules.items()):
            is_above = any(other.startswith(f"{name}.") for other in self.modules)
            if module.docstring is None and not is_above and not any(public_members(module)):
                del self.modules[name]  # nothing would be on its page
        for module in self.modules.values():
            self.shown[module.path] = module.path
            for member in public_members(module):
                if not member.is_alias:
                    self._show(member)
        for module in self.modules.values():
            for member in public_members(module):
                if member.is_alias and member.canonical_path not in self.shown:
                    self._show(member)
        for module in self.modules.values():
            for member in public_members(module):
                if member.is_alias:
                    self._hand_on(member, member.path)

    def _show(self, found: Object) -> None:
        self.shown.setdefault(found.canonical_path, found.path)
        self.shown.setdefault(found.path, found.path)
        if found.is_class:
            for member in class_members(found, self):
                if member.path.startswith(f"{found.path}."):
                    self._show(member)

    def _hand_on(self, found: Object, path: str) -> None:
        """Let an object be found by a path by which another module hands it on, and its members too."""
        shown = self.shown.get(found.canonical_path)
        if shown is None or shown == path or path in self.shown:
            return
        self.shown[path] = shown
        self.others.setdefault(shown, []).append(path)
        if found.is_class:
            for member in class_members(found, self):
                self._hand_on(member, f"{path}.{member.name}")


def _files_of(name: str, files: list[Path], settings: Settings, site_dir: Path) -> tuple[str, dict[str, Path]]:
    """Find the modules of a package: the folder that it is in, and dotted name → file."""
    for base in settings.paths:
        folder = os.path.normpath(site_dir / base)
        found: dict[str, Path] = {}
        for path in files:
            relative = os.path.relpath(os.path.normpath(path), folder)
            if relative.startswith(".."):
                continue
            dotted = ".".join(Path(relative).with_suffix("").parts).removesuffix(".__init__")
            # A stub says nothing that the source beside it does not say.
            if f"{dotted}.".startswith(f"{name}.") and (dotted not in found or path.suffix == ".py"):
                found[dotted] = Path(os.path.normpath(path))
        if found:
            return base, found
    return "", {}


def _without_tests(package: str, found: Mapping[str, Path]) -> dict[str, Path]:
    """Leave out the modules of a package's tests, and those in folders of tests."""
    return {
        dotted: path for dotted, path in found.items() if _TESTS.isdisjoint(dotted.removeprefix(package).split("."))
    }


def is_taken_for_index(parts: Sequence[str]) -> bool:
    """Return whether the page of a module would be that of the package around it, because of its name.

    Args:
        parts: Names of the packages and of the module.
    """
    return parts[-1].lower() in ("index", "readme") or parts[-1] == "".join(parts[-2:-1])


def public_members(module: Object) -> Iterator[Object]:
    """List the public members of a module, modules left out."""
    for member in list(module.members.values()):
        if not _is_lost(member) and not member.is_module and member.is_public:
            yield member


def class_members(found: Object, library: ModuleLibrary) -> list[Object]:
    """List the public members of a class: its own, and those of bases that are shown nowhere."""
    own: dict[str, Object] = {
        name: member
        for name, member in found.members.items()
        if not _is_lost(member) and _is_public_in_class(name, member)
    }
    for name, member in library.inherited(found).items():
        base = member.canonical_path.rpartition(".")[0]
        is_private = base.rpartition(".")[2].startswith("_") and base not in library.shown
        if name not in own and is_private and _is_public_in_class(name, member):
            own[name] = member
    return list(own.values())


def inherited_members(found: Object, library: ModuleLibrary, *, has_private: bool = False) -> list[Object]:
    """List the members that a class has from bases that are shown themselves: the public ones, or all but special ones."""
    own = {member.name for member in class_members(found, library)}
    return [
        member
        for name, member in library.inherited(found).items()
        if name not in own
        and not name.startswith("__" if has_private else "_")
        and (member.canonical_path in library.shown or (has_private and name.startswith("_")))
    ]


def _inherited(found: Object) -> dict[str, Object]:
    try:
        members = found.inherited_members
    except (griffe.GriffeError, ValueError, KeyError):
        return {}
    return {name: member for name, member in members.items() if not _is_lost(member)}


def _is_public_in_class(name: str, member: Object) -> bool:
    if name == "__init__":
        return False  # its parameters and its docstring are those of the class
    if _SPECIAL.fullmatch(name):
        return member.is_function and member.docstring is not None
    if name.startswith("_"):
        return False
    is_set_in_init = member.is_attribute and "class-attribute" not in member.labels
    return not (is_set_in_init and "property" not in member.labels and member.docstring is None)


def _is_lost(member: Object) -> bool:
    """Return whether a name leads out of the packages: to what is imported from others."""
    if not member.is_alias:
        return False
    try:
        member.final_target  # type: ignore[union-attr]  # noqa: B018 - raises where it cannot be followed
    except griffe.GriffeError:
        return True
    return False


def _has_modules(module: griffe.Module) -> bool:
    path = module.filepath
    return isinstance(path, list) or path.stem == "__init__"
