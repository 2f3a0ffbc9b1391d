"""Facts: what an object of a description says beside its text, extensions (`x-…`) included."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from octavo.reference.api_views import Fact, ServerView
from octavo.reference.openapi.operation import fill_server
from octavo.reference.openapi.text import render_text

_LONGEST_EXTENSION = 4_000
"""Characters of an extension that a page shows."""


def write_value(value: Any) -> str:
    """Write a value in one line, as text or as JSON."""
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


_DRAWN = frozenset(["x-codeSamples", "x-code-samples", "x-displayName"])
"""Extensions that have a place of their own on the page."""


def extension_facts(holder: Any, of: str = "") -> list[Fact]:
    """List the extensions (`x-…`) of an object of the description, except those that the page shows elsewhere.

    Some hold whole documents, for programs. Of those the page says how long they are, and where to read them.

    Args:
        holder: The object; anything else has none.
        of: What the object is called where the page has no place of its own for it, such as `license`.
    """
    name = f"{of}: " if of else ""
    items = holder.items() if isinstance(holder, dict) else ()
    return [
        Fact(label=f"{name}{key}", value=_extension(value))
        for key, value in items
        if key.startswith("x-") and key not in _DRAWN
    ]


def _extension(value: Any) -> str:
    text = write_value(value)
    return text if len(text) <= _LONGEST_EXTENSION else f"{len(text):,} characters, in the OpenAPI document"


def example_facts(examples: Any) -> list[Fact]:
    """Say what is known of named examples beside their values, which are shown elsewhere with their summaries."""
    facts: list[Fact] = []
    for name, example in examples.items() if isinstance(examples, dict) else ():
        if isinstance(example, dict):
            has_value = example_value(example) is not msgspec.UNSET
            facts += [
                Fact(label=f"example {name}", value=str(example[key]))
                for key in ("description", "externalValue", *(() if has_value else ("summary",)))
                if example.get(key)
            ]
            facts += _serialized(name, example)
            facts += extension_facts(example, f"example {name}")
    return facts


def _serialized(name: str, example: dict[str, Any]) -> list[Fact]:
    """Say how the value of an example is sent (OpenAPI 3.2), where the value itself is shown as data."""
    text = example.get("serializedValue")
    shown = example_value(example)
    return [Fact(label=f"example {name}, as it is sent", value=str(text))] if text and text != shown else []


def example_value(example: dict[str, Any]) -> Any:
    """Give the value of a named example: as data, where OpenAPI 3.2 has both; `msgspec.UNSET` where it has none."""
    keys = ("value", "dataValue", "serializedValue")
    return next((example[key] for key in keys if key in example), msgspec.UNSET)


def named_example(name: str, example: dict[str, Any]) -> str:
    """Write the label of an example among facts, which have no room for its summary elsewhere."""
    summary = example.get("summary")
    return f"example {name} ({summary})" if isinstance(summary, str) and summary else f"example {name}"


def server_views(servers: Any) -> list[ServerView]:
    """Describe the servers of a document, a path or an operation."""
    return [
        ServerView(
            url=fill_server(server),
            html=render_text(str(server.get("description") or "")),
            facts=[*_name(server, "name"), *_variables(server), *extension_facts(server)],
        )
        for server in (servers if isinstance(servers, list) else [])
        if isinstance(server, dict)
    ]


def server_facts(holders: Iterable[dict[str, Any]]) -> list[Fact]:
    """Say what is known of the servers of paths and operations beside their addresses."""
    facts: list[Fact] = []
    for server in (server for holder in holders for server in holder.get("servers") or []):
        if isinstance(server, dict):
            name = fill_server(server)
            facts += [Fact(label=name, value=str(server["description"]))] if server.get("description") else []
            facts += [*_name(server, name), *_variables(server), *extension_facts(server, name)]
    return facts


def _name(server: dict[str, Any], label: str) -> list[Fact]:
    """Give the name of a server, which OpenAPI 3.2 has beside its description."""
    return [Fact(label=label, value=str(server["name"]))] if server.get("name") else []


def _variables(server: dict[str, Any]) -> Iterator[Fact]:
    variables = server.get("variables")
    for name, variable in variables.items() if isinstance(variables, dict) else ():
        if isinstance(variable, dict):
            values = [str(value) for value in variable.get("enum") or [variable.get("default", "")]]
            about = variable.get("description")
            yield Fact(label=f"{{{name}}}", value=" or ".join(values) + (f": {about}" if about else ""))
            yield from extension_facts(variable, f"{{{name}}}")
