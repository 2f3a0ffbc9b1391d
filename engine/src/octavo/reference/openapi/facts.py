"""Facts: what an object of a description says beside its text, extensions (`x-…`) included."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from octavo.reference.api_views import Fact, ServerView
from octavo.reference.openapi.operation import fill_server
from octavo.reference.openapi.text import render_text

_LONGEST_EXTENSION = 4_000
"""Characters of an extension that a page shows."""


def write_value(value: Any) -> str:
    """Write a value in one line, as text or as JSON."""
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def extension_facts(holder: Any, of: str = "") -> list[Fact]:
    """List the extensions (`x-…`) of an object of the description.

    Some hold whole documents, for programs. Of those the page says how long they are, and where to read them.

    Args:
        holder: The object; anything else has none.
        of: What the object is called where the page has no place of its own for it, such as `license`.
    """
    name = f"{of}: " if of else ""
    items = holder.items() if isinstance(holder, dict) else ()
    return [Fact(label=f"{name}{key}", value=_extension(value)) for key, value in items if key.startswith("x-")]


def _extension(value: Any) -> str:
    text = write_value(value)
    return text if len(text) <= _LONGEST_EXTENSION else f"{len(text):,} characters, in the OpenAPI document"


def example_facts(examples: Any) -> list[Fact]:
    """Say what is known of named examples beside their values, which are shown elsewhere."""
    facts: list[Fact] = []
    for name, example in examples.items() if isinstance(examples, dict) else ():
        if isinstance(example, dict):
            facts += [
                Fact(label=f"example {name}", value=str(example[key]))
                for key in ("description", "externalValue")
                if example.get(key)
            ]
            facts += extension_facts(example, f"example {name}")
    return facts


def server_views(servers: Any) -> list[ServerView]:
    """Describe the servers of a document, a path or an operation."""
    return [
        ServerView(
            url=fill_server(server),
            html=render_text(str(server.get("description") or "")),
            facts=[*_variables(server), *extension_facts(server)],
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
            facts += [*_variables(server), *extension_facts(server, name)]
    return facts


def _variables(server: dict[str, Any]) -> Iterator[Fact]:
    variables = server.get("variables")
    for name, variable in variables.items() if isinstance(variables, dict) else ():
        if isinstance(variable, dict):
            values = [str(value) for value in variable.get("enum") or [variable.get("default", "")]]
            about = variable.get("description")
            yield Fact(label=f"{{{name}}}", value=" or ".join(values) + (f": {about}" if about else ""))
            yield from extension_facts(variable, f"{{{name}}}")
