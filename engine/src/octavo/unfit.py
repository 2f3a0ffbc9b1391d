"""What a validator says of a value, in words for whoever has written the value."""

from __future__ import annotations

from octavo.lazy import regex as re

_GOT = re.compile(r"Expected `(?P<types>[^`]*)`(?P<limit>.*?)(?:, got `(?P<got>[^`]*)`)?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(?P<name>[^`]*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>[^`]*)`")
_CHOICE = re.compile(r"Invalid enum value (?P<value>.*)", re.DOTALL)
_KINDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}


def plain_mistake(error: Exception) -> str:
    """Say in plain words what a validation error of msgspec says: `"size" must be a whole number, and is text`."""
    what, _, path = str(error).partition(" - at `")
    key, in_key, holder = path.partition("` in `")
    where = re.sub(r"\[\.{3}\]|\[\d+\]", "", (holder if in_key else key).rstrip("`")).lstrip("$.")
    name = f'"{where}"' if where else "the value"
    if in_key:
        name = f"a name in {name}"
    if found := _MISSING.fullmatch(what):
        return f'"{f"{where}." if where else ""}{found["name"]}" is missing'
    if found := _UNKNOWN.fullmatch(what):
        return f'"{f"{where}." if where else ""}{found["name"]}" is not among them'
    if found := _CHOICE.fullmatch(what):
        return f"{name} cannot be {found['value']}"
    if found := _GOT.fullmatch(what):
        is_entry = "[" in path
        expected = " or ".join(
            _kind(one) for one in found["types"].split(" | ") if one != "null" or found["got"] is None
        )
        limit = found["limit"].replace(" of length", " with a length").replace(" matching regex", " that matches")
        holder = f"an entry of {name}" if is_entry else name
        given = f", and is {_kind(found['got'])}" if found["got"] else ""
        return f"{holder} must be {expected}{limit}{given}"
    return str(error)


def _kind(name: str) -> str:
    return _KINDS.get(name, name)
