"""What may be written in `octavo.toml`.

Every field is declared once, with its default and a sentence. A mistake becomes one `ConfigError`
that names the file, the line, the value found and the value expected.
"""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec

from octavo.config.blogs import Blog
from octavo.config.commands import CommandReference
from octavo.config.head import HeadTag, Script
from octavo.config.markdown import Dialect, MarkdownFolder, markdown_folders
from octavo.config.openapi import ApiReference
from octavo.config.programs import Programs
from octavo.config.schema.levels import DiagnosticLevels
from octavo.config.schema.revisions import VersionsFrom
from octavo.config.search_rules import SearchRules
from octavo.config.theme import ThemeSettings
from octavo.words import direction_of

CONFIG_NAME = "octavo.toml"
_THIS_MACHINE = re.compile(r"(?:(?:.*\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?::\d+)?")


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of every table of the file: unknown keys are refused."""


class Logo(_Table, frozen=True, kw_only=True):
    """A picture for the brand link or the footer; paths are addresses under `static/`."""

    src: str
    """Address from the site root, such as `/img/logo.svg`."""
    src_dark: str | None = None
    """Another picture for dark mode."""
    alt: str
    href: str = "/"


class NavItem(_Table, frozen=True, kw_only=True):
    """An entry of the top bar or of a footer column."""

    label: str = ""
    href: str | None = None
    """A route of this site (starts with `/`) or an absolute address."""
    sidebar: str | None = None
    """Id of a sidebar: the entry leads to its first document and is marked while the reader is in it."""
    position: Literal["left", "right"] = "left"
    items: list[NavItem] = []
    """Entries of a dropdown."""
    icon: str | None = None
    """Name of an icon: of a file in the folder `icons`, or of a built-in one, drawn before the label. `github`, `linkedin`,
    `discord` and `youtube` are drawn alone in the top bar, and the label becomes the accessible name."""
    type: Literal["link", "locale", "version"] = "link"
    """`locale` and `version` are the two switches; each shows only when there is a choice."""


class Navbar(_Table, frozen=True, kw_only=True):
    title: str = ""
    logo: Logo | None = None
    hide_on_scroll: bool = False
    items: list[NavItem] = []


class FooterColumn(_Table, frozen=True, kw_only=True):
    title: str
    items: list[NavItem]


class Footer(_Table, frozen=True, kw_only=True):
    logo: Logo | None = None
    copyright: str = ""
    columns: list[FooterColumn] = []


class ColorMode(_Table, frozen=True, kw_only=True):
    default: Literal["light", "dark"] = "dark"
    """Mode where neither the reader nor the system has a preference."""
    respect_system: bool = True
    has_switch: bool = True


class Images(_Table, frozen=True, kw_only=True):
    """Smaller forms of the pictures in pages. Needs `octavo[images]`."""

    is_responsive: bool = False
    """Make WebP forms of PNG, JPEG and WebP pictures, so that readers load what their screen shows. Drawings (SVG) and
    animations stay as they are, nothing is enlarged, and a form that is no smaller than the picture is left out."""
    widths: list[int] = msgspec.field(default_factory=lambda: [480, 800, 1200, 1600])
    """Widths of the forms, in pixels; a picture gets those below its own width."""
    quality: int = 80
    """Of forms with losses, 1 to 100."""


class SocialCards(_Table, frozen=True, kw_only=True):
    """Pictures that messengers and networks show with a link to a page. Needs `octavo[images]` and `url`."""

    is_enabled: bool = False
    """Draw one for each page that names no `image` of its own."""
    background: str = "#1c1b19"
    color: str = "#f6f1e7"
    accent: str = "#e2694f"
    """Colors as `#rrggbb`; the accent is that of the section's name."""
    font: str | None = None
    """TTF or OTF file for the titles, from the site's folder; by default the face of the headings, which has the
    characters of Western languages. A page whose title has others gets the site's `image`."""


class Feedback(_Table, frozen=True, kw_only=True):
    """A question below each document."""

    is_enabled: bool = False
    question: str | None = None
    """By default "Was this page helpful?" in the page's language."""
    endpoint: str | None = None
    """Address, or path from the host's root, that answers are posted to as a form with `page` and `answer` (`yes` or
    `no`); by default `octavo serve` counts them, and nothing else."""


class Announcement(_Table, frozen=True, kw_only=True):
    """A bar above the top bar."""

    id: str
    """A new id shows the bar again to readers who closed the old one."""
    content: str
    """Inline HTML, trusted."""
    background: str | None = None
    color: str | None = None
    is_closeable: bool = True
    is_enabled: bool = True
    routes: list[str] = []
    """Routes of the pages that have it, in all languages and versions; `*` stands for any characters, as in
    `/guides/*`. Empty: all pages."""


class SidebarEntry(_Table, frozen=True, kw_only=True):
    """One line of a sidebar that is written out. Exactly one of the first four is given."""

    doc: str | None = None
    """Id of a document."""
    href: str | None = None
    """A link out, or to a route that is no document."""
    category: str | None = None
    """Label of a category with `items`."""
    autogenerated: str | None = None
    """Folder under the docs folder whose documents are listed here, ordered by position and name."""
    label: str | None = None
    items: list[SidebarEntry] = []
    link: CategoryLink | None = None
    is_collapsed: bool = True
    is_collapsible: bool = True
    class_name: str | None = None


class CategoryLink(_Table, frozen=True, kw_only=True):
    """Where a category's own label leads."""

    type: Literal["doc", "generated-index"]
    id: str | None = None
    """Id of the document, for `doc`."""
    slug: str | None = None
    """Route of the generated index; by default `/category/{slug of the label}`."""
    title: str | None = None
    description: str | None = None
    keywords: list[str] = []
    image: str | None = None
    also: list[str] = []
    """Ids of other documents whose cards follow the index's own; the index document of a category gives the category's card."""


class Sidebar(_Table, frozen=True, kw_only=True):
    id: str
    label: str = ""
    items: list[SidebarEntry]


class Version(_Table, frozen=True, kw_only=True):
    """One version of the documentation."""

    name: str
    label: str
    path: str = ""
    """Part of the route, without slashes; empty for the last version."""
    docs: str = "docs"
    """Folder of its documents."""
    banner: Literal["none", "unreleased", "unmaintained"] = "none"
    sidebars: list[Sidebar] | None = None
    """Sidebars of this version where they differ from the site's."""


class Locale(_Table, frozen=True, kw_only=True):
    """One language of the site."""

    id: str
    """BCP 47 tag, such as `en` or `pt-BR`."""
    label: str
    dir: Literal["auto", "ltr", "rtl"] = "auto"
    path: str = ""
    """Part of the route, without slashes; empty for the default locale."""
    docs: str | None = None
    """Folder that holds the translated docs folders; untranslated pages fall back to the default locale."""
    folders: dict[str, str] = {}
    """Folders of documents or pages whose translation lies elsewhere: folder → translated folder, both from the site's
    folder."""
    suffix: str = ""
    """End of the names of translated files that lie beside their originals: `de` for `install.de.md`. In place of `docs` and
    `folders`."""

    @property
    def direction(self) -> Literal["ltr", "rtl"]:
        """`ltr` or `rtl`: as given, else as the language is mostly written."""
        return direction_of(self.id) if self.dir == "auto" else self.dir


class Insights(_Table, frozen=True, kw_only=True):
    """What is kept of searches. No address and no cookie of a reader ever is."""

    is_enabled: bool = False
    """Count searches, and send and keep events: which hits were shown and which were chosen."""
    retention_days: int = 90
    """Days for which they are kept."""
    least_count: int = 3
    """Searches for the same words from which reports show them: rarer ones may be about one person."""
    script: Literal["own", "cdn"] = "own"
    """Where the reader's browser takes the insights script from: the theme's own, or the official one at `cdn_url`."""
    cdn_url: str = "https://cdn.jsdelivr.net/npm/search-insights@2.17.3/dist/search-insights.min.js"
    """Address of the official script; nothing is loaded from there unless `script` says so."""
    host: str | None = None
    """Address that events are sent to, such as `https://insights.algolia.io`; by default the server that answers
    searches."""


class SearchEngine(_Table, frozen=True, kw_only=True):
    """What answers searches behind `octavo serve`.

    Clients see no difference. `octavo search push` fills another engine than the embedded one; its key comes from the
    environment variable `OCTAVO_SEARCH_ENGINE_KEY` only.
    """

    kind: Literal["embedded", "meilisearch", "opensearch"] = "embedded"
    """`embedded` searches the published index in the server itself; `meilisearch` and `opensearch` ask a search engine
    that runs elsewhere (`opensearch` stands for Elasticsearch, too)."""
    url: str = ""
    """Address of that engine, such as `http://127.0.0.1:7700`, without a key or a password in it."""
    timeout_seconds: float = 3.0
    """Longest wait for its answer; after it a search is answered with status 503, and pages search by their own files."""


class Search(_Table, frozen=True, kw_only=True):
    """The search service. The defaults are this site's own server; a hosted one takes the same keys."""

    is_enabled: bool = True
    mode: Literal["auto", "server", "static", "hosted"] = "auto"
    """What answers searches: `server` for `octavo serve`, `hosted` for another service of the same protocol, `static`
    for files that each build publishes and the reader's browser searches, so that any host of files will do; `auto` for
    the server where there is one, and for the files where there is none or it fails."""
    app_id: str = "octavo"
    api_key: str = "public-search-key"
    """The public search key; it travels in every request and is no secret."""
    index_name: str = "docs"
    hosts: list[str] = []
    """Addresses of search hosts, best first; empty: the server of the site itself."""
    placeholder: str | None = None
    """Text of the search button and its field; by default "Search docs" in the page's language."""
    most_per_second: int = 300
    """Searches that one address may send each second, with bursts of twice as many, before it gets status 429; 0: no limit."""
    kinds: dict[str, Literal["guide", "reference", "command", "api"]] = {}
    """What the documents of a folder are, as readers filter them: folder under the docs folder → kind. The longest
    folder decides; all others are guides. Pages made from the description of an API are `api` in any folder."""
    page_ranks: dict[str, int] = {}
    """Weight of the documents of a folder among equal matches, 0 to 100: folder under the docs folder → rank. By
    default 10 for guides, 5 for reference pages, 2 for commands and API pages, 1 for data types of an API; 0 puts pages
    behind all others."""
    synonyms: dict[str, list[str]] = {}
    """Words and phrases that mean the same, in both directions: a word → its synonyms, as
    `faq = ["frequently asked questions"]`. A phrase in quotes is looked for as it is typed."""
    rules: SearchRules = SearchRules()
    """Not a setting: the content of `search.toml`, which pins and hides pages for queries and names synonyms."""
    results_per_group: int = 5
    """Hits shown at most in each group of the dialog."""
    most_offline_megabytes: int = 40
    """Size of the search index, before compression, up to which readers' browsers keep all of it for search without a
    network (`offline = true`), in MB; a thousand pages make about 14. 0 keeps none. Without it, search without a network
    finds by the files of the index that earlier searches have loaded."""
    engine: SearchEngine = SearchEngine()
    missing_results_url: str | None = None
    """Where readers report a search that should have had results, `{query}` in it replaced by theirs."""
    insights: Insights = Insights()


class ServerSettings(_Table, frozen=True, kw_only=True):
    """Who may use `octavo serve` and `octavo dev`."""

    allowed_hosts: list[str] = []
    """Host names that are answered besides this machine's own and that of `url`, as a proxy in front hands them on:
    `docs.example.org`, `.example.org` for all below a domain, `*` for any. A server that listens on a loopback address
    answers no others; one that listens elsewhere answers any as long as none is given."""
    search_origins: list[str] = []
    """Origins of pages of other sites that may use this search, such as `https://www.example.org`; `*` for all. By
    default all where the server listens on a public address, and none where it listens on a loopback address."""
    trusted_proxies: list[str] = []
    """Addresses or networks (`10.0.0.0/8`) of proxies in front, whose word on the reader's address is believed."""
    proxy_header: Literal["x-forwarded-for", "forwarded"] = "x-forwarded-for"
    """The header in which these proxies give that address; the other one is ignored, since readers can invent it."""


class Analytics(_Table, frozen=True, kw_only=True):
    """Page views, counted by services of the operator's choice. Nothing is loaded or sent as long as none is named."""

    google: list[str] | str = []
    """Measurement ids of Google Analytics, such as `G-0123456789`. Switch off its own counting of history changes
    ("enhanced measurement"): the site reports each page itself."""
    endpoint: str | None = None
    """Address, or path from the host's root, that each page view is posted to: JSON with `path`, `title` and
    `referrer` (path of the page of this site before it, or null)."""
    anonymize_ip: bool = True
    """Ask Google to shorten the reader's address. The endpoint gets no identifier in any case."""
    honors_do_not_track: bool = True
    """Count nothing for readers whose browser sends Do Not Track or Global Privacy Control."""
    needs_consent: bool = False
    """Keep page views back until a script of the operator's sets `window.octavoConsent` to `"granted"`."""
    consent_script: str | None = None
    """Address of that script, or its path under the static folder, such as `/consent.js`. It is loaded where page
    views wait for consent, and never for readers who are not counted at all."""


class Redirect(_Table, frozen=True, kw_only=True):
    """An address that has moved. Pages and files of the site go before redirects."""

    source: str = msgspec.field(name="from")
    """Path from the site's root, such as `/old/page`; `/old/*` holds for a folder and all below it."""
    to: str
    """Route of this site or absolute address; the star of `/new/*` is replaced by the path after the folder."""


class Routing(_Table, frozen=True, kw_only=True):
    """How routes are made of files, so that a site that comes from another engine keeps its addresses."""

    docs: str = ""
    """Part of the route in front of all documents, without slashes at its ends: `docs` for `/docs/install`."""
    ending: Literal["", "/", ".html"] = ""
    """What routes end in, those of folder indexes apart, which always end in a slash."""
    number_prefixes: bool = False
    """Keep prefixes such as `02-` in routes and ids; by default they only give an order."""
    index_names: list[str] = msgspec.field(default_factory=lambda: ["index", "readme"])
    """Files, without extension and in small letters, that are the index of their folder. Those that begin with an
    underscore are no partials then."""
    folder_name_is_index: bool = True
    """A file with the name of its folder is the folder's index too."""
    exact: dict[str, str] = {}
    """Routes that follow no rule: file, from the site's folder → route, without the parts of a locale and a version."""


class Config(_Table, frozen=True, kw_only=True):
    """The whole of `octavo.toml`."""

    title: str
    tagline: str = ""
    url: str = "http://localhost:3000"
    """Address under which the site is published, without a path. While it is one of this machine, what must be
    absolute is left out of the pages (canonical address, social card), and `octavo build` says so."""
    base_url: str = "/"
    """Path under which it is published; begins and ends with a slash."""
    trailing_slash: Literal["ignore", "always", "never"] = "ignore"
    """Final slash of addresses: `ignore` lets folder indexes have one and other pages none. With `always` and `never` all
    routes, links, canonical addresses and the sitemap agree; with `never` a page is published as `page.html`, which hosts
    of static files serve without a redirect."""
    favicon: str | None = None
    icon: str | None = None
    """Square PNG under the static folder, 512 pixels wide: `favicon.ico`, the icon of home screens and a web manifest are
    made of it. Needs `octavo[images]`."""
    image: str | None = None
    """Picture for social cards where a page names none."""
    site_version: str = "0.0.0"
    title_delimiter: str = "|"
    not_indexed: bool = False
    """Ask search engines to leave the whole site out."""
    edit_url: str | None = None
    """Prefix of the edit link; the source path is appended."""
    shows_last_update: bool = False
    has_feed: bool = False
    """Publish `changes.xml`, an Atom feed of the documents that changed last. Needs `url`, and dates from git or from
    front matter."""
    glossary: str | None = None
    """File of the site's folder with terms and what they mean, as TOML: `MCP = "Model Context Protocol"`, or a table with
    `definition`, `also`, `href`, `folders` and `is_marked`. The first use of a term on a page can be opened to read it. Front matter adds `glossary:` with terms of one page, or `false`."""
    offline: bool = False
    """Let readers open pages that they have read before, and search, without a network: pages register a service worker,
    `offline-worker.js`. Browsers run one on `https` and on this machine only."""
    print_pages: Literal["none", "sidebars", "sections"] = "none"
    """Also publish each sidebar as one page for paper and PDF, such as `/print/docs/`; with `sections` each category at its
    top too, such as `/print/docs/get-started/`."""
    docs: str = "docs"
    """Folder of the documents."""
    mounts: dict[str, str] = {}
    """More folders of documents: folder → beginning of their routes, such as `community = "/community"`. Sidebars name
    their documents by the path from the site's folder: `community/join`."""
    exclude: list[str] = []
    """Files that are no documents, as patterns from the site's folder: `docs/internal/**`, `**/CHANGELOG.md`."""
    routing: Routing = Routing()
    pages: str = "pages"
    """Folder of the pages without a sidebar (landing page…)."""
    static: str = "static"
    """Folder that is copied to the site root."""
    components: str = "components"
    """Folder of the components that the site registers: `Name.mdx`, or `Name.tsx` and `Name.jsx` in React, is used as
    `<Name prop="…" />`."""
    markdown: Dialect | dict[str, Dialect | MarkdownFolder] = "commonmark"
    """What files ending in `.md` are written in: `commonmark`, or `mdx` with expressions, imports and components, as
    Docusaurus reads them. As a table it also names extensions; tables and dialects by folder (`[markdown."docs/old"]`)
    hold for what is in it, and the longest folder decides. Files ending in `.mdx` are MDX always."""
    variables: dict[str, Any] = {}
    """Texts that pages use as `{{ name }}`: name → text in quotes or integer, `env:NAME` for one of the environment;
    those of inner tables are named with a point. Without any, braces mean nothing."""
    variable_files: list[str] = []
    """Files of TOML or JSON, from the site's folder, whose values are variables too: `../pyproject.toml` gives
    `{{ project.version }}`."""
    extensions: list[str] = []
    """Extensions in Python: files from the site's folder such as `ext/changelog.py`, or names of installed modules."""
    extension_options: dict[str, dict[str, Any]] = {}
    """Options of extensions: name of an extension → its options, as its own documentation lists them."""
    extension_timeout_s: float = 10.0
    """Seconds after which a call of an extension's function is ended."""
    extension_memory_mb: int = 4096
    """Memory that extensions may use together, in megabytes; 0 for no limit. Only on Linux."""
    magic_comments: dict[str, str] = {}
    """More line-highlighting comments: CSS class → comment word."""
    locales: list[Locale] = msgspec.field(default_factory=lambda: [Locale(id="en", label="English")])
    words: dict[str, dict[str, str]] = {}
    """Words of the theme that this site says otherwise: language → key → word, as `[words.en]` with
    `toc = "Contents"`. `{name}` in a word is replaced as in the theme's own."""
    versions: list[Version] = msgspec.field(default_factory=lambda: [Version(name="current", label="Next")])
    versions_from: VersionsFrom | None = None
    """Versions from tags or branches; written `[versions]`, a table in place of the list."""
    sidebars: list[Sidebar] = []
    navbar: Navbar = Navbar()
    footer: Footer = Footer()
    color_mode: ColorMode = ColorMode()
    theme: ThemeSettings = ThemeSettings()
    styles: list[str] = []
    """Style sheets of the site: addresses under the static folder (`/css/site.css`), or beginning with `https://`. Their
    rules win over all of the theme's, which are in cascade layers."""
    scripts: list[str | Script] = []
    """Scripts of the site, addressed likewise; each page loads them once, and they run when it has been read."""
    head: list[HeadTag] = []
    """More elements for the head of all pages."""
    programs: Programs = Programs()
    images: Images = Images()
    social_cards: SocialCards = SocialCards()
    feedback: Feedback = Feedback()
    announcements: list[Announcement] = []
    search: Search = Search()
    server: ServerSettings = ServerSettings()
    analytics: Analytics = Analytics()
    diagnostics: DiagnosticLevels = DiagnosticLevels()
    blogs: list[Blog] = []
    commands: list[CommandReference] = []
    openapi: list[ApiReference] = []
    redirects: list[Redirect] = []
    content_policy: dict[str, list[str]] = {}
    """More sources that pages may load from, for scripts of the operator's own: directive of the content security
    policy (`script-src`) → sources (`https://example.org`). What settings and pages ask for is in the policy already."""

    @property
    def markdown_folders(self) -> dict[str, MarkdownFolder]:
        """Folder from the site's folder, "" for all → how its files are written."""
        return markdown_folders(self.markdown)

    @property
    def published_url(self) -> str:
        """`url` where others can reach it; empty while it is not set, or names this machine."""
        host = self.url.partition("://")[2].lower()
        return "" if _THIS_MACHINE.fullmatch(host) else self.url

    @property
    def has_flat_files(self) -> bool:
        """A page `/a/b` is published as `a/b.html` instead of `a/b/index.html`."""
        return self.trailing_slash == "never"

    @property
    def default_locale(self) -> Locale:
        """The first locale is the default one."""
        return self.locales[0]

    @property
    def last_version(self) -> Version:
        """The last version is the one whose routes have no part of their own."""
        return next(version for version in self.versions if not version.path)
