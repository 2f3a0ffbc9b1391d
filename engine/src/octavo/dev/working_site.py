"""`WorkingSite`: one state of a site that is being written, assembled whole and drawn page by page."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from octavo.checks import SourceLines
from octavo.contract import PagePayload
from octavo.diagnostics import Diagnostic, Span
from octavo.documents import BodySource
from octavo.errors import RenderError
from octavo.manifest import PAGES_PATH, Manifest, ManifestFile, hash_content
from octavo.pipeline import SiteFiles, arrange
from octavo.publish import static_files
from octavo.rendering import Engines, PageJob, PageRecord, PageRenderer, has_cards
from octavo.server import Addresses
from octavo.site import DocumentSummary, Page, with_summaries

_MOST_DRAWN = 32
"""Pages whose finished files are kept; others are drawn again when they are asked for."""
_NOT_KNOWN = ManifestFile("", 0)


class Patch(msgspec.Struct, frozen=True):
    """What has become of a site because of some texts."""

    pages: list[Page]
    """Pages that say something else."""
    touched: list[str]
    """Routes of other pages that may be drawn otherwise: they show cards."""


class WorkingSite:
    """Used by the worker's thread, but for what says otherwise."""

    def __init__(
        self,
        build_id: str,
        site_files: SiteFiles,
        site_dir: Path,
        engines: Engines,
        bodies: BodySource,
        stale: Mapping[str, PageRecord],
    ) -> None:
        """Prepare; nothing is drawn yet.

        Args:
            build_id: Names this state.
            site_files: The assembled site.
            site_dir: The site's folder.
            engines: Give what runs the theme.
            bodies: The texts.
            stale: Route → page of an earlier state; those that are as they were need not be drawn.
        """
        self.build_id = build_id
        self.site_files = site_files
        self._site_dir = site_dir
        self._sink = _Sink()
        self._renderer = PageRenderer(
            site_files.site,
            resolver=site_files.resolver,
            assets=site_files.assets,
            payloads=site_files.payloads,
            theme=site_files.theme,
            look=site_files.look,
            engines=engines,
            bodies=bodies,
            staging=self._sink,
            shared_key=site_files.shared_key,
        )
        self.records: dict[str, PageRecord] = {}
        """Route → page as it is."""
        self.stale: dict[str, PageRecord] = {}
        """Route → page as it was; it may still be so."""
        self.failures: dict[str, Diagnostic] = {}
        """Route → why the page cannot be drawn."""
        self._addresses: Addresses | None = None
        self._files: dict[str, Path | bytes] = {}
        """All that need not be drawn."""
        self._drawn: OrderedDict[str, dict[str, bytes]] = OrderedDict()
        self._stale_lists: set[str] = set()
        """Lists of pages that say what a page was before its text was changed."""
        self._list_files(dict(static_files(site_dir, site_files.site.config)), stale)
        self._needs = {need for record in self.stale.values() for need in record.needs}
        self.policy = site_files.content_policy(self._needs)

    def _list_files(self, static: Mapping[str, str], stale: Mapping[str, PageRecord]) -> None:
        arranged = arrange(self.site_files, static)
        self.static = arranged.static
        self.redirect_pages = arranged.redirect_pages
        self.jobs = arranged.jobs
        self._keys = arranged.keys
        self._unplaced = arranged.problems
        self._routes = arranged.page_files
        self._lists = {"llms.txt", PAGES_PATH} & arranged.written.keys()
        own = {address: self._site_dir / path for address, path in arranged.static.items()}
        self._files = {**arranged.written, **arranged.theme, **own}
        for route in self.jobs:
            if (record := stale.get(route)) is not None:
                self.stale[route] = record
                self._note_files(route, record)

    # What is served

    @property
    def addresses(self) -> Addresses:
        """All addresses that are known now. Called by the server's thread too."""
        known = self._addresses
        if known is None:
            known = self._addresses = Addresses(self.manifest)
        return known

    @property
    def manifest(self) -> Manifest:
        """Name what is published. Called by the server's thread too."""
        # One step each: another thread may note files of a page meanwhile.
        files = dict.fromkeys([*list(self._files), *list(self._routes)], _NOT_KNOWN)
        return self.site_files.manifest(
            self.build_id, files, redirect_pages=self.redirect_pages, content_policy=self.policy, search=""
        )

    def has(self, address: str) -> bool:
        """Tell whether there is such a file. Called by the server's thread too."""
        return address in self._routes or address in self._files

    def at_hand(self, address: str) -> bytes | None:
        """Give a file that is drawn already. Called by the server's thread too."""
        route = self._routes.get(address)
        drawn = self._drawn.get(route) if route is not None else None
        if drawn is not None:
            return drawn.get(address)
        found = self._files.get(address) if route is None and address not in self._stale_lists else None
        return found if isinstance(found, bytes) else None

    def make(self, address: str) -> bytes:
        """Give a file, drawn if need be.

        Raises:
            KeyError: there is no such file.
            OSError: it is gone from the disk.
            RenderError: the theme failed on it.
        """
        route = self._routes.get(address)
        if route is None:
            if address in self._stale_lists:
                self._renew_lists()
            found = self._files[address]
            return found if isinstance(found, bytes) else found.read_bytes()
        if route not in self._drawn:
            self._drawn[route] = self.draw(route)
        self._drawn.move_to_end(route)
        while len(self._drawn) > _MOST_DRAWN:
            self._drawn.popitem(last=False)
        return self._drawn[route][address]

    # Drawing

    def draw(self, route: str) -> dict[str, bytes]:
        """Draw a page; gives address → content.

        Raises:
            RenderError: the theme failed on it.
        """
        self._sink.take()
        record = self._renderer.draw(self.jobs[route])
        self.failures.pop(route, None)
        self._note(route, record)
        return self._sink.take()

    def data(self, page: Page) -> tuple[PagePayload, bool]:
        """Draw what a reader needs who has the site before them.

        Returns:
            (payload, whether it asks something of the content security policy).

        Raises:
            RenderError: the theme failed on it.
        """
        content, needs = self._renderer.draw_data(self.jobs[page.route])
        self._allow(needs)
        return content, bool(needs)

    def settle(self) -> Iterator[None]:
        """Draw step by step what has not been drawn, or see that it is as it was."""
        for route, job in self.jobs.items():
            if route in self.records:
                continue
            known = self.stale.get(route)
            try:
                if known is not None and self._renderer.is_current(job, known):
                    self._note(route, msgspec.structs.replace(known, quick_key=job.quick_key))
                else:
                    self.draw(route)
            except RenderError as error:
                origin = job.page.origin if job.page else ""
                self.failures[route] = Diagnostic("render", "error", Span(origin), str(error))
            yield
        self._needs = {need for record in self.records.values() for need in record.needs}
        self.policy = self.site_files.content_policy(self._needs)

    def patch(self, summaries: Mapping[str, DocumentSummary]) -> Patch | None:
        """Give pages the summaries that their texts have got.

        Args:
            summaries: Source path → summary.

        Returns:
            What has changed; None where more depends on it, and nothing was done.
        """
        before = self.site_files.site.by_route
        site = with_summaries(self.site_files.site, summaries)
        if site is None:
            return None
        self.site_files.use_site(site)
        self._renderer.use_site(site)
        self._stale_lists = self._lists
        shown = [page for route, page in site.by_route.items() if page is not before[route]]
        for page in shown:
            self.jobs[page.route] = PageJob(page.route, page.edition, page, self._keys.key(page))
            self._forget(page.route)
        is_described_anew = any(page.description != before[page.route].description for page in shown)
        touched = self._forget_cards() if is_described_anew else []
        return Patch(shown, touched)

    def _renew_lists(self) -> None:
        """Write the lists anew when one of them is asked for, not at each save: they name all pages."""
        fresh = self.site_files.discovery()
        self._files |= {address: fresh[address] for address in self._stale_lists}
        self._stale_lists = set()

    def _forget_cards(self) -> list[str]:
        routes = [job.route for job in self.jobs.values() if job.page and has_cards(job.page)]
        for route in routes:
            self._forget(route)
        return routes

    def _forget(self, route: str) -> None:
        if (record := self.records.pop(route, None)) is not None:
            self.stale[route] = record
        self._drawn.pop(route, None)

    def _note(self, route: str, record: PageRecord) -> None:
        before = self.records.get(route) or self.stale.pop(route, None)
        self.records[route] = record
        for address in (before.files.keys() if before else set()) - record.files.keys():
            self._routes.pop(address, None)
        self._note_files(route, record)
        copies = {address: self._site_dir / path for address, path in record.copies.items()}
        if not copies.keys() <= self._files.keys():
            self._files |= copies
            self._addresses = None
        self._allow(record.needs)

    def _note_files(self, route: str, record: PageRecord) -> None:
        """Note what is published beside a page."""
        routes = {address: route for address in record.files if address not in self._routes}
        if routes:
            self._routes |= routes
            self._addresses = None

    def _allow(self, needs: Iterable[str]) -> None:
        if not self._needs.issuperset(needs):
            self._needs.update(needs)
            self.policy = self.site_files.content_policy(self._needs)

    # What is wrong

    @property
    def is_settled(self) -> bool:
        """All pages are known as they are."""
        return len(self.records) + len(self.failures) >= len(self.jobs)

    def findings(self, lines: SourceLines) -> Iterator[Diagnostic]:
        """Find what is wrong between the pages, as far as they are known."""
        site_files = self.site_files
        records = {route: self.records[route] for route in self.jobs if route in self.records}
        files = {**self._files, **self._routes}
        yield from self._unplaced
        yield from site_files.collisions(records, self.static)
        addresses = site_files.ledger_addresses(self.static) if site_files.ledger is not None else set()
        yield from site_files.findings(records, files, addresses, lines)
        yield from self.failures.values()


class _Sink:
    """Takes what is drawn, in memory."""

    def __init__(self) -> None:
        self._written: dict[str, bytes] = {}

    def write(self, address: str, content: bytes) -> ManifestFile:
        """See `Sink`."""
        self._written[address] = content
        return ManifestFile(hash_content(content), len(content))

    def take(self) -> dict[str, bytes]:
        """Give what has been written since it was last asked for."""
        written, self._written = self._written, {}
        return written
