"""Values of expressions in Python, as far as settings compute them; nothing is run, and no file is read."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from octavo.lazy import regex as re

_LONGEST = 100_000
"""Characters of a text, and entries of a list, that are put together from others."""
_DEEPEST = 200
_FORM = re.compile(r"%(?:\((?P<name>\w+)\))?[sdr]|%%")
_FIELD = re.compile(r"\{(\w*)\}|\{\{|\}\}")
_TEXT_METHODS = frozenset(
    ["split", "rsplit", "strip", "lstrip", "rstrip", "replace", "lower", "upper", "title", "capitalize", "startswith", "endswith",
     "removeprefix", "removesuffix", "partition", "rpartition", "splitlines"]
)  # fmt: skip
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
    ast.In: lambda one, many: one in many,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_SCALARS = (str, int, float, bool, type(None))
_BUILT_IN: dict[str, Callable[[Any], Any]] = {
    "str": lambda value: str(_scalar(value)),
    "len": len,
    "list": list,
    "tuple": list,
    "int": int,
    "bool": bool,
}
_ENVIRONMENT = frozenset(["os.environ.get", "os.getenv", "environ.get", "getenv"])
_VERSION_OF = frozenset(["importlib.metadata.version", "metadata.version", "importlib_metadata.version", "get_version", "version",
                         "pkg_version", "get_distribution", "pkg_resources.get_distribution"])  # fmt: skip
FAULTS = (ValueError, TypeError, SyntaxError, MemoryError, RecursionError, LookupError, AttributeError)
"""What `evaluate` may raise for a value that is not known."""


class ComputedError(ValueError):
    """A value is the result of a program."""


def evaluate(node: ast.expr, names: Mapping[str, Any], version: str = "", depth: int = 0) -> Any:
    """Give the value of an expression.

    Known are literals, names, texts and lists that are put together, conditions, parts of texts, lists and mappings, and
    methods that change texts. Variables of the environment are not set: their default counts.

    Args:
        node: The expression.
        names: Values of names.
        version: Of the project, which programs look up in its package; empty where it is not known.
        depth: Of expressions around this one.

    Raises:
        ComputedError: the value is the result of a program, or one of `FAULTS`.
    """
    if depth > _DEEPEST:
        raise ComputedError

    def inner(one: ast.expr) -> Any:
        return evaluate(one, names, version, depth + 1)

    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.JoinedStr(values=parts):
            return bounded("".join(_piece(part, inner) for part in parts))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined(inner(left), inner(right))
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            return _formatted(inner(left), inner(right))
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            return bounded([inner(one) for one in elements])
        case ast.Dict(keys=keys, values=values):
            return {inner(key): inner(value) for key, value in zip(_known(keys), values, strict=True)}
        case ast.IfExp(test=test, body=body, orelse=other):
            return inner(body if inner(test) else other)
        case ast.BoolOp(op=kind, values=[*values, last]):
            for one in values:
                found = inner(one)
                if bool(found) == isinstance(kind, ast.Or):
                    return found
            return inner(last)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not inner(operand)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.Compare(left=left, ops=[compare], comparators=[right]) if type(compare) in _COMPARED:
            return _COMPARED[type(compare)](_comparable(inner(left)), _comparable(inner(right)))
        case ast.Subscript(value=value, slice=ast.Slice(lower=lower, upper=upper, step=None)):
            return inner(value)[inner(lower) if lower else None : inner(upper) if upper else None]
        case ast.Subscript(value=value, slice=key):
            return inner(value)[inner(key)]
        case ast.Attribute(attr="__version__") if version:
            return version
        case ast.Attribute(value=ast.Call() as call, attr="version") if version and _is_of_version(call):
            return version
        case ast.Call():
            return _called(node, inner, version)
    raise ComputedError


def _called(node: ast.Call, inner: Callable[[ast.expr], Any], version: str) -> Any:
    name = ast.unparse(node.func)
    if name in _ENVIRONMENT:
        return inner(node.args[1]) if len(node.args) > 1 else None
    if version and _is_of_version(node):
        return version
    if name == "dict" and not node.args:
        return {keyword.arg: inner(keyword.value) for keyword in node.keywords if keyword.arg}
    arguments = [inner(one) for one in node.args]
    if name in _BUILT_IN and len(arguments) == 1 and not node.keywords:
        return _BUILT_IN[name](arguments[0])
    if not isinstance(node.func, ast.Attribute):
        raise ComputedError
    holder, method = inner(node.func.value), node.func.attr
    if isinstance(holder, dict) and method == "get":
        return holder.get(*arguments)
    if not isinstance(holder, str):
        raise ComputedError
    if method == "join":
        return bounded(holder.join(arguments[0]))
    if method == "format":
        return _filled(holder, arguments, {one.arg: inner(one.value) for one in node.keywords if one.arg})
    if method in _TEXT_METHODS and not node.keywords and len(holder) <= _LONGEST:
        if method == "replace" and len(holder) * max(len(str(arguments[1])), 1) > _LONGEST:
            raise ComputedError
        found = getattr(holder, method)(*arguments)
        return list(found) if isinstance(found, tuple) else found
    raise ComputedError


def _is_of_version(node: ast.Call) -> bool:
    return ast.unparse(node.func) in _VERSION_OF


def _known(keys: list[ast.expr | None]) -> list[ast.expr]:
    known = [key for key in keys if key is not None]
    if len(known) < len(keys):
        raise ComputedError
    return known


def _joined(left: Any, right: Any) -> Any:
    if isinstance(left, str) and isinstance(right, str):
        return bounded(left + right)
    if isinstance(left, list) and isinstance(right, list):
        return bounded([*left, *right])
    raise ComputedError


def _formatted(form: Any, values: Any) -> str:
    """Write values into a text by `%s` and its like."""
    if not isinstance(form, str) or "%" in _FORM.sub("", form):
        raise ComputedError
    left = iter(values if isinstance(values, list) else [values])

    def write(match: re.Match[str]) -> str:
        if match[0] == "%%":
            return "%"
        value = values[match["name"]] if match["name"] else next(left)
        return repr(_scalar(value)) if match[0].endswith("r") else str(_scalar(value))

    try:
        return str(bounded(_FORM.sub(write, form)))
    except (StopIteration, RuntimeError) as error:
        raise ComputedError from error


def _filled(form: str, values: list[Any], named: dict[str, Any]) -> str:
    """Write values into a text by `{}` and `{name}`."""
    if "{" in (rest := _FIELD.sub("", form)) or "}" in rest:
        raise ComputedError
    left = iter(range(len(values)))

    def write(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0][0]
        if not match[1]:
            return str(_scalar(values[next(left)]))
        return str(_scalar(values[int(match[1])] if match[1].isdigit() else named[match[1]]))

    try:
        return str(bounded(_FIELD.sub(write, form)))
    except (StopIteration, RuntimeError) as error:
        raise ComputedError from error


def _piece(part: ast.expr, inner: Callable[[ast.expr], Any]) -> str:
    if not isinstance(part, ast.FormattedValue):
        return str(inner(part))
    value = inner(part.value)
    if part.format_spec is not None or part.conversion != -1 or not isinstance(value, (str, int, float)):
        raise ComputedError
    return str(value)


def _scalar(value: Any) -> Any:
    """Pass on a value without parts: lists of lists that share their parts are small, and endless when written out."""
    if not isinstance(value, _SCALARS):
        raise ComputedError
    return value


def _comparable(value: Any) -> Any:
    """Pass on a value that can be compared in a bounded time: one without parts, or a list or mapping of such."""
    if isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            _scalar(one)
        return value
    return _scalar(value)


def bounded(value: Any) -> Any:
    """Give a text or a list that was put together.

    Raises:
        ComputedError: it is too long.
    """
    if len(value) > _LONGEST:
        raise ComputedError
    return value
