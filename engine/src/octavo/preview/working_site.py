"""`WorkingSite`: one state of the site in the preview, assembled as a whole and rendered page by page on request."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from octavo.checks import SourceLines
from octavo.contract import PagePayload
from octavo.diagnostics import Diagnostic, Span
from octavo.documents import Body, BodySource, Document, split_document
from octavo.errors import RenderError
from octavo.manifest import PAGES_PATH, Manifest, ManifestFile, hash_content
from octavo.pipeline import SiteFiles, SiteInputs, arrange
from octavo.publish import read_static_folder
from octavo.rendering import Engines, PageJob, PageRecord, PageRenderer, has_cards
from octavo.server import Addresses
from octavo.site import DocumentSummary, Page, with_summaries

if TYPE_CHECKING:
    from octavo.components import SiteComponents

_MOST_RENDERED = 32
"""Pages whose rendered files are kept in memory; others are rendered again when they are requested."""
_TYPED = "typed"
_UNKNOWN_CONTENT = ManifestFile("", 0)


class Patch(msgspec.Struct, frozen=True):
    """The pages that changed texts affect."""

    pages: list[Page]
    """Pages of these texts."""
    touched: list[str]
    """Routes of other pages that may render differently, because they show cards."""


class WorkingSite:
    """Used by one thread; methods that other threads may call say so."""

    def __init__(
        self,
        build_id: str,
        site_files: SiteFiles,
        site_dir: Path,
        engines: Engines,
        bodies: BodySource,
        stale: Mapping[str, PageRecord],
    ) -> None:
        """Initialize; nothing is rendered yet.

        Args:
            build_id: Identifies this state.
            site_files: The assembled site.
            site_dir: The site's folder.
            engines: Processes that run the theme.
            bodies: Bodies of the documents.
            stale: Route → page record of an earlier state; pages that have not changed are not rendered again.
        """
        self.build_id = build_id
        self.site_files = site_files
        self._site_dir = site_dir
        self._sink = _Sink()
        self._engines = engines
        self._bodies = bodies
        self._renderer = self._make_renderer(bodies)
        self.records: dict[str, PageRecord] = {}
        """Route → page of this state, as rendered."""
        self.stale: dict[str, PageRecord] = {}
        """Route → page of an earlier state, which may still be current."""
        self.failures: dict[str, Diagnostic] = {}
        """Route → why the page cannot be rendered."""
        self._addresses: Addresses | None = None
        self._files: dict[str, Path | bytes] = {}
        """Address → file that is not rendered: static, shared and theme files."""
        self._rendered: OrderedDict[str, dict[str, bytes]] = OrderedDict()
        self._stale_lists: set[str] = set()
        """Addresses of lists of pages that are out of date since a text was changed."""
        static = read_static_folder(site_dir, site_files.site.config)
        self._special_files = static.problems
        self._list_files(static.files, stale)
        self._needs = {need for record in self.stale.values() for need in record.needs}
        self.policy = site_files.content_policy(self._needs)

    def _list_files(self, static: Mapping[str, str], stale: Mapping[str, PageRecord]) -> None:
        arranged = arrange(self.site_files, static)
        self.static = arranged.static
        self.redirect_pages = arranged.redirect_pages
        self.jobs = arranged.jobs
        self._keys = arranged.keys
        self._component_files = set(self.site_files.component_files()) & arranged.written.keys()
        self._unplaced = [*self._special_files, *arranged.problems]
        self._routes = arranged.page_files
        self._lists = {"llms.txt", PAGES_PATH} & arranged.written.keys()
        own = {address: self._site_dir / path for address, path in arranged.static.items()}
        self._files = {**arranged.written, **arranged.theme, **own}
        for route in self.jobs:
            if (record := stale.get(route)) is not None:
                self.stale[route] = record
                self._note_files(route, record)

    def _make_renderer(self, bodies: BodySource) -> PageRenderer:
        # Nobody links to a preview, so it has no cards.
        return self.site_files.renderer(self._engines, bodies, self._sink, has_cards=False)

    # Files

    @property
    def addresses(self) -> Addresses:
        """Addresses of all files known so far. May be called by the server's thread."""
        known = self._addresses
        if known is None:
            known = self._addresses = Addresses(self.manifest)
        return known

    @property
    def manifest(self) -> Manifest:
        """List what a build would publish. May be called by the server's thread."""
        # list() copies in one step: the thread that owns the site may add files of a page meanwhile.
        files = dict.fromkeys([*list(self._files), *list(self._routes)], _UNKNOWN_CONTENT)
        return self.site_files.manifest(
            self.build_id, files, redirect_pages=self.redirect_pages, content_policy=self.policy, search=""
        )

    def has(self, address: str) -> bool:
        """Return whether there is such a file. May be called by the server's thread."""
        return address in self._routes or address in self._files

    def rendered_file(self, address: str) -> bytes | None:
        """Return a file that needs no rendering, else None. May be called by the server's thread."""
        route = self._routes.get(address)
        drawn = self._rendered.get(route) if route is not None else None
        if drawn is not None:
            return drawn.get(address)
        found = self._files.get(address) if route is None and address not in self._stale_lists else None
        return found if isinstance(found, bytes) else None

    def file(self, address: str) -> bytes:
        """Return a file; its page is rendered if necessary.

        Raises:
            KeyError: there is no such file.
            OSError: it is no longer on the disk.
            RenderError: the theme failed on it.
        """
        route = self._routes.get(address)
        if route is None:
            if address in self._stale_lists:
                self._renew_lists()
            found = self._files[address]
            return found if isinstance(found, bytes) else found.read_bytes()
        if route not in self._rendered:
            self._rendered[route] = self.render(route)
        self._rendered.move_to_end(route)
        while len(self._rendered) > _MOST_RENDERED:
            self._rendered.popitem(last=False)
        return self._rendered[route][address]

    # Rendering

    def render(self, route: str) -> dict[str, bytes]:
        """Render a page; returns address → content of its files.

        Raises:
            RenderError: the theme failed on it.
        """
        self._sink.take()
        record = self._renderer.draw(self.jobs[route])
        self.failures.pop(route, None)
        self._note(route, record)
        return self._sink.take()

    def data(self, page: Page) -> tuple[PagePayload, bool]:
        """Render the payload of a page, for a reader who has another page of the site open.

        Returns:
            (payload, whether it needs more of the content security policy).

        Raises:
            RenderError: the theme failed on it.
        """
        content, needs = self._renderer.draw_data(self.jobs[page.route])
        self._allow(needs)
        return content, bool(needs)

    def page_at(self, path: str) -> Page | None:
        """Find the page with an address, given as the path from the host's root; None where no document has it."""
        url = self.site_files.resolver.url
        pages = self.site_files.site.by_route.values()
        return next((page for page in pages if page.source is not None and url(page.route) == path), None)

    def article_of(self, page: Page, document: Document) -> tuple[str, list[Diagnostic]]:
        """Render another document in the place of a page's own; nothing of it is kept.

        Returns:
            (the article, its findings with those about links that lead nowhere).

        Raises:
            RenderError: the theme failed on it.
        """
        summary, body = split_document(document, _TYPED)
        shown = msgspec.structs.replace(page, summary=summary)
        broken = [
            Diagnostic("broken-link", "error", link.span, f'link "{link.href}" leads to no document and no file.')
            for link in document.links
            if self.site_files.resolver.resolve(shown, link).kind == "broken"
        ]
        job = self.jobs[page.route]._replace(page=shown)
        return self._make_renderer(_OneBody(body)).draw_data(job)[0].html, [*document.diagnostics, *broken]

    def render_rest(self) -> Iterator[None]:
        """Render all pages that have changed and were not requested; one page a step."""
        for route, job in self.jobs.items():
            if route in self.records:
                continue
            known = self.stale.get(route)
            try:
                if known is not None and self._renderer.is_current(job, known):
                    self._note(route, msgspec.structs.replace(known, quick_key=job.quick_key))
                else:
                    self.render(route)
            except RenderError as error:
                origin = job.page.origin if job.page else ""
                self.failures[route] = Diagnostic("render", "error", Span(origin), str(error))
            yield
        self._needs = {need for record in self.records.values() for need in record.needs}
        self.policy = self.site_files.content_policy(self._needs)

    def patch(self, summaries: Mapping[str, DocumentSummary]) -> Patch | None:
        """Take over changed texts.

        Args:
            summaries: Source path → summary.

        Returns:
            The affected pages; None, and nothing was done, where more than these pages depends on the change.
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

    def use_look(self, inputs: SiteInputs) -> None:
        """Take over settings that differ in nothing but the look: every page is rendered again when it is requested."""
        site_files, before, look = self.site_files, self.site_files.look.files, inputs.look
        site_files.use_look(inputs.config, look)
        self._renderer = self._make_renderer(self._bodies)
        self._keys = site_files.quick_keys({**site_files.shared_files(), **site_files.theme_files(), **self.static})
        for route, job in self.jobs.items():
            key = self._keys.key(job.page) if job.page is not None else site_files.shared_key
            self.jobs[route] = job._replace(quick_key=key)
        for route in list(self.records):
            self._forget(route)
        for address in before.keys() - look.files.keys():
            self._files.pop(address, None)
        self._files |= look.files
        self._addresses = None
        self.policy = site_files.content_policy(self._needs)

    def patch_components(self, components: SiteComponents, changed: frozenset[str]) -> Patch:
        """Take over changed components.

        Args:
            components: All of them as they are now.
            changed: See `SiteComponents.changed`.

        Returns:
            The affected pages.
        """
        self.site_files.components = components
        self._renderer.use_components(components)
        self._keys.use_components(components)
        shown = [
            job.page
            for route, job in self.jobs.items()
            if job.page is not None
            and job.page.summary is not None
            and (not changed.isdisjoint(job.page.summary.island_kinds) or self._is_passing(route))
        ]
        for page in shown:
            self.jobs[page.route] = self.jobs[page.route]._replace(quick_key=self._keys.key(page))
            self._forget(page.route)
        fresh = self.site_files.component_files()
        for address in self._component_files - fresh.keys():
            del self._files[address]
        self._files |= fresh
        self._component_files = set(fresh)
        self._addresses = None
        return Patch(shown, [])

    @property
    def unplaced(self) -> list[Diagnostic]:
        """What is wrong with the names of files."""
        return self._unplaced

    def _is_passing(self, route: str) -> bool:
        record = self.records.get(route)
        return record is not None and record.is_passing

    def forget_passing(self) -> list[str]:
        """Forget the pages that may be rendered otherwise now: a component was not done, or was stopped.

        Returns:
            Their routes.
        """
        routes = [route for route in self.records if self._is_passing(route)]
        for route in routes:
            self._forget(route)
        return routes

    def _renew_lists(self) -> None:
        """Write the lists of pages when one is requested, not at each save: they name all pages."""
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
        self._rendered.pop(route, None)

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
        """Note the files of a page that are not known yet."""
        routes = {address: route for address in record.files if address not in self._routes}
        if routes:
            self._routes |= routes
            self._addresses = None

    def _allow(self, needs: Iterable[str]) -> None:
        if not self._needs.issuperset(needs):
            self._needs.update(needs)
            self.policy = self.site_files.content_policy(self._needs)

    # Findings

    @property
    def is_settled(self) -> bool:
        """All pages of this state have been rendered, or have failed."""
        return len(self.records) + len(self.failures) >= len(self.jobs)

    def findings(self, lines: SourceLines) -> Iterator[Diagnostic]:
        """Find broken references between the pages rendered so far."""
        site_files = self.site_files
        records = {route: self.records[route] for route in self.jobs if route in self.records}
        files = {**self._files, **self._routes}
        yield from self._unplaced
        yield from site_files.collisions(records, self.static)
        addresses = site_files.ledger_addresses(self.static) if site_files.ledger is not None else set()
        yield from site_files.findings(records, files, addresses, lines)
        yield from self.failures.values()
        for record in records.values():
            yield from record.problems


class _OneBody:
    """The body of a document that is not part of the site."""

    def __init__(self, body: Body) -> None:
        self._body = body

    def load(self, body_key: str) -> Body:
        """See `BodySource`."""
        del body_key
        return self._body


class _Sink:
    """Keeps rendered files in memory."""

    def __init__(self) -> None:
        self._written: dict[str, bytes] = {}

    def write(self, address: str, content: bytes) -> ManifestFile:
        """See `Sink`."""
        self._written[address] = content
        return ManifestFile(hash_content(content), len(content))

    def take(self) -> dict[str, bytes]:
        """Return what has been written since the last call."""
        written, self._written = self._written, {}
        return written
