"""Labels that are made of the names of folders."""

from __future__ import annotations

from typing import Final

from octavo.lazy import regex as re

_SPELLINGS: Final = (
    # Acronyms that are the name of a folder of documentation, or a word of one.
    "ACL AI API AWS CD CI CLI CMS CORS CPU CRD CSP CSS CSV DB DNS DOM FAQ GCP GPU GUI HTML HTTP HTTPS IAM ID IDE IP JDBC JS "
    "JSON JWT K8s LDAP LLM MCP MQTT NPM OIDC ORM PDF PHP QA RAG RBAC RFC RPC RSS SAML SCIM SDK SEO SMTP SQL SSH SSL "
    "SSO SSR SVG TCP TLS TOML TUI UDP UI URL USB UX VM VPC VPN XML YAML "
    # Names with capitals inside.
    "DevOps GitHub GitLab GraphQL gRPC iOS JavaScript macOS MongoDB MySQL NumPy OAuth OAuth2 OpenAPI OpenTelemetry "
    "PostgreSQL PyPI SQLite TypeScript WebAssembly WebSocket WebSockets"
)
_SPELLED: Final = {name.lower(): name for name in _SPELLINGS.split()}
_COUNTED = "API CLI CPU CRD DB FAQ GPU ID IDE LLM RFC SDK UI URL VM"
_KNOWN: Final = _SPELLED | {f"{name.lower()}s": f"{name}s" for name in _COUNTED.split()}


def label_of_name(name: str) -> str:
    """Write the name of a folder as readers write words: `rest-api` becomes `REST API`, `first-steps` `First steps`.

    Words that the name writes with capitals stay as they are.
    """
    words = re.split(r"[-_\s]+", name.strip("-_ ")) if name.strip("-_ ") else [name]
    is_api = any(word in ("api", "apis") for word in words)
    # "REST" is a name beside "API" only.
    written = ["REST" if word == "rest" and is_api else _KNOWN.get(word, word) for word in words]
    if written[0] == words[0]:
        written[0] = words[0][:1].upper() + words[0][1:]
    return " ".join(written)
