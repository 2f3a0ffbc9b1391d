"""Imports between the modules of a source tree: packages, cycles, and what is imported past a package's interface."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

import msgspec


class Import(msgspec.Struct, frozen=True, order=True):
    """One module importing another."""

    importer: str
    imported: str
    """A module of the tree: `octavo.site.model`, or `octavo.site` for a name of its `__init__.py`."""


class SourceTree:
    """The modules of one or more packages, and the imports between them, those inside functions included.

    Imports below `if TYPE_CHECKING:` are left out: they do not exist when the program runs.
    """

    def __init__(self, *packages: Path) -> None:
        # Folders without `__init__.py` hold files of new sites, not modules.
        self.files = {
            _name(path, package.parent): path
            for package in packages
            for path in sorted(package.rglob("*.py"))
            if (path.parent / "__init__.py").exists()
        }

    @cached_property
    def imports(self) -> frozenset[Import]:
        """The imports between the modules; read when a test asks for them, not when tests are collected."""
        return frozenset(self._read())

    @cached_property
    def _statements(self) -> dict[str, tuple[ast.AST, ...]]:
        return {name: _statements_of(path) for name, path in self.files.items()}

    def _read(self) -> Iterator[Import]:
        for name, path in self.files.items():
            package = name if path.name == "__init__.py" else name.rpartition(".")[0]
            for imported in _imported(self._statements[name], package):
                module = self._module(imported)
                if module and module != name:
                    yield Import(name, module)

    def _module(self, imported: str) -> str | None:
        """Find the module of an imported name: the name itself, or the module that defines it."""
        if imported in self.files:
            return imported
        parent = imported.rpartition(".")[0]
        return parent if parent in self.files else None

    def cycles(self) -> list[list[str]]:
        """List the groups of modules that import each other, directly or through others, each sorted."""
        graph: dict[str, set[str]] = {name: set() for name in self.files}
        for one in self.imports:
            graph[one.importer].add(one.imported)
        return sorted(sorted(group) for group in components(graph) if len(group) > 1)

    def units(self, depth: int = 1) -> dict[str, set[str]]:
        """Give unit → units that it imports; a unit is a package or module `depth` levels below the root."""
        graph: dict[str, set[str]] = {unit_of(name, depth): set() for name in self.files}
        for one in self.imports:
            importer, imported = unit_of(one.importer, depth), unit_of(one.imported, depth)
            if importer != imported:
                graph[importer].add(imported)
        return graph

    def deep_imports(self, interfaces: Mapping[str, str], depth: int = 1) -> list[Import]:
        """List imports from outside a unit that reach past its interface.

        Args:
            interfaces: Unit → the one module of it that others import instead of the unit itself.
            depth: As of `units`.
        """
        return sorted(
            one
            for one in self.imports
            if (unit := unit_of(one.imported, depth)) != unit_of(one.importer, depth)
            and one.imported not in (unit, interfaces.get(unit))
        )

    def package_sizes(self) -> dict[str, int]:
        """Count the modules of each package, those of its sub-packages not included."""
        sizes: dict[str, int] = {}
        for name, path in self.files.items():
            if path.name != "__init__.py":
                package = name.rpartition(".")[0]
                sizes[package] = sizes.get(package, 0) + 1
        return sizes

    def repeated_class_names(self, unlike: Container[str] = ()) -> dict[str, list[str]]:
        """List the public classes of one name in several modules: name → modules.

        Args:
            unlike: Modules whose names may be those of others.
        """
        found: dict[str, list[str]] = {}
        for module, statements in self._statements.items():
            if module not in unlike:
                for node in statements:
                    if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                        found.setdefault(node.name, []).append(module)
        return {name: modules for name, modules in found.items() if len(modules) > 1}

    def long_modules(self, most: int) -> dict[str, int]:
        """List the modules of more than so many lines."""
        lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in self.files.items()}
        return {name: length for name, length in lengths.items() if length > most}


def unit_of(module: str, depth: int = 1) -> str:
    """Name the unit of a module: with depth 1, `octavo.site.model` belongs to `octavo.site`."""
    return ".".join(module.split(".")[: depth + 1])


def components(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Find the strongly connected components of a graph (Tarjan's algorithm, without recursion)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[list[str]] = []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(sorted(graph[target]))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    start = stack.index(node)
                    found.append(stack[start:])
                    on_stack.difference_update(stack[start:])
                    del stack[start:]
    return found


def _name(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(nodes: Iterable[ast.AST], package: str) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(filter(None, (start, node.module)))
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and _called(node) == "import_module":
            yield from (str(argument.value) for argument in node.args[:1] if isinstance(argument, ast.Constant))


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _statements_of(path: Path) -> tuple[ast.AST, ...]:
    """Give the imports, the classes and the calls of `import_module` of a file; the tree itself would take much memory."""
    source = path.read_text(encoding="utf-8")
    kinds = (ast.Import, ast.ImportFrom, ast.ClassDef)
    if "import_module" in source:
        kinds += (ast.Call,)
    # Expressions hold no statements, and are most of a tree: they are walked only where one may be a call that imports.
    passed = () if ast.Call in kinds else (ast.expr,)
    return tuple(node for node in _running(ast.parse(source), passed) if isinstance(node, kinds))


def _running(node: ast.AST, passed: tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    """Walk a tree without what is only there for type checkers, and without nodes of the kinds passed over."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, passed):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for other in child.orelse:
                yield other
                yield from _running(other, passed)
            continue
        yield child
        yield from _running(child, passed)
