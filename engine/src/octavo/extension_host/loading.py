"""Load an extension, and tell what it consists of and where it fails."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import sysconfig
import traceback
from collections.abc import Collection, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from octavo import extensions
from octavo.extension_host.protocol import Described, Failure, Function
from octavo.extension_host.registrations import lost_registration, registration_mistake
from octavo.extensions import API_VERSION, Extension, hash_bytes

_LIBRARIES = tuple(
    dict.fromkeys(
        os.path.realpath(sysconfig.get_path(name)) + os.sep for name in ("purelib", "platlib", "stdlib", "platstdlib")
    )
)
_OWN = os.path.realpath(Path(__file__).parent.parent) + os.sep
_LONGEST_TEXT = 1_000
"""Characters that are shown of the text of an exception."""
_MAJOR = int(API_VERSION.partition(".")[0])


class Loaded:
    """An extension in this process."""

    def __init__(self, extension: Extension) -> None:
        self.extension = extension

    @staticmethod
    def read_modules(before: Collection[str], site_dir: Path) -> dict[str, str]:
        """Hash the author's modules that a call has imported, as what it has read."""
        late = [path for path in _author_modules(before) if _is_below(path, site_dir)]
        return {_shown(path, site_dir): hash_bytes(Path(path).read_bytes()) for path in late}


def set_options(options: Mapping[str, Mapping[str, Any]]) -> None:
    """Take over what the settings say to extensions, before any is loaded."""
    extensions._options = {name: dict(table) for name, table in options.items()}  # noqa: SLF001 - no part of the public interface


def load_extension(spec: str, site_dir: Path) -> tuple[Described, Loaded | None]:
    """Import an extension.

    Args:
        spec: A file from the site's folder that ends in `.py`, or the name of a module.
        site_dir: The site's folder; modules that lie in it, or beside the extension, can be imported.
    """
    sys.dont_write_bytecode = True
    before = set(sys.modules)
    path = _shown(os.fspath(site_dir / spec), site_dir) if spec.endswith(".py") else spec
    try:
        module = _import(spec, site_dir)
        path = _shown(module.__file__ or spec, site_dir)
        extension = getattr(module, "extension", None)
        if not isinstance(extension, Extension):
            message = 'it has no Extension with the name extension; write: extension = Extension("…")'
            return Described(spec, spec, path, failure=Failure(message, f"{path}:1")), None
        if extension.api != _MAJOR:
            message = f"it was written for version {extension.api} of octavo.extensions; this is {API_VERSION}"
            return Described(spec, extension.name, path, failure=Failure(message, f"{path}:1")), None
        for one in extension.registered:
            if mistake := registration_mistake(one):
                return Described(spec, extension.name, path, failure=Failure(mistake, f"{path}:{one.line}")), None
        if (lost := lost_registration(module, extension)) is not None:
            return Described(spec, extension.name, path, failure=Failure(lost[0], f"{path}:{lost[1]}")), None
    except BaseException as error:  # noqa: BLE001 - whatever a module does when it is imported
        return Described(spec, spec, path, failure=explain(error, site_dir)), None
    described = Described(
        spec,
        extension.name,
        path,
        functions=[Function(one.kind, one.name, one.line) for one in extension.registered],
        inputs=list(extension.inputs),
        modules=sorted({os.path.realpath(module.__file__ or ""), *_author_modules(before)}),
        tools=_tools(before),
    )
    return described, Loaded(extension)


def _import(spec: str, site_dir: Path) -> ModuleType:
    folder = os.fspath((site_dir / spec).parent if spec.endswith(".py") else site_dir)
    # At the end: a file beside the extension must not take the place of a module of the language.
    sys.path += [one for one in (folder, os.fspath(site_dir)) if one not in sys.path]
    if not spec.endswith(".py"):
        return importlib.import_module(spec)
    file = site_dir / spec
    if not file.is_file():
        raise FileNotFoundError(f'there is no file "{spec}"')
    name = "octavo_extension_" + "".join(letter if letter.isalnum() else "_" for letter in spec[:-3])
    found = importlib.util.spec_from_file_location(name, file)
    if found is None or found.loader is None:
        raise ImportError(f'"{spec}" is not a module')
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    found.loader.exec_module(module)
    return module


def explain(error: BaseException, site_dir: Path) -> Failure:
    """Say what an exception was, and on which line of the author's."""
    try:
        text = str(error)
    except BaseException as other:  # noqa: BLE001 - an exception is code of an author's, too
        text = f"its text cannot be written: {type(other).__name__}"
    text = text.encode("utf-8", "replace").decode().replace("\0", "")
    text = text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}…"
    if isinstance(error, MemoryError):
        text = "the memory that an extension may use is used up"
    elif isinstance(error, FileNotFoundError) and error.filename:
        text = f'there is no file "{_shown(os.fspath(error.filename), site_dir)}"'
    message = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if isinstance(error, SyntaxError) and error.filename:
        return Failure(f"SyntaxError: {error.msg}", f"{_shown(error.filename, site_dir)}:{error.lineno or 1}")
    frames = traceback.extract_tb(error.__traceback__)
    own = next((frame for frame in reversed(frames) if _is_authors(frame.filename)), None)
    return Failure(message, f"{_shown(own.filename, site_dir)}:{own.lineno}" if own else "")


def _author_modules(before: Collection[str]) -> list[str]:
    """List the files of the modules that were imported since, and are the author's: no library's, and not ours."""
    found: list[str] = []
    for name, module in list(sys.modules.items()):
        if name in before:  # checked first, since this runs at each call of a function
            continue
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.endswith(".py") and _is_authors(file):
            found.append(os.path.realpath(file))
    return found


def _is_authors(file: str) -> bool:
    real = os.path.realpath(file)
    return not file.startswith("<") and not real.startswith((*_LIBRARIES, _OWN))


def _tools(before: Collection[str]) -> dict[str, str]:
    """Find the distributions of the libraries that were imported, and their versions."""
    third = os.path.realpath(sysconfig.get_path("purelib")) + os.sep
    tops = {
        name.partition(".")[0]
        for name, module in list(sys.modules.items())
        if name not in before and os.path.realpath(getattr(module, "__file__", None) or "").startswith(third)
    }
    if not tops:
        return {}
    from importlib.metadata import packages_distributions, version

    of = packages_distributions()
    names = {distribution for top in tops for distribution in of.get(top, [])}
    return {name: version(name) for name in sorted(names)}


def _is_below(path: str, site_dir: Path) -> bool:
    return os.path.realpath(path).startswith(os.path.realpath(site_dir) + os.sep)


def _shown(path: str, site_dir: Path) -> str:
    """Write a path from the site's folder, where it lies in it."""
    if not _is_below(path, site_dir):
        return path
    return os.path.relpath(os.path.realpath(path), os.path.realpath(site_dir)).replace(os.sep, "/")
