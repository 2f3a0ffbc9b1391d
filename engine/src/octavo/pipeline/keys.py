"""What tells most cheaply that a page has not changed."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from octavo.rendering import ComponentDrawer
from octavo.runtime import digest
from octavo.site import LinkResolver, Page, PageLink, Site


class QuickKeys:
    """Hashes of a page's content and of its place in the site, computed without its payload."""

    def __init__(
        self,
        site: Site,
        resolver: LinkResolver,
        shared_key: str,
        addresses: Iterable[str],
        components: ComponentDrawer | None = None,
    ) -> None:
        """Initialize.

        Args:
            site: The site.
            resolver: Its links.
            shared_key: Hash of what all pages are drawn from.
            addresses: Addresses of the published files that are not pages, but for those of components.
            components: Components of the site in React.
        """
        self._components = components
        self._resolver = resolver
        # All that a link can lead to, and all that another edition can have.
        places = [
            (page.route, page.doc_id, page.source and page.source.path)
            for edition in site.editions
            for page in edition.pages.values()
        ]
        site_key = digest(shared_key, msgspec.msgpack.encode(places), "\n".join(sorted(addresses)))
        self._encode = msgspec.msgpack.Encoder().encode
        self._site_key = site_key.encode()

    def use_components(self, components: ComponentDrawer | None) -> None:
        """Use the components of another state of the site."""
        self._components = components

    def key(self, page: Page) -> str:
        """Hash a page's body, its place and its neighbours.

        The same key means the same page, if it shows neither files nor cards. Another key does not mean another page.
        """
        authored = self._components.key(page.summary.island_kinds) if self._components and page.summary else ""
        return digest(
            self._site_key,
            self._encode(
                (
                    page.route,
                    page.summary.body_key if page.summary else "",
                    page.last_updated,
                    page.last_author,
                    page.translation,
                    page.sidebar_id,
                    page.trail,
                    page.breadcrumbs,
                    _link(page.previous),
                    _link(page.next),
                    authored,
                    self._resolver.urls_by_content(page),
                )
            ),
        )


def _link(link: PageLink | None) -> tuple[str, str] | None:
    return (link.label, link.route) if link else None
