"""The files that the pages of an edition share: settings of the site, sidebars, the list of documents of a version."""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from octavo._version import __version__
from octavo.config import (
    Analytics,
    Announcement,
    Config,
    Footer,
    Insights,
    Logo,
    NavItem,
    label_in,
    localized,
    site_words,
)
from octavo.content import MARKS, UnsafeIconError, svg_of
from octavo.contract import payload as contract
from octavo.lazy import regex as re
from octavo.manifest import FEEDBACK_ADDRESS
from octavo.rendering.offline_worker import OFFLINE_WORKER
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
    fits_in_view,
    fold_items,
    is_group,
    is_large,
    is_shown,
    opens_too_much,
)
from octavo.words import CONSOLE_WORDS, PAGE_WORDS, SERVER_WORDS

Data = TypeVar("Data", bound=msgspec.Struct)

_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
"""Around a text that has the direction of its first letter, whatever is around it."""
GENERATOR = f"Octavo {__version__}"
_HREF = re.compile(r"""(<a\b[^>]*?\shref=["'])([^"']*)(["'])""", re.IGNORECASE)


WIDE_LAYOUTS: Final[Mapping[str | None, contract.Layout]] = {
    "landing": "landing",
    "splash": "splash",
    "blank": "blank",
}
"""Layouts that have nothing beside the article, of documents too."""


def is_wide(page: Page) -> bool:
    """Return whether a page has nothing beside its article."""
    return page.summary is not None and page.summary.front_matter.layout in WIDE_LAYOUTS


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
    server_words: bytes = b"{}"
    """Words of the theme that only the server draws: JSON, key → word."""


class PayloadAddresses:
    """Writes the addresses in payloads: with the base URL, of the edition's own pages."""

    def __init__(self, config: Config, resolver: LinkResolver) -> None:
        self._base_url = config.base_url
        self._first = config.default_locale
        self._resolver = resolver

    def url(self, route: str) -> str:
        """Write the address of a route."""
        return self._resolver.url(route)

    def file(self, address: str) -> str:
        """Write the address of a published file."""
        return f"{self._base_url}{address}"

    def href(self, edition: EditionInfo, href: str) -> str:
        """Write an address of `octavo.toml` as pages of an edition link to it."""
        return self._resolver.resolve_setting(href, edition).url

    def link(self, edition: Edition, link: PageLink | None) -> contract.LinkData | None:
        """Write a link to a page of an edition, with its label."""
        if link is None:
            return None
        return contract.LinkData(label=self.label(edition, link.doc_id, link.label), href=self.url(link.route))

    def label(self, edition: Edition, doc_id: str, label: str) -> str:
        """Write a text about a page, which keeps its own direction where the page is one without a translation."""
        page = edition.pages.get(doc_id)
        if page is None or page.translation != "missing" or edition.locale.direction == self._first.direction:
            return label
        return f"{_ISOLATE}{label}{_END_OF_ISOLATE}" if label else ""


class SharedFiles:
    """Makes the shared files of editions."""

    def __init__(self, config: Config, resolver: LinkResolver, addresses: PayloadAddresses) -> None:
        self._config = config
        self._resolver = resolver
        self._addresses = addresses

    def make(self, edition: Edition) -> Shared:
        """Make the shared files of an edition."""
        files: dict[str, bytes] = {}
        sidebars: dict[str, str] = {}
        labels = {sidebar.id: sidebar.label for sidebar in edition.version.sidebars or self._config.sidebars}
        for sidebar_id, nodes in edition.sidebars.items():
            items = self._sidebar_items(edition, nodes, collapses=not fits_in_view(nodes))
            if is_large(nodes):
                items = _bounded(items, closes=opens_too_much(nodes))
            label = label_in(self._config, edition.locale.id, labels.get(sidebar_id, ""))
            data = contract.SidebarData(id=sidebar_id, label=label, items=items)
            sidebars[sidebar_id] = _add_file(files, f"sidebar-{_file_part(sidebar_id)}", data)
        docs_version = _add_file(files, f"version-{_file_part(edition.version.name)}", self._docs_version(edition))
        site = _add_file(files, "site", self._site_data(edition, sidebars, docs_version))
        server_words = msgspec.json.encode(self._server_words(edition, files))
        return Shared(site=site, sidebars=sidebars, files=files, server_words=server_words)

    def _server_words(self, edition: Edition, files: dict[str, bytes]) -> dict[str, str]:
        words = site_words(self._config, edition.locale.id)
        chosen = {key: word for key, word in words.items() if key.startswith(SERVER_WORDS)}
        if self._config.openapi:
            console = {key: word for key, word in words.items() if key.startswith(CONSOLE_WORDS)}
            # Not a word: where the browser finds those of the console.
            chosen["api.console"] = self._addresses.file(_add_file(files, "console", console))
        return chosen

    def _sidebar_items(
        self, edition: Edition, nodes: Iterable[SidebarNode], *, collapses: bool
    ) -> list[contract.SidebarItem]:
        return [self._sidebar_item(edition, node, collapses=collapses) for node in nodes if is_shown(node)]

    def _sidebar_item(self, edition: Edition, node: SidebarNode, *, collapses: bool) -> contract.SidebarItem:
        label, page = node.label, None if isinstance(node, LinkNode) else node.page
        if page is not None:
            label = self._addresses.label(edition, page.doc_id, label)
        if is_group(node):
            return contract.SidebarCategory(
                label=label,
                href=self._addresses.url(node.page.route) if node.page and not node.page.is_unlisted else None,
                is_collapsed=collapses if node.is_collapsed is None else node.is_collapsed,
                is_collapsible=node.is_collapsible,
                class_name=node.class_name,
                items=self._sidebar_items(edition, node.items, collapses=collapses),
                icon=node.icon,
                badge=node.badge or msgspec.UNSET,
            )
        icon = ""
        if isinstance(node, LinkNode):
            href = self._addresses.href(edition, node.href)
        else:
            href, icon = self._addresses.url(node.page.route) if node.page else "", node.icon
        return contract.SidebarLink(
            label=label,
            href=href,
            is_unlisted=False,
            class_name=node.class_name,
            icon=icon,
            badge=node.badge or msgspec.UNSET,
        )

    def _site_data(self, edition: Edition, sidebars: dict[str, str], docs_version: str) -> contract.SiteData:
        config = localized(self._config, edition.locale.id)
        home = f"{edition.locale.path}/" if edition.locale.path else ""
        start = self._resolver.resolve_setting("/", edition)
        search = config.search
        words = site_words(config, edition.locale.id)
        return copy_settings(
            contract.SiteData,
            config,
            locale=edition.locale.id,
            words={
                key: word
                for key, word in words.items()
                if not key.startswith((SERVER_WORDS, CONSOLE_WORDS, *PAGE_WORDS))
            },
            dir=edition.locale.direction,
            version_name=edition.version.name,
            version_label=label_in(config, edition.locale.id, edition.version.label),
            generator=GENERATOR,
            navbar=contract.NavbarData(
                # A link to the start page with neither a name nor a picture would be a link without words.
                title=config.navbar.title or ("" if config.navbar.logo else config.title),
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
                placeholder=words["search.docs"] if search.placeholder is None else search.placeholder,
                base=config.base_url,
                hosts=search.hosts or [config.base_url],
                page_href=self._addresses.url(self._resolver.canonical(f"/{home}search")),
                insights=_insights(search.insights),
            )
            if search.is_enabled
            else None,
            docs_version=self._addresses.file(docs_version),
            home=start.url if start.kind != "broken" else self._addresses.url(f"/{home}"),
            analytics=_analytics(config.analytics, config.base_url),
            feedback=_feedback(config, words),
            copies_pages=config.programs.copy_button,
            # A service can fetch nothing from an address that only this machine has.
            assistants=[copy_settings(contract.AssistantData, one) for one in config.programs.assistants]
            if config.published_url
            else [],
            has_transitions=config.theme.has_transitions,
            offline_worker=self._addresses.file(OFFLINE_WORKER) if config.offline else None,
        )

    def _nav_item(self, edition: Edition, item: NavItem, sidebars: dict[str, str]) -> Iterable[contract.NavItemData]:
        if item.type != "link":
            yield contract.NavSwitch(what=item.type, position=item.position)
        elif item.sidebar is not None:
            first = _way_in(edition, edition.sidebars.get(item.sidebar, ()))
            if first is not None:
                yield contract.NavSection(
                    label=item.label,
                    href=self._addresses.url(first.route),
                    sidebar_id=item.sidebar,
                    sidebar=self._addresses.file(sidebars[item.sidebar]),
                    position=item.position,
                    icon=self._icon(item) or msgspec.UNSET,
                )
        elif item.items:
            yield contract.NavDropdown(
                label=item.label,
                href=self._addresses.href(edition, item.href) if item.href else None,
                items=[self._nav_link(edition, child) for child in item.items],
                position=item.position,
                icon=self._icon(item) or msgspec.UNSET,
            )
        else:
            yield self._nav_link(edition, item)

    def _nav_link(self, edition: Edition, item: NavItem) -> contract.NavLink:
        icon = item.icon if item.icon in MARKS else self._icon(item)
        return copy_settings(contract.NavLink, item, href=self._addresses.href(edition, item.href or "/"), icon=icon)

    def _icon(self, item: NavItem) -> str | None:
        """Draw the icon of an entry; the check of settings reports what cannot be drawn."""
        if item.icon is None:
            return None
        try:
            return svg_of(item.icon, self._resolver.read_text)
        except UnsafeIconError:
            return None

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
            src=self._addresses.file(logo.src.lstrip("/")),
            src_dark=self._addresses.file((logo.src_dark or logo.src).lstrip("/")),
            href=self._addresses.href(edition, logo.href),
            width=width,
            height=height,
        )

    def _docs_version(self, edition: Edition) -> contract.DocsVersion:
        documents = [page for page in edition.pages.values() if page.kind == "doc"]
        main = main_page(edition)
        return contract.DocsVersion(
            name=edition.version.name,
            label=label_in(self._config, edition.locale.id, edition.version.label),
            path=self._addresses.url(f"{edition.prefix}/"),
            is_last=edition.version.path == "",
            docs=[
                contract.DocEntry(
                    id=page.doc_id,
                    path=self._addresses.url(page.route),
                    sidebar=page.sidebar_id,
                    is_unlisted=page.is_unlisted,
                )
                for page in documents
            ],
            sidebars={
                sidebar_id: contract.SidebarEntryPoint(link=self._addresses.link(edition, first_page(nodes)))
                for sidebar_id, nodes in edition.sidebars.items()
            },
            main_doc_id=main.doc_id if main else None,
            draft_ids=list(edition.drafts),
        )

    def _markup(self, edition: Edition, content: str) -> str:
        """Lead the links of an author's inline HTML to the edition's pages, base URL included."""
        return _HREF.sub(
            lambda match: f"{match[1]}{html.escape(self._addresses.href(edition, html.unescape(match[2])))}{match[3]}",
            content,
        )


def copy_settings(type_: type[Data], settings: msgspec.Struct, **computed: object) -> Data:
    """Make a payload of settings: each field is the setting of the same name, unless it is given.

    Raises:
        AttributeError: a field is neither a setting nor given.
        TypeError: a given one is not a field.
    """
    fields = {name: getattr(settings, name) for name in type_.__struct_fields__ if name not in computed}
    return type_(**fields, **computed)


def main_page(edition: Edition) -> Page | None:
    """Find the main document of an edition: the one at its root, else the first of its first sidebar, else the first."""
    documents = [page for page in edition.pages.values() if page.kind == "doc"]
    root = next((page for page in documents if page.route == f"{edition.docs_prefix}/"), None)
    first = next(filter(None, map(first_page, edition.sidebars.values())), None)
    return root or (edition.pages[first.doc_id] if first else documents[0] if documents else None)


def first_page(nodes: Iterable[SidebarNode]) -> PageLink | None:
    """Find the first page that a sidebar shows."""
    return next(_shown_pages(nodes), None)


def _shown_pages(nodes: Iterable[SidebarNode]) -> Iterator[PageLink]:
    for node in nodes:
        if not is_shown(node):
            continue
        if isinstance(node, DocNode):
            yield node.page
        elif isinstance(node, CategoryNode):
            if node.page:
                yield node.page
            yield from _shown_pages(node.items)


def _way_in(edition: Edition, nodes: Sequence[SidebarNode]) -> PageLink | None:
    """Find the first page beside which a sidebar is drawn: a landing page leads readers to it, and has none itself."""
    with_sidebar = (link for link in _shown_pages(nodes) if not is_wide(edition.pages[link.doc_id]))
    return next(with_sidebar, None) or first_page(nodes)


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


def _feedback(config: Config, words: Mapping[str, str]) -> contract.FeedbackData | None:
    given = config.feedback
    if not given.is_enabled:
        return None
    own = f"{config.base_url}{FEEDBACK_ADDRESS}"
    return contract.FeedbackData(
        question=words["feedback.question"] if given.question is None else given.question, action=given.endpoint or own
    )


def _add_file(files: dict[str, bytes], name: str, data: object) -> str:
    content = msgspec.json.encode(data)
    address = f"_octavo/{name}.{hashlib.sha256(content).hexdigest()[:12]}.json"
    files[address] = content
    return address


def _file_part(name: str) -> str:
    return "".join(character if character.isalnum() else "-" for character in name)
