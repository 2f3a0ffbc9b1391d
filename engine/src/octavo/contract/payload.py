"""`PagePayload`: the one contract between Python and React.

Declared here and nowhere else. `python -m octavo.contract` writes its JSON Schema
(`engine/src/octavo/contract/payload.schema.json`) and the theme's types (`engine/theme/src/payload.gen.ts`);
a test fails when either has drifted. Names are snake_case here and camelCase on the wire.

Three kinds of file carry it, so that nothing is sent twice:

- `SiteData`, once for each locale and version: `_octavo/site.{hash}.json`
- `SidebarData`, once for each sidebar: `_octavo/sidebar.{hash}.json`
- `PagePayload`, once for each page: `_octavo/pages/{route}.json`, and without `html` inside the page itself
"""

from __future__ import annotations

from typing import Literal

import msgspec

from octavo.diagnostics import Diagnostic
from octavo.reference import OperationView, OverviewView, SchemaCard, SchemaNames, TagView


class _Wire(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base: camelCase on the wire, every field always present."""


class LinkData(_Wire, frozen=True):
    """A place to go."""

    label: str
    href: str
    """Path from the host's root, base URL included; or an absolute address."""


class Breadcrumb(_Wire, frozen=True):
    label: str
    href: str | None
    """None for a category without a page of its own."""


class TocEntry(_Wire, frozen=True):
    level: int
    anchor: str
    html: str
    """Inline HTML without links."""


class LastUpdated(_Wire, frozen=True):
    date: str
    """ISO 8601 date, UTC."""
    author: str | None


class VersionBanner(_Wire, frozen=True):
    kind: Literal["unreleased", "unmaintained"]
    version_label: str
    latest_label: str
    latest_href: str


class TranslationNotice(_Wire, frozen=True):
    """A page that is not, or no longer, what its original says."""

    kind: Literal["untranslated", "outdated"]
    href: str
    """The original."""
    lang: str | None
    """Language of the article, where it is not that of the page."""
    dir: Literal["ltr", "rtl"] | None
    """How that language is written."""


class Alternate(_Wire, frozen=True):
    """The same page in another locale or version."""

    id: str
    """Locale id or version name."""
    label: str
    href: str
    is_current: bool
    is_exact: bool
    """False: that edition has no such page and the link leads to its main page."""
    note: str
    """What readers should know of it, such as `since 2.0`; empty where it is the same page."""
    is_translated: bool
    """False: the page is shown in the default language there."""


Layout = Literal["doc", "category", "reference", "page", "landing", "splash", "blank", "search", "not-found"]


class PagePayload(_Wire, frozen=True):
    """Everything a page is drawn from, apart from what all pages share."""

    path: str
    """Address of the page: path from the host's root, base URL included."""
    layout: Layout
    """How it is laid out. `doc`, `category` and `reference` have a sidebar column and a pager; `landing` and `splash` have
    the whole width, and `blank` has neither bar nor footer."""
    title: str
    """Title of the page without the site's."""
    document_title: str
    """For the title element."""
    description: str
    html: str
    """The article, islands drawn. Empty inside the page itself: there the article is in the DOM already."""
    shows_title: bool
    """Draw `title` as the level-1 heading: the article has none of its own."""
    toc: list[TocEntry]
    """Only the levels to show; empty where the page hides it."""
    breadcrumbs: list[Breadcrumb]
    """From the sidebar's root to this page; the home link is not included."""
    previous: LinkData | None
    next: LinkData | None
    sidebar: str | None
    """Address of the `SidebarData` file."""
    sidebar_path: str
    """`href` of the sidebar item that is current; mostly `path`."""
    edit_url: str | None
    last_updated: LastUpdated | None
    is_unlisted: bool
    tags: list[str]
    islands: list[str]
    """Kinds of islands in the article, each once, sorted."""
    versions: list[Alternate]
    """Empty when there is but one version."""
    locales: list[Alternate]
    """Empty when there is but one locale."""
    version_banner: VersionBanner | None
    translation: TranslationNotice | None
    announcements: list[int]
    """Places of the announcements that this page has, in those of `SiteData`."""
    site: str
    """Address of the `SiteData` file; another one than the reader's means a new deployment."""
    markdown: str | None = None
    """Address of the page as Markdown; None where it is not published."""
    styles: list[str] | msgspec.UnsetType = msgspec.UNSET
    """Addresses of the style sheets that it needs besides those of all pages. Left out where it needs none."""
    slots: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    """Name of a place that the site fills itself → HTML. Empty inside the page itself, as `html`; left out where it fills
    none."""


class SidebarLink(_Wire, frozen=True, tag="link"):
    label: str
    href: str
    is_unlisted: bool
    class_name: str | None
    icon: str = ""
    """SVG."""
    badge: str | msgspec.UnsetType = msgspec.UNSET
    """Short text behind the label; left out where there is none."""


class SidebarCategory(_Wire, frozen=True, tag="category"):
    label: str
    href: str | None
    """Its own page."""
    is_collapsed: bool
    is_collapsible: bool
    class_name: str | None
    items: list[SidebarLink | SidebarCategory]
    icon: str = ""
    """SVG."""
    badge: str | msgspec.UnsetType = msgspec.UNSET
    """Short text behind the label; left out where there is none."""


SidebarItem = SidebarLink | SidebarCategory


class SidebarData(_Wire, frozen=True):
    id: str
    label: str
    items: list[SidebarItem]


class LogoData(_Wire, frozen=True):
    src: str
    src_dark: str
    alt: str
    href: str
    width: int | None = None
    """Of the picture itself, in CSS pixels; None where its file doesn't tell."""
    height: int | None = None


class NavLink(_Wire, frozen=True, tag="link"):
    label: str
    href: str
    icon: str | None
    """SVG, or the name of a mark of the theme, which is drawn without the label in the top bar."""
    position: Literal["left", "right"]


class NavSection(_Wire, frozen=True, tag="section"):
    """Leads to a sidebar's first page; current while the reader is in that sidebar."""

    label: str
    href: str
    sidebar_id: str
    sidebar: str
    """Address of its `SidebarData` file, as in `PagePayload.sidebar`."""
    position: Literal["left", "right"]
    icon: str | msgspec.UnsetType = msgspec.UNSET
    """SVG; left out where it has none."""


class NavDropdown(_Wire, frozen=True, tag="dropdown"):
    label: str
    href: str | None
    items: list[NavLink]
    position: Literal["left", "right"]
    icon: str | msgspec.UnsetType = msgspec.UNSET
    """SVG; left out where it has none."""


class NavSwitch(_Wire, frozen=True, tag="switch"):
    """Locale or version switch; drawn only where the page has more than one."""

    what: Literal["locale", "version"]
    position: Literal["left", "right"]


NavItemData = NavLink | NavSection | NavDropdown | NavSwitch


class NavbarData(_Wire, frozen=True):
    title: str
    logo: LogoData | None
    hides_on_scroll: bool
    items: list[NavItemData]


class FooterColumnData(_Wire, frozen=True):
    title: str
    items: list[NavLink]


class FooterData(_Wire, frozen=True):
    logo: LogoData | None
    copyright: str
    columns: list[FooterColumnData]


class ColorModeData(_Wire, frozen=True):
    default: Literal["light", "dark"]
    respects_system: bool
    has_switch: bool


class AnnouncementData(_Wire, frozen=True):
    id: str
    html: str
    background: str | None
    color: str | None
    is_closeable: bool


class InsightsData(_Wire, frozen=True):
    """Where clicks on hits are reported; None in `SearchData` where they are not."""

    host: str | None
    """Address of the service; None: the host that answers searches."""
    script: str | None
    """Address of the official client's script; None: the theme's own."""


class SearchData(_Wire, frozen=True):
    mode: Literal["auto", "server", "static", "hosted"]
    """What answers searches: a server, the static files of the index, or whichever there is."""
    base: str
    """Path of the site, with a slash at its end; files of the search are below it."""
    app_id: str
    api_key: str
    index_name: str
    hosts: list[str]
    """Addresses, best first, one at least; a path is one of the server of the site itself."""
    placeholder: str
    page_href: str
    results_per_group: int
    """Hits in each group of the dialog at most, 1 or more."""
    other_sites: dict[str, str]
    """Index of each further site that the dialog searches → its name."""
    missing_results_url: str | None
    """`{query}` in it stands for what was searched for."""
    insights: InsightsData | None


class AnalyticsData(_Wire, frozen=True):
    """Where page views are reported; None in `SiteData` where they are not."""

    google: list[str]
    """Measurement ids."""
    endpoint: str | None
    """Address that page views are posted to."""
    anonymizes_ip: bool
    honors_do_not_track: bool
    needs_consent: bool
    consent_script: str | None = None
    """Address of the script that asks the reader; loaded only where page views wait for consent."""


class FeedbackData(_Wire, frozen=True):
    """The question below each document; None in `SiteData` where none is asked."""

    question: str
    action: str
    """Address that the form is posted to."""


class AssistantData(_Wire, frozen=True):
    """A service that can be opened with a page."""

    label: str
    url: str
    """`{url}` stands for the encoded address of the page's Markdown."""


class SiteData(_Wire, frozen=True):
    """What all pages of one locale and version share."""

    title: str
    tagline: str
    url: str
    base_url: str
    locale: str
    dir: Literal["ltr", "rtl"]
    version_name: str
    version_label: str
    site_version: str
    generator: str
    """`Octavo` and its version."""
    navbar: NavbarData
    footer: FooterData
    color_mode: ColorModeData
    announcements: list[AnnouncementData]
    search: SearchData | None
    docs_version: str
    """Address of the `DocsVersion` file."""
    words: dict[str, str]
    """Words of the theme in this language: key → word."""
    home: str
    """Route of the home page of this locale."""
    analytics: AnalyticsData | None = None
    feedback: FeedbackData | None = None
    copies_pages: bool = False
    """Pages have a button that copies their Markdown."""
    assistants: list[AssistantData] = []
    has_transitions: bool = False
    """Pages fade into each other."""
    offline_worker: str | None = None
    """Address of the service worker with which pages that were read before can be read without a network."""


class DocEntry(_Wire, frozen=True):
    id: str
    path: str
    sidebar: str | None
    is_unlisted: bool = msgspec.field(name="unlisted")


class SidebarEntryPoint(_Wire, frozen=True):
    link: LinkData | None
    """First link of the sidebar."""


class DocsVersion(_Wire, frozen=True):
    """The docs-version structure of the specification, §3; one JSON file for each."""

    name: str
    label: str
    path: str
    is_last: bool
    docs: list[DocEntry]
    sidebars: dict[str, SidebarEntryPoint]
    main_doc_id: str | None
    draft_ids: list[str]


class CardData(_Wire, frozen=True):
    """A card of a `card-list` island."""

    kind: Literal["doc", "category", "link"]
    href: str
    label: str
    description: str
    icon: str = ""
    """SVG."""
    count: int = 0
    """Items of a category that has no description."""


class TabData(_Wire, frozen=True):
    value: str
    label: str
    anchor: str | msgspec.UnsetType = msgspec.UNSET
    """Id of its panel, where addresses lead to it."""


class TabsProps(_Wire, frozen=True):
    """Props of the `tabs` island; child *n* is the panel of tab *n*."""

    group_id: str | None
    query_string: str | None
    """Name of the query parameter."""
    default_value: str | None
    """None: no tab is chosen at first."""
    tabs: list[TabData]
    is_lazy: bool


class CardListProps(_Wire, frozen=True):
    """Props of the `card-list` island."""

    items: list[CardData]


class MermaidProps(_Wire, frozen=True):
    """Props of the `mermaid` island."""

    code: str


class BootAnnouncement(_Wire, frozen=True):
    """What the inline script must know of an announcement; their order is that of the bars."""

    id: str
    background: str | msgspec.UnsetType = msgspec.UNSET
    """Color of CSS; without it the bar has the theme's."""
    color: str | msgspec.UnsetType = msgspec.UNSET
    """The same."""


class BootData(_Wire, frozen=True):
    """What scripts know before anything is loaded: the JSON in the element `octavo-boot` of each page."""

    base: str
    """Path under which the site is published; begins and ends with a slash."""
    client: str
    """Address of the client's entry module."""
    mode: Literal["light", "dark"]
    """Color mode where neither reader nor system has a say."""
    system: bool
    """The system's preference counts."""
    announcements: list[BootAnnouncement]


class DevMessage(_Wire, frozen=True):
    """What `octavo dev` tells open pages after a change."""

    session: str
    """Names the run of the server."""
    number: int
    """Counts the states of the site, from 1."""
    policy: str
    """Names the content security policy and the site's own head: a page that was loaded under others may not show all that
    is new."""
    problems: list[Diagnostic] | None = None
    """What is wrong; None: the same as before."""
    failure: str = ""
    """Why there is no site at all, such as a mistake in `octavo.toml`."""
    pages: list[PagePayload] = []
    """Pages that say something else now, articles included."""
    touched: list[str] = []
    """Addresses of other pages that may be rendered otherwise now."""
    is_whole: bool = False
    """Any page may be rendered otherwise now."""
    has_needs: bool = False
    """The pages ask something of the content security policy."""
    styles: list[str] = []
    """Addresses of the site's own style sheets, in the order of the cascade."""


ISLANDS: dict[str, type[msgspec.Struct]] = {
    "tabs": TabsProps,
    "card-list": CardListProps,
    "mermaid": MermaidProps,
    "api-overview": OverviewView,
    "api-tag": TagView,
    "api-operation": OperationView,
    "api-schema": SchemaCard,
    "api-names": SchemaNames,
}
"""Kind of island → its props. The only list of the kinds: the theme's tables of components are checked against it."""

WIRE_TYPES = (PagePayload, SiteData, SidebarData, DocsVersion, BootData, DevMessage, *ISLANDS.values())
"""Roots of the contract; what they refer to comes along."""

UNIONS = {"SidebarItem": SidebarItem, "NavItemData": NavItemData}
"""Unions that the theme's types name too."""
