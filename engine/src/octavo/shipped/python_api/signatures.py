"""Signatures, as code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import griffe

if TYPE_CHECKING:
    from octavo.shipped.python_api.library import Object

_LONGEST = 84
"""Characters of a line; a longer signature has a line for each parameter."""
_LONGEST_VALUE = 400
_DECORATORS = {
    "classmethod": "@classmethod",
    "staticmethod": "@staticmethod",
    "abstractmethod": "@abstractmethod",
}
"""Label of griffe → decorator of a function. Whether its results are kept makes no difference to its callers."""
_SIGNS = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}


def signature(found: Object) -> str:
    """Write the signature of an object as a block of code."""
    if found.is_class:
        lines = [_call(f"class {found.name}", found, has_result=False)]
    elif found.is_function:
        lines = _function(found)
    else:
        lines = _value(found)
    code = "\n".join(lines)
    return f"```python\n{code}\n```"


def _function(found: Any) -> list[str]:
    versions = found.overloads if isinstance(getattr(found, "overloads", None), list) else None
    lines: list[str] = []
    for one in versions or [found]:
        lines += ["@overload"] if versions else []
        lines += [text for label, text in _DECORATORS.items() if label in one.labels]
        prefix = "async def" if "async" in one.labels else "def"
        lines.append(_call(f"{prefix} {one.name}", one, has_result=True))
    return lines


def _value(found: Any) -> list[str]:
    if found.is_type_alias:
        return [f"type {found.name} = {found.value}"]
    kind = f": {found.annotation}" if found.annotation is not None else ""
    if "property" in found.labels:
        decorator = "@cached_property" if "cached" in found.labels else "@property"
        result = f" -> {found.annotation}" if found.annotation is not None else ""
        return [decorator, f"def {found.name}(self){result}"]
    value = str(found.value) if found.value is not None else ""
    if len(value) > _LONGEST_VALUE:
        value = "…"
    return [f"{found.name}{kind}{f' = {value}' if value else ''}"]


def _call(start: str, found: Any, *, has_result: bool) -> str:
    parameters = _parameters(found)
    returns = found.returns if has_result else None
    result = f" -> {returns}" if returns is not None else ""
    if not has_result and not parameters:
        return start
    line = f"{start}({', '.join(parameters)}){result}"
    if len(line) <= _LONGEST or not parameters:
        return line
    inner = "".join(f"    {one},\n" for one in parameters)
    return f"{start}(\n{inner}){result}"


def _parameters(found: Any) -> list[str]:
    given = list(found.parameters)
    is_method = found.is_class or (
        found.parent is not None and found.parent.is_class and "staticmethod" not in found.labels
    )
    if is_method and given and given[0].name in ("self", "cls", "mcs"):
        given = given[1:]
    parts: list[str] = []
    kinds = [one.kind for one in given]
    for number, one in enumerate(given):
        is_keyword = one.kind is griffe.ParameterKind.keyword_only
        if is_keyword and not any(
            kind in (griffe.ParameterKind.keyword_only, griffe.ParameterKind.var_positional) for kind in kinds[:number]
        ):
            parts.append("*")
        parts.append(_parameter(one))
        is_last = number + 1 == len(kinds) or kinds[number + 1] is not griffe.ParameterKind.positional_only
        if one.kind is griffe.ParameterKind.positional_only and is_last:
            parts.append("/")
    return parts


def _parameter(one: Any) -> str:
    text = f"{_SIGNS.get(one.kind, '')}{one.name}"
    if one.annotation is not None:
        text += f": {one.annotation}"
    if one.default is not None and one.kind not in _SIGNS:
        equals = " = " if one.annotation is not None else "="
        text += f"{equals}{one.default}"
    return text
