"""Operations of a description, with references followed."""

from __future__ import annotations

from typing import Any

import msgspec

from octavo.reference.openapi.names import Unique, anchor_part, operation_id
from octavo.reference.openapi.source.check import METHODS
from octavo.reference.openapi.source.references import resolve

UNTAGGED = "Other operations"


class Operation(msgspec.Struct, frozen=True):
    """An operation of the document, references to parameters, bodies and answers followed."""

    id: str
    """Unique in the document."""
    method: str
    """Upper case."""
    path: str
    """As in the document; `webhook: name` for a webhook."""
    pointer: tuple[str, ...]
    tags: list[str]
    data: dict[str, Any]
    parameters: list[dict[str, Any]]
    servers: list[str]

    @property
    def title(self) -> str:
        """What it is called: its summary, else method and path."""
        return str(self.data.get("summary") or f"{self.method} {self.path}")

    @property
    def anchor(self) -> str:
        return f"operation/{anchor_part(self.id)}"

    def tag_anchor(self, tag: str) -> str:
        """Its anchor under one of its tags."""
        return f"tag/{anchor_part(tag)}/{self.anchor}"


def find_operations(root: dict[str, Any]) -> list[Operation]:
    """List the operations of a document, webhooks behind the paths."""
    unique = Unique()
    base = _server_urls(root)
    return [
        _operation(root, unique, group, name, item, method, base)
        for group in ("paths", "webhooks")
        for name, raw in (root.get(group) or {}).items()
        if isinstance(item := resolve(root, raw), dict)
        for method in METHODS
        if isinstance(item.get(method), dict)
    ]


def _operation(
    root: dict[str, Any], unique: Unique, group: str, name: str, item: dict[str, Any], method: str, base: list[str]
) -> Operation:
    data = item[method]
    merged: dict[tuple[str, str], dict[str, Any]] = {}
    for raw in (*(item.get("parameters") or []), *(data.get("parameters") or [])):
        parameter = resolve(root, raw)
        if isinstance(parameter, dict):
            merged[str(parameter.get("in")), str(parameter.get("name"))] = parameter
    tags = [tag for tag in data.get("tags") or [] if isinstance(tag, str)]
    return Operation(
        id=unique.name(operation_id(method, name, data)),
        method=method.upper(),
        path=name if group == "paths" else f"webhook: {name}",
        pointer=(group, name, method),
        tags=list(dict.fromkeys(tags)) or [UNTAGGED],
        data=data,
        parameters=list(merged.values()),
        servers=_server_urls(data) or _server_urls(item) or base,
    )


def _server_urls(holder: dict[str, Any]) -> list[str]:
    found = holder.get("servers")
    return [fill_server(server) for server in found if isinstance(server, dict)] if isinstance(found, list) else []


def fill_server(server: dict[str, Any]) -> str:
    """Write a server's address, its variables at their defaults."""
    url = str(server.get("url", ""))
    variables = server.get("variables")
    for name, variable in (variables if isinstance(variables, dict) else {}).items():
        if isinstance(variable, dict):
            url = url.replace(f"{{{name}}}", str(variable.get("default", "")))
    return url
