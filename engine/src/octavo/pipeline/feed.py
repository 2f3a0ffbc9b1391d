"""`changes.xml`: an Atom feed of the documents that changed last.

Source:
    RFC 4287, The Atom Syndication Format.
"""

from __future__ import annotations

from html import escape

from octavo.pipeline.sitemap import is_indexed
from octavo.site import LinkResolver, Page, Site

FEED_ADDRESS = "changes.xml"
FEED_TYPE = "application/atom+xml"
_MOST = 50
"""Entries; readers of feeds ask often, and nobody reads a page that changed before fifty others."""


def write_feed(site: Site, resolver: LinkResolver) -> bytes:
    """Write the feed of the default locale and the last version, newest change first.

    An entry is one change of a page: a page that changes again is an entry again.
    """
    config, edition = site.config, site.main_edition
    dated = [
        (page.last_updated, page)
        for page in edition.pages.values()
        if page.last_updated and page.kind == "doc" and is_indexed(page, site)
    ]
    # By title where days are the same, so that equal sites make equal feeds.
    dated.sort(key=lambda entry: (entry[0], entry[1].title), reverse=True)
    place = config.published_url
    home, own = (f"{place}{resolver.url(route)}" for route in (f"{edition.prefix}/", f"/{FEED_ADDRESS}"))
    latest = dated[0][0] if dated else "1970-01-01"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{escape(edition.locale.id)}">',
        f"<title>{escape(config.title)}</title>",
        f"<id>{escape(own)}</id>",
        f'<link rel="self" type="{FEED_TYPE}" href="{escape(own)}"/>',
        f'<link rel="alternate" type="text/html" href="{escape(home)}"/>',
        f"<updated>{_moment(latest)}</updated>",
        f"<author><name>{escape(config.title)}</name></author>",
        *(_entry(page, date, f"{place}{resolver.url(page.route)}") for date, page in dated[:_MOST]),
        "</feed>\n",
    ]
    return "\n".join(lines).encode()


def _entry(page: Page, date: str, address: str) -> str:
    author = f"<author><name>{escape(page.last_author)}</name></author>" if page.last_author else ""
    summary = f"<summary>{escape(page.description)}</summary>" if page.description else ""
    return (
        f"<entry><title>{escape(page.title)}</title><id>{escape(address)}#changed-{escape(date[:10])}</id>"
        f'<link rel="alternate" type="text/html" href="{escape(address)}"/>'
        f"<updated>{_moment(date)}</updated>{author}{summary}</entry>"
    )


def _moment(date: str) -> str:
    """Write a day as the moment that the format asks for."""
    return date if "T" in date else f"{date}T00:00:00Z"
