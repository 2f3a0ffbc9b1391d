"""What descriptions say of each value of an enumeration, by the extensions that generators of code and pages have in common."""

from __future__ import annotations

from typing import Any, NamedTuple

from octavo.reference.openapi.facts import write_value

_NAMES = ("x-enum-varnames", "x-enumNames", "x-enum-names")
_TEXTS = ("x-enum-descriptions", "x-enumDescriptions")
_MICROSOFT = "x-ms-enum"


class ValueNote(NamedTuple):
    """A value of an enumeration."""

    value: str
    """As JSON, or as plain text."""
    name: str
    """What code calls it; may be empty."""
    text: str
    """In Markdown; may be empty."""


def notes_of_values(schema: dict[str, Any]) -> list[ValueNote]:
    """List the values of a schema's `enum` with their names and descriptions; none where it has no such extension.

    Lists go by position, and mappings by value. What does not fit the values is not a note; it stays an extension.
    """
    values = schema.get("enum")
    if not isinstance(values, list) or not values or not _keys(schema):
        return []
    names, texts = _column(schema, _NAMES, values), _column(schema, _TEXTS, values)
    for index, (name, text) in enumerate(_microsoft(schema, values)):
        names[index], texts[index] = names[index] or name, texts[index] or text
    return [ValueNote(write_value(value), name, text) for value, name, text in zip(values, names, texts, strict=True)]


def without_notes(schema: dict[str, Any]) -> dict[str, Any]:
    """Leave out the extensions of a schema that `notes_of_values` reads."""
    taken = _keys(schema)
    return {key: value for key, value in schema.items() if key not in taken} if taken else schema


def list_of_notes(notes: list[ValueNote]) -> str:
    """Write notes as a list in Markdown."""
    return "\n".join(_line(note) for note in notes)


def _line(note: ValueNote) -> str:
    value = f"`` {note.value} ``" if "`" in note.value else f"`{note.value}`"
    has_name = note.name and note.name != note.value
    text = " ".join(note.text.split())
    return f"- {value}{f' (`{note.name}`)' if has_name else ''}{f': {text}' if text else ''}"


def _keys(schema: dict[str, Any]) -> set[str]:
    """Name the extensions that fit the values."""
    values = schema.get("enum")
    if not isinstance(values, list):
        return set()
    found = {key for key in (*_NAMES, *_TEXTS) if key in schema and _fits(schema[key], values)}
    return found | ({_MICROSOFT} if _microsoft(schema, values) else set())


def _fits(given: Any, values: list[Any]) -> bool:
    if isinstance(given, list):
        return len(given) == len(values) and all(isinstance(one, str) for one in given)
    texts = {write_value(value) for value in values}
    return isinstance(given, dict) and bool(given) and given.keys() <= texts


def _column(schema: dict[str, Any], keys: tuple[str, ...], values: list[Any]) -> list[str]:
    """Give for each value what the first fitting extension says."""
    given = next((schema[key] for key in keys if key in schema and _fits(schema[key], values)), [""] * len(values))
    if isinstance(given, dict):
        return [str(given.get(write_value(value)) or "") for value in values]
    return list(given)


def _microsoft(schema: dict[str, Any], values: list[Any]) -> list[tuple[str, str]]:
    """Read the names and descriptions of `x-ms-enum`; none where its values are not those of the schema."""
    found = schema.get(_MICROSOFT)
    listed = found.get("values") if isinstance(found, dict) else None
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        return []
    by_value = {write_value(one.get("value")): one for one in listed}
    if by_value.keys() != {write_value(value) for value in values}:
        return []
    ordered = [by_value[write_value(value)] for value in values]
    return [(str(one.get("name") or ""), str(one.get("description") or "")) for one in ordered]
