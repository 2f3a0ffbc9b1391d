"""The response of the bundler, and the messages for authors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

import msgspec

from octavo.bundling.project import package_of
from octavo.lazy import regex as re

_REQUIRED = re.compile(r"""\brequire\((["'`])(\.[^"'`]+)\1\)""")


class Message(msgspec.Struct):
    kind: str
    name: str
    by: str | None


class License(msgspec.Struct):
    name: str
    license: str
    text: str


class Bundled(msgspec.Struct):
    """Answer of bundle.mjs."""

    files: dict[str, str]
    problems: list[Message]
    notes: list[Message]
    licenses: list[License]


def describe_problem(message: Message) -> str:
    by = f'"{message.by}"' if message.by else "This"
    match message.kind:
        case "react":
            return f'{by} needs "{message.name}", which components do not have: what they render is already in a page of React.'
        case "missing" if message.by:
            return f'{by} needs "{message.name}", which is not installed with it. Name it as well: octavo bundle {message.name}'
        case "missing":
            return f'The package "{package_of(message.name)}" has no module "{message.name}" for browsers.'
    return f"The package cannot be bundled: {message.name}"


def describe_note(message: Message) -> str:
    if message.kind == "style":
        file = message.name if not message.name.startswith(".") else f"{message.by}/…/{message.name.rpartition('/')[2]}"
        return (
            f'"{message.by}" imports the style sheet "{message.name}", which is not in its copy. '
            f"Copy it too, and import it in the component: octavo bundle {file}"
        )
    return f'"{message.by}" imports Node\'s "{message.name}", which browsers do not have; in the copy it is empty.'


def write_licenses(licenses: Sequence[License]) -> str:
    parts = [f"{one.name} ({one.license or 'no licence named'})\n\n{one.text}".strip() for one in licenses]
    return ("\n\n" + "-" * 72 + "\n\n").join(parts) + "\n"


def count_bytes(name: str, files: Mapping[str, str]) -> int:
    """Count the bytes of a file with all that it loads."""
    seen: dict[str, int] = {}
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        text = files[one]
        seen[one] = len(text.encode())
        parent = PurePosixPath(one).parent
        for found in _REQUIRED.finditer(text):
            parts: list[str] = []
            for part in (parent / found[2]).parts:
                parts = parts[:-1] if part == ".." else [*parts, part]
            waiting.append("/".join(parts))
    return sum(seen.values())
