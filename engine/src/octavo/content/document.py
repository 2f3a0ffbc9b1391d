"""`Document`: what one source file says, compiled, before anybody knows the rest of the site.

The body is HTML with *slots*. A slot marks a place whose content depends on the whole site:
`SLOT + key + SLOT`, so that `body.split(SLOT)` gives HTML at the even places and keys at the odd ones.

| key    | stands for                              | index into          |
|--------|-----------------------------------------|---------------------|
| `L{n}` | the value of an `href` attribute        | `Document.links`    |
| `A{n}` | the value of a `src` attribute          | `Document.assets`   |
| `W{n}` | ` width="…" height="…"` or nothing      | `Document.assets`   |
| `I{n}` | an island, drawn by React               | `Document.islands`  |
| `C{n}` | in the HTML of an island: its child *n* | `Island.children`   |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from octavo.diagnostics import Diagnostic, Span

COMPONENT_KIND = "component:"
"""Before the name of a component of the site in React, it is the kind of its islands."""
SLOT = "\x00"
"""Delimiter of slots. A Markdown document can't contain NUL: CommonMark 2.3 replaces it."""
CARDS_IN_MARKDOWN = f"{SLOT}cards{SLOT}"
"""Stands in the Markdown of a page for the list of the pages of its category, which the site fills in."""


class Heading(msgspec.Struct, frozen=True, gc=False):
    """A heading of the page, those of partials included, in page order."""

    level: int
    """1 to 6."""
    anchor: str
    """Its id, unique in the page; empty for level 1."""
    html: str
    """Inline HTML without links and slots."""
    text: str
    """Plain text."""


class Link(msgspec.Struct, frozen=True):
    """A link as typed, to be resolved by the site."""

    href: str
    span: Span
    is_markup: bool = False
    """It came from Markdown or a component; a raw `<a href>` is only checked, not resolved to a document by path."""


class Asset(msgspec.Struct, frozen=True):
    """A file that the page shows (an image, a video), to be copied and given a hashed name."""

    href: str
    span: Span
    has_size: bool = False
    """The author gave a width or a height, so none is added."""
    has_sources: bool = False
    """The author gave a `srcset`, so none is added."""


class Island(msgspec.Struct, frozen=True):
    """A piece of the body that holds state and is drawn, then hydrated, by a React component."""

    kind: str
    """`tabs`, `mermaid`, `code`, `card-list`, `zoom`…: a key of the theme's block registry."""
    props: dict[str, Any]
    """JSON values only."""
    children: list[str] = []
    """HTML with slots; the component places child *n* by the slot `C{n}`."""


class TextChunk(msgspec.Struct, frozen=True, gc=False):
    """A stretch of the page's text, for search records and descriptions."""

    kind: str
    """`heading`, `paragraph`, `item`, `row`, `code`, `diagram`, `admonition`, `summary`, `tab`, `label` (the names of
    tabs, together), `html` (a block of raw HTML); in references also `option`, `operation`, `parameter`, `field`."""
    heading: int
    """Index into `Document.headings` of the heading above it; -1 before the first."""
    text: str
    anchor: str = ""
    """Anchor of its own, where it has one that is not a heading's: a search hit leads there."""


class LastUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`last_update` of the front matter."""

    date: str | None = None
    """ISO 8601 date."""
    author: str | None = None


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A term of a glossary."""

    definition: str
    """What it means: text, with code between backticks."""
    also: list[str] = []
    """Other words for it."""
    href: str = ""
    """Page about it, from the root of the site; that page itself does not explain it."""
    folders: list[str] = []
    """Folders, from the site's folder, whose pages explain it; without any, all pages do."""
    is_marked: bool = True
    """Pages explain it; False: it is here for other readers of the file."""


def find_repeated_words(terms: Mapping[str, str | Term]) -> Iterator[tuple[str, str, str]]:
    """Find words that two terms claim: (word, first term, second term)."""
    owners: dict[str, str] = {}
    for name, term in terms.items():
        for word in (name, *(term.also if isinstance(term, Term) else ())):
            if owners.setdefault(word, name) != name:
                yield word, owners[word], name


class FrontMatter(msgspec.Struct, frozen=True):
    """The page's settings, as its author wrote them. None means: not given."""

    title: str | None = None
    description: str | None = None
    id: str | None = None
    slug: str | None = None
    layout: str | None = None
    """`doc` (default of documents), `page` (default of other pages), `landing`, `splash`, `reference` or `blank`; `search` for
    a page outside the sidebars."""
    sidebar_label: str | None = None
    sidebar_position: float | None = None
    icon: str | None = None
    """Icon beside its title in sidebars and cards: a file of the folder `icons`, or a name of the built-in set."""
    sidebar_class_name: str | None = None
    sidebar_group: str | None = None
    sidebar_badge: str | None = None
    """A short text behind its label in sidebars, such as "New"."""
    hide_title: bool = False
    hide_table_of_contents: bool = False
    toc_min_heading_level: int = 2
    toc_max_heading_level: int = 3
    pagination_label: str | None = None
    pagination_prev: str | None = None
    """Doc id of the previous page; an explicit null removes the link (see `removes_prev`)."""
    pagination_next: str | None = None
    removes_prev: bool = False
    removes_next: bool = False
    displayed_sidebar: str | None = None
    """Id of the sidebar to show; an explicit null shows none (see `removes_sidebar`)."""
    removes_sidebar: bool = False
    draft: bool = False
    unlisted: bool = False
    hides_from_search: bool = False
    """`search: false`: no query of the site's own search finds the page."""
    keywords: list[str] = []
    image: str | None = None
    """Picture for previews: an address, a path in the static folder, or with a dot in front one from the file itself."""
    tags: list[str] = []
    date: str | None = None
    """ISO 8601 date of a post."""
    authors: list[str] = []
    """Who wrote a post: names, or words for which the settings have names."""
    last_update: LastUpdate | None = None
    custom_edit_url: str | None = None
    canonical_url: str | None = None
    """Address of the page that search engines are to take for the original of this one."""
    metas: dict[str, str] = {}
    """Further tags of the document's head that a page of another engine has: name → content; `title` is the whole title."""
    translated_from: str | None = None
    """Of a translation: state of the original that it was made from, as `octavo translations mark` writes it."""
    glossary: dict[str, str] | bool = True
    """Terms that this page explains beside those of the site, or False: none at all."""
    hides_edit_url: bool = False
    """`custom_edit_url: null`: no edit link on this page."""
    fields: dict[str, Any] = {}
    """Keys that extensions have registered, with their values converted to what JSON has."""


class DrawnCode(msgspec.Struct, frozen=True, array_like=True):
    """A block of code, drawn."""

    html: str
    text: str
    """What a reader would copy."""


class Document(msgspec.Struct, frozen=True):
    """One compiled source file."""

    source_path: str
    """Path from the site's folder, with forward slashes."""
    front_matter: FrontMatter
    body: str
    """HTML with slots."""
    headings: list[Heading]
    links: list[Link]
    assets: list[Asset]
    islands: list[Island]
    anchors: list[str]
    """Every `id` and `name` in the body that is not a heading's, raw HTML included."""
    text: list[TextChunk]
    has_title: bool
    """The body starts with a level-1 heading of its own."""
    excerpt: str
    """First meaningful line of prose as plain text, for the description; may be empty."""
    dependencies: dict[str, str]
    """Other files read for it (partials): path from the site's folder → hash of its content."""
    diagnostics: list[Diagnostic]
    code: dict[str, DrawnCode] = {}
    """Its blocks of code by a hash of what they were drawn from, for when the file is compiled again."""
    markdown: str = ""
    """The page as plain CommonMark: partials, tabs and components resolved (for programs that read pages as text)."""
    files: dict[str, str] = {}
    """Texts published beside the page: address from the site's root, without a slash in front → content."""
    icon: str = ""
    """The icon of the front matter, as SVG."""
    names: list[str] = []
    """Anchors beside those of headings that `ref:` links may lead to."""
    moved: dict[str, str] = {}
    """Anchor that this page had once → route of the page that has it now; see `moved_route`."""


def moved_route(moved: Mapping[str, str], anchor: str) -> str | None:
    """Find the page to which an anchor, or one that its name begins with up to a slash, has moved."""
    while anchor:
        route = moved.get(anchor)
        if route is not None:
            return route
        anchor = anchor.rpartition("/")[0]
    return None


PartialLoader = Callable[[str], str | None]
"""Path from the site's folder → the file's text, or None where there is no such file."""


EXTENSION_INPUTS = "extension://"
"""Begins the name under which `Document.dependencies` has all inputs of an extension; no path begins so."""


class Extended(msgspec.Struct, frozen=True):
    """What extensions of the site gave for a piece of a page."""

    value: Any = None
    """None where they failed. Of directives and fences a list of (kind, text), where kind is `markdown`, `html` or `body`;
    of transforms a text; of a field its value."""
    problems: list[Diagnostic] = []
    reads: dict[str, str] = {}
    """Path of a file that was read → hash of its content, as `Document.dependencies` has it."""


class Extender(Protocol):
    """Calls the functions of extensions; exceptions and functions that hang are findings in what it gives."""

    def call(self, kind: str, name: str, argument: dict[str, Any], span: Span) -> Extended:
        """Call the function of a directive, a fence or a field.

        Args:
            kind: `directive`, `fence` or `field`.
            name: Its name.
            argument: What it gets.
            span: Place of the use, for findings.
        """

    def transform(self, path: str, text: str, fields: Mapping[str, Any]) -> Extended:
        """Let all transforms change the text of a document, one after another."""
