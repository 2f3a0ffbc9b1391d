"""Draw pages: payload, article, React, HTML; written into the staging folder as they are done."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from recto.build import payload as wire
from recto.build import render
from recto.build.article import Fillings, fill_article, fill_slots, island_props
from recto.build.body import Bodies, Body
from recto.build.cache import digest
from recto.build.document_html import DocumentWriter
from recto.build.publish import Staging
from recto.build.published import PageRecord
from recto.build.render import Renderer
from recto.build.scan import scan_html
from recto.build.theme import Theme
from recto.build.wire import Wirer
from recto.build.workers import map_chunks
from recto.content.document import SLOT, Island
from recto.site.assets import AssetStore
from recto.site.links import LinkResolver
from recto.site.model import Edition, Page, Site

_CHUNK = 24
_PARALLEL_FROM = 48


class Artist:
    """Draws the pages of one site. Made before the workers are forked; each worker starts a V8 of its own."""

    def __init__(
        self,
        site: Site,
        *,
        resolver: LinkResolver,
        assets: AssetStore,
        wirer: Wirer,
        theme: Theme,
        bodies: Bodies,
        staging: Staging,
    ) -> None:
        self._site = site
        self._resolver = resolver
        self._assets = assets
        self._wirer = wirer
        self._bodies = bodies
        self._staging = staging
        self._renderer = Renderer(theme)
        self._navbar_paths = {_plain_path(href) for href in wirer.navbar_hrefs()}
        self._writers = {id(edition): DocumentWriter(site.config, edition, theme) for edition in site.editions}

    def fillings(self, page: Page) -> Fillings:
        """Resolve the links and assets of a page."""
        if page.face is None:
            return Fillings([], [], [], has_files=False)
        base_url = self._site.config.base_url
        targets = [self._resolver.resolve(page, link) for link in page.face.links]
        resolved = [self._assets.resolve(asset, base_url) for asset in page.face.assets]
        return Fillings(
            links=[target.url for target in targets],
            assets=[asset.url for asset in resolved],
            sizes=[asset.size_attributes for asset in resolved],
            has_files=bool(resolved) or any(target.kind == "file" for target in targets),
        )

    def page_key(self, page: Page, shared_key: str) -> str:
        """Hash everything a page is drawn from."""
        body_key = page.face.body_key if page.face else ""
        has_cards = page.face is None or "card-list" in page.face.island_kinds
        cards = msgspec.msgpack.encode(self._wirer.cards(page)) if has_cards else b""
        front = msgspec.msgpack.encode(page.face.front_matter) if page.face else b""
        return digest(
            shared_key,
            body_key,
            msgspec.msgpack.encode(self._wirer.page(page)),
            msgspec.msgpack.encode(self.fillings(page)),
            cards,
            front,
            repr(page.trail),
        )

    def draw_all(
        self, pages: Sequence[tuple[Page, str]], *, report: Callable[[int], None]
    ) -> list[tuple[Page, PageRecord]]:
        """Draw pages, given with their keys; `report` is told how many are done each time."""
        drawn: list[tuple[Page, PageRecord]] = []

        def work(jobs: Sequence[tuple[Page, str]]) -> list[bytes]:
            return [msgspec.msgpack.encode(record) for record in self._draw(jobs)]

        for jobs, outcomes in map_chunks(work, pages, chunk=_CHUNK, parallel_from=_PARALLEL_FROM):
            for (page, _), outcome in zip(jobs, outcomes, strict=True):
                drawn.append((page, msgspec.msgpack.decode(outcome, type=PageRecord)))
            report(len(drawn))
        return drawn

    def not_found_key(self, edition: Edition, shared_key: str) -> str:
        """Hash everything an edition's not-found page is drawn from."""
        return digest(shared_key, msgspec.msgpack.encode(self._wirer.not_found(edition)))

    def draw_not_found(self, edition: Edition, address: str, key: str) -> PageRecord:
        """Draw an edition's not-found page."""
        payload = self._wirer.not_found(edition)
        document = self._document(payload, "", None, edition, self._drawn_pages([(payload, edition)])[0])
        file = self._staging.write(address, document.encode())
        return PageRecord(key, "", has_files=False, files={address: file}, references=[], anchors=[])

    def _draw(self, jobs: Sequence[tuple[Page, str]]) -> list[PageRecord]:
        drafts = [_Draft(page, key, self._wirer.page(page), self.fillings(page)) for page, key in jobs]
        articles = self._articles(drafts)
        skeletons = self._drawn_pages([(draft.payload, draft.page.edition) for draft in drafts])
        return [
            self._write(draft, article, skeleton)
            for draft, article, skeleton in zip(drafts, articles, skeletons, strict=True)
        ]

    def _drawn_pages(self, payloads: Sequence[tuple[wire.PagePayload, Edition]]) -> list[str]:
        for edition in {id(edition): edition for _, edition in payloads}.values():
            self._load_shared(edition)
        marked = [msgspec.structs.replace(payload, html=f"{SLOT}{render.HTML}{SLOT}") for payload, _ in payloads]
        return self._renderer.pages(marked)

    def _load_shared(self, edition: Edition) -> None:
        shared = self._wirer.shared[id(edition)]
        base = self._site.config.base_url
        self._renderer.load("loadSite", base + shared.site, shared.files[shared.site])
        for address in shared.sidebars.values():
            self._renderer.load("loadSidebar", base + address, shared.files[address])

    def _articles(self, drafts: Sequence[_Draft]) -> list[str]:
        bodies = [self._body(draft.page) for draft in drafts]
        islands: list[tuple[str, dict[str, Any]]] = []
        for draft, body in zip(drafts, bodies, strict=True):
            cards = partial(self._wirer.cards, draft.page)
            islands += [(island.kind, island_props(island, draft.fillings, cards)) for island in body.islands]
        drawn = iter(self._renderer.islands(islands) if islands else ())
        return [
            fill_article(body, draft.fillings, [next(drawn) for _ in body.islands])
            for draft, body in zip(drafts, bodies, strict=True)
        ]

    def _body(self, page: Page) -> Body:
        return self._bodies.load(page.face.body_key) if page.face else _category_body(page)

    def _write(self, draft: _Draft, article: str, skeleton: str) -> PageRecord:
        page, payload = draft.page, draft.payload
        document = self._document(payload, article, page, page.edition, skeleton)
        files = {
            html_file(page.route): document.encode(),
            payload_file(page.route): msgspec.json.encode(msgspec.structs.replace(payload, html=article)),
        }
        references, anchors = scan_html(skeleton.replace(f"{SLOT}{render.HTML}{SLOT}", article))
        return PageRecord(
            key=draft.key,
            body_key=page.face.body_key if page.face else "",
            has_files=draft.fillings.has_files,
            files={address: self._staging.write(address, content) for address, content in files.items()},
            references=references,
            anchors=anchors,
        )

    def _document(
        self, payload: wire.PagePayload, article: str, page: Page | None, edition: Edition, skeleton: str
    ) -> str:
        content = fill_slots(skeleton, self._shared_parts(payload, page, edition) | {render.HTML: article})
        return self._writers[id(edition)].write(payload, content, page)

    def _shared_parts(self, payload: wire.PagePayload, page: Page | None, edition: Edition) -> dict[str, str]:
        shared = self._wirer.shared[id(edition)]
        site = self._site.config.base_url + shared.site
        sidebar_id = page.sidebar_id if page else None
        return {
            render.NAVBAR: self._navbar(site, sidebar_id, payload),
            render.FOOTER: self._renderer.part("renderFooter", site),
            render.ANNOUNCEMENTS: self._renderer.part("renderAnnouncements", site),
            render.SIDEBAR: self._sidebar(page, payload) if payload.sidebar else "",
        }

    def _navbar(self, site: str, sidebar_id: str | None, payload: wire.PagePayload) -> str:
        # Only on the pages that the bar links to does it depend on the page.
        path = payload.path if _plain_path(payload.path) in self._navbar_paths else ""
        return self._renderer.part("renderNavbar", site, sidebar_id, path)

    def _sidebar(self, page: Page | None, payload: wire.PagePayload) -> str:
        # An unlisted page is not in its sidebar, so no branch of it is open there.
        trail = msgspec.json.encode(page.trail).decode() if page and not page.is_unlisted else "[]"
        drawn = self._renderer.part("renderSidebar", payload.sidebar, trail)
        # As React writes it.
        href = f'href="{html.escape(payload.sidebar_path)}"'
        return drawn.replace(href, f'{href} aria-current="page"', 1)


class _Draft(NamedTuple):
    """A page about to be drawn."""

    page: Page
    key: str
    payload: wire.PagePayload
    fillings: Fillings


def _plain_path(path: str) -> str:
    """A path as the theme compares it: without regard to case and final slash."""
    return path.lower().rstrip("/")


def _category_body(page: Page) -> Body:
    """Make the body of a generated index: its description, and a card for each item."""
    cards = Island(kind="card-list", props={"items": None})
    intro = f"<p>{html.escape(page.description)}</p>\n" if page.description else ""
    return Body(html=f"{intro}{SLOT}I0{SLOT}", islands=[cards], anchors=[], text=[], markdown="")


def html_file(route: str) -> str:
    """Name the HTML file of a route, in the published folder. `/a/b` and `/a/` both become folders with an index."""
    path = route.strip("/")
    if path.endswith(".html"):
        return path
    return f"{path}/index.html" if path else "index.html"


def payload_file(route: str) -> str:
    """Name the payload file of a route."""
    path = route[1:]
    return f"_recto/pages/{path}index.json" if route.endswith("/") else f"_recto/pages/{path}.json"
