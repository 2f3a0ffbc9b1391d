"""Files of the test image: this machine's Python, some of its packages, and the shared libraries of both.

Few files, since engines unpack them slowly: modules are in two archives, compiled. Only what has compiled parts, which
cannot be loaded out of an archive, is beside them.
"""

from __future__ import annotations

import importlib.util
import io
import py_compile
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

from tests.support.installed import with_requirements

_NOT_NEEDED = frozenset(
    ("test", "site-packages", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "pydoc_data", "lib-dynload")
)
_WITHOUT_LIBRARIES = ("_tkinter", "_test", "_ctypes_test", "_xxtestfuzz", "xxlimited")
"""Beginnings of the names of compiled modules that are left out, with the libraries of windows."""

_PACKAGES = "app/packages"
PYTHON_PATH = f"/{_PACKAGES}.zip:/{_PACKAGES}"


def interpreter() -> str:
    """Path of Python in the image."""
    return str(Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}")


def write_files(archive: tarfile.TarFile, *names: str) -> None:
    """Add Python, and the distributions of these names with all that they require."""
    binaries = [*_add_python(archive), *_add_packages(archive, with_requirements(names))]
    for found in _shared_libraries(binaries):
        # The loader looks at the places that the paths name, links or not.
        archive.add(Path(found).resolve(), found.lstrip("/"))


def add_bytes(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    """Add a file that is not on this machine."""
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))


def _add_python(archive: tarfile.TarFile) -> list[Path]:
    """Add interpreter and library; returns what is linked against shared libraries."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    library = Path(sys.base_prefix) / "lib" / f"python{version}"
    binary = Path(interpreter()).resolve()
    compiled = [path for path in (library / "lib-dynload").glob("*.so") if not path.name.startswith(_WITHOUT_LIBRARIES)]
    archive.add(binary, interpreter().lstrip("/"))
    for path in compiled:
        archive.add(path, str(path).lstrip("/"))
    # Where Python looks before anything else.
    name = library.with_name(f"python{version.replace('.', '')}.zip")
    modules = (
        path
        for path in library.rglob("*.py")
        if not any(part in _NOT_NEEDED or part.startswith("config-") for part in path.relative_to(library).parts)
    )
    add_bytes(archive, str(name).lstrip("/"), _zipped((path, str(path.relative_to(library))) for path in modules))
    # By this file it knows where its library is.
    archive.add(library / "os.py", str(library / "os.py").lstrip("/"))
    return [binary, *compiled]


def _add_packages(archive: tarfile.TarFile, names: Iterable[str]) -> list[Path]:
    binaries: list[Path] = []
    zipped: list[tuple[Path, str]] = []
    for name in sorted(names):
        files = metadata.distribution(name).files or []
        found = [
            (Path(str(file.locate())), str(file))
            for file in files
            if ".." not in file.parts and "__pycache__" not in file.parts
        ]
        found = [(path, inside) for path, inside in found if path.is_file()]
        compiled = [path for path, _ in found if path.suffix == ".so"]
        if not compiled:
            zipped += found
            continue
        binaries += compiled
        for path, inside in found:
            if path.suffix == ".py":
                add_bytes(archive, f"{_PACKAGES}/{inside}c", _compiled(path))
            elif path.suffix == ".so" or ".dist-info/" in inside:
                archive.add(path, f"{_PACKAGES}/{inside}")
    add_bytes(archive, f"{_PACKAGES}.zip", _zipped(zipped))
    return binaries


def _zipped(files: Iterable[tuple[Path, str]]) -> bytes:
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w") as archive:
            files = sorted(files, key=lambda item: item[1])
            # Without an entry of its own, a folder in an archive is not a namespace package.
            for folder in sorted({str(parent) for _, name in files for parent in Path(name).parents} - {"."}):
                archive.writestr(f"{folder}/", b"")
            for path, name in files:
                if path.suffix == ".py":
                    archive.writestr(f"{name}c", _compiled(path))
                else:
                    archive.write(path, name)
        return file.getvalue()


def _compiled(path: Path) -> bytes:
    """Code of a module: what this machine has compiled already, if it is of the file as it is now."""
    cached = Path(importlib.util.cache_from_source(str(path)))
    if cached.is_file() and cached.stat().st_mtime >= path.stat().st_mtime:
        return cached.read_bytes()
    with tempfile.NamedTemporaryFile(suffix=".pyc") as made:
        py_compile.compile(str(path), made.name, doraise=True)
        return Path(made.name).read_bytes()


def _shared_libraries(binaries: Iterable[Path]) -> Iterator[str]:
    found = subprocess.run(["ldd", *map(str, binaries)], capture_output=True, text=True, check=True, timeout=60).stdout
    yield from sorted(set(re.findall(r"(?:=>|^)\s*(/\S+) \(0x", found, flags=re.MULTILINE)))
