"""Values of parameters: they come as JSON, or as strings in the encoded form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl

import msgspec

from octavo.search.errors import bad_parameter

MOST_PAIRS = 200
"""Parameters in the encoded form of one search."""

Raw = dict[str, Any]
"""Parameters by their names on the wire."""


def decoded(value: object) -> object:
    """Read a value that came in the encoded form of the parameters; what is not JSON stays text."""
    if isinstance(value, str):
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError):  # the second for thousands of brackets
            return value
    return value


def encoded_pairs(text: str) -> Raw:
    """Read the encoded form of parameters, `query=a&hitsPerPage=2`, at most `MOST_PAIRS` of them.

    Raises:
        ProtocolError: there are more.
    """
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_PAIRS))
    except ValueError:
        raise bad_parameter("params", f"at most {MOST_PAIRS} parameters") from None


def string_value(raw: Raw, name: str, default: str) -> str:
    value = raw.get(name)
    if value is None:
        return default
    if not isinstance(value, str):
        raise bad_parameter(name, "a string")
    return value


def strings_value(raw: Raw, name: str, default: Sequence[str]) -> Sequence[str]:
    """Read a list of strings; one string may also be a list in JSON, or several separated by commas."""
    value = raw.get(name)
    if value is None:
        return default
    if isinstance(value, str):
        read = decoded(value) if value.startswith("[") else None
        value = read if isinstance(read, list) else [part.strip() for part in value.split(",") if part.strip()]
    if not isinstance(value, list) or len(value) > 1000 or not all(isinstance(item, str) for item in value):
        raise bad_parameter(name, "a list of strings")
    return value


def integer_value(raw: Raw, name: str, default: int, low: int, high: int) -> int:
    value = decoded(raw.get(name))
    if value is None or value == "":
        return default
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise bad_parameter(name, f"an integer from {low} to {high}")
    return value


def boolean_value(raw: Raw, name: str, *, default: bool) -> bool:
    value = decoded(raw.get(name))
    if value is None:
        return default
    if value in (0, 1):  # true and false as well: they are equal to 1 and 0
        return bool(value)
    raise bad_parameter(name, "a boolean")


def choice_value(raw: Raw, name: str, default: str, choices: Sequence[str]) -> str:
    value = raw.get(name)
    if value is None:
        return default
    if value not in choices:
        raise bad_parameter(name, f"one of {', '.join(choices)}")
    return str(value)
