"""`copy_packages`: npm installs into a folder beside the copies, Rolldown bundles, and the copies are exchanged at the end."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec

from octavo.bundling.answers import Bundled, count_bytes, describe_note, describe_problem, write_licenses
from octavo.bundling.declarations import read_declarations
from octavo.bundling.node import Node, find_node, run
from octavo.bundling.project import PROJECT, Own, package_of, parse_wanted, read_own, read_project
from octavo.bundling.styles import read_style
from octavo.errors import PublishError, UsageError

_LOCK: Final = "package-lock.json"
_LICENSES: Final = "licenses.txt"
_BUNDLER: Final = "rolldown"
_BUNDLER_VERSION: Final = "^1.2.0"
_LARGE: Final = 200_000
"""Bytes of a copy that its author should know of."""


class Copies(msgspec.Struct, frozen=True):
    """What has been written."""

    sizes: dict[str, int]
    """Name that components import → bytes of its script with all that it loads; of a style sheet its own."""
    notes: list[str]
    """What their author should know, as sentences."""
    is_new: bool
    """A file has changed."""


def list_packages(folder: Path) -> list[str]:
    """List the names that components can import from a folder of copies.

    Raises:
        UsageError: its package.json cannot be read.
    """
    return read_own(read_project(folder)).imports


def copy_packages(
    folder: Path, wanted: Sequence[str] = (), *, removed: Sequence[str] = (), given: Collection[str]
) -> Copies:
    """Copy packages into a folder, with those that are there; without any, make the copies again from the lock file.

    A copy is a script for browsers with all that the package needs; what several packages need is there once. The folder
    changes at the end, when nothing has failed.

    Args:
        folder: Where copies are.
        wanted: `d3-scale`, `d3-scale@4`, `lodash/debounce`, `leaflet/dist/leaflet.css`, or folders such as `./chart`.
        removed: Names whose copies go.
        given: Modules that the theme gives to components; packages share them.

    Raises:
        UsageError: a package cannot be copied; the text says why.
        PublishError: the folder cannot be written.
    """
    folder = folder.resolve()
    project = read_project(folder)
    own = read_own(project)
    for name in removed:
        if name not in own.imports:
            raise UsageError(f'There is no copy of "{name}" in {folder}; there {_listed(own.imports)}.')
    specs, names = parse_wanted(wanted, given)
    imports = list(dict.fromkeys(name for name in [*own.imports, *names] if name not in removed))
    if not imports:
        if not removed:
            raise UsageError(f"There are no copies in {folder} yet. Name a package: octavo bundle d3-scale")
        return _exchange(folder, folder, own, {}, Bundled({}, [], [], []), imports)
    node = find_node()
    folder.parent.mkdir(parents=True, exist_ok=True)
    # As deep as the folder itself, so that relative addresses in package.json lead to the same places.
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent, ignore_cleanup_errors=True) as made:
        work = Path(made)
        dropped = {package_of(name) for name in removed} - {package_of(name) for name in imports}
        bundler = _find_bundler(work)
        _prepare(work, folder, project, dropped, needs_bundler=bundler is None)
        node.install(work, specs)
        bundled = _bundle(node, work, bundler or work / "node_modules" / _BUNDLER, imports, given)
        styles = {name: read_style(work, name) for name in imports if name.endswith(".css")}
        scripts = [name for name in imports if name not in styles]
        return _exchange(folder, work, own, styles, bundled, imports, read_declarations(work, scripts))


def _prepare(work: Path, folder: Path, project: dict[str, Any], dropped: set[str], *, needs_bundler: bool) -> None:
    """Put the project that npm works on into the folder where it does."""
    kept = {name: version for name, version in project.get("dependencies", {}).items() if name not in dropped}
    written = project | {"dependencies": kept}
    if needs_bundler:
        written["devDependencies"] = {_BUNDLER: _BUNDLER_VERSION} | project.get("devDependencies", {})
    (work / PROJECT).write_text(json.dumps(written), encoding="utf-8")
    if (folder / _LOCK).is_file():
        shutil.copyfile(folder / _LOCK, work / _LOCK)


def _find_bundler(work: Path) -> Path | None:
    """Find a bundler that the site has installed itself."""
    places = (folder / "node_modules" / _BUNDLER for folder in work.parents)
    return next((place for place in places if (place / PROJECT).is_file()), None)


def _bundle(node: Node, work: Path, bundler: Path, imports: Sequence[str], given: Collection[str]) -> Bundled:
    scripts = [name for name in imports if not name.endswith(".css")]
    if not scripts:
        return Bundled({}, [], [], [])
    entry = json.loads((bundler / PROJECT).read_text(encoding="utf-8"))["exports"]["."]
    order = {
        "bundler": str(bundler / (entry if isinstance(entry, str) else entry["default"])),
        "entries": scripts,
        "given": sorted(given),
    }
    script = Path(__file__).with_name("bundle.mjs")
    answer = run([node.node, str(script)], work, program="The bundler", given=json.dumps(order))
    bundled = msgspec.json.decode(answer, type=Bundled)
    if bundled.problems:
        raise UsageError("\n".join(dict.fromkeys(map(describe_problem, bundled.problems))))
    return bundled


def _exchange(
    folder: Path,
    work: Path,
    own: Own,
    styles: dict[str, tuple[str, list[str]]],
    bundled: Bundled,
    imports: list[str],
    types: Mapping[str, str] = MappingProxyType({}),
) -> Copies:
    """Write the copies; removes those of before."""
    files = bundled.files | {name: text for name, (text, _) in styles.items()}
    # Declarations that an author has put there stay.
    files |= {name: text for name, text in types.items() if name in own.files or not (folder / name).exists()}
    if bundled.licenses:
        files[_LICENSES] = write_licenses(bundled.licenses)
    try:
        for name in files:
            if name not in own.files and (folder / name).exists():
                raise UsageError(
                    f"{folder / name} is there already, and `octavo bundle` has not written it. Move or remove it."
                )
        files |= _project_files(work, Own(imports, sorted(files)))
        old = {*own.files, PROJECT, _LOCK}
        before = {name: _read(folder / name) for name in {*old, *files}}
        for name in old.difference(files):
            _remove(folder, name)
        for name, text in files.items():
            if before[name] != text:
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise PublishError(f"{error.filename or folder} cannot be written: {error.strerror}.") from error
    sizes = {name: len(files[name]) if name in styles else count_bytes(f"{name}.js", bundled.files) for name in imports}
    notes = [describe_note(note) for note in bundled.notes]
    notes += [
        f'"{name}" names {address}, which is not in its copy: only pictures of up to 64 kB are.'
        for name, (_, left) in styles.items()
        for address in left
    ]
    notes += [
        f'"{name}" is {size // 1000} kB, before compression. Readers of pages with a component that uses it load all of it.'
        for name, size in sizes.items()
        if size > _LARGE
    ]
    return Copies(sizes, notes, is_new=any(before[name] != files.get(name) for name in before))


def _project_files(work: Path, own: Own) -> dict[str, str]:
    """Write package.json and the lock file, as npm has left them."""
    if not own.imports:
        # Nothing is left: neither is the project.
        return {}
    project = json.loads((work / PROJECT).read_text(encoding="utf-8")) | {"octavo": msgspec.to_builtins(own)}
    files = {PROJECT: json.dumps(project, indent=2, ensure_ascii=False) + "\n"}
    if (lock := _read(work / _LOCK)) is not None:
        files[_LOCK] = lock
    return files


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


def _remove(folder: Path, name: str) -> None:
    """Remove a copy, and the folders that are empty without it."""
    path = folder / name
    path.unlink(missing_ok=True)
    for parent in path.parents:
        if parent == folder.parent or any(parent.iterdir()):
            return
        parent.rmdir()


def _listed(names: Sequence[str]) -> str:
    return f"are copies of {', '.join(names)}" if names else "are none"
