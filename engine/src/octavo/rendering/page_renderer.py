"""Draw pages: payload, article, React, HTML; written into the staging folder as they are done."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, Protocol

import msgspec

from octavo.content import SLOT, Island
from octavo.contract import html_file, payload_file
from octavo.contract import payload as contract
from octavo.diagnostics import Diagnostic
from octavo.documents import Body, BodySource
from octavo.look import Look
from octavo.manifest import ManifestFile, markdown_file
from octavo.pictures import CARD_SIZE, CardStyle, SocialCard, card_problem
from octavo.rendering import theme_bridge as slots
from octavo.rendering.article import Fillings, fill_article, fill_slots, island_props
from octavo.rendering.authored import Around, ComponentDrawer, Drawn, Use, is_authored, lay_out, use_of, with_slots
from octavo.rendering.csp import scan_needs
from octavo.rendering.document_html import DocumentWriter, SocialImage, in_static_folder
from octavo.rendering.engine import Engines
from octavo.rendering.markdown_page import MarkdownWriter
from octavo.rendering.page_record import PageRecord
from octavo.rendering.payloads import PayloadMaker
from octavo.rendering.scan import scan_html
from octavo.rendering.theme import Theme
from octavo.rendering.theme_bridge import ThemeBridge
from octavo.runtime import digest, map_chunks
from octavo.site import AssetStore, EditionInfo, LinkResolver, Page, Site

_CHUNK = 24
PARALLEL_FROM = 48
"""Pages from which on several processes draw."""


class PageJob(NamedTuple):
    """A page that the site must have, with what tells cheaply whether it is still as it was drawn."""

    route: str
    edition: EditionInfo
    page: Page | None
    """None for the not-found page of an edition."""
    quick_key: str
    """See `QuickKeys`."""


class Sink(Protocol):
    """Takes what is drawn."""

    def write(self, address: str, content: bytes) -> ManifestFile:
        """Take a file."""


class PageRenderer:
    """Draws the pages of one site. Made before the workers are forked; each worker starts a V8 of its own."""

    def __init__(
        self,
        site: Site,
        *,
        resolver: LinkResolver,
        assets: AssetStore,
        payloads: PayloadMaker,
        theme: Theme,
        look: Look,
        engines: Engines,
        bodies: BodySource,
        staging: Sink,
        shared_key: str,
        card_style: CardStyle | None = None,
        components: ComponentDrawer | None = None,
    ) -> None:
        """Initialize.

        Args:
            site: The site.
            resolver: Finds what links lead to.
            assets: Finds files.
            payloads: Makes payloads.
            theme: The theme.
            look: What the site adds to the theme's look.
            engines: Give what runs the theme.
            bodies: The texts.
            staging: Where pages are written to.
            shared_key: Hash of what all pages are drawn from.
            card_style: What their social cards have in common; None for no cards.
            components: Draws components of authors; None where the site has none.
        """
        self._components = components
        self._card_style = card_style
        self._site = site
        self._resolver = resolver
        self._assets = assets
        self._payloads = payloads
        self._engines = engines
        self._bodies = bodies
        self._staging = staging
        self._shared_key = shared_key
        self._navbar_paths = {_plain_path(href) for href in payloads.navbar_hrefs()}
        self._markdown = MarkdownWriter(site, resolver) if site.config.programs.markdown else None
        self._writers = {edition.key: DocumentWriter(site.config, edition, theme, look) for edition in site.editions}

    def use_site(self, site: Site) -> None:
        """Render another site, which has the same pages at the same routes, with other texts."""
        self._site = site
        if self._markdown is not None:
            self._markdown = MarkdownWriter(site, self._resolver)

    @cached_property
    def _bridge(self) -> ThemeBridge:
        return ThemeBridge(self._engines.take())

    def fillings(self, page: Page) -> Fillings:
        """Resolve the links and assets of a page."""
        if page.summary is None:
            return _NO_FILLINGS
        base_url = self._site.config.base_url
        targets = [self._resolver.resolve(page, link) for link in page.summary.links]
        resolved = [self._assets.resolve(asset, base_url) for asset in page.summary.assets]
        return Fillings(
            links=[target.url for target in targets],
            assets=[asset.url for asset in resolved],
            sizes=[asset.size_attributes for asset in resolved],
            forms=[form for asset in resolved for form in asset.forms],
            has_files=bool(resolved) or any(target.kind in ("file", "broken") for target in targets),
        )

    def is_current(self, job: PageJob, known: PageRecord) -> bool:
        """Return whether a page would be drawn as it was."""
        if known.is_passing:
            return False
        if known.is_shallow and known.quick_key == job.quick_key:
            return True
        return known.key == self._key(self._draft(job))

    def draw_all(
        self, jobs: Sequence[PageJob], *, report: Callable[[int], None]
    ) -> Iterator[tuple[PageJob, PageRecord]]:
        """Draw pages; `report` is called with the number done so far after each batch."""

        def work(part: Sequence[PageJob]) -> list[bytes]:
            return [msgspec.msgpack.encode(record) for record in self._draw(part)]

        if len(jobs) >= PARALLEL_FROM:
            self._engines.close()  # the workers can't share it
            if self._components is not None:
                pages = (job.page for job in jobs)
                self._components.share(
                    kind for page in pages if page and page.summary for kind in page.summary.island_kinds
                )
        done = 0
        for part, outcomes in map_chunks(work, jobs, chunk=_CHUNK, parallel_from=PARALLEL_FROM):
            for job, outcome in zip(part, outcomes, strict=True):
                yield job, msgspec.msgpack.decode(outcome, type=PageRecord)
            done += sum(job.page is not None for job in part)
            report(done)

    def draw(self, job: PageJob) -> PageRecord:
        """Draw one page, here and now."""
        return self._draw([job])[0]

    def draw_data(self, job: PageJob) -> tuple[contract.PagePayload, list[str]]:
        """Draw only what a reader needs who has the site before them.

        Returns:
            (the payload, what it asks of the content security policy).
        """
        draft = self._draft(job)
        article = self._articles([draft])[0]
        around = self._around([draft])[0]
        payload = with_slots(msgspec.structs.replace(draft.payload, html=article), around)
        drawn = [around.layout.html] if around.layout else []
        return payload, scan_needs("".join([article, *around.html.values(), *drawn]))

    def _draft(self, job: PageJob) -> _Draft:
        page = job.page
        if page is None:
            return _Draft(job, self._payloads.not_found(job.edition), _NO_FILLINGS, {}, [], [])
        return _Draft(job, self._payloads.page(page), self.fillings(page), {}, [], [])

    def _key(self, draft: _Draft) -> str:
        """Hash everything a page is drawn from."""
        page = draft.job.page
        parts: list[bytes | str] = [self._shared_key, msgspec.msgpack.encode((draft.payload, draft.fillings))]
        if page is not None:
            front = page.summary.front_matter if page.summary else None
            cards = self._payloads.cards(page) if has_cards(page) else None
            image = self._image(draft, None) if _has_own_image(page) else None
            more = msgspec.msgpack.encode((cards, front, page.trail, image))
            parts += [page.summary.body_key if page.summary else "", more]
            if self._components is not None and page.summary:
                parts.append(self._components.key(page.summary.island_kinds))
        return digest(*parts)

    def _draw(self, jobs: Sequence[PageJob]) -> list[PageRecord]:
        drafts = [self._draft(job) for job in jobs]
        articles = self._articles(drafts)
        around = self._around(drafts)
        skeletons = self._drawn_pages(
            [(draft.payload, draft.job.edition, slots) for draft, slots in zip(drafts, around, strict=True)]
        )
        return [
            self._write(draft, article, skeleton, slots)
            for draft, article, skeleton, slots in zip(drafts, articles, skeletons, around, strict=True)
        ]

    def _around(self, drafts: Sequence[_Draft]) -> list[Around]:
        """Draw what the site puts around articles, for each page."""
        if self._components is None:
            return [Around({}) for _ in drafts]
        wanted = [self._components.page_slots(draft.payload) for draft in drafts]
        drawn = iter(self._components.draw([use for uses in wanted for use in uses.values()]))
        return [
            self._in_places(draft, {name: (use, next(drawn)) for name, use in uses.items()})
            for draft, uses in zip(drafts, wanted, strict=True)
        ]

    def _in_places(self, draft: _Draft, drawn: dict[str, tuple[Use, Drawn]]) -> Around:
        draft.problems.extend(one.problem for _, one in drawn.values() if one.problem is not None)
        draft.passing.extend(one.html for _, one in drawn.values() if one.is_passing)
        layout = next((one for use, one in drawn.values() if use.parts and one.data), None)
        places = {name: self._in_place(draft, name, use, one) for name, (use, one) in drawn.items() if not use.parts}
        return Around(places, layout)

    def _in_place(self, draft: _Draft, name: str, use: Use, drawn: Drawn) -> str:
        """Give a drawn slot what it replaces."""
        default = ""
        if use.has_children:
            self._load_shared(draft.job.edition)
            default = self._footer(draft.job.edition)
        return fill_slots(drawn.html, {"ID": f"slot-{name}", "C0": default})

    def _footer(self, edition: EditionInfo) -> str:
        shared = self._payloads.shared[edition.key]
        return self._bridge.part("renderFooter", self._site.config.base_url + shared.site)

    def _drawn_pages(self, pages: Sequence[tuple[contract.PagePayload, EditionInfo, Around]]) -> list[str]:
        for edition in {edition.key: edition for _, edition, _ in pages}.values():
            self._load_shared(edition)
        marked = [
            with_slots(
                msgspec.structs.replace(payload, html=f"{SLOT}{slots.HTML}{SLOT}"),
                Around({name: f"{SLOT}{name}{SLOT}" for name in around.html}, around.layout),
            )
            for payload, _, around in pages
        ]
        return self._bridge.pages(marked)

    def _load_shared(self, edition: EditionInfo) -> None:
        shared = self._payloads.shared[edition.key]
        base = self._site.config.base_url
        self._bridge.load("loadSite", base + shared.site, shared.files[shared.site])
        self._bridge.load_words(base + shared.site, shared.server_words)
        for address in shared.sidebars.values():
            self._bridge.load("loadSidebar", base + address, shared.files[address])

    def _articles(self, drafts: Sequence[_Draft]) -> list[str]:
        bodies = [self._body(draft.job.page) for draft in drafts]
        # Those of one language together: each call of the theme costs more than a small island.
        islands: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        for draft, body in zip(drafts, bodies, strict=True):
            if not body.islands:
                continue
            if draft.payload.site not in islands:
                self._load_shared(draft.job.edition)
            cards = partial(self._cards, draft)
            islands.setdefault(draft.payload.site, []).extend(
                (island.kind, island_props(island, draft.fillings, cards))
                for island in body.islands
                if not is_authored(island)
            )
        drawn = {site: iter(self._bridge.islands(site, given)) for site, given in islands.items()}
        authored = self._authored(drafts, bodies)
        for draft, body in zip(drafts, bodies, strict=True):
            draft.files.update(body.files)
        return [
            fill_article(
                body,
                draft.fillings,
                [next(authored if is_authored(island) else drawn[draft.payload.site]) for island in body.islands],
            )
            for draft, body in zip(drafts, bodies, strict=True)
        ]

    def _authored(self, drafts: Sequence[_Draft], bodies: Sequence[Body]) -> Iterator[str]:
        """Draw the components of authors in some pages, in order, and note which of them cannot be drawn."""
        uses: list[Use] = []
        owners: list[_Draft] = []
        for draft, body in zip(drafts, bodies, strict=True):
            for island in filter(is_authored, body.islands):
                uses.append(use_of(island, island_props(island, draft.fillings, list)["props"]))
                owners.append(draft)
        if self._components is None or not uses:
            return
        for draft, drawn in zip(owners, self._components.draw(uses), strict=True):
            if drawn.problem is not None:
                draft.problems.append(drawn.problem)
            draft.passing.extend([drawn.html] if drawn.is_passing else [])
            yield drawn.html

    def _cards(self, draft: _Draft) -> list[contract.CardData]:
        return self._payloads.cards(draft.job.page) if draft.job.page else []

    def _body(self, page: Page | None) -> Body:
        if page is None:
            return _NO_BODY
        return self._bodies.load(page.summary.body_key) if page.summary else _category_body(page)

    def _write(self, draft: _Draft, article: str, skeleton: str, around: Around) -> PageRecord:
        job, payload = draft.job, draft.payload
        if around.layout is not None:
            skeleton = lay_out(skeleton, around.layout)
        for name, drawn in around.html.items():
            skeleton = skeleton.replace(f"{SLOT}{name}{SLOT}", drawn)
        cards, undrawable = self._card(draft)
        document = self._document(draft, article, skeleton, next(iter(cards), None), around)
        files = {html_file(job.route, is_flat=self._site.config.has_flat_files): document.encode()}
        files |= {address: content.encode() for address, content in draft.files.items()}
        references: list[str] = []
        anchors: list[str] = []
        needs: list[str] = []
        if job.page is not None:
            content = msgspec.json.encode(with_slots(msgspec.structs.replace(payload, html=article), around))
            files[payload_file(job.route)] = content
            if self._markdown is not None and payload.layout != "search":
                markdown = self._markdown.write(job.page, self._body(job.page), draft.fillings)
                files[markdown_file(job.route)] = markdown.encode()
            whole = skeleton.replace(f"{SLOT}{slots.HTML}{SLOT}", article)
            references, anchors = scan_html(whole)
            needs = scan_needs(whole)
        return PageRecord(
            key="" if draft.passing else self._key(draft),
            quick_key=job.quick_key,
            is_shallow=not (
                draft.fillings.has_files or (job.page and (has_cards(job.page) or _has_own_image(job.page)))
            ),
            files={address: self._staging.write(address, content) for address, content in files.items()},
            copies=self._assets.copied_for(
                [*draft.fillings.links, *draft.fillings.assets, *draft.fillings.forms], self._site.config.base_url
            ),
            cards=cards,
            undrawable=undrawable,
            references=references,
            anchors=anchors,
            needs=needs,
            problems=draft.problems,
        )

    def _document(self, draft: _Draft, article: str, skeleton: str, card: str | None, around: Around) -> str:
        page, edition = draft.job.page, draft.job.edition
        # In the document itself they are in their places already.
        payload = with_slots(draft.payload, around, is_inside=True)
        content = fill_slots(skeleton, self._shared_parts(payload, page, edition) | {slots.HTML: article})
        return self._writers[edition.key].write(payload, content, page, self._image(draft, card))

    def _image(self, draft: _Draft, card: str | None) -> SocialImage | None:
        """Find the picture for previews: the page's own, its card, or that of the site."""
        config, page = self._site.config, draft.job.page
        title = draft.payload.document_title
        summary = page.summary if page else None
        own = summary.front_matter.image if summary else None
        if summary is not None and own is not None:
            # Among its assets where it lies beside the document.
            index = next((index for index, asset in enumerate(summary.assets) if asset.href == own), None)
            if index is not None:
                return SocialImage(draft.fillings.assets[index], None, title)
            return SocialImage(in_static_folder(own, config), self._static_size(own), title)
        if card is not None:
            return SocialImage(f"{config.base_url}{card}", CARD_SIZE, title)
        if config.image:
            return SocialImage(in_static_folder(config.image, config), self._static_size(config.image), config.title)
        return None

    def _static_size(self, file: str) -> tuple[int, int] | None:
        return None if "://" in file else self._assets.static_size(f"/{file.lstrip('/')}")

    def _card(self, draft: _Draft) -> tuple[dict[str, SocialCard], str]:
        """Say what is on the social card of a page.

        Returns:
            (address → card, empty where it has none; characters of its title that cannot be drawn).
        """
        style, page, payload = self._card_style, draft.job.page, draft.payload
        if style is None or page is None or payload.layout == "search":
            return {}, ""
        if _has_own_image(page):
            return {}, ""
        section = payload.breadcrumbs[0].label if len(payload.breadcrumbs) > 1 else ""
        card = SocialCard(payload.title, section, payload.description)
        undrawable = card_problem(card, style)
        return ({} if undrawable else {card.address(self._card_key): card}), undrawable

    @cached_property
    def _card_key(self) -> str:
        return self._card_style.key if self._card_style else ""

    def _shared_parts(self, payload: contract.PagePayload, page: Page | None, edition: EditionInfo) -> dict[str, str]:
        shared = self._payloads.shared[edition.key]
        site = self._site.config.base_url + shared.site
        sidebar_id = page.sidebar_id if page else None
        return {
            slots.NAVBAR: self._navbar(site, sidebar_id, payload),
            slots.FOOTER: self._footer(edition),
            slots.ANNOUNCEMENTS: self._bridge.part("renderAnnouncements", site, json.dumps(payload.announcements)),
            slots.SIDEBAR: self._sidebar(page, payload) if payload.sidebar else "",
        }

    def _navbar(self, site: str, sidebar_id: str | None, payload: contract.PagePayload) -> str:
        # Only on the pages that the bar links to does it depend on the page.
        path = payload.path if _plain_path(payload.path) in self._navbar_paths else ""
        return self._bridge.part("renderNavbar", site, sidebar_id, path)

    def _sidebar(self, page: Page | None, payload: contract.PagePayload) -> str:
        # An unlisted page is not in its sidebar, so no branch of it is open there.
        trail = msgspec.json.encode(page.trail).decode() if page and not page.is_unlisted else "[]"
        drawn = self._bridge.part("renderSidebar", payload.site, payload.sidebar, trail)
        # As React writes it.
        href = f'href="{html.escape(payload.sidebar_path)}"'
        return drawn.replace(href, f'{href} aria-current="page"', 1)


class _Draft(NamedTuple):
    """A page about to be drawn."""

    job: PageJob
    payload: contract.PagePayload
    fillings: Fillings
    files: dict[str, str]
    """Texts to publish beside it: address → content; known once its body is."""
    problems: list[Diagnostic]
    """What is wrong with its components; known once it is drawn."""
    passing: list[str]
    """What components were stopped, or are not done: the page may be drawn otherwise at another time."""


_NO_FILLINGS = Fillings([], [], [], [], has_files=False)
_NO_BODY = Body(html="", islands=[], anchors=[], text=[], markdown="")


def has_cards(page: Page) -> bool:
    """Return whether a page shows cards, which say something of other pages."""
    return page.summary is None or "card-list" in page.summary.island_kinds


def _has_own_image(page: Page) -> bool:
    return page.summary is not None and page.summary.front_matter.image is not None


def _plain_path(path: str) -> str:
    """A path as the theme compares it: without regard to case and final slash."""
    return path.lower().rstrip("/")


def _category_body(page: Page) -> Body:
    """Make the body of a generated index: its description, and a card for each item."""
    cards = Island(kind="card-list", props={"items": None})
    intro = f"<p>{html.escape(page.description)}</p>\n" if page.description else ""
    return Body(html=f"{intro}{SLOT}I0{SLOT}", islands=[cards], anchors=[], text=[], markdown="")


def not_found_route(edition: EditionInfo) -> str:
    """Name the route of an edition's not-found page."""
    return f"{edition.prefix}/404.html"
