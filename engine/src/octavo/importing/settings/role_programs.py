"""Roles and directives that programs of a Sphinx site add, as far as it is written out what they do; the programs are not run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from octavo.importing.settings.files import UnreadableError
from octavo.importing.settings.python_expressions import FAULTS
from octavo.importing.settings.python_values import PythonReader, parse_python
from octavo.lazy import regex as re

_ADDING = ("add_role", "add_role_to_domain", "register_local_role", "register_canonical_role")
_ADDRESS = re.compile(r"https?://\S+\Z")
_FIELD = re.compile(r"(?<!\{)\{\w*\}(?!\})")
_MOST_FILES = 60
_CLASSES = {
    "CodeBlock": "code-block", "LiteralInclude": "literalinclude", "Figure": "figure", "Image": "image", "Include": "include",
    "BaseAdmonition": "admonition", "Admonition": "admonition", "Note": "note", "Tip": "tip", "Warning": "warning", "Hint": "hint", "Important": "important",
    "Caution": "caution", "Danger": "danger", "Attention": "attention", "SeeAlso": "seealso", "Topic": "topic", "Sidebar": "sidebar", "Container": "container",
    "ListTable": "list-table", "CSVTable": "csv-table", "RSTTable": "table", "ParsedLiteral": "parsed-literal", "MathBlock": "math", "Only": "only",
    "VersionChange": "versionchanged",
}  # fmt: skip
"""Class of a directive of docutils or Sphinx → its name."""


def role_links(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Find the roles that programs add as links.

    Args:
        paths: Files in Python.

    Returns:
        Role → address and text, each with `%s` for what is in the role; roles that do more than to link are left out.
    """
    functions: dict[str, ast.FunctionDef] = {}
    added: list[tuple[str, ast.expr]] = []
    reader = PythonReader()
    for path in list(paths)[:_MOST_FILES]:
        try:
            tree = parse_python(path)
        except (UnreadableError, OSError):
            continue
        reader.read(tree.body)
        functions |= {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        added += _added(tree)
    found: dict[str, list[str]] = {}
    for name, made in added:
        if isinstance(made, ast.Name) and made.id in functions:
            texts = list(_texts(functions[made.id], reader))
        elif isinstance(made, ast.Call):
            texts = [text for one in made.args for text in _texts(one, reader)]
        else:
            continue
        addresses = list(dict.fromkeys(text for text in texts if _ADDRESS.match(text)))
        captions = list(dict.fromkeys(text for text in texts if not _ADDRESS.match(text) and len(text) < 60))
        if len(addresses) == 1:
            found[name] = [addresses[0], captions[0] if len(captions) == 1 else "%s"]
    return found


def directives_like(paths: Iterable[Path]) -> dict[str, str]:
    """Find the directives that programs add as kinds of known ones.

    Args:
        paths: Files in Python.

    Returns:
        Directive → the one that its class derives from, where that is one of docutils or Sphinx.
    """
    bases: dict[str, list[str]] = {}
    added: dict[str, str] = {}
    for path in list(paths)[:_MOST_FILES]:
        try:
            tree = parse_python(path)
        except (UnreadableError, OSError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = [_name(base) for base in node.bases]
            elif isinstance(node, ast.Call) and _name(node.func) in ("add_directive", "register_directive"):
                match node.args:
                    case [ast.Constant(value=str() as name), made, *_]:
                        added[name.lower()] = _name(made)
                    case _:
                        pass
    found = {name: _known_base(made, bases) for name, made in added.items()}
    return {name: like for name, like in sorted(found.items()) if like and like != name}


def _name(node: ast.expr) -> str:
    """Name of a class or function, without its module."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _known_base(name: str, bases: dict[str, list[str]]) -> str:
    """Give the directive whose class one derives from; empty where it is none that is known."""
    seen: set[str] = set()
    left = [name]
    while left:
        one = left.pop(0)
        if one in _CLASSES:
            return _CLASSES[one]
        if one not in seen:
            seen.add(one)
            left += bases.get(one, [])
    return ""


def _added(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """List the roles that a program adds, each with what makes it."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Attribute, ast.Name)):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        if called not in _ADDING:
            continue
        arguments = node.args[1:] if called == "add_role_to_domain" else node.args
        match arguments:
            case [ast.Constant(value=str() as name), made, *_]:
                yield name.lower(), made
            case _:
                pass


def _texts(node: ast.AST, reader: PythonReader) -> Iterator[str]:
    """List the texts that are made with one value, which `%s` stands for."""
    inner: set[int] = set()
    for one in ast.walk(node):
        if id(one) in inner:
            continue
        text = _text(one, reader) if isinstance(one, ast.expr) else None
        if text is not None:
            inner.update(id(part) for part in ast.walk(one))
            if text.count("%s") == 1:
                yield text


def _text(node: ast.expr, reader: PythonReader) -> str | None:
    """Write a text with `%s` for each value that is not known; None where it is not text."""
    match node:
        case ast.Constant(value=str() as value):
            # A pattern for what comes later: of `%`, or of `format`.
            return value if "%s" in value else _FIELD.sub("%s", value.replace("%", "%%"))
        case ast.Name(id=name) if isinstance(known := _known(name, reader), str):
            return known.replace("%", "%%") if "%s" not in known else known
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            parts = [_text(left, reader), _text(right, reader)]
            return "".join("%s" if part is None else part for part in parts) if any(parts) else None
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str() as value)):
            return value
        case ast.JoinedStr(values=values):
            return "".join(
                str(one.value).replace("%", "%%")
                if isinstance(one, ast.Constant)
                else (_text(one.value, reader) or "%s")
                if isinstance(one, ast.FormattedValue)
                else "%s"
                for one in values
            )
        case ast.Call(func=ast.Attribute(attr="format", value=ast.Constant(value=str() as value))):
            return _FIELD.sub("%s", value.replace("%", "%%"))
        case _:
            return None


def _known(name: str, reader: PythonReader) -> Any:
    try:
        return reader.value(ast.Name(id=name, ctx=ast.Load()))
    except FAULTS:
        return None
