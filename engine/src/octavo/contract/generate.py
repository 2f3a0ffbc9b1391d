"""Write the contract down for others: JSON Schema, and the theme's TypeScript types.

`python -m octavo.contract` writes the files, and the numbers of the search; `--check` only tells whether they are up to date.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

import msgspec

from octavo.contract.addresses import PAYLOAD_FILE_IN_TYPESCRIPT
from octavo.contract.payload import ISLANDS, UNIONS, WIRE_TYPES

_PACKAGE = Path(__file__).resolve().parent
SCHEMA_FILE = _PACKAGE / "payload.schema.json"
TYPES_FILE = _PACKAGE.parents[2] / "theme" / "src" / "payload.gen.ts"
"""In a checkout; an installed package has no theme sources."""
CRITERIA_FILE = TYPES_FILE.parent / "features" / "search" / "static" / "criteria.gen.ts"


def schema() -> str:
    """Make the JSON Schema of the contract (draft 2020-12), all types under `$defs`."""
    roots, definitions = msgspec.json.schema_components(WIRE_TYPES, ref_template="#/$defs/{name}")
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Octavo page payloads",
        "oneOf": list(roots),
        "$defs": definitions,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def typescript() -> str:
    """Make the theme's types: one interface for each struct."""
    _, definitions = msgspec.json.schema_components(WIRE_TYPES, ref_template="{name}")
    head = (
        "// Generated from engine/src/octavo/contract/payload.py by `python -m octavo.contract`. Do not edit.\n"
        "/* eslint-disable */\n"
    )
    unions = "".join(
        f"\nexport type {name} = {' | '.join(member.__name__ for member in get_args(union))};\n"
        for name, union in UNIONS.items()
    )
    return (
        head
        + "".join(_interface(name, definition) for name, definition in definitions.items())
        + unions
        + _islands()
        + PAYLOAD_FILE_IN_TYPESCRIPT
    )


def interfaces(types: Iterable[type[msgspec.Struct]]) -> str:
    """Make TypeScript interfaces of structs, and of those that they refer to."""
    _, definitions = msgspec.json.schema_components(types, ref_template="{name}")
    return "".join(_interface(name, definition) for name, definition in definitions.items()).lstrip()


def _islands() -> str:
    lines = [f"  readonly {json.dumps(kind)}: {props.__name__};\n" for kind, props in ISLANDS.items()]
    return "\n/** Kind of island → its props. */\nexport interface IslandProps {\n" + "".join(lines) + "}\n"


def _interface(name: str, definition: dict[str, Any]) -> str:
    lines = [_comment(definition.get("description"), ""), f"export interface {name} {{\n"]
    required = set(definition.get("required", ()))
    for field, value in definition.get("properties", {}).items():
        # Every field is written, defaults included, so none is optional for the reader.
        optional = "" if field in required or "default" in value or "enum" in value else "?"
        lines.append(f"  readonly {field}{optional}: {_type(value)};\n")
    return "\n" + "".join(lines) + "}\n"


def _comment(text: str | None, indent: str) -> str:
    if not text:
        return ""
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines) + f"{indent} */\n"


def _type(value: dict[str, Any]) -> str:
    if "$ref" in value:
        return str(value["$ref"])
    if "enum" in value:
        return " | ".join(json.dumps(item) for item in value["enum"])
    if "anyOf" in value:
        return " | ".join(dict.fromkeys(_type(item) for item in value["anyOf"]))
    kind = value.get("type")
    if kind == "array":
        inner = _type(value.get("items", {}))
        return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
    if kind == "object":
        extra = value.get("additionalProperties")
        return f"Readonly<Record<string, {_type(extra) if isinstance(extra, dict) else 'unknown'}>>"
    names = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
    return names.get(str(kind), "unknown")


def search_criteria() -> str:
    """Write down the numbers by which the theme's search ranks as the server does."""
    from octavo.search import criteria

    head = "// Generated from octavo/search by `python -m octavo.contract`. Do not edit.\n/* eslint-disable */\n"
    lines = [
        f"export const {name} = {json.dumps(value, ensure_ascii=False)} as const;\n"
        for name, value in criteria().items()
    ]
    return head + "".join(lines)


def main(arguments: list[str]) -> int:
    """Write or check the files."""
    stale = []
    for path, text in ((SCHEMA_FILE, schema()), (TYPES_FILE, typescript()), (CRITERIA_FILE, search_criteria())):
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path)
            if "--check" not in arguments:
                path.write_text(text, encoding="utf-8")
    if stale and "--check" in arguments:
        print("Out of date: " + ", ".join(path.name for path in stale) + ". Run `python -m octavo.contract`.")
        return 1
    return 0
