"""`PageLibrary`: the pages of a published site, found by address and divided into sections."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from threading import Lock
from typing import NamedTuple, Protocol
from urllib.parse import SplitResult, unquote, urlsplit

import msgspec

from octavo.errors import OctavoError
from octavo.manifest import PAGES_PATH, Manifest, markdown_file
from octavo.mcp.sections import Section, split_sections
from octavo.page_list import PageEntry, PageList

_MOST_KEPT = 64
"""Divided pages that are kept."""


class NotAvailableError(OctavoError):
    """Something that was asked for is not there; the message says what there is instead."""


class PublishedSite(Protocol):
    """One state of a site."""

    @property
    def manifest(self) -> Manifest: ...

    def read(self, path: str) -> bytes:
        """Read a published file."""


CurrentSite = Callable[[], Awaitable[PublishedSite | None]]
"""Gives what is published now; None while nothing is."""


class ReadingEdition(NamedTuple):
    """A language and a version to read in."""

    language: str
    version: str


class PageLibrary:
    """The pages of one build. Several threads may use it at once."""

    def __init__(self, site: PublishedSite) -> None:
        """Read the list of pages.

        Raises:
            NotAvailableError: the site is published without it.
        """
        self._site = site
        if PAGES_PATH not in site.manifest.files:
            raise NotAvailableError(
                "This site is published without its list of pages; its owner can switch it on with lists of [programs]."
            )
        self.list: PageList = msgspec.json.decode(site.read(PAGES_PATH), type=PageList)
        self._by_route = {page.route: page for page in self.list.pages}
        self._sections: OrderedDict[str, list[Section]] = OrderedDict()
        self._lock = Lock()

    @property
    def build(self) -> str:
        """Id of the build."""
        return self._site.manifest.build

    @property
    def languages(self) -> list[str]:
        """Ids of the languages, the default one first."""
        return self.list.languages

    @property
    def versions(self) -> list[str]:
        """Names of the versions, the default one first; empty where there is only one."""
        return self.list.versions if len(self.list.versions) > 1 else []

    def edition(self, language: str = "", version: str = "") -> ReadingEdition:
        """Choose a language and a version; what is not given is the site's default.

        Raises:
            NotAvailableError: the site has no such language or version.
        """
        if language and language not in self.languages:
            raise NotAvailableError(f'There is no language "{language}"; there are {", ".join(self.languages)}.')
        if version and version not in self.list.versions:
            raise NotAvailableError(f'There is no version "{version}"; there are {", ".join(self.list.versions)}.')
        return ReadingEdition(language or self.languages[0], version or self.list.versions[0])

    def pages(self, edition: ReadingEdition) -> list[PageEntry]:
        """List the pages of an edition, in the order of the site; pages outside the versions belong to each."""
        return [
            page
            for page in self.list.pages
            if page.locale == edition.language and page.version in ("", edition.version)
        ]

    def page(self, address: str) -> tuple[PageEntry, str]:
        """Find a page by its route, its address, or the address of its Markdown.

        Returns:
            (page, the anchor in the address; empty for none).

        Raises:
            NotAvailableError: there is none.
        """
        try:
            parts = urlsplit(address.strip())
        except ValueError:  # "http://[" begins an address of IPv6
            parts = SplitResult("", "", address, "", "")
        path, base = unquote(parts.path), self._site.manifest.base_url
        rest = path.removeprefix(base) if path.startswith(base) else path.lstrip("/")
        for candidate in dict.fromkeys((rest, path.lstrip("/"))):
            name = candidate.removesuffix(".md").removesuffix("index.html").removesuffix(".html")
            name = "" if name == "index" else name
            for route in (f"/{candidate}", f"/{name}", f"/{name.rstrip('/')}", f"/{name.rstrip('/')}/"):
                if (page := self._by_route.get(route)) is not None:
                    return page, unquote(parts.fragment)
        raise NotAvailableError(f'There is no page "{address[:200]}". Use list_pages or search to find its address.')

    def markdown(self, page: PageEntry) -> str:
        """Read the Markdown of a page.

        Raises:
            NotAvailableError: the site is published without.
        """
        path = markdown_file(page.route)
        if path not in self._site.manifest.files:
            raise NotAvailableError(
                "This site is published without Markdown; its owner can switch it on with markdown of [programs]."
            )
        return self._site.read(path).decode()

    def sections(self, page: PageEntry) -> list[Section]:
        """Divide a page by its headings."""
        with self._lock:
            found = self._sections.get(page.route)
            if found is not None:
                self._sections.move_to_end(page.route)
                return found
        found = split_sections(self.markdown(page), page.headings)
        with self._lock:
            self._sections[page.route] = found
            while len(self._sections) > _MOST_KEPT:
                self._sections.popitem(last=False)
        return found


class CurrentLibrary:
    """The library of what is published now: exchanged when another build takes its place."""

    def __init__(self, current: CurrentSite) -> None:
        self._current = current
        self._library: PageLibrary | None = None

    async def get(self) -> PageLibrary:
        """Give it.

        Raises:
            NotAvailableError: nothing is published, or without the list of pages.
        """
        site = await self._current()
        if site is None:
            raise NotAvailableError("Nothing is published yet; try again in a moment.")
        if self._library is None or self._library.build != site.manifest.build:
            self._library = PageLibrary(site)
        return self._library

    async def title(self) -> str:
        """Give the title of the site; a general one where nothing is published."""
        try:
            return (await self.get()).list.title
        except NotAvailableError:
            return "Documentation"
