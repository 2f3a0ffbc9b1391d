"""The facts of a page that extensions receive: the fields of `octavo.extensions.Page`."""

from __future__ import annotations

from typing import Any

from octavo.site import Page


def describe_page(page: Page) -> dict[str, Any]:
    """Describe a page with a document."""
    summary = page.summary
    front = summary.front_matter if summary else None
    return {
        "route": page.route,
        "path": page.source.path if page.source else page.origin,
        "title": page.title,
        "description": page.description,
        "locale": page.edition.locale.id,
        "version": page.edition.version.name,
        "tags": front.tags if front else [],
        "headings": [
            {"level": heading.level, "text": heading.text, "anchor": heading.anchor}
            for heading in (summary.headings if summary else ())
        ],
        "links": [
            {"href": link.href, "path": link.span.path, "line": link.span.line, "column": link.span.column}
            for link in (summary.links if summary else ())
        ],
        "fields": front.fields if front else {},
    }
