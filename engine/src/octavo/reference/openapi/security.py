"""Security schemes: how one proves to an API who one is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from octavo.reference.api_views import Fact, SecurityView
from octavo.reference.openapi.facts import extension_facts
from octavo.reference.openapi.source.references import resolve
from octavo.reference.openapi.text import render_text

_ADDRESSES = {"authorizationUrl": "authorization", "tokenUrl": "token", "refreshUrl": "refresh"}


def security_views(root: dict[str, Any]) -> list[SecurityView]:
    """Describe the security schemes of a document."""
    schemes = (root.get("components") or {}).get("securitySchemes") or {}
    return [
        SecurityView(
            name=name,
            kind=_kind(scheme),
            html=render_text(str(scheme.get("description") or "")),
            facts=[*_facts(scheme), *extension_facts(scheme)],
        )
        for name, raw in schemes.items()
        if isinstance(scheme := resolve(root, raw), dict)
    ]


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
    for key, label in (("bearerFormat", "format"), ("openIdConnectUrl", "configuration")):
        if scheme.get(key):
            yield Fact(label=label, value=str(scheme[key]))
    flows = scheme.get("flows")
    yield from extension_facts(flows, "flows")
    for name, flow in flows.items() if isinstance(flows, dict) else ():
        if isinstance(flow, dict) and not name.startswith("x-"):
            for key, label in _ADDRESSES.items():
                if flow.get(key):
                    yield Fact(label=f"{name}, {label} at", value=str(flow[key]))
            scopes = flow.get("scopes")
            for scope, about in scopes.items() if isinstance(scopes, dict) else ():
                yield Fact(label=f"{name}, scope", value=f"{scope}: {about}" if about else str(scope))
            yield from extension_facts(flow, name)
