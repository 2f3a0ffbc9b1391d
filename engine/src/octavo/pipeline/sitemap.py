"""`sitemap.xml` and `robots.txt`."""

from __future__ import annotations

from octavo.site import LinkResolver, Page, Site
from octavo.text_files import escape_xml


def write_sitemap(site: Site, resolver: LinkResolver) -> bytes:
    """Write the sitemap: every page that may be indexed, with the day of its last change where it is known."""
    entries = [_entry(page, site, resolver) for page in site.pages if is_indexed(page, site)]
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
    return not (site.config.not_indexed or page.is_unlisted or layout == "search" or is_old)


def _entry(page: Page, site: Site, resolver: LinkResolver) -> str:
    address = escape_xml(site.config.url + resolver.url(page.route))
    changed = f"<lastmod>{escape_xml(page.last_updated)}</lastmod>" if page.last_updated else ""
    return f"  <url><loc>{address}</loc>{changed}</url>\n"
