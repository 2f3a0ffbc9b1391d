"""What is wrong with what an extension has registered, before anything of it is called."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

import msgspec

from octavo import extensions as api

_GETS = {
    "directive": "Directive",
    "fence": "Fence",
    "documents": "Documents",
    "transform": "SourceText",
    "check": "Site",
    "after_publish": "Published",
    "command": "Command",
}
"""Kind of a function → the type of its argument."""
_SHOWN = {
    "field": "front-matter field",
    "documents": "documents function",
    "after_publish": "function after publishing",
}


def registration_mistake(one: api.Registered) -> str | None:
    """Say why something that was registered could never work; None where it can."""
    what = f'the {_SHOWN.get(one.kind, one.kind)} "{one.name}"'
    wrong = _wrong_function(one) or _wrong_type(one)
    return f"{what} {wrong}" if wrong else None


def lost_registration(module: ModuleType, extension: api.Extension) -> tuple[str, int] | None:
    """Find functions of a module that are registered with another Extension than the one that is used.

    Returns:
        Message, and line of the first of them; None where there are none.
    """
    for name, other in vars(module).items():
        if not isinstance(other, api.Extension) or other is extension:
            continue
        own = [one for one in other.registered if getattr(one.function, "__module__", None) == module.__name__]
        if own:
            what = f'the {_SHOWN.get(own[0].kind, own[0].kind)} "{own[0].name}"'
            message = f"{what} is registered with {name}, and only what is registered with extension is used"
            return message, own[0].line
    return None


def _wrong_function(one: api.Registered) -> str | None:
    if one.kind == "field":
        return None
    function, gets = one.function, _GETS[one.kind]
    if not callable(function):
        return f"is of type {type(function).__name__}; expected a function that takes a {gets}"
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return "is an async function, for which nobody waits; write def without async"
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        # Functions in C may not tell.
        return None
    try:
        signature.bind(None)
    except TypeError:
        return f"is called with one argument, a {gets}; its function takes {signature}"
    return None


def _wrong_type(one: api.Registered) -> str | None:
    if one.kind not in ("directive", "fence", "field") or one.type is dict:
        return None
    try:
        found = msgspec.inspect.type_info(one.type)
    except Exception as error:  # noqa: BLE001 - whatever is given as a type
        return f"has a type that texts cannot be converted to: {error}"
    shown: Any = getattr(one.type, "__name__", one.type)
    objects = msgspec.inspect.StructType | msgspec.inspect.DataclassType | msgspec.inspect.TypedDictType
    is_object = isinstance(found, objects | msgspec.inspect.DictType | msgspec.inspect.AnyType)
    if isinstance(found, msgspec.inspect.CustomType) or (one.kind != "field" and not is_object):
        expected = (
            "a type of msgspec's, such as int, list[str] or a dataclass" if one.kind == "field" else "a dataclass"
        )
        return f"has the type {shown}; expected {expected}"
    return None
