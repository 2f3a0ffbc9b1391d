"""Settings written in Python: the values of assignments are read, and nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from octavo.importing.settings.files import UnreadableError, read_text
from octavo.importing.settings.python_expressions import FAULTS, bounded, evaluate

_FOLDERS_ABOVE = 3
"""Where `conf.py` looks for modules: its own folder, and those above that it adds to the path."""
_OF_VERSION = frozenset(["__version__", "version", "VERSION", "__VERSION__"])
"""Names that programs import from a package for its version."""


def read_values(path: Path, version: str = "") -> tuple[dict[str, Any], list[str]]:
    """Read the assignments of a Python file.

    Values are those of expressions that can be evaluated without running anything, and mappings without their computed entries.

    Args:
        path: The file.
        version: Of the project; empty where it is not known.

    Returns:
        (name → value, names whose values are computed, in whole or in part).

    Raises:
        UnreadableError: it is not Python.
    """
    tree = parse_python(path)
    reader = PythonReader(version, path)
    reader.read(tree.body)
    inner = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    imported = reader.imported - {"version", "release"}
    return {name: value for name, value in reader.found.items() if name not in imported}, sorted(
        reader.computed | (inner - reader.found.keys())
    )


def parse_python(path: Path) -> ast.Module:
    """Parse a file.

    Raises:
        UnreadableError: it is not Python.
    """
    try:
        return ast.parse(read_text(path))
    except SyntaxError as error:
        raise UnreadableError(f"{path}:{error.lineno or 1}: This is not Python: {error.msg}.") from error
    except (ValueError, MemoryError, RecursionError) as error:
        raise UnreadableError(f"{path} cannot be read: {error}.") from error


class PythonReader:
    """Reads statements one after the other."""

    def __init__(self, version: str = "", path: Path | None = None) -> None:
        """Initialize.

        Args:
            version: Of the project; empty where it is not known.
            path: The file, where modules that it takes everything from are to be read as well.
        """
        self._files = [path] if path else []
        """Files that are being read, the outermost first."""
        self.found: dict[str, Any] = {}
        """Name → value."""
        self.computed: set[str] = set()
        """Names whose values are computed, in whole or in part."""
        self.imported: set[str] = set()
        """Names that hold the version because they were imported."""
        self._version = version

    def read(self, statements: Iterable[ast.stmt]) -> None:
        """Read statements."""
        for node in statements:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._assign(name, value)
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                    self._unpack(targets, value)
                case ast.Assign(targets=[ast.Name(id=name), *others], value=value):  # release = version = "1.2"
                    for target in (name, *(one.id for one in others if isinstance(one, ast.Name))):
                        self._assign(target, value)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self._assign(name, value)
                case ast.AugAssign(target=ast.Name(id=name) as target, op=ast.Add(), value=value):
                    self._assign(name, ast.BinOp(target, ast.Add(), value), keeps=True)
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), args=[value])):
                    self._extend(name, method, value)
                case ast.If(test=test, body=body, orelse=other):
                    self._branch(test, body, other)
                case ast.Try(body=body):
                    self.read(body)
                case ast.ImportFrom(module=str() as module, names=[ast.alias(name="*")]) if self._files:
                    self._read_module(module)
                case ast.ImportFrom(names=names) if self._version:
                    for one in names:
                        if one.name in _OF_VERSION:
                            self.found[one.asname or one.name] = self._version
                            self.imported.add(one.asname or one.name)
                case _:
                    pass

    def value(self, node: ast.expr) -> Any:
        """Evaluate an expression over what was read; see `evaluate` for what it raises."""
        return evaluate(node, self.found, self._version)

    def _assign(self, name: str, value: ast.expr, *, keeps: bool = False) -> None:
        try:
            self.found[name] = self.value(value)
            self.computed.discard(name)
            self.imported.discard(name)
        except FAULTS:
            self.computed.add(name)
            if not keeps:
                self.found.pop(name, None)
            if isinstance(value, ast.Dict) and (written := dict(self._entries(value))):
                self.found[name] = written

    def _read_module(self, module: str) -> None:
        """Read the module that gives all its names, from beside the file or from the folders above it."""
        name = module.replace(".", "/")
        folders = (self._files[-1].parent, *self._files[0].parents[:_FOLDERS_ABOVE])
        places = [folder / f"{name}{end}" for folder in folders for end in (".py", "/__init__.py")]
        path = next((one for one in places if one.is_file()), None)
        if path is None or path in self._files:
            self.computed.add(f"all of {module}")
            return
        self._files.append(path)
        try:
            self.read(parse_python(path).body)
        except UnreadableError:
            self.computed.add(f"all of {module}")
        self._files.pop()

    def _unpack(self, targets: list[ast.expr], value: ast.expr) -> None:
        if isinstance(value, ast.Tuple):
            for target, one in zip(targets, value.elts, strict=False):
                if isinstance(target, ast.Name):
                    self._assign(target.id, one)

    def _extend(self, name: str, method: str, value: ast.expr) -> None:
        """Read `names.append("x")`, `names.extend([…])` and `names.update({…})`."""
        held = self.found.get(name)
        try:
            if isinstance(held, list) and method in ("append", "extend"):
                given = self.value(value)
                self.found[name] = bounded([*held, *([given] if method == "append" else given)])
            elif isinstance(held, dict) and method == "update":
                self.found[name] = held | self.value(value)
        except FAULTS:
            self.computed.add(name)

    def _branch(self, test: ast.expr, body: list[ast.stmt], other: list[ast.stmt]) -> None:
        """Read the part of a condition that holds; where that is not known, none."""
        try:
            holds = bool(self.value(test))
        except FAULTS:
            return
        self.read(body if holds else other)

    def _entries(self, node: ast.Dict) -> list[tuple[Any, Any]]:
        """List the entries of a mapping that are written out."""
        found = []
        for key, value in zip(node.keys, node.values, strict=True):
            try:
                if key is not None:
                    found.append((self.value(key), self.value(value)))
            except FAULTS:
                continue
        return found
