"""Which modules of a package are needed to describe one of its objects: reading all of a large one takes minutes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

_LARGEST = 500_000
"""Bytes of a module that is read because another imports it: larger ones are tables that programs write."""

_SMALL = 6_000_000
"""Bytes of packages that are read as a whole, which takes three seconds at most, for all objects together. Parts share
modules, and each part is read by itself: those of a package with a hundred modules took 20 s, all of it .4 s."""


class NeededModules:
    """The modules of some packages, and what each imports of the others."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        """Take the files of all modules by their dotted names."""
        self._files = files
        self._imports: dict[str, list[str]] = {}
        self._is_small = sum(path.stat().st_size for path in files.values()) <= _SMALL

    def of(self, asked: str) -> frozenset[str]:
        """List the modules that describe an object: its own, those below it, and what they import.

        The packages around them are read as well, because they may give an object the name that it is known by; what
        else those import is not. Where this makes half of the packages or more, all are listed: reading them once
        costs less than reading several such parts. Of small packages all modules that can be read are listed for each
        object; what is wrong with others concerns those only that need them.
        """
        own = self.module_of(asked)
        todo = [own] if own else []
        if own == asked:
            todo += [name for name in self._files if name.startswith(f"{own}.")]
        found: set[str] = set()
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += self._imported(name)
        around = {above for name in found for above in _prefixes(name) if above in self._files}
        if self._is_small:
            return self._readable | found | around
        return frozenset(self._files if 2 * len(found) >= len(self._files) else found | around)

    def module_of(self, path: str) -> str:
        """Name the module that an object is in by its dotted path; empty where there is none."""
        return next((name for name in _prefixes(path) if name in self._files), "")

    @cached_property
    def _readable(self) -> frozenset[str]:
        return frozenset(name for name in self._files if self._parse(name) is not None)

    def _parse(self, name: str) -> ast.Module | None:
        try:
            return ast.parse(self._files[name].read_text(encoding="utf-8-sig"))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None  # the finding about it comes with its description

    def _imported(self, name: str) -> list[str]:
        if name not in self._imports:
            names = dict.fromkeys(one for one in self._names_in(name) if one)
            self._imports[name] = [one for one in names if self._files[one].stat().st_size <= _LARGEST]
        return self._imports[name]

    def _names_in(self, name: str) -> Iterator[str]:
        path = self._files[name]
        for node in _statements(self._parse(name) or ast.Module([], [])):
            if isinstance(node, ast.Import):
                yield from (self.module_of(one.name) for one in node.names)
            elif isinstance(node, ast.ImportFrom):
                parts = name.split(".")
                above = node.level - 1 if path.stem == "__init__" else node.level
                base = parts[: len(parts) - above] if node.level else []
                source = ".".join([*base, *([node.module] if node.module else [])])
                yield from (self.module_of(f"{source}.{one.name}") for one in node.names)


def _prefixes(path: str) -> Iterator[str]:
    """Give a dotted path and those above it, the longest first."""
    while path:
        yield path
        path = path.rpartition(".")[0]


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Walk through what runs when a module is imported: not into functions and expressions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child
        elif isinstance(child, (ast.stmt, ast.ExceptHandler)) and not isinstance(
            child, (ast.FunctionDef, ast.AsyncFunctionDef)
        ):
            yield from _statements(child)
