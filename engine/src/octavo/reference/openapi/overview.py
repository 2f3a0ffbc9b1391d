"""The head of a description: what it is, where it answers, how one proves who one is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from octavo.reference.api_views import Fact, NamedLink, OverviewView, SchemaLink, TagView
from octavo.reference.openapi.description import Description
from octavo.reference.openapi.facts import extension_facts, server_views
from octavo.reference.openapi.layout import SECTIONS
from octavo.reference.openapi.security import security_views


def overview_view(
    description: Description, *, download: str, pages: list[TagView], schemas: list[SchemaLink]
) -> OverviewView:
    """Make the view of a description's head."""
    root = description.root
    info: dict[str, Any] = root.get("info") or {}
    about = description.about
    return OverviewView(
        version=str(info.get("version") or ""),
        openapi=str(root.get("openapi")),
        html=about.lead,
        sections_html="".join(section.html for section in about.sections),
        facts=list(_facts(info, description)),
        links=list(_links(root, info)),
        servers=server_views(root.get("servers")),
        security=security_views(root),
        download=download,
        download_name=f"{description.config.id}.openapi.json",
        pages=pages,
        schemas=schemas,
    )


def _facts(info: dict[str, Any], description: Description) -> Iterator[Fact]:
    contact, license_ = info.get("contact"), info.get("license")
    if isinstance(contact, dict) and (contact.get("name") or contact.get("email")):
        name = " ".join(str(contact[key]) for key in ("name", "email") if contact.get(key))
        yield Fact(label="Contact", value=name)
    if isinstance(license_, dict) and license_.get("name"):
        yield Fact(label="License", value=str(license_["name"]))
        if license_.get("identifier"):
            yield Fact(label="License (SPDX)", value=str(license_["identifier"]))
    count = len(description.operations)
    yield Fact(label="Operations", value=str(count))
    yield Fact(label="Schemas", value=str(len(description.schemas)))
    yield from extension_facts({key: value for key, value in description.root.items() if key != SECTIONS})
    yield from extension_facts(info)
    for holder, name in (
        (contact, "Contact"),
        (license_, "License"),
        (description.root.get("externalDocs"), "Documentation"),
        (description.root.get("paths"), "Paths"),
        (description.root.get("components"), "Components"),
    ):
        yield from extension_facts(holder, name)


def _links(root: dict[str, Any], info: dict[str, Any]) -> Iterator[NamedLink]:
    docs = root.get("externalDocs")
    found = [
        ("Terms of service", info.get("termsOfService")),
        ("Contact", (info.get("contact") or {}).get("url")),
        ("License", (info.get("license") or {}).get("url")),
        (str((docs or {}).get("description") or "More documentation"), (docs or {}).get("url")),
    ]
    for label, url in found:
        if isinstance(url, str) and url.startswith(("https://", "http://")):
            yield NamedLink(label=label, href=url)
