"""Security schemes: how one proves to an API who one is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from octavo.reference.api_views import Fact, SecurityView
from octavo.reference.openapi.facts import extension_facts
from octavo.reference.openapi.source.references import resolve
from octavo.reference.openapi.text import render_text

_ADDRESSES = {
    "authorizationUrl": "authorization",
    "deviceAuthorizationUrl": "device authorization",
    "tokenUrl": "token",
    "refreshUrl": "refresh",
}
_VALUES = {"bearerFormat": "format", "openIdConnectUrl": "configuration", "oauth2MetadataUrl": "metadata"}


def security_views(root: dict[str, Any]) -> list[SecurityView]:
    """Describe the security schemes of a document."""
    schemes = (root.get("components") or {}).get("securitySchemes") or {}
    return [
        SecurityView(
            name=name,
            kind=_kind(scheme),
            html=render_text(f"{scheme.get('description') or ''}\n\n{_scope_table(scheme)}"),
            facts=[*_facts(scheme), *extension_facts(scheme)],
        )
        for name, raw in schemes.items()
        if isinstance(scheme := resolve(root, raw), dict)
    ]


def ways_in(root: dict[str, Any], operation: dict[str, Any]) -> list[str]:
    """List the ways to be let in to an operation: names of schemes, with their scopes; empty where nothing is said."""
    wanted = operation.get("security", root.get("security"))
    names = []
    for choice in wanted if isinstance(wanted, list) else []:
        if isinstance(choice, dict):
            scopes = [f"{name} ({', '.join(map(str, what))})" if what else name for name, what in choice.items()]
            names.append(" and ".join(scopes) or "none")
    return names


def _kind(scheme: dict[str, Any]) -> str:
    kind = scheme.get("type")
    if kind == "apiKey":
        return f"API key in the {scheme.get('in')} {scheme.get('name')}"
    if kind == "http":
        return f"HTTP {scheme.get('scheme')}"
    if kind == "oauth2":
        return f"OAuth 2.0: {', '.join(name for name in scheme.get('flows') or {} if not name.startswith('x-'))}"
    if kind == "openIdConnect":
        return "OpenID Connect"
    return "Client certificate" if kind == "mutualTLS" else str(kind)


def _facts(scheme: dict[str, Any]) -> Iterator[Fact]:
    """Give addresses, scopes and formats."""
    for key, label in _VALUES.items():
        if scheme.get(key):
            yield Fact(label=label, value=str(scheme[key]))
    if scheme.get("deprecated") is True:
        yield Fact(label="deprecated", value="true")
    flows = scheme.get("flows")
    yield from extension_facts(flows, "flows")
    for name, flow in flows.items() if isinstance(flows, dict) else ():
        if isinstance(flow, dict) and not name.startswith("x-"):
            for key, label in _ADDRESSES.items():
                if flow.get(key):
                    yield Fact(label=f"{name}, {label} at", value=str(flow[key]))
            yield from extension_facts(flow, name)


def _scope_table(scheme: dict[str, Any]) -> str:
    """Write the scopes of all flows as a table in Markdown: each once, with its flows where it is not one of all."""
    flows = {
        name: flow["scopes"]
        for name, flow in (scheme.get("flows") or {}).items()
        if isinstance(flow, dict) and isinstance(flow.get("scopes"), dict) and flow["scopes"]
    }
    found: dict[tuple[str, str], list[str]] = {}
    for name, scopes in flows.items():
        for scope, about in scopes.items():
            found.setdefault((str(scope), str(about or "")), []).append(name)
    if not found:
        return ""
    lines = ["| Scope | Allows |", "| --- | --- |"]
    for (scope, about), names in found.items():
        # Not a column of their own: beside the names of scopes, whose words are not broken, the text would have no room.
        cells = [f"`{scope}`", f"{about} ({', '.join(names)})" if len(names) < len(flows) else about]
        lines.append(f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines)
