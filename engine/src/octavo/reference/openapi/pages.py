"""Which pages an API description becomes."""

from __future__ import annotations

from typing import Literal

import msgspec

from octavo.reference.openapi.description import Description

PageKind = Literal["page", "overview", "group", "operation", "schemas", "field"]
INDEX = "*"
"""Key of the page that lists the schemas of a description with many pages of them."""


class ApiPage(msgspec.Struct, frozen=True):
    """A page to be made of a description."""

    api: str
    """`Description.config.id`."""
    digest: str
    """`Description.digest`: another description, another page."""
    kind: PageKind
    relative: str
    """Its file, as if there were one, below the docs folder."""
    key: str = ""
    """Name of the group, part of the address of the schemas, or id of a field that is too large for their page."""
    index: int = 0
    """Of the operation in its group."""


def plan_pages(description: Description) -> list[ApiPage]:
    """List the pages of a description, in the order of the sidebar."""
    doc, api, digest = description.config.doc, description.config.id, description.digest
    if description.layout == "page":
        return [ApiPage(api, digest, "page", f"{doc}.md")]
    pages = [ApiPage(api, digest, "overview", f"{doc}/index.md")]
    for group in description.groups:
        folder = description.group_route(group)[1:]
        if not group.has_pages:
            pages.append(ApiPage(api, digest, "group", f"{folder}.md", group.name))
            continue
        pages.append(ApiPage(api, digest, "group", f"{folder}/index.md", group.name))
        for index, operation in enumerate(group.operations):
            route = description.operation_route(group, operation)
            pages.append(ApiPage(api, digest, "operation", f"{route[1:]}.md", group.name, index))
    if len(description.schema_groups) > 1:
        pages.append(ApiPage(api, digest, "schemas", f"{description.schemas_route('')[1:]}/index.md", INDEX))
    for part in description.schema_groups:
        folder, fields = description.schemas_route(part)[1:], description.moved_from(part)
        pages.append(ApiPage(api, digest, "schemas", f"{folder}/index.md" if fields else f"{folder}.md", part))
        pages += [ApiPage(api, digest, "field", f"{route[1:]}.md", anchor) for anchor, route in fields.items()]
    return pages


def has_introduction(page: ApiPage) -> bool:
    """Return whether a page is the one with the introduction."""
    return page.kind in ("page", "overview")
