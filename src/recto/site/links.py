"""What a link leads to. Every kind of link is resolved here, and only here."""

from __future__ import annotations

import posixpath
import re
from typing import Literal
from urllib.parse import quote, unquote

import msgspec

from recto.content.document import Link
from recto.site.assets import AssetStore
from recto.site.model import Page, Site
from recto.site.routes import other_slash_form
from recto.site.sources import MARKDOWN_SUFFIXES

_ABSOLUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_UNSAFE_IN_URL = "/:?#[]@!$&'()*+,;=%~-._"


class Target(msgspec.Struct, frozen=True):
    """Where a link leads."""

    url: str
    """What stands in the page: base URL included, fragment and query kept."""
    kind: Literal["external", "page", "file", "broken"]
    route: str = ""
    """Route of the page it leads to."""
    anchor: str = ""
    """Decoded fragment; empty when there is none."""


class LinkResolver:
    """Resolves links between the pages of a site."""

    def __init__(self, site: Site, assets: AssetStore) -> None:
        self._site = site
        self._assets = assets
        self._base = site.config.base_url.rstrip("/")
        self._routes: dict[str, str] = {}
        for route in site.by_route:
            self._routes[route] = route
            self._routes.setdefault(other_slash_form(route), route)
        self._redirects = {redirect.source for redirect in site.config.redirects}
        self._roots = sorted(
            {page.source.root for page in site.pages if page.source is not None}, key=len, reverse=True
        )
        self._cache: dict[tuple[str, str, str], Target] = {}

    def resolve(self, page: Page, link: Link) -> Target:
        """Resolve a link of a page's document; its paths are relative to the file it stands in."""
        folder = posixpath.dirname(link.span.path)
        key = (page.route, folder, link.href)
        found = self._cache.get(key)
        if found is None:
            found = self._resolve(page, link.href, folder)
            if len(self._cache) < 100_000:
                self._cache[key] = found
        return found

    def resolve_href(self, page: Page, href: str) -> Target:
        """Resolve an address as it stands in a finished page: from the host's root, or relative to the page."""
        if self._base and (href == self._base or href.startswith(f"{self._base}/")):
            href = href[len(self._base) :] or "/"
        return self._resolve(page, href, None)

    def url(self, route: str) -> str:
        """Give the address of a route: base URL in front, characters outside ASCII encoded."""
        return self._base + quote(route, safe=_UNSAFE_IN_URL)

    def _resolve(self, page: Page, href: str, folder: str | None) -> Target:
        if href.startswith("pathname://"):
            path = href.removeprefix("pathname://")
            return Target(self._base + path, "file")
        if _ABSOLUTE.match(href):
            return Target(href, "external")
        path, fragment = href.partition("#")[::2]
        path, query = path.partition("?")[::2]
        ending = (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")
        anchor = unquote(fragment)
        if not path:
            return Target(ending or "#", "page", page.route, anchor)
        path = unquote(path)
        route = self._route_of(page, path, folder)
        if route is not None:
            return Target(self.url(route) + ending, "page", route, anchor)
        file_url = self._assets.file_url(path, folder)
        if file_url is not None:
            return Target(self._base + file_url + ending, "file")
        absolute = path if path.startswith("/") else posixpath.normpath(posixpath.join(_folder_of(page.route), path))
        if absolute in self._redirects or absolute.startswith("/_recto/"):
            return Target(self.url(absolute) + ending, "file")
        return Target(self.url(absolute) + ending, "broken")

    def _route_of(self, page: Page, path: str, folder: str | None) -> str | None:
        if path.startswith("/"):
            return self._absolute_route(page, path)
        if folder is not None:
            other = self._document_at(page, posixpath.normpath(posixpath.join(folder, path)))
            if other is not None:
                return other
        joined = posixpath.join(_folder_of(page.route), path)
        ending = "/" if path.endswith("/") and not joined.endswith("//") else ""
        return self._routes.get(posixpath.normpath(joined) + ending) or self._routes.get(posixpath.normpath(joined))

    def _absolute_route(self, page: Page, path: str) -> str | None:
        found = self._routes.get(path)
        if found is None and page.edition.prefix:
            found = self._routes.get(page.edition.prefix + path)
        if found is None and path.endswith(MARKDOWN_SUFFIXES):
            relative = path[1:]
            other = page.edition.by_file.get(relative)
            found = other.route if other else self._document_at(page, relative)
        return found

    def _document_at(self, page: Page, path: str) -> str | None:
        """Look a document up by its path from the site's folder, with or without extension."""
        for root in self._roots:
            if path.startswith(f"{root}/"):
                relative = path[len(root) + 1 :]
                break
        else:
            return None
        by_file = page.edition.by_file
        candidates = [relative, *(f"{relative}{suffix}" for suffix in MARKDOWN_SUFFIXES)]
        if relative.endswith(MARKDOWN_SUFFIXES):
            stem = posixpath.splitext(relative)[0]
            candidates += [f"{stem}{suffix}" for suffix in MARKDOWN_SUFFIXES]
        else:
            candidates += [f"{relative.rstrip('/')}/index{suffix}" for suffix in MARKDOWN_SUFFIXES]
        for candidate in candidates:
            other = by_file.get(candidate)
            if other is not None:
                return other.route
        return None


def _folder_of(route: str) -> str:
    return route if route.endswith("/") else posixpath.dirname(route)
