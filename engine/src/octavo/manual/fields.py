"""The fields of a struct with the sentences that follow them in its source."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import msgspec


def field_sentences(struct: type[msgspec.Struct]) -> dict[str, str]:
    """Read what the source says of each field: name of the attribute → sentences on one line, empty where there are none."""
    found: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if not issubclass(base, msgspec.Struct) or not getattr(base, "__annotations__", None):
            continue
        name = ""
        for node in (part for one in ast.parse(inspect.getsource(base)).body for part in getattr(one, "body", ())):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                name = node.target.id
                found[name] = ""
            elif name and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                found[name] = " ".join(str(node.value.value).split())
            else:
                name = ""
    return found


def sentence_of(struct: type[msgspec.Struct]) -> str:
    """Give the first paragraph of a struct's docstring on one line."""
    own = inspect.cleandoc(struct.__dict__.get("__doc__") or "")  # not that of a base, which says something else
    return " ".join(own.partition("\n\n")[0].split())


def encoded_names(struct: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """Map the keys of a table, as they are written, to the fields."""
    return {field.encode_name: field for field in msgspec.structs.fields(struct)}


def default_of(field: msgspec.structs.FieldInfo) -> Any:
    """Give the default of a field; `msgspec.NODEFAULT` where it must be given."""
    if field.default is not msgspec.NODEFAULT:
        return field.default
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return msgspec.NODEFAULT
