"""`sitemap.xml` and `robots.txt`."""

from __future__ import annotations

from octavo.site import LinkResolver, Page, Site
from octavo.text_files import escape_xml


def write_sitemap(site: Site, resolver: LinkResolver) -> bytes:
    """Write the sitemap: every page that may be indexed, with the day of its last change where it is known.

    Pages that name another one as canonical are left out: search engines read them, and list that one.
    """
    entries = [
        _entry(page, site, resolver)
        for page in site.pages
        if is_indexed(page, site) and not _is_copy(page, site, resolver)
    ]
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return (head + "".join(entries) + "</urlset>\n").encode()


def write_robots(site: Site, resolver: LinkResolver) -> bytes:
    """Write the robots file. Pages that must not be indexed say so themselves, so crawlers may read them."""
    if site.config.not_indexed:
        return b"User-agent: *\nDisallow: /\n"
    place = site.config.published_url
    sitemap = f"Sitemap: {place}{resolver.url('/sitemap.xml')}\n" if place else ""
    return f"User-agent: *\nAllow: /\n{sitemap}".encode()


def is_indexed(page: Page, site: Site) -> bool:
    """Return whether search engines may list a page."""
    layout = page.summary.front_matter.layout if page.summary else None
    is_old = page.edition.version.banner == "unmaintained"
    robots = page.summary.front_matter.metas.get("robots", "").lower() if page.summary else ""
    is_refused = "noindex" in robots or "none" in robots.split(",")
    return not (site.config.not_indexed or page.is_unlisted or layout == "search" or is_old or is_refused)


def _is_copy(page: Page, site: Site, resolver: LinkResolver) -> bool:
    """Return whether a page names another one as canonical: by its own word, the original, or that of the last version."""
    named = page.summary.front_matter.canonical_url if page.summary else None
    last = site.config.last_version
    if not named and page.edition.version is not last:
        newest = (one for one in site.editions if one.version is last and one.locale is page.edition.locale)
        return page.translation == "missing" or any(page.doc_id in one.pages for one in newest)
    if not named:
        return page.translation == "missing"
    address = named if "://" in named else site.config.url + named
    return address.rstrip("/") != (site.config.url + resolver.url(page.route)).rstrip("/")


def _entry(page: Page, site: Site, resolver: LinkResolver) -> str:
    address = escape_xml(site.config.url + resolver.url(page.route))
    changed = f"<lastmod>{escape_xml(page.last_updated)}</lastmod>" if page.last_updated else ""
    return f"  <url><loc>{address}</loc>{changed}</url>\n"
