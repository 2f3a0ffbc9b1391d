"""Atom feeds: `changes.xml` of the documents that changed last, and `feed.xml` of each blog.

Source:
    RFC 4287, The Atom Syndication Format.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.config import Blog
from octavo.pipeline.sitemap import is_indexed
from octavo.site import LinkResolver, Page, Site
from octavo.text_files import escape_xml

FEED_ADDRESS = "changes.xml"
FEED_TYPE = "application/atom+xml"
_MOST = 50
"""Entries; readers of feeds ask often, and nobody reads a page that changed before fifty others."""


def write_feed(site: Site, resolver: LinkResolver) -> bytes:
    """Write the feed of the default locale and the last version, newest change first.

    An entry is one change of a page: a page that changes again is an entry again.
    """
    edition = site.main_edition
    dated = [
        (page.last_updated, page)
        for page in edition.pages.values()
        if page.last_updated and page.kind == "doc" and is_indexed(page, site)
    ]
    # By title where days are the same, so that equal sites make equal feeds.
    dated.sort(key=lambda entry: (entry[0], entry[1].title), reverse=True)
    home = resolver.url(f"{edition.prefix}/")
    entries = [
        (date, _entry(page, date, f"{site.config.published_url}{resolver.url(page.route)}"))
        for date, page in dated[:_MOST]
    ]
    return _feed(site, resolver, site.config.title, (f"/{FEED_ADDRESS}", home), entries)


def blog_feed_address(blog: Blog, site: Site) -> str:
    """Name the feed of a blog in the published folder."""
    return f"{site.main_edition.home_of_blog(blog, site.config.mounts)}feed.xml".lstrip("/")


def write_blog_feeds(site: Site, resolver: LinkResolver) -> dict[str, bytes]:
    """Write the feed of each blog, newest post first, as address in the published folder → content."""
    return {
        blog_feed_address(blog, site): _blog_feed(blog, site, resolver) for blog in site.config.blogs if blog.has_feed
    }


def _blog_feed(blog: Blog, site: Site, resolver: LinkResolver) -> bytes:
    edition = site.main_edition
    folder = f"{blog.folder}/"
    posts = [
        (page.summary.front_matter.date, page)
        for page in edition.pages.values()
        if page.summary
        and page.source
        and (page.source.mount == blog.folder or page.source.relative.startswith(folder))
        if page.summary.front_matter.date and is_indexed(page, site)
    ]
    posts.sort(key=lambda post: (post[0] or "", post[1].title), reverse=True)
    entries = [(date or "", _post(blog, page, date or "", resolver, site)) for date, page in posts[:_MOST]]
    home = resolver.url(resolver.canonical(site.main_edition.home_of_blog(blog, site.config.mounts)))
    title = f"{site.config.title}: {blog.title}"
    return _feed(site, resolver, title, (f"/{blog_feed_address(blog, site)}", home), entries, blog.description)


def _feed(
    site: Site,
    resolver: LinkResolver,
    title: str,
    places: tuple[str, str],
    entries: Sequence[tuple[str, str]],
    subtitle: str = "",
) -> bytes:
    """Write a feed.

    Args:
        site: The site.
        resolver: Gives addresses.
        title: Of the feed.
        places: Route of the feed, and address of the page that it belongs to.
        entries: (date, entry), newest first.
        subtitle: What it is about.
    """
    place = site.config.published_url
    own, home = f"{place}{resolver.url(places[0])}", f"{place}{places[1]}"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{escape_xml(site.main_edition.locale.id)}">',
        f"<title>{escape_xml(title)}</title>",
        *([f"<subtitle>{escape_xml(subtitle)}</subtitle>"] if subtitle else []),
        f"<id>{escape_xml(own)}</id>",
        f'<link rel="self" type="{FEED_TYPE}" href="{escape_xml(own)}"/>',
        f'<link rel="alternate" type="text/html" href="{escape_xml(home)}"/>',
        f"<updated>{_moment(entries[0][0] if entries else '1970-01-01')}</updated>",
        f"<author><name>{escape_xml(site.config.title)}</name></author>",
        *(entry for _, entry in entries),
        "</feed>\n",
    ]
    return "\n".join(lines).encode()


def _post(blog: Blog, page: Page, date: str, resolver: LinkResolver, site: Site) -> str:
    front = page.summary.front_matter if page.summary else None
    names = [blog.authors[word].name if word in blog.authors else word for word in (front.authors if front else ())]
    authors = "".join(f"<author><name>{escape_xml(name)}</name></author>" for name in names)
    tags = "".join(f'<category term="{escape_xml(tag)}"/>' for tag in (front.tags if front else ()))
    summary = f"<summary>{escape_xml(page.description)}</summary>" if page.description else ""
    address = f"{site.config.published_url}{resolver.url(page.route)}"
    return (
        f"<entry><title>{escape_xml(page.title)}</title><id>{escape_xml(address)}</id>"
        f'<link rel="alternate" type="text/html" href="{escape_xml(address)}"/>'
        f"<published>{_moment(date)}</published><updated>{_moment(date)}</updated>{authors}{tags}{summary}</entry>"
    )


def _entry(page: Page, date: str, address: str) -> str:
    author = f"<author><name>{escape_xml(page.last_author)}</name></author>" if page.last_author else ""
    summary = f"<summary>{escape_xml(page.description)}</summary>" if page.description else ""
    return (
        f"<entry><title>{escape_xml(page.title)}</title><id>{escape_xml(address)}#changed-{escape_xml(date[:10])}</id>"
        f'<link rel="alternate" type="text/html" href="{escape_xml(address)}"/>'
        f"<updated>{_moment(date)}</updated>{author}{summary}</entry>"
    )


def _moment(date: str) -> str:
    """Write a day as the moment that the format asks for."""
    return date if "T" in date else f"{date}T00:00:00Z"
