"""Draw pages: payload, article, React, HTML; written into the staging folder as they are done."""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import groupby, repeat
from typing import Any, NamedTuple

import msgspec

from octavo.content import SLOT
from octavo.contract import html_file, payload_file
from octavo.contract import payload as contract
from octavo.diagnostics import Diagnostic
from octavo.documents import Body, BodySource
from octavo.look import Look
from octavo.manifest import markdown_file
from octavo.pictures import CardStyle
from octavo.rendering import theme_bridge as slots
from octavo.rendering.article import Fillings, fill_article, fill_slots, island_props
from octavo.rendering.authored import (
    Around,
    ComponentDrawer,
    Drawn,
    LinksOfComponents,
    Use,
    draw_authored,
    is_authored,
    islands_of,
    lay_out,
    problems_of_article,
    problems_of_component,
    with_slots,
)
from octavo.rendering.common_drawing import CommonDrawing, OpenedPage, PageDrawing, join_found
from octavo.rendering.csp import scan_needs
from octavo.rendering.document_html import DocumentWriter, SocialPictures
from octavo.rendering.engine import Engines
from octavo.rendering.markdown_page import MarkdownWriter
from octavo.rendering.page_record import (
    PageJob,
    PageRecord,
    Sink,
    category_body,
    has_cards,
    has_components,
    has_own_image,
    name_in_versions,
)
from octavo.rendering.payloads import PayloadMaker
from octavo.rendering.scan import scan_html
from octavo.rendering.theme import Theme
from octavo.rendering.theme_bridge import ThemeBridge
from octavo.runtime import digest, map_chunks
from octavo.site import AssetStore, EditionInfo, LinkResolver, Page, Site

_CHUNK = 24
PARALLEL_FROM = 48
"""Pages from which on several processes draw."""


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
        self._pictures = SocialPictures(site.config, assets, card_style)
        self._site = site
        self._resolver = resolver
        self._assets = assets
        self._payloads = payloads
        self._engines = engines
        self._bodies = bodies
        self._staging = staging
        self._shared_key = shared_key
        self._navbar_paths = {_plain_path(href) for href in payloads.navbar_hrefs()}
        self._links = LinksOfComponents(site, resolver)
        self._markdown = MarkdownWriter(site, resolver) if site.config.programs.markdown else None
        self._common = CommonDrawing(site.config, payloads.shared)
        self._writers = {edition.key: DocumentWriter(site.config, edition, theme, look) for edition in site.editions}

    def use_site(self, site: Site) -> None:
        """Render another site, which has the same pages at the same routes, with other texts."""
        self._site = site
        if self._markdown is not None:
            self._markdown = MarkdownWriter(site, self._resolver)

    def use_components(self, components: ComponentDrawer) -> None:
        """Draw with the components of another state of the site; what it puts around articles is the same."""
        self._components = components

    @cached_property
    def _bridge(self) -> ThemeBridge:
        return ThemeBridge(self._engines.take())

    def fillings(self, page: Page) -> Fillings:
        """Resolve the links and assets of a page."""
        if page.summary is None:
            return _NO_FILLINGS
        base_url = self._site.config.base_url
        targets = [self._resolver.resolve(page, link) for link in page.summary.links]
        resolved = [self._assets.resolve(asset, base_url, page.route) for asset in page.summary.assets]
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

        def work(parts: Sequence[Sequence[PageJob]]) -> list[list[bytes]]:
            return [[msgspec.msgpack.encode(record) for record in self._draw(part)] for part in parts]

        if len(jobs) >= PARALLEL_FROM:
            self._engines.close()  # the workers can't share it
            if self._components is not None:
                pages = (job.page for job in jobs)
                self._components.share(
                    kind for page in pages if page and page.summary for kind in page.summary.island_kinds
                )
        parts = self._parts(jobs)
        done = 0
        parallel_from = 1 if len(jobs) >= PARALLEL_FROM else len(parts) + 1
        for (part,), (outcomes,) in map_chunks(work, parts, chunk=1, parallel_from=parallel_from):
            for job, outcome in zip(part, outcomes, strict=True):
                yield job, msgspec.msgpack.decode(outcome, type=PageRecord)
            done += sum(job.page is not None for job in part)
            report(done)

    def _parts(self, jobs: Sequence[PageJob]) -> list[list[PageJob]]:
        """Cut jobs into what a worker draws at a time: pages that may be equal together."""
        if not self._common.is_used:
            return [list(jobs[start : start + _CHUNK]) for start in range(0, len(jobs), _CHUNK)]
        parts: list[list[PageJob]] = []
        for _, versions in groupby(sorted(jobs, key=name_in_versions), name_in_versions):
            together = list(versions)
            if parts and len(parts[-1]) + len(together) <= _CHUNK:
                parts[-1] += together
            else:
                parts.append(together)
        return parts

    def draw(self, job: PageJob) -> PageRecord:
        """Draw one page, here and now."""
        return self._draw([job])[0]

    def draw_data(self, job: PageJob) -> tuple[contract.PagePayload, list[str]]:
        """Draw only what a reader needs who has the site before them.

        Returns:
            (the payload, what it asks of the content security policy).
        """
        draft = self._draft(job)
        article = self._articles([draft], [self._body(job.page)])[0]
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
            image = self._pictures.image(page, draft.payload, draft.fillings, None) if has_own_image(page) else None
            more = msgspec.msgpack.encode((cards, front, page.trail, image))
            parts += [page.summary.body_key if page.summary else "", more]
            if page.summary is None and self._markdown is not None:
                # Its Markdown lists every page below it, of which cards show only some.
                parts.append(self._markdown.listing(page))
            if self._components is not None and page.summary:
                parts.append(self._components.key(page.summary.island_kinds))
                parts.append(self._links.key(draft.job))
        return digest(*parts)

    def _draw(self, jobs: Sequence[PageJob]) -> list[PageRecord]:
        drafts = [self._draft(job) for job in jobs]
        around = self._around(drafts)
        opened = [self._open(draft, slots) for draft, slots in zip(drafts, around, strict=True)]
        counts = Counter(one.key for one in opened if one is not None)
        # A page that has no equal here is drawn as it is.
        opened = [one if one and counts[one.key] > 1 else None for one in opened]
        first = {one.key: (draft, one) for draft, one in zip(drafts, opened, strict=True) if one}
        common = [_Draft(draft.job, one.payload, one.fillings, {}, draft.problems, []) for draft, one in first.values()]
        single = [(draft, slots) for draft, slots, one in zip(drafts, around, opened, strict=True) if one is None]
        drawn = iter(self._drawings([*single, *((draft, _NOTHING_AROUND) for draft in common)]))
        own = {draft.job.route: drawing for (draft, _), drawing in zip(single, drawn, strict=False)}
        equal = dict(zip(first, drawn, strict=True))
        for edition in {job.edition.key: job.edition for job in jobs}.values():
            self._load_shared(edition)  # also for versions whose pages others have been drawn for
        bars = self._bars([draft for draft, one in zip(drafts, opened, strict=True) if one is not None])
        return [
            self._write(draft, own[draft.job.route], slots)
            if one is None
            else self._write(draft, one.close(equal[one.key]), slots, next(bars))
            for draft, slots, one in zip(drafts, around, opened, strict=True)
        ]

    def _open(self, draft: _Draft, around: Around) -> OpenedPage | None:
        """Prepare a page for being drawn with its equals in other versions; None where it has to be drawn by itself."""
        page = draft.job.page
        if page is None or page.summary is None or has_cards(page) or around.html or around.layout is not None:
            return None
        # Properties of components may have addresses in places that are not known.
        if has_components(page):
            return None
        return self._common.open(draft.job.edition, draft.payload, draft.fillings, page.summary.body_key)

    def _bars(self, drafts: Sequence[_Draft]) -> Iterator[str]:
        """Draw the top bars that lead to a page's other editions; empty for pages whose bar is that of others."""
        if not any(item.type in ("version", "locale") for item in self._site.config.navbar.items):
            return repeat("")
        return iter(self._bridge.bars([draft.payload for draft in drafts]))

    def _drawings(self, drafts: Sequence[tuple[_Draft, Around]]) -> list[PageDrawing]:
        pages = [draft for draft, _ in drafts]
        bodies = [self._body(draft.job.page) for draft in pages]
        articles = self._articles(pages, bodies)
        skeletons = self._drawn_pages([(draft.payload, draft.job.edition, slots) for draft, slots in drafts])
        return [
            self._drawing(draft, body, article, skeleton, slots)
            for (draft, slots), body, article, skeleton in zip(drafts, bodies, articles, skeletons, strict=True)
        ]

    def _drawing(self, draft: _Draft, body: Body, article: str, skeleton: str, around: Around) -> PageDrawing:
        page = draft.job.page
        skeleton = lay_out(skeleton, around.layout) if around.layout is not None else skeleton
        for name, drawn in around.html.items():
            skeleton = skeleton.replace(f"{SLOT}{name}{SLOT}", drawn)
        if page is None:
            return PageDrawing(skeleton, article, "", draft.files, "", "", "")
        markdown = ""
        if self._markdown is not None and draft.payload.layout != "search":
            markdown = self._markdown.text(page, body, draft.fillings, lambda: self._cards(draft))
        whole = skeleton.replace(f"{SLOT}{slots.HTML}{SLOT}", article)
        references, anchors = scan_html(whole)
        return PageDrawing(
            skeleton,
            article,
            markdown,
            draft.files,
            *(SLOT.join(found) for found in (references, anchors, scan_needs(whole))),
        )

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
        for use, one in drawn.values():
            draft.problems.extend(problems_of_component(use.name.rpartition(":")[2], use.span, one))
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
        if (common := self._common.site(edition)) is not None:
            self._bridge.load("loadSite", common.address, common.content)
            self._bridge.load_words(common.address, shared.server_words)

    def _articles(self, drafts: Sequence[_Draft], bodies: Sequence[Body]) -> list[str]:
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
                [
                    (own[number].html if number in own else "")
                    if is_authored(island)
                    else next(drawn[draft.payload.site])
                    for number, island in enumerate(body.islands)
                ],
            )
            for draft, body, own in zip(drafts, bodies, authored, strict=True)
        ]

    def _authored(self, drafts: Sequence[_Draft], bodies: Sequence[Body]) -> list[dict[int, Drawn]]:
        """Draw the components of authors in some pages, and note which of them cannot be drawn."""
        if self._components is None:
            return [{} for _ in drafts]
        pages = [islands_of(body, draft.fillings) for draft, body in zip(drafts, bodies, strict=True)]
        written = draw_authored(self._components, pages)
        drawn = [self._links.led(one, draft.job) for draft, one in zip(drafts, written, strict=True)]
        for draft, body, found in zip(drafts, bodies, drawn, strict=True):
            draft.problems.extend(problems_of_article(body, found))
            for _, one in sorted(found.items()):
                draft.passing.extend([one.html] if one.is_passing else [])
        return drawn

    def _cards(self, draft: _Draft) -> list[contract.CardData]:
        return self._payloads.cards(draft.job.page) if draft.job.page else []

    def _body(self, page: Page | None) -> Body:
        if page is None:
            return _NO_BODY
        return self._bodies.load(page.summary.body_key) if page.summary else category_body(page)

    def _write(self, draft: _Draft, drawing: PageDrawing, around: Around, bar: str = "") -> PageRecord:
        """Write the files of a page; `bar` is its top bar, where the drawing has none."""
        job = draft.job
        payload = self._writers[job.edition.key].with_styles(draft.payload, drawing.article, *around.drawn())
        cards, undrawable = self._pictures.card(job.page, payload)
        document = self._document(draft._replace(payload=payload), drawing, next(iter(cards), None), around, bar)
        files = {html_file(job.route, is_flat=self._site.config.has_flat_files): document.encode()}
        files |= {address: text.encode() for address, text in drawing.files.items()}
        if job.page is not None:
            content = msgspec.json.encode(with_slots(msgspec.structs.replace(payload, html=drawing.article), around))
            files[payload_file(job.route)] = content
            if self._markdown is not None and payload.layout != "search":
                files[markdown_file(job.route)] = self._markdown.write(job.page, drawing.markdown).encode()
        references, anchors = scan_html(bar) if bar else ([], [])
        return PageRecord(
            key="" if draft.passing else self._key(draft),
            quick_key=job.quick_key,
            is_shallow=not (
                draft.fillings.has_files
                or self._links.key(job)
                or (job.page and (has_cards(job.page) or has_own_image(job.page)))
            ),
            files={address: self._staging.write(address, content) for address, content in files.items()},
            copies=self._assets.copied_for(
                [*draft.fillings.links, *draft.fillings.assets, *draft.fillings.forms], self._site.config.base_url
            ),
            cards=cards,
            undrawable=undrawable,
            references=join_found(references, drawing.references),
            anchors=join_found(anchors, drawing.anchors),
            needs=sorted(join_found(scan_needs(bar), drawing.needs)),
            problems=draft.problems,
        )

    def _document(self, draft: _Draft, drawing: PageDrawing, card: str | None, around: Around, bar: str) -> str:
        page, edition = draft.job.page, draft.job.edition
        # In the document itself they are in their places already.
        payload = with_slots(draft.payload, around, is_inside=True)
        parts = self._shared_parts(payload, page, edition) | {slots.HTML: drawing.article}
        content = fill_slots(drawing.skeleton, parts | ({slots.NAVBAR: bar} if bar else {}))
        return self._writers[edition.key].write(
            payload, content, page, self._pictures.image(page, draft.payload, draft.fillings, card)
        )

    def _shared_parts(self, payload: contract.PagePayload, page: Page | None, edition: EditionInfo) -> dict[str, str]:
        shared = self._payloads.shared[edition.key]
        site = self._site.config.base_url + shared.site
        # As the browser sees it: no entry of the bar is current on a page that shows no sidebar.
        sidebar_id = page.sidebar_id if page and payload.sidebar else None
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
    """Components that were stopped, or are not done: the HTML of the page may differ the next time."""


_NO_FILLINGS = Fillings([], [], [], [], has_files=False)
_NOTHING_AROUND = Around({})
_NO_BODY = Body(html="", islands=[], anchors=[], text=[], markdown="")


def _plain_path(path: str) -> str:
    """A path as the theme compares it: without regard to case and final slash."""
    return path.lower().rstrip("/")
