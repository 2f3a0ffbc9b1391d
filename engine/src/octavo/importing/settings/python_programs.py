"""Values that programs of a site put into its pages, where they are written out; the programs are not run."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

from octavo.importing.common import flat_texts
from octavo.importing.settings.files import UnreadableError
from octavo.importing.settings.python_expressions import FAULTS
from octavo.importing.settings.python_values import PythonReader, parse_python

_MARK = re.compile(r"\{\{[ \t]*#?([A-Za-z_][\w.-]*)[ \t]*\}\}")


def _read(path: Path) -> tuple[ast.Module, PythonReader]:
    """Read a program and the values that it writes out; an empty one where the file is no Python."""
    reader = PythonReader()
    try:
        tree = parse_python(path)
    except UnreadableError:
        return ast.Module([], []), reader
    reader.read(tree.body)
    return tree, reader


def replaced_marks(path: Path) -> dict[str, str]:
    """Find what a program puts in the place of marks: `text.replace("{{#NAME}}", VALUE)`.

    Returns:
        Name of the mark, in small letters → text; empty where the file is no Python.
    """
    tree, reader = _read(path)
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="replace"), args=[ast.Constant(value=str() as mark), value]) if (
                match := _MARK.fullmatch(mark)
            ):
                try:
                    given = reader.value(value)
                except FAULTS:
                    continue
                if isinstance(given, str):
                    found[match[1].lower()] = given
            case _:
                pass
    return found


def macro_variables(path: Path) -> dict[str, str]:
    """Find the variables that a module of the plug-in macros gives to pages, `env.variables["name"] = value`.

    Returns:
        Name, with dots for those within others → text; empty where the file is no Python.
    """
    tree, reader = _read(path)
    values: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "define_env":
            reader.read(node.body)
            for one in node.body:
                _add_variable(one, reader, values)
    return dict(flat_texts(values))


def _add_variable(node: ast.stmt, reader: PythonReader, values: dict[str, Any]) -> None:
    try:
        match node:
            case (
                ast.Assign(
                    targets=[
                        ast.Subscript(value=ast.Attribute(attr="variables"), slice=ast.Constant(value=str() as name))
                    ],
                    value=value,
                )
                | ast.Assign(targets=[ast.Attribute(value=ast.Attribute(attr="variables"), attr=name)], value=value)
            ):
                values[name] = reader.value(value)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Attribute(attr="variables"), attr="update"), args=[given])
            ):
                values.update(reader.value(given))
            case _:
                pass
    except FAULTS:
        return
