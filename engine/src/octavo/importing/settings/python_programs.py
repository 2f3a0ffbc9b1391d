"""Values that programs of a site put into its pages, where they are written out; the programs are not run."""

from __future__ import annotations

import ast
import contextlib
import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from octavo.importing.common import flat_texts
from octavo.importing.settings.files import UnreadableError
from octavo.importing.settings.python_expressions import FAULTS, ComputedError, evaluate
from octavo.importing.settings.python_values import PythonReader, parse_python
from octavo.lazy import regex as re

_MARK = re.compile(r"\{\{[ \t]*#?([A-Za-z_][\w.-]*)[ \t]*\}\}")


def _read(path: Path) -> tuple[ast.Module, PythonReader]:
    """Read a program and the values that it writes out; an empty one where the file is not Python."""
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
        Name of the mark, in small letters → text; empty where the file is not Python.
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


def macro_variables(path: Path, given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Find what a module of the plug-in macros gives to pages: variables, and values of macros without arguments.

    Args:
        path: The program; nothing of it is run.
        given: Variables that it finds, name → text.

    Returns:
        Name, with dots for those within others → text; a macro's name ends in `()`. Empty where the file is not Python.
    """
    tree, reader = _read(path)
    values: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in ("define_env", "declare_variables"):
            reader.read(node.body)
            functions = {
                one.name: one for one in ast.walk(node) if isinstance(one, ast.FunctionDef) and one is not node
            }
            macros = _Macros(reader.found, given or {}, functions)
            for one in node.body:
                _add_variable(one, macros, values)
                if isinstance(one, ast.FunctionDef) and any(map(_is_macro, one.decorator_list)):
                    with contextlib.suppress(*FAULTS):
                        values[f"{one.name}()"] = str(macros.called(one.name))
    return dict(flat_texts(values))


def _is_macro(decorator: ast.expr) -> bool:
    """Whether a decorator is `@env.macro`, or `@macro` as older programs have it."""
    name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")
    return name == "macro"


class _Macros(ast.NodeTransformer):
    """Evaluates macros without arguments, as far as they consist of conditions and expressions over what is written out."""

    def __init__(
        self, names: Mapping[str, Any], given: Mapping[str, str], functions: Mapping[str, ast.FunctionDef]
    ) -> None:
        self._names = names
        self._given = given
        """Name of a variable, with dots, in small letters → text."""
        self._functions = functions
        self._open: list[str] = []
        """Functions that are being evaluated."""
        self._known: dict[str, str | float | bool] = {}
        """What functions gave: each is evaluated once, else a few that call each other twice would take for ever."""

    def called(self, name: str) -> str | float | bool:
        """Give the value of a call.

        Raises:
            ComputedError: it is the result of a program, or one of `FAULTS`.
        """
        if name in self._known:
            return self._known[name]
        function = self._functions.get(name)
        if function is None or name in self._open or ast.unparse(function.args):
            raise ComputedError
        self._open.append(name)
        try:
            found = self._result(function.body, dict(self._names))
        finally:
            self._open.pop()
        if not isinstance(found, (str, int, float)):
            raise ComputedError
        self._known[name] = found
        return found

    def value(self, node: ast.expr, names: Mapping[str, Any] | None = None) -> Any:
        """Evaluate an expression; see `evaluate` for what it raises."""
        return evaluate(self.visit(copy.deepcopy(node)), self._names if names is None else names)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Put the value of a call of a function without arguments in its place."""
        if isinstance(node.func, ast.Name) and node.func.id in self._functions and not node.args and not node.keywords:
            return ast.Constant(self.called(node.func.id))
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Put the value of a variable, `env.variables.name`, in its place."""
        return self._variable(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Put the value of a variable, `env.variables["name"]`, in its place."""
        return self._variable(node)

    def _variable(self, node: ast.Attribute | ast.Subscript) -> ast.expr:
        path: list[str] = []
        one: ast.expr = node
        while isinstance(one, (ast.Attribute, ast.Subscript)):
            if isinstance(one, ast.Attribute):
                path.insert(0, one.attr)
            elif isinstance(one.slice, ast.Constant):
                path.insert(0, str(one.slice.value))
            else:
                break
            one = one.value
        if path[:1] == ["variables"] and isinstance(one, ast.Name):
            known = self._given.get(".".join(path[1:]).lower())
            if known is not None:
                return ast.Constant(known)
        self.generic_visit(node)
        return node

    def _result(self, body: list[ast.stmt], names: dict[str, Any]) -> Any:
        """Give what statements return, None where they return nothing."""
        for node in body:
            match node:
                case ast.Expr(value=ast.Constant()) | ast.Pass():
                    pass
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    names[name] = self.value(value, names)
                case ast.If(test=test, body=yes, orelse=no):
                    found = self._result(yes if self.value(test, names) else no, names)
                    if found is not None:
                        return found
                case ast.Return(value=ast.expr() as value) if (found := self.value(value, names)) is not None:
                    return found
                case _:
                    raise ComputedError
        return None


def _add_variable(node: ast.stmt, macros: _Macros, values: dict[str, Any]) -> None:
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
                values[name] = macros.value(value)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Attribute(attr="variables"), attr="update"), args=[given])
            ):
                values.update(macros.value(given))
            case _:
                pass
    except FAULTS:
        return
