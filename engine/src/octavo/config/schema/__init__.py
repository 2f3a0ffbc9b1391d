"""What may be written in `octavo.toml`.

Every field is declared once, with its default and a sentence. A mistake becomes one `ConfigError`
that names the file, the line, the value found and the value expected.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import msgspec

from octavo.config.blogs import Blog
from octavo.config.head import HeadTag, Script
from octavo.config.markdown import Dialect, MarkdownFolder, markdown_folders
from octavo.config.programs import Programs
from octavo.config.references import ApiReference, CommandReference, Inventory
from octavo.config.schema.levels import DiagnosticLevels
from octavo.config.schema.revisions import VersionsFrom
from octavo.config.schema.search import Search
from octavo.config.table import Table
from octavo.config.theme import ThemeSettings
from octavo.lazy import regex as re
from octavo.words import direction_of

CONFIG_NAME = "octavo.toml"
_THIS_MACHINE = re.compile(r"(?:(?:.*\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?::\d+)?")


@lru_cache(maxsize=64)
def _is_of_this_machine(url: str) -> bool:
    return _THIS_MACHINE.fullmatch(url.partition("://")[2].lower()) is not None


class Logo(Table, frozen=True, kw_only=True):
    """A picture for the brand link or the footer; paths are addresses under `static/`."""

    src: str
    """Address of the image, such as `/img/logo.svg`."""
    src_dark: str | None = None
    """Another image for dark mode."""
    alt: str
    href: str = "/"


class NavItem(Table, frozen=True, kw_only=True):
    """An entry of the top bar or of a footer column."""

    label: str = ""
    href: str | None = None
    """Route of a page (starts with `/`), or address of another site."""
    sidebar: str | None = None
    """Id of a sidebar. The entry links to its first document, and is highlighted while the reader is in the sidebar."""
    position: Literal["left", "right"] = "left"
    items: list[NavItem] = []
    """Entries of a dropdown menu."""
    icon: str | None = None
    """Icon before the label: the name of a file in the folder `icons`, or of a built-in icon. In the top bar, `github`,
    `linkedin`, `discord`, and `youtube` are shown without the label, which screen readers still read."""
    type: Literal["link", "locale", "version"] = "link"
    """`locale` is the language switch, and `version` the version switch. Each is shown only if there is a choice."""


class Navbar(Table, frozen=True, kw_only=True):
    title: str = ""
    logo: Logo | None = None
    hide_on_scroll: bool = False
    items: list[NavItem] = []


class FooterColumn(Table, frozen=True, kw_only=True):
    title: str
    items: list[NavItem]


class Footer(Table, frozen=True, kw_only=True):
    logo: Logo | None = None
    copyright: str = ""
    columns: list[FooterColumn] = []


class ColorMode(Table, frozen=True, kw_only=True):
    default: Literal["light", "dark"] = "dark"
    """Mode if neither the reader nor the operating system has a preference."""
    respect_system: bool = True
    has_switch: bool = True


class Images(Table, frozen=True, kw_only=True):
    """Smaller versions of images. Requires `octavo[images]`."""

    is_responsive: bool = False
    """Create smaller WebP versions of PNG, JPEG, and WebP images, so that readers download the size that their screen
    needs. SVG files and animations are not changed, images are not enlarged, and versions that save nothing are left
    out."""
    widths: list[int] = msgspec.field(default_factory=lambda: [480, 800, 1200, 1600])
    """Widths of the smaller versions, in pixels. An image gets those below its own width."""
    quality: int = 80
    """Quality of lossy versions, 1 to 100."""


class SocialCards(Table, frozen=True, kw_only=True):
    """Images for link previews. Requires `octavo[images]` and `url`."""

    is_enabled: bool = False
    """Create an image for link previews of each page that does not set its own `image`."""
    background: str = "#1c1b19"
    color: str = "#f6f1e7"
    accent: str = "#e2694f"
    """Color of the name of the section, as `#rrggbb`."""
    font: str | None = None
    """TTF or OTF file for the titles. The default font has the characters of Western languages. Pages whose title
    contains others get the `image` of the site."""


class Feedback(Table, frozen=True, kw_only=True):
    """Question below each document."""

    is_enabled: bool = False
    question: str | None = None
    """Text of the question. By default, "Was this page helpful?" in the language of the page."""
    endpoint: str | None = None
    """Address that receives the answers, as a form with `page` and `answer` (`yes` or `no`). By default, `octavo serve`
    counts them and stores nothing else."""


class Announcement(Table, frozen=True, kw_only=True):
    """An announcement bar above the top bar."""

    id: str
    """Name of the announcement. After a change, readers who have closed the bar see it again."""
    content: str
    """Text of the bar, as HTML. Octavo does not check it."""
    background: str | None = None
    color: str | None = None
    is_closeable: bool = True
    is_enabled: bool = True
    routes: list[str] = []
    """Routes of the pages that show the bar, in all languages and versions. `*` matches any characters, as in
    `/guides/*`. By default, all pages."""


class SidebarEntry(Table, frozen=True, kw_only=True):
    """One line of a sidebar that is written out. Exactly one of the first four is given."""

    doc: str | None = None
    """Id of a document: its path in the docs folder, without extension."""
    href: str | None = None
    """Address of another site, or route of a page that is not a document."""
    category: str | None = None
    """Label of a category whose entries are in `items`."""
    autogenerated: str | None = None
    """Folder in the docs folder whose documents are listed here, sorted by position and name."""
    label: str | None = None
    items: list[SidebarEntry] = []
    link: CategoryLink | None = None
    is_collapsed: bool | None = None
    """None: as the sidebar says."""
    is_collapsible: bool = True
    class_name: str | None = None
    badge: str | None = None


class CategoryLink(Table, frozen=True, kw_only=True):
    """Where a category's own label leads."""

    type: Literal["doc", "generated-index"]
    id: str | None = None
    """Id of the document, for `doc`."""
    slug: str | None = None
    """Route of the generated page. By default, `/category/` with the label."""
    title: str | None = None
    description: str | None = None
    keywords: list[str] = []
    image: str | None = None
    also: list[str] = []
    """Ids of more documents with a card on the page. For the index document of a category, the card is that of the
    category."""


class Sidebar(Table, frozen=True, kw_only=True):
    id: str
    label: str = ""
    is_collapsed: bool | None = None
    """Of categories that say nothing of it themselves. None: by the size of the sidebar."""
    items: list[SidebarEntry]


class Version(Table, frozen=True, kw_only=True):
    """One version of the documentation."""

    name: str
    label: str
    path: str = ""
    """Part of the route for this version, without slashes. Empty for the latest version."""
    docs: str = "docs"
    """Folder of its documents."""
    banner: Literal["none", "unreleased", "unmaintained"] = "none"
    sidebars: list[Sidebar] | None = None
    """Sidebars of this version, if they differ from those of the site."""


class Locale(Table, frozen=True, kw_only=True):
    """One language of the site."""

    id: str
    """BCP 47 language tag, such as `en` or `pt-BR`."""
    label: str
    dir: Literal["auto", "ltr", "rtl"] = "auto"
    path: str = ""
    """Part of the route for this language, without slashes. Empty for the default language, unless all languages have
    one; `/` then leads to the default language."""
    docs: str | None = None
    """Folder with the translated documents. Pages without a translation are shown in the default language."""
    folders: dict[str, str] = {}
    """Folders with translations elsewhere: original folder → folder with the translations."""
    suffix: str = ""
    """Suffix of translated files that are in the same folder as the originals: with `de`, `install.de.md` is the
    translation of `install.md`. Replaces `docs` and `folders`. At the first language it is the suffix that originals
    may have, such as `en` of `install.en.md`."""

    @property
    def direction(self) -> Literal["ltr", "rtl"]:
        """`ltr` or `rtl`: as given, else as the language is mostly written."""
        return direction_of(self.id) if self.dir == "auto" else self.dir


class ServerSettings(Table, frozen=True, kw_only=True):
    """Access to `octavo serve` and `octavo dev`."""

    allowed_hosts: list[str] = []
    """Host names that the server accepts in addition to this computer and the host of `url`, for example behind a
    proxy: `docs.example.org`, `.example.org` for all subdomains, `*` for any. Without it, a server on a loopback
    address accepts no others, and a server on another address accepts any."""
    search_origins: list[str] = []
    """Origins of other sites that can use the search, such as `https://www.example.org`, or `*` for all. By default,
    all if the server listens on a public address, and none if it listens on a loopback address."""
    trusted_proxies: list[str] = []
    """Addresses or networks (`10.0.0.0/8`) of reverse proxies. Octavo trusts the client address that they report."""
    proxy_header: Literal["x-forwarded-for", "forwarded"] = "x-forwarded-for"
    """Header with the client address that these proxies set. The other header is ignored, because clients can forge it.
    """


class Analytics(Table, frozen=True, kw_only=True):
    """Counting of page views. Nothing is loaded or sent until you set a service."""

    google: list[str] | str = []
    """Measurement ids of Google Analytics, such as `G-0123456789`. In Google Analytics, turn off page views based on
    browser history events, because Octavo reports each page itself."""
    endpoint: str | None = None
    """Address that receives each page view as JSON with `path`, `title`, and `referrer` (path of the previous page of
    this site, or null)."""
    anonymize_ip: bool = True
    """Ask Google to shorten the address of the reader. The endpoint never gets an identifier."""
    honors_do_not_track: bool = True
    """Do not count readers whose browser sends Do Not Track or Global Privacy Control."""
    needs_consent: bool = False
    """Send no page views until a script of yours sets `window.octavoConsent` to `"granted"`."""
    consent_script: str | None = None
    """Address of this script, such as `/consent.js` in the static folder. Pages load it only for readers whose page
    views wait for consent."""


class Redirect(Table, frozen=True, kw_only=True):
    """An address that has moved. Pages and files of the site go before redirects."""

    source: str = msgspec.field(name="from")
    """Old path, such as `/old/page`. With `/old/*`, the redirect applies to a folder and everything in it."""
    to: str
    """Route of a page, or address of another site. The star of `/new/*` is replaced with the path below the old folder.
    """


class Routing(Table, frozen=True, kw_only=True):
    """How Octavo derives routes from file names. Change it to keep the addresses of a site that used another engine."""

    docs: str = ""
    """Start of the routes of all documents, without slashes at its ends: with `docs`, routes are like `/docs/install`.
    """
    ending: Literal["", "/", ".html"] = ""
    """End of all routes except those of index pages, which always end with a slash."""
    number_prefixes: bool = False
    """Keep number prefixes such as `02-` in routes and ids. By default, they only set the order."""
    index_names: list[str] = msgspec.field(default_factory=lambda: ["index", "readme"])
    """Names of index files, without extension and in lower case. With a leading underscore, such as `_index`, these
    files are pages, not partials."""
    folder_name_is_index: bool = True
    """Also treat a file with the name of its folder as the index page of the folder."""
    folders_as_written: bool = False
    """In generated sidebars, label folders by their names as they are written, and sort index pages by name, as
    Docusaurus does. By default, the folder `first-steps` has the label `First steps`, and an index page comes before
    other pages without a position."""
    links_without_slash: bool = False
    """Also resolve relative links of an index page as if its address had no slash at the end, as in Docusaurus and
    Nextra: `./b` on the page `/a/` leads to `/b`, if there is no `/a/b`."""
    exact: dict[str, str] = {}
    """Routes of single files: path of the file → route, without the parts for language and version."""
    titles: dict[str, str] = {}
    """Titles of single files that have no heading of their own: path of the file → title. They come before the `title`
    of the front matter. By default, the name of the file."""


class Config(Table, frozen=True, kw_only=True):
    """The whole of `octavo.toml`."""

    title: str
    tagline: str = ""
    url: str = "http://localhost:3000"
    """Public address of the site, without a path. As long as it is an address of this computer, pages have no canonical
    address and no social card, and `octavo build` reports it."""
    base_url: str = "/"
    """Path of the site below `url`, with a slash at the start and the end. Change it if the site is not at the root of
    its host, such as `/docs/`."""
    trailing_slash: Literal["ignore", "always", "never"] = "ignore"
    """Trailing slash of addresses. With `ignore`, only the index pages of folders have one. With `always` or `never`,
    all routes, links, canonical addresses, and the sitemap agree. With `never`, pages are published as `page.html`,
    which static hosts serve without a redirect."""
    favicon: str | None = None
    icon: str | None = None
    """Square PNG file in the static folder, 512 pixels wide. Octavo creates `favicon.ico`, the home screen icon, and a
    web manifest from it. Requires `octavo[images]`."""
    image: str | None = None
    """Image for link previews of pages that do not set their own `image`."""
    site_version: str = "0.0.0"
    title_delimiter: str = "|"
    not_indexed: bool = False
    """Ask search engines not to index the site, for example for a preview."""
    edit_url: str | None = None
    """Start of the address of "Edit this page" links. Octavo adds the path of the source file. Without it, there are no
    such links."""
    shows_last_update: bool = False
    has_feed: bool = False
    """Publish `changes.xml`, an Atom feed of the pages that changed last. Requires `url`, and dates from git or from
    the front matter."""
    glossary: str | None = None
    """TOML file with terms and their definitions: `MCP = "Model Context Protocol"`, or a table with `definition`,
    `also`, `href`, `folders`, and `is_marked`. Readers can open the definition at the first use of a term on a page.
    In the front matter, `glossary` adds terms for one page, and `false` turns them off."""
    offline: bool = False
    """Let readers use pages that they have visited, and search, without a network. Pages then register the service
    worker `offline-worker.js`, which browsers run only on `https` and on the local computer."""
    print_pages: Literal["none", "sidebars", "sections"] = "none"
    """Also publish each sidebar as one page for printing or PDF, such as `/print/docs/`. With `sections`, each
    top-level category too, such as `/print/docs/get-started/`."""
    docs: str = "docs"
    """Folder of the documents, relative to the folder of the site."""
    mounts: dict[str, str] = {}
    """More folders of documents, each with the start of its routes: `community = "/community"`. In sidebars, their
    documents have the path from the folder of the site: `community/join`. A list of all documents (`autogenerated = "."`)
    leaves out folders at `/`, and folders that a sidebar names itself."""
    exclude: list[str] = []
    """Files that are not published, as patterns relative to the folder of the site: `docs/internal/**`,
    `**/CHANGELOG.md`."""
    routing: Routing = Routing()
    pages: str = "pages"
    """Folder of pages without a sidebar, such as a landing page."""
    static: str = "static"
    """Folder whose files are copied to the root of the site."""
    components: str = "components"
    """Folder of your components. `Name.mdx` (Markdown), `Name.tsx`, or `Name.jsx` (React) is used as `<Name prop="…"
    />`."""
    markdown: Dialect | dict[str, Dialect | MarkdownFolder] = "commonmark"
    """Markdown dialect of files with the extension `.md`: `commonmark`, or `mdx` with expressions, imports, and
    components, as in Docusaurus. Files with the extension `.mdx` are always MDX. A table can also turn on
    extensions. To set it for one folder, use `[markdown."docs/old"]`; the setting of the innermost folder applies."""
    variables: dict[str, Any] = {}
    """Variables that pages and settings use as `{{ name }}`: a text in quotes, an integer, or `env:NAME` for an
    environment variable. Use a dot for variables in nested tables: `{{ product.name }}`. Without variables, double
    braces are text."""
    variable_files: list[str] = []
    """TOML or JSON files whose values are variables too: with `../pyproject.toml`, pages can use `{{ project.version
    }}`."""
    extensions: list[str] = []
    """Extensions in Python: files such as `ext/changelog.py`, or names of installed modules."""
    extension_options: dict[str, dict[str, Any]] = {}
    """Options of extensions: name of the extension → its options. See the documentation of the extension."""
    extension_timeout_s: float = 10.0
    """Seconds after which a call of an extension is stopped, and as many again for each 25 files that it declares as
    inputs."""
    extension_memory_mb: int = 4096
    """Memory limit of all extensions together, in MB. 0 means no limit. Linux only."""
    inventories: dict[str, Inventory] = {}
    """Other projects whose names pages can link to: any name → address, and file with the names. References to
    Python objects, such as ``[`pathlib.Path`][]``, then lead to their documentation."""
    magic_comments: dict[str, str] = {}
    """More comments that highlight the next line of code: CSS class → word in the comment."""
    locales: list[Locale] = msgspec.field(default_factory=lambda: [Locale(id="en", label="English")])
    words: dict[str, dict[str, str]] = {}
    """Texts of the user interface that the site changes: language → key → text. Example: `[words.en]` with `toc =
    "Contents"`. Texts can contain the same `{name}` placeholders as the originals."""
    labels: dict[str, dict[str, str]] = {}
    """Translations of the texts of these settings and of folders: language → text → translation. Example: `[labels.de]`
    with `Guides = "Anleitungen"`. They apply to `title`, `tagline`, the top bar, the footer, announcements, sidebars,
    versions, and labels of folders."""
    versions: list[Version] = msgspec.field(default_factory=lambda: [Version(name="current", label="Next")])
    versions_from: VersionsFrom | None = None
    """Versions from git tags or branches, written as a table `[versions]` instead of the list."""
    sidebars: list[Sidebar] = []
    navbar: Navbar = Navbar()
    footer: Footer = Footer()
    color_mode: ColorMode = ColorMode()
    theme: ThemeSettings = ThemeSettings()
    styles: list[str] = []
    """Style sheets of the site: addresses in the static folder (`/css/site.css`) or `https://` addresses. Their rules
    override those of the theme, which are in cascade layers."""
    scripts: list[str | Script] = []
    """Scripts of the site, with the same kinds of addresses. Each page loads them once and runs them after it has been
    parsed."""
    head: list[HeadTag] = []
    """More elements for the `<head>` of all pages."""
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
    """More sources for the content security policy, for example for your own scripts: directive (`script-src`) →
    sources (`https://example.org`). Octavo adds the sources that settings and pages use."""

    @property
    def markdown_folders(self) -> dict[str, MarkdownFolder]:
        """Folder from the site's folder, "" for all → how its files are written."""
        return markdown_folders(self.markdown)

    @property
    def docs_root(self) -> str | None:
        """Folder in which pages and files named by a path from the root are looked up; None where an engine does not do it."""
        engines = {"gitbook", "hugo", "mintlify", "myst", "vitepress"}
        return self.docs if any(engines & {*one.extensions} for one in self.markdown_folders.values()) else None

    @property
    def published_url(self) -> str:
        """`url` where others can reach it; empty while it is not set, or names this machine."""
        return "" if _is_of_this_machine(self.url) else self.url

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
