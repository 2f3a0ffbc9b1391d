"""Arguments and outcomes of extensions' functions, between plain values and the types of `octavo.extensions`."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec

from octavo import extensions as api
from octavo.unfit import plain_mistake

_SHOWN = {"directive": "directive", "fence": "fence", "field": "front-matter field"}


class UnfitValueError(Exception):
    """What the author of a page has written does not fit the registered type."""


def make_argument(registered: api.Registered, given: dict[str, Any], inputs: api.Inputs) -> Any:
    """Make the argument of a function.

    Raises:
        UnfitValueError: See the class.
    """
    return _ARGUMENTS[registered.kind](registered, given, inputs)


def _block(class_: type[Any]) -> Callable[[api.Registered, dict[str, Any], api.Inputs], Any]:
    def make(registered: api.Registered, given: dict[str, Any], inputs: api.Inputs) -> Any:
        attributes = given["attributes"]
        if registered.type is not dict:
            attributes = _convert(attributes, registered, inputs)
        return class_(**{**given, "attributes": attributes, "inputs": inputs})

    return make


def _field(registered: api.Registered, given: dict[str, Any], inputs: api.Inputs) -> Any:
    converted = _convert(given["value"], registered, inputs)
    _set_defaults(converted)
    return msgspec.to_builtins(converted)


def _set_defaults(value: Any) -> None:
    """Set the fields of dataclasses that were not given: msgspec leaves their defaults to the class, and then leaves them out."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            one = getattr(value, field.name)
            object.__setattr__(value, field.name, one)
            _set_defaults(one)
    elif isinstance(value, list | tuple):
        for one in value:
            _set_defaults(one)
    elif isinstance(value, dict):
        _set_defaults(list(value.values()))


def _convert(value: Any, registered: api.Registered, inputs: api.Inputs) -> Any:
    """Convert what the author of a page has written, and report the names that the type does not have."""
    try:
        converted = msgspec.convert(value, registered.type, strict=False)
    except msgspec.ValidationError as error:
        raise UnfitValueError(plain_mistake(error)) from error
    known = _names_of(registered.type)
    if known is not None and isinstance(value, dict):
        for name in value:
            if name not in known:
                message = f'The {_SHOWN[registered.kind]} "{registered.name}" takes no "{name}".'
                inputs.report(message, "", suggestion=_instead(str(name), known))
    return converted


def _names_of(type_: Any) -> list[str] | None:
    """List the names that a dataclass or a struct takes; None for a type that takes any, or is not an object."""
    found = msgspec.inspect.type_info(type_)
    if isinstance(found, msgspec.inspect.StructType | msgspec.inspect.DataclassType | msgspec.inspect.TypedDictType):
        return [field.encode_name for field in found.fields]
    return None


def _instead(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f'Did you mean "{near[0]}"?'
    names = ", ".join(f'"{one}"' for one in known)
    return f"It takes {names}." if known else "It takes none."


def _site(_registered: api.Registered, given: dict[str, Any], inputs: api.Inputs) -> api.Site:
    return api.Site(msgspec.convert(given["pages"], list[api.Page]), inputs)


_ARGUMENTS: dict[str, Callable[[api.Registered, dict[str, Any], api.Inputs], Any]] = {
    "directive": _block(api.Directive),
    "fence": _block(api.Fence),
    "field": _field,
    "documents": lambda _, given, inputs: api.Documents(inputs, **given),
    "transform": lambda _, given, inputs: api.SourceText(**given, inputs=inputs),
    "check": _site,
    "after_publish": lambda _, given, __: api.Published(
        **{**given, "out": Path(given["out"]), "site_dir": Path(given["site_dir"])}
    ),
}


def plain_value(kind: str, value: Any) -> Any:
    """Turn what a function gave into plain values.

    Raises:
        TypeError: it gave something else than it may.
    """
    if kind in ("directive", "fence"):
        return [_part(one) for one in ([value] if _is_single(value) else value)]
    if kind == "transform":
        return _expect(value, str, "str")
    if kind == "documents":
        made = [fit(_expect(one, api.NewDocument, "a list of NewDocument")) for one in _iterable(value, "NewDocument")]
        return [
            {**one, "origins": [(line, *origin) for line, origin in sorted(one["origins"].items())]} for one in made
        ]
    return None


def take_findings(value: Any, inputs: api.Inputs) -> None:
    """Add what a check gave to its reports, one by one: what it gave before it fails is kept.

    Raises:
        TypeError: it gave something else than findings.
    """
    for one in _iterable(value, "Finding"):
        inputs.findings.append(_expect(one, api.Finding, "a list of Finding"))


def check_sendable(value: Any) -> None:
    """Fail where a value is none that can be sent: texts of other types, half characters, NUL.

    Raises:
        ValueError: See the class.
    """
    try:
        msgspec.msgpack.encode(value)
    except UnicodeEncodeError as error:
        raise ValueError(f"it gave a text that is not Unicode: {error.reason}") from None
    except (TypeError, OverflowError) as error:
        raise ValueError(f"it gave a value that cannot be sent: {error}") from None
    # It is what the build marks places of a page with.
    if any("\0" in text for text in _texts(value)):
        raise ValueError("it gave a text with the character NUL")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _texts(key)
            yield from _texts(one)


def fit(one: api.NewDocument | api.Finding) -> dict[str, Any]:
    """Give the fields of a value, whose types nobody has checked before."""
    fields = {field.name: getattr(one, field.name) for field in dataclasses.fields(one)}
    try:
        msgspec.convert(fields, type(one))
    except msgspec.ValidationError as error:
        raise TypeError(f"it gave a {type(one).__name__} with a wrong value: {error}") from error
    if isinstance(one, api.Finding) and not one.message.strip():
        raise TypeError("it gave a Finding without a message")
    return fields


def _part(one: Any) -> tuple[str, str]:
    if isinstance(one, str):
        return "markdown", one
    if isinstance(one, api.Markdown):
        return "markdown", _expect(one.text, str, "Markdown of a str")
    if isinstance(one, api.Html):
        return "html", _expect(one.html, str, "Html of a str")
    if isinstance(one, api.Body):
        return "body", ""
    raise TypeError(f"it gave {type(one).__name__}; expected str, Markdown, Html, BODY, or a list of these")


def _is_single(value: Any) -> bool:
    """Return whether a value is not a series of values. Texts, bytes and mappings can be gone through, but are not meant so."""
    return isinstance(value, str | bytes | bytearray | Mapping) or not isinstance(value, Iterable)


def _iterable(value: Any, of: str) -> Iterable[Any]:
    if value is None:
        return ()
    if _is_single(value):
        raise TypeError(f"it gave {type(value).__name__}; expected a list of {of}")
    return cast("Iterable[Any]", value)


def _expect(value: Any, type_: type, shown: str) -> Any:
    if not isinstance(value, type_):
        in_list = "a list with " if shown.startswith("a list") else ""
        raise TypeError(f"it gave {in_list}{type(value).__name__}; expected {shown}")
    return value
