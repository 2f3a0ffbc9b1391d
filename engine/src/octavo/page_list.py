"""`_octavo/pages.json`: all pages that readers can find, a documented contract for other programs."""

from __future__ import annotations

import msgspec


class PageHeading(msgspec.Struct, frozen=True, omit_defaults=True):
    """One heading."""

    level: int
    """1 to 6."""
    text: str
    id: str
    marks: list[str] = []
    """Versions that brought, changed or removed it, such as `since 2.1`; left out where it has none."""


class PageEntry(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """One page. Fields without a value are left out."""

    route: str
    """Address without the base URL."""
    url: str
    """Address with the base URL, and with the site's origin where that is known."""
    title: str
    description: str = ""
    markdown: str = ""
    """Address of its Markdown, formed as `url`."""
    locale: str = ""
    """Id of the language that its address is of."""
    language: str = ""
    """Id of the language of its text, where that is another one: the page has no translation."""
    version: str = ""
    hash: str = ""
    """Changes when its text does; of no meaning else."""
    updated: str = ""
    """ISO 8601 date of its last change."""
    headings: list[PageHeading] = []


class PageList(msgspec.Struct, frozen=True, rename="camel"):
    """All pages that readers can find, in the order of the site."""

    format: int
    """Rises when a field changes its meaning or goes; new fields don't change it."""
    title: str
    pages: list[PageEntry]
    languages: list[str] = []
    """Ids of the site's languages, the default one first."""
    versions: list[str] = []
    """Names of the site's versions, that which is read by default first."""
