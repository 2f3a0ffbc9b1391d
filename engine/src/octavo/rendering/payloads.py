"""From the `Site` to the structs of the contract (`payload.py`)."""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import TypeVar

import msgspec

from octavo._version import __version__
from octavo.config import Analytics, Announcement, Config, Footer, Insights, Logo, NavItem
from octavo.contract import payload as contract
from octavo.manifest import FEEDBACK_ADDRESS, markdown_file
from octavo.site import (
    CategoryNode,
    DocNode,
    Edition,
    EditionInfo,
    LinkNode,
    LinkResolver,
    Page,
    PageLink,
    SidebarNode,
    Site,
    fold_items,
    is_group,
    is_large,
    is_shown,
    opens_too_much,
    sidebar_label,
)

Data = TypeVar("Data", bound=msgspec.Struct)

GENERATOR = f"Octavo {__version__}"
_HREF = re.compile(r"""(<a\b[^>]*?\shref=["'])([^"']*)(["'])""", re.IGNORECASE)


def shown_announcements(config: Config) -> list[Announcement]:
    """List the announcements that are on, in their order."""
    return [bar for bar in config.announcements if bar.is_enabled]


class Shared(msgspec.Struct, frozen=True, eq=False):
    """Files that the pages of an edition share: address in the published folder → JSON."""

    site: str
    """Address of the edition's `SiteData`, without the base URL."""
    sidebars: dict[str, str]
    """Sidebar id → address of its `SidebarData`."""
    files: dict[str, bytes]


class PayloadMaker:
    """Makes the payloads of a site's pages."""

    def __init__(self, site: Site, resolver: LinkResolver) -> None:
        self._site = site
        self._config = site.config
        self._resolver = resolver
        self.shared = {edition.key: self._share(edition) for edition in site.editions}

    def use_site(self, site: Site) -> None:
        """Use another site, which has the same pages at the same routes, with other texts."""
        self._site = site

    def page(self, page: Page) -> contract.PagePayload:
        """Make the payload of a page, without its article."""
        front = page.summary.front_matter if page.summary else None
        shared = self.shared[page.edition.key]
        config = self._config
        is_editable = page.source is not None and not (front and front.hides_edit_url)
        edit_url = config.edit_url + page.source.origin if config.edit_url and page.source and is_editable else None
        shows_update = config.shows_last_update and page.last_updated is not None
        return contract.PagePayload(
            path=self._url(page.route),
            layout=_layout(page),
            title=page.title,
            document_title=self._document_title(page),
            description=page.description,
            html="",
            shows_title=not (page.summary and page.summary.has_title) and not (front and front.hide_title),
            toc=_toc(page),
            breadcrumbs=[
                contract.Breadcrumb(label=label, href=self._url(route) if route else None)
                for label, route in page.breadcrumbs
            ],
            previous=self._neighbour(page.previous),
            next=self._neighbour(page.next),
            sidebar=self._address(shared.sidebars[page.sidebar_id]) if page.sidebar_id else None,
            sidebar_path=self._url(page.route),
            edit_url=(front.custom_edit_url if front and front.custom_edit_url else edit_url),
            last_updated=contract.LastUpdated(date=page.last_updated or "", author=page.last_author)
            if shows_update
            else None,
            is_unlisted=page.is_unlisted,
            tags=front.tags if front else [],
            islands=page.summary.island_kinds if page.summary else ["card-list"],
            versions=self._versions(page),
            locales=self._locales(page),
            version_banner=self._banner(page),
            announcements=self._announcements(page.route.removeprefix(page.edition.prefix)),
            site=self._address(shared.site),
            markdown=self._url(f"/{markdown_file(page.route)}") if has_markdown(page, config) else None,
        )

    def not_found(self, edition: EditionInfo) -> contract.PagePayload:
        """Make the payload of an edition's not-found page."""
        return contract.PagePayload(
            path=self._url(f"{edition.prefix}/404.html"),
            layout="not-found",
            title="Page Not Found",
            document_title=f"Page Not Found {self._config.title_delimiter} {self._config.title}",
            description="",
            html="",
            shows_title=True,
            toc=[],
            breadcrumbs=[],
            previous=None,
            next=None,
            sidebar=None,
            sidebar_path="",
            edit_url=None,
            last_updated=None,
            is_unlisted=True,
            tags=[],
            islands=[],
            versions=[],
            locales=[],
            version_banner=None,
            announcements=self._announcements(None),
            site=self._address(self.shared[edition.key].site),
        )

    def _announcements(self, route: str | None) -> list[int]:
        """List the places of a page's announcements; its route is that without language and version."""
        return [
            place
            for place, bar in enumerate(shown_announcements(self._config))
            if not bar.routes or (route is not None and any(fnmatchcase(route, pattern) for pattern in bar.routes))
        ]

    def navbar_hrefs(self) -> set[str]:
        """Collect the addresses of the plain links in the top bar."""
        items = [item for top in self._config.navbar.items for item in (top, *top.items)]
        return {self._href(edition, item.href) for edition in self._site.editions for item in items if item.href}

    def cards(self, page: Page) -> list[contract.CardData]:
        """List the cards of a card list on a page: the items of its category."""
        pages = self._site.edition_of(page).pages
        own = page.doc_id
        nodes = [node for node in page.siblings if not (isinstance(node, DocNode) and node.page.doc_id == own)]
        others = (pages[doc_id] for doc_id in page.also)
        nodes += [other.category or DocNode(other.link, sidebar_label(other), None) for other in others]
        return [card for node in nodes if is_shown(node) for card in self._card(page.edition, pages, node)]

    def _card(self, edition: EditionInfo, pages: Mapping[str, Page], node: SidebarNode) -> Iterable[contract.CardData]:
        if isinstance(node, DocNode):
            yield contract.CardData(
                kind="doc",
                href=self._url(node.page.route),
                label=node.label,
                description=pages[node.page.doc_id].description,
            )
        elif isinstance(node, LinkNode):
            yield contract.CardData(kind="link", href=self._href(edition, node.href), label=node.label, description="")
        else:
            count = sum(map(is_shown, node.items))
            target = node.page or _first_page(node.items)
            if target is not None:
                description = node.description or (pages[node.page.doc_id].description if node.page else "")
                yield contract.CardData(
                    kind="category" if count else "doc",
                    href=self._url(target.route),
                    label=node.label,
                    description=description or ("" if not count else "1 item" if count == 1 else f"{count} items"),
                )

    # Shared files

    def _share(self, edition: Edition) -> Shared:
        files: dict[str, bytes] = {}
        sidebars: dict[str, str] = {}
        label_of = {sidebar.id: sidebar.label for sidebar in edition.version.sidebars or self._config.sidebars}
        for sidebar_id, nodes in edition.sidebars.items():
            items = self._sidebar_items(edition, nodes)
            if is_large(nodes):
                items = _bounded(items, closes=opens_too_much(nodes))
            data = contract.SidebarData(id=sidebar_id, label=label_of.get(sidebar_id, ""), items=items)
            sidebars[sidebar_id] = _add_file(files, f"sidebar-{_file_part(sidebar_id)}", data)
        docs_version = _add_file(files, f"version-{_file_part(edition.version.name)}", self._docs_version(edition))
        site = _add_file(files, "site", self._site_data(edition, sidebars, docs_version))
        return Shared(site=site, sidebars=sidebars, files=files)

    def _sidebar_items(self, edition: Edition, nodes: Iterable[SidebarNode]) -> list[contract.SidebarItem]:
        return [self._sidebar_item(edition, node) for node in nodes if is_shown(node)]

    def _sidebar_item(self, edition: Edition, node: SidebarNode) -> contract.SidebarItem:
        if is_group(node):
            return contract.SidebarCategory(
                label=node.label,
                href=self._url(node.page.route) if node.page and not node.page.is_unlisted else None,
                is_collapsed=node.is_collapsed,
                is_collapsible=node.is_collapsible,
                class_name=node.class_name,
                items=self._sidebar_items(edition, node.items),
            )
        if isinstance(node, LinkNode):
            href = self._href(edition, node.href)
        else:
            href = self._url(node.page.route) if node.page else ""
        return contract.SidebarLink(label=node.label, href=href, is_unlisted=False, class_name=node.class_name)

    def _site_data(self, edition: Edition, sidebars: dict[str, str], docs_version: str) -> contract.SiteData:
        config = self._config
        home = f"{edition.locale.path}/" if edition.locale.path else ""
        search = config.search
        return copy_settings(
            contract.SiteData,
            config,
            locale=edition.locale.id,
            dir=edition.locale.dir,
            version_name=edition.version.name,
            version_label=edition.version.label,
            generator=GENERATOR,
            navbar=contract.NavbarData(
                title=config.navbar.title,
                logo=self._logo(edition, config.navbar.logo),
                hides_on_scroll=config.navbar.hide_on_scroll,
                items=[made for item in config.navbar.items for made in self._nav_item(edition, item, sidebars)],
            ),
            footer=self._footer(edition, config.footer),
            color_mode=contract.ColorModeData(
                default=config.color_mode.default,
                respects_system=config.color_mode.respect_system,
                has_switch=config.color_mode.has_switch,
            ),
            announcements=[
                copy_settings(contract.AnnouncementData, bar, html=self._markup(edition, bar.content))
                for bar in shown_announcements(config)
            ],
            search=copy_settings(
                contract.SearchData,
                search,
                hosts=search.hosts or [config.base_url],
                page_href=self._url(self._resolver.canonical(f"/{home}search")),
                insights=_insights(search.insights),
            )
            if search.is_enabled
            else None,
            docs_version=self._address(docs_version),
            home=self._url(f"/{home}"),
            analytics=_analytics(config.analytics, config.base_url),
            feedback=_feedback(config),
            copies_pages=config.programs.copy_button,
            # A service can fetch nothing from an address that only this machine has.
            assistants=[copy_settings(contract.AssistantData, one) for one in config.programs.assistants]
            if config.published_url
            else [],
            has_transitions=config.theme.has_transitions,
        )

    def _nav_item(self, edition: Edition, item: NavItem, sidebars: dict[str, str]) -> Iterable[contract.NavItemData]:
        if item.type != "link":
            yield contract.NavSwitch(what=item.type, position=item.position)
        elif item.sidebar is not None:
            first = _first_page(edition.sidebars.get(item.sidebar, ()))
            if first is not None:
                yield contract.NavSection(
                    label=item.label,
                    href=self._url(first.route),
                    sidebar_id=item.sidebar,
                    sidebar=self._address(sidebars[item.sidebar]),
                    position=item.position,
                )
        elif item.items:
            yield contract.NavDropdown(
                label=item.label,
                href=self._href(edition, item.href) if item.href else None,
                items=[self._nav_link(edition, child) for child in item.items],
                position=item.position,
            )
        else:
            yield self._nav_link(edition, item)

    def _nav_link(self, edition: Edition, item: NavItem) -> contract.NavLink:
        return copy_settings(contract.NavLink, item, href=self._href(edition, item.href or "/"))

    def _footer(self, edition: Edition, footer: Footer) -> contract.FooterData:
        return copy_settings(
            contract.FooterData,
            footer,
            logo=self._logo(edition, footer.logo),
            columns=[
                copy_settings(
                    contract.FooterColumnData, column, items=[self._nav_link(edition, item) for item in column.items]
                )
                for column in footer.columns
            ],
        )

    def _logo(self, edition: Edition, logo: Logo | None) -> contract.LogoData | None:
        if logo is None:
            return None
        width, height = self._resolver.image_size(logo.src) or (None, None)
        return copy_settings(
            contract.LogoData,
            logo,
            src=self._address(logo.src.lstrip("/")),
            src_dark=self._address((logo.src_dark or logo.src).lstrip("/")),
            href=self._href(edition, logo.href),
            width=width,
            height=height,
        )

    def _docs_version(self, edition: Edition) -> contract.DocsVersion:
        documents = [page for page in edition.pages.values() if page.kind == "doc"]
        main = main_page(edition)
        return contract.DocsVersion(
            name=edition.version.name,
            label=edition.version.label,
            path=self._url(f"{edition.prefix}/"),
            is_last=edition.version.path == "",
            docs=[
                contract.DocEntry(
                    id=page.doc_id, path=self._url(page.route), sidebar=page.sidebar_id, is_unlisted=page.is_unlisted
                )
                for page in documents
            ],
            sidebars={
                sidebar_id: contract.SidebarEntryPoint(link=self._neighbour(_first_page(nodes)))
                for sidebar_id, nodes in edition.sidebars.items()
            },
            main_doc_id=main.doc_id if main else None,
            draft_ids=list(edition.drafts),
        )

    # Editions of a page

    def _versions(self, page: Page) -> list[contract.Alternate]:
        if len(self._config.versions) < 2:
            return []
        editions = [edition for edition in self._site.editions if edition.locale is page.edition.locale]
        return [self._alternate(page, edition, edition.version.name, edition.version.label) for edition in editions]

    def _locales(self, page: Page) -> list[contract.Alternate]:
        if len(self._config.locales) < 2:
            return []
        editions = [edition for edition in self._site.editions if edition.version is page.edition.version]
        return [self._alternate(page, edition, edition.locale.id, edition.locale.label) for edition in editions]

    def _alternate(self, page: Page, edition: Edition, name: str, label: str) -> contract.Alternate:
        same = self._site.counterpart(page, edition)
        target = same or main_page(edition)
        return contract.Alternate(
            id=name,
            label=label,
            href=self._url(target.route if target else f"{edition.prefix}/"),
            is_current=edition.key == page.edition.key,
            is_exact=same is not None,
        )

    def _banner(self, page: Page) -> contract.VersionBanner | None:
        kind = page.edition.version.banner
        if kind == "none" or page.kind == "page":
            return None
        latest = next(
            edition
            for edition in self._site.editions
            if edition.locale is page.edition.locale and edition.version is self._config.last_version
        )
        target = self._site.counterpart(page, latest) or main_page(latest)
        return contract.VersionBanner(
            kind=kind,
            version_label=page.edition.version.label,
            latest_label=latest.version.label,
            latest_href=self._url(target.route if target else f"{latest.prefix}/"),
        )

    # Small parts

    def _document_title(self, page: Page) -> str:
        title, site_title = page.title, self._config.title
        return site_title if title == site_title else f"{title} {self._config.title_delimiter} {site_title}"

    def _neighbour(self, link: PageLink | None) -> contract.LinkData | None:
        return contract.LinkData(label=link.label, href=self._url(link.route)) if link else None

    def _url(self, route: str) -> str:
        return self._resolver.url(route)

    def _address(self, address: str) -> str:
        return f"{self._config.base_url}{address}"

    def _href(self, edition: EditionInfo, href: str) -> str:
        return self._resolver.resolve_setting(href, edition).url

    def _markup(self, edition: Edition, content: str) -> str:
        """Lead the links of an author's inline HTML to the edition's pages, base URL included."""
        return _HREF.sub(
            lambda match: f"{match[1]}{html.escape(self._href(edition, html.unescape(match[2])))}{match[3]}", content
        )


def copy_settings(type_: type[Data], settings: msgspec.Struct, **computed: object) -> Data:
    """Make a payload of settings: each field is the setting of the same name, unless it is given.

    Raises:
        AttributeError: a field is neither a setting nor given.
        TypeError: a given one is no field.
    """
    fields = {name: getattr(settings, name) for name in type_.__struct_fields__ if name not in computed}
    return type_(**fields, **computed)


def main_page(edition: Edition) -> Page | None:
    """Find the main document of an edition: the one at its root, else the first of its first sidebar, else the first."""
    documents = [page for page in edition.pages.values() if page.kind == "doc"]
    root = next((page for page in documents if page.route == f"{edition.docs_prefix}/"), None)
    first = next(filter(None, map(_first_page, edition.sidebars.values())), None)
    return root or (edition.pages[first.doc_id] if first else documents[0] if documents else None)


def _first_page(nodes: Iterable[SidebarNode]) -> PageLink | None:
    for node in nodes:
        if not is_shown(node):
            continue
        if isinstance(node, DocNode):
            return node.page
        if isinstance(node, CategoryNode):
            found = node.page or _first_page(node.items)
            if found:
                return found
    return None


def _bounded(items: list[contract.SidebarItem], *, closes: bool) -> list[contract.SidebarItem]:
    """Put the items of a large sidebar into ranges; see `octavo.site.folding`."""
    bounded: list[contract.SidebarItem] = []
    for item in items:
        if isinstance(item, contract.SidebarCategory):
            inner = _bounded(item.items, closes=closes)
            is_collapsed = item.is_collapsed or closes
            is_collapsible = item.is_collapsible or closes
            item = msgspec.structs.replace(  # noqa: PLW2901
                item, items=inner, is_collapsed=is_collapsed, is_collapsible=is_collapsible
            )
        bounded.append(item)
    return fold_items(bounded, _range)


def _range(items: list[contract.SidebarItem]) -> contract.SidebarItem:
    first, last = _ends(items[0])[0], _ends(items[-1])[1]
    return contract.SidebarCategory(
        label=f"{first} – {last}",
        href=None,
        is_collapsed=True,
        is_collapsible=True,
        class_name="sidebar-range",
        items=items,
    )


def _ends(item: contract.SidebarItem) -> tuple[str, str]:
    """Name the first and the last item of a range; any other item is both."""
    if isinstance(item, contract.SidebarCategory) and item.class_name == "sidebar-range":
        return _ends(item.items[0])[0], _ends(item.items[-1])[1]
    return item.label, item.label


def _below(base_url: str, address: str | None) -> str | None:
    """Put a path of the site under its base URL; leave an absolute address."""
    return f"{base_url}{address[1:]}" if address is not None and address.startswith("/") else address


def _insights(insights: Insights) -> contract.InsightsData | None:
    if not insights.is_enabled:
        return None
    return contract.InsightsData(host=insights.host, script=insights.cdn_url if insights.script == "cdn" else None)


def _analytics(config: Analytics, base_url: str) -> contract.AnalyticsData | None:
    google = [config.google] if isinstance(config.google, str) else config.google
    if not google and config.endpoint is None:
        return None
    return copy_settings(
        contract.AnalyticsData,
        config,
        google=google,
        anonymizes_ip=config.anonymize_ip,
        consent_script=_below(base_url, config.consent_script),
    )


def _feedback(config: Config) -> contract.FeedbackData | None:
    given = config.feedback
    if not given.is_enabled:
        return None
    own = f"{config.base_url}{FEEDBACK_ADDRESS}"
    return contract.FeedbackData(question=given.question, action=given.endpoint or own)


def has_markdown(page: Page, config: Config) -> bool:
    """Tell whether a page is published as Markdown too."""
    return config.programs.markdown and _layout(page) != "search"


def _layout(page: Page) -> contract.Layout:
    if page.kind == "page" and page.summary is not None:
        name = page.summary.front_matter.layout
        return "landing" if name == "landing" else "search" if name == "search" else "page"
    if page.summary is None:
        return "category"
    return "reference" if page.summary.front_matter.layout == "reference" else "doc"


def _toc(page: Page) -> list[contract.TocEntry]:
    front = page.summary.front_matter if page.summary else None
    if page.summary is None or front is None or front.hide_table_of_contents:
        return []
    levels = range(max(2, front.toc_min_heading_level), front.toc_max_heading_level + 1)
    return [
        contract.TocEntry(level=heading.level, anchor=heading.anchor, html=heading.html)
        for heading in page.summary.headings
        if heading.level in levels and heading.text
    ]


def _add_file(files: dict[str, bytes], name: str, data: object) -> str:
    content = msgspec.json.encode(data)
    address = f"_octavo/{name}.{hashlib.sha256(content).hexdigest()[:12]}.json"
    files[address] = content
    return address


def _file_part(name: str) -> str:
    return "".join(character if character.isalnum() else "-" for character in name)
