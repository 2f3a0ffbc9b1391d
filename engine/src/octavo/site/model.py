"""`Site`: the model of a site, built by `assemble.assemble_site` and read by the pipeline and by search."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping
from typing import Literal

import msgspec

from octavo.config import Blog, Config, Locale, Version
from octavo.content import Asset, FrontMatter, Heading, Link
from octavo.diagnostics import Diagnostic

PageKind = Literal["doc", "page", "category"]

TranslationState = Literal["", "missing", "outdated"]
"""`missing`: a page of another language is shown in the default one; `outdated`: its original has changed since it was
translated."""

EditionKey = tuple[str, str]
"""(locale id, version name)."""


class Source(msgspec.Struct, frozen=True):
    """A Markdown file of the site, or a page made from data, with the path that its file would have."""

    path: str
    """From the site's folder, with forward slashes."""
    root: str
    """The docs or pages folder it was found in, from the site's folder."""
    is_page: bool
    """It lies in the pages folder, outside every sidebar."""
    mount: str | None = None
    """The mounted folder (`Config.mounts`) that `root` is, or whose translation; None for other folders."""
    made_from: str = ""
    """Data file that the page is made from, from the site's folder; empty for a file of its own."""
    data: bytes | None = None
    """What it is made of (`reference.command_line.CommandPage` or `reference.openapi.ApiPage`, encoded);
    None for a file of its own."""
    maker: Literal["commands", "openapi", "extension", "blog", "changes"] = "commands"
    """What makes the page: a generator of `reference`; or an extension of the site, a blog, or a
    comparison of versions, whose Markdown `data` is."""
    origins: tuple[tuple[int, str, int], ...] = ()
    """Where the text of an extension's document comes from: (line of the document, source file, line in that file). Each
    holds for the lines that follow, up to the next one."""
    doc_id: str = ""
    """Id of its document where it isn't made of its path."""
    suffix: str = ""
    """End of its name that says in which language it is: `de` of `install.de.md`; empty for originals."""
    tag: str = ""
    """The same of an original that names the default language, such as `en` of `install.en.md`."""

    @property
    def origin(self) -> str:
        """File in which an author changes the page."""
        return self.made_from or self.path

    @property
    def relative(self) -> str:
        """Path from its root; that of the original for a translation that lies beside it."""
        path = self.path.removeprefix(f"{self.root}/")  # a root of "." is not part of paths
        if not (tag := self.suffix or self.tag):
            return path
        stem, ending = posixpath.splitext(path)
        return stem.removesuffix(f".{tag}") + ending

    @property
    def key(self) -> str:
        """Name under which an edition knows it: translations of a file share it, the docs and pages folders don't."""
        return f"{self.key_prefix}{self.relative}"

    @property
    def key_prefix(self) -> str:
        """Prefix of the keys of the files in this folder."""
        return "page:" if self.is_page else f"{self.mount}/" if self.mount is not None else ""


class DocumentSummary(msgspec.Struct, frozen=True):
    """What the rest of the site may know of a compiled document: all of it but its text.

    Pages are drawn anew when the summary of any page has changed; when only a text has changed, only that page is.
    """

    source_path: str
    front_matter: FrontMatter
    headings: list[Heading]
    links: list[Link]
    assets: list[Asset]
    has_title: bool
    excerpt: str
    island_kinds: list[str]
    """Kinds of its islands, each once, sorted."""
    diagnostics: list[Diagnostic]
    body_key: str
    """Hash of everything its body was made of."""
    icon: str = ""
    """See `Document.icon`."""
    names: list[str] = []
    """See `Document.names`."""
    moved: dict[str, str] = {}
    """See `Document.moved`; routes are without the prefix of an edition."""


class EditionInfo(msgspec.Struct, frozen=True, eq=False):
    """One locale of one version, without its pages: what a page knows of its edition."""

    locale: Locale
    version: Version
    prefix: str
    """Beginning of its routes, without a final slash: empty, `/fr`, `/v1`, `/fr/v1`."""
    docs_prefix: str
    """The same for documents, which may have a part of their own: `/docs`, `/fr/docs/v1`."""

    @property
    def key(self) -> EditionKey:
        """Name it among the editions of its site."""
        return self.locale.id, self.version.name

    def home_of_blog(self, blog: Blog, mounts: Mapping[str, str]) -> str:
        """Give the route of the list of a blog, which may be mounted outside of the documents, with a slash at its end."""
        mounted = mounts.get(blog.folder)
        return f"{self.docs_prefix}/{blog.folder}/" if mounted is None else f"{self.prefix}{mounted.rstrip('/')}/"


class PageLink(msgspec.Struct, frozen=True):
    """Names a page of the same edition, for sidebars and neighbours.

    A link instead of the page itself: pages and sidebars don't refer to each other in circles, and a page can be
    replaced by another value without making those anew that name it.
    """

    doc_id: str
    route: str
    label: str
    """Its label in links to the previous and the next page."""
    is_unlisted: bool


class Page(msgspec.Struct, frozen=True, eq=False):
    """One page of the published site."""

    edition: EditionInfo
    kind: PageKind
    doc_id: str
    route: str
    """Address without the base URL; folder indexes end in a slash."""
    title: str
    description: str
    summary: DocumentSummary | None
    """None for a generated index."""
    source: Source | None
    settings_path: str = "octavo.toml"
    """File that asks for a generated index, from the site's folder."""
    sidebar_id: str | None = None
    trail: tuple[int, ...] = ()
    """Indexes of the categories that lead to it in its sidebar."""
    breadcrumbs: tuple[tuple[str, str | None], ...] = ()
    """(label, route or None), from the sidebar's root to the page itself."""
    previous: PageLink | None = None
    next: PageLink | None = None
    category: CategoryNode | None = None
    """The category whose own page this is."""
    siblings: tuple[SidebarNode, ...] = ()
    """What a card list on this page shows: the items of its category, this page itself not among the cards."""
    also: tuple[str, ...] = ()
    """Ids of pages elsewhere that a generated index shows behind its own items."""
    last_updated: str | None = None
    """ISO 8601 date."""
    last_author: str | None = None
    translation: TranslationState = ""

    @property
    def is_unlisted(self) -> bool:
        """Built, but in no list and not indexed."""
        return self.summary is not None and self.summary.front_matter.unlisted

    @property
    def hides_from_search(self) -> bool:
        """Whether its front matter keeps it out of the site's own search."""
        return self.summary is not None and self.summary.front_matter.hides_from_search

    @property
    def is_post_list(self) -> bool:
        """A list of posts that the build has made: of all of them, or of those of a tag or an author."""
        return self.source is not None and self.source.data is not None and self.source.maker == "blog"

    @property
    def origin(self) -> str:
        """File that this page comes from, from the site's folder."""
        return self.source.origin if self.source else self.settings_path

    @property
    def navigation_label(self) -> str:
        """Label in previous/next links."""
        front = self.summary.front_matter if self.summary else None
        if front is None:
            return self.title
        return front.pagination_label or front.sidebar_label or self.title

    @property
    def link(self) -> PageLink:
        """Name this page."""
        return PageLink(self.doc_id, self.route, self.navigation_label, self.is_unlisted)


class DocNode(msgspec.Struct, frozen=True, eq=False):
    """A document in a sidebar."""

    page: PageLink
    label: str
    class_name: str | None
    icon: str = ""
    """SVG of the icon beside it."""
    badge: str = ""
    """Short text behind its label."""


class LinkNode(msgspec.Struct, frozen=True, eq=False):
    """A link in a sidebar that was written out."""

    label: str
    href: str
    class_name: str | None
    badge: str = ""
    """Short text behind its label."""


class CategoryNode(msgspec.Struct, frozen=True, eq=False):
    """A category in a sidebar."""

    label: str
    page: PageLink | None
    """The page that belongs to the category itself; None where it only unfolds."""
    description: str | None
    is_collapsed: bool | None
    """None where its source says nothing: open in a small sidebar."""
    is_collapsible: bool
    class_name: str | None
    items: tuple[SidebarNode, ...]
    icon: str = ""
    """SVG of the icon beside it."""
    badge: str = ""
    """Short text behind its label."""


SidebarNode = DocNode | LinkNode | CategoryNode


class Edition(EditionInfo, frozen=True, eq=False):
    """One locale of one version, with its pages and sidebars."""

    pages: Mapping[str, Page]
    """doc id → page. Pages outside the sidebars have ids that begin with `page:`, categories with `category:`."""
    by_file: Mapping[str, str]
    """`Source.key` → id of its page; what links to files are looked up in."""
    sidebars: Mapping[str, tuple[SidebarNode, ...]]
    drafts: tuple[str, ...]
    """Ids of documents that were left out, each once."""

    def page_of_file(self, key: str) -> Page | None:
        """Find the page of a file by its `Source.key`."""
        doc_id = self.by_file.get(key)
        return self.pages[doc_id] if doc_id is not None else None


class Site(msgspec.Struct, frozen=True, eq=False):
    """All pages of all editions, linked up. A change makes a new value, which shares what is unchanged."""

    config: Config
    editions: tuple[Edition, ...]
    by_route: Mapping[str, Page]
    diagnostics: tuple[Diagnostic, ...]
    inventories: Mapping[str, str] = {}
    """Name in another project → its address."""
    left_out: frozenset[str] = frozenset()
    """Routes of pages that are not published, because they cannot have them; each is reported once, links to it not."""

    @property
    def pages(self) -> Collection[Page]:
        """All published pages, in the order of editions and files."""
        return self.by_route.values()

    @property
    def main_edition(self) -> Edition:
        """The default locale of the last version."""
        return next(edition for edition in self.editions if edition.version is self.config.last_version)

    def edition_of(self, page: Page) -> Edition:
        """Find the edition that a page belongs to."""
        return next(edition for edition in self.editions if edition.key == page.edition.key)

    def counterpart(self, page: Page, edition: Edition) -> Page | None:
        """Find the same page in another edition."""
        return edition.pages.get(page.doc_id)
