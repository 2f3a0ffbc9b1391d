"""Components of a site's authors, as far as the drawing of pages knows them."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import msgspec

from octavo.content import COMPONENT_KIND, SLOT, Island
from octavo.contract import PagePayload
from octavo.diagnostics import Diagnostic, Span
from octavo.documents import Body
from octavo.lazy import regex as re
from octavo.rendering.article import Fillings, fill_addresses, island_props
from octavo.rendering.page_record import PageJob, has_components
from octavo.runtime import digest
from octavo.site import EditionInfo, LinkResolver, Site


class InnerHtml(NamedTuple):
    """What a use is given as elements: between its tags, or as a property."""

    html: str
    """With its addresses, and slots for the islands in it."""
    uses: Mapping[int, Use]
    """Components of authors in it: number of the island → use."""


class Use(NamedTuple):
    """A use of a component in a page."""

    name: str
    props: Mapping[str, Any]
    has_children: bool
    is_inline: bool
    span: Span
    """Of the use."""
    parts: Mapping[str, bool] = MappingProxyType({})
    """Properties that are parts of the page → whether it has them; what is drawn has slots of these names."""
    contents: Mapping[str, InnerHtml] = MappingProxyType({})
    """Properties that are elements → what is in them: `children` for components that look into theirs."""


class Drawn(NamedTuple):
    """A use, drawn."""

    html: str
    """With the slots `ID` and `C0`, as islands have them."""
    problem: Diagnostic | None = None
    data: str = ""
    """JSON for the payload in the place of the HTML: a layout is drawn again in the browser."""
    is_passing: bool = False
    """Its HTML may differ the next time: it was stopped at its time limit, or is not done yet."""


class ComponentDrawer(Protocol):
    """Draws components of authors."""

    def page_slots(self, payload: PagePayload) -> dict[str, Use]:
        """List what the site puts around the article of a page: name of the place → use."""

    def key(self, kinds: Iterable[str]) -> str:
        """Hash the components among the kinds of a page's islands; empty where there are none."""

    def share(self, kinds: Iterable[str]) -> None:
        """Prepare for processes that are about to be forked; `kinds` are those of the islands that they draw."""

    def looks_into(self, name: str, *, has_components: bool) -> bool:
        """Return whether a component wants its children as elements; `has_components`: some of them are components."""

    def draw(self, uses: Sequence[Use]) -> list[Drawn]:
        """Draw uses, in order; never raises."""


def is_authored(island: Island) -> bool:
    """Return whether an island is a component of an author's."""
    return island.kind.startswith(COMPONENT_KIND)


def use_of(island: Island, props: Mapping[str, Any]) -> Use:
    """Read the use off an island; `props` are the completed ones of the component."""
    path, line, column = island.props["at"]
    return Use(
        name=island.kind.removeprefix(COMPONENT_KIND),
        props=props,
        has_children=bool(island.children and island.children[0]),
        is_inline=island.props["isInline"],
        span=Span(path, line, column),
    )


class PageIslands(NamedTuple):
    """The islands of a page."""

    islands: Sequence[Island]
    props: Callable[[Island], Mapping[str, Any]]
    """Completes the properties of a component."""
    fill: Callable[[str], str]
    """Puts the addresses into a piece of the page; the slots of islands stay."""


def islands_of(body: Body, fillings: Fillings) -> PageIslands:
    """Give the islands of a page, whose links and assets are resolved."""
    return PageIslands(
        body.islands,
        lambda island: island_props(island, fillings, list)["props"],
        lambda text: fill_addresses(text, fillings),
    )


class LinksOfComponents:
    """Leads the links that components have written themselves to the pages of the reader's language.

    Components know one address of a page, that of the first language.
    """

    def __init__(self, site: Site, resolver: LinkResolver) -> None:
        self._config = site.config
        self._resolver = resolver
        self._routes = digest(*site.by_route)

    def key(self, job: PageJob) -> str:
        """Hash what the links of a page may lead to; empty where they lead to where they are written to lead."""
        return (
            self._routes if has_components(job.page) and job.edition.locale is not self._config.default_locale else ""
        )

    def led(self, drawn: dict[int, Drawn], job: PageJob) -> dict[int, Drawn]:
        """Give the components of a page, number of an island → drawn, with the addresses for its readers."""
        if not self.key(job):
            return drawn

        def lead(match: re.Match[str]) -> str:
            return f"{match[1]}{self._address(match[2], job.edition)}"

        return {number: one._replace(html=_OWN_LINK.sub(lead, one.html)) for number, one in drawn.items()}

    def _address(self, written: str, edition: EditionInfo) -> str:
        href, base = html.unescape(written), self._config.base_url
        if not href.startswith(base):
            return written
        target = self._resolver.resolve_setting(f"/{href.removeprefix(base)}", edition)
        return html.escape(target.url) if target.kind == "page" else written


_OWN_LINK = re.compile(r'(<a\b(?![^<>]* (?i:hreflang)=)[^<>]* href=")(/[^"/#?][^"]*|/)(?=")')
"""A link within the site, of which nobody has said in which language its page is."""


def draw_authored(components: ComponentDrawer, pages: Sequence[PageIslands]) -> list[dict[int, Drawn]]:
    """Draw the components of authors in some pages: for each page, number of an island → drawn.

    A component that looks into its children gets them as elements, and draws the components in them; these are drawn by
    themselves where it fails.
    """
    drawn: list[dict[int, Drawn]] = [{} for _ in pages]
    waiting = [
        (index, number)
        for index, page in enumerate(pages)
        for number, island in enumerate(page.islands)
        if is_authored(island)
    ]
    while waiting:
        uses = {place: _use_with_content(components, pages[place[0]], place[1]) for place in waiting}
        inner = {(index, number) for (index, _), use in uses.items() for number in _numbers_in(use)}
        first = {place: use for place, use in uses.items() if place not in inner}
        waiting = []
        for (index, number), use, one in zip(first, first.values(), components.draw(list(first.values())), strict=True):
            drawn[index][number] = one
            if use.contents and f"{SLOT}C0{SLOT}" in one.html:
                waiting += [(index, other) for other in sorted(_numbers_in(use))]
        for index, number in inner:
            drawn[index].setdefault(number, UNDRAWN)
    return drawn


def _use_with_content(components: ComponentDrawer, page: PageIslands, number: int, *, is_inner: bool = False) -> Use:
    island = page.islands[number]
    use = use_of(island, page.props(island))
    elements: Sequence[str] = island.props.get("elements", ())
    contents: dict[str, InnerHtml] = {}
    for name, text in zip(("children", *elements), island.children, strict=False):
        if not text or (
            name == "children" and not is_inner and not components.looks_into(use.name, has_components=True)
        ):
            continue
        inside = [
            other
            for other in map(int, _ISLAND.findall(text))
            if page.islands[other].kind.startswith(COMPONENT_KIND)
            and ":" not in page.islands[other].kind[len(COMPONENT_KIND) :]
        ]
        if name != "children" or is_inner or components.looks_into(use.name, has_components=bool(inside)):
            uses = {other: _use_with_content(components, page, other, is_inner=True) for other in inside}
            contents[name] = InnerHtml(page.fill(text), uses)
    return use._replace(contents=contents) if contents else use


def _numbers_in(use: Use) -> set[int]:
    """Give the numbers of all components that a use draws."""
    found: set[int] = set()
    for content in use.contents.values():
        for number, inner in content.uses.items():
            found |= {number, *_numbers_in(inner)}
    return found


_ISLAND = re.compile(f"{SLOT}I([0-9]+){SLOT}")
UNDRAWN = Drawn("")
"""A component that another one draws, which got it as one of its elements."""


# What a component draws

_PICTURE = re.compile(r"<img((?:\s[^<>]*)?)>")
_HAS_ALT = re.compile(r'\s(?:alt=|alt(?=[\s/]|$)|aria-hidden="true"|role="(?:none|presentation)")')
_SOURCE = re.compile(r'\ssrc="([^"]*)"')
_ID = re.compile(r'<[a-zA-Z][^<>]*?\sid="([^"]+)"')
_DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
"""The same symbol in two places has the same ids for its colors, which harms nobody."""


def problems_of_article(body: Body, drawn: Mapping[int, Drawn]) -> Iterator[Diagnostic]:
    """Find what is wrong with the components of an article.

    Args:
        body: The article.
        drawn: Number of an island → component, as it was drawn.
    """
    # What a component got as elements is in its HTML, and what is wrong with it is known from the Markdown.
    content = "".join(child for island in body.islands for child in island.children)
    used: set[str] | None = None
    for number, one in sorted(drawn.items()):
        island = body.islands[number]
        name = island.kind.removeprefix(COMPONENT_KIND)
        span = Span(*island.props["at"])
        yield from problems_of_component(name, span, one, content)
        if not (own := _ids(one.html)):
            continue
        used = set(_ids(body.html)) if used is None else used
        for anchor in dict.fromkeys(own):
            if f'id="{html.escape(anchor)}"' not in content and (anchor in used or own.count(anchor) > 1):
                message = f'<{name}> draws the id "{anchor}", which this page has already: links lead to the first one.'
                hint = "Make it with React's `useId`, or give the component the id as a property."
                yield Diagnostic("duplicate-anchor", "warn", span, message, hint)
        used.update(own)


def problems_of_component(name: str, span: Span, drawn: Drawn, content: str = "") -> Iterator[Diagnostic]:
    """Find what is wrong with one component by itself: what its drawing found, and pictures without a text.

    Args:
        name: The component.
        span: Where it is used.
        drawn: What it draws.
        content: HTML that it may have got as elements.
    """
    if drawn.problem is not None:
        # Warnings are about the component, whichever page uses it.
        is_of_use = drawn.problem.level == "error"
        yield msgspec.structs.replace(drawn.problem, page=span.path) if is_of_use else drawn.problem
    if "<img" in drawn.html and not _nameless_pictures(content):
        for source in dict.fromkeys(_nameless_pictures(drawn.html)):
            message = f'The image "{source}" in <{name}> has no alternative text.'
            hint = 'Give the `<img>` an `alt` in the component: what the image shows, or "" where it is decoration.'
            yield Diagnostic("missing-alt", "warn", span, message, hint)


def _ids(text: str) -> list[str]:
    """List the ids in a piece of HTML, without those that are made for each use and those within drawings."""
    found = _ID.findall(_DRAWING.sub("", text)) if ' id="' in text else []
    return [html.unescape(one) for one in found if SLOT not in one]


def _nameless_pictures(text: str) -> list[str]:
    """List the addresses of the pictures without alternative text."""
    found = [one for one in _PICTURE.findall(text) if not _HAS_ALT.search(one)]
    return [html.unescape(source[1]) if (source := _SOURCE.search(one)) else "" for one in found]


class Around(NamedTuple):
    """What the site puts around the article of a page."""

    html: dict[str, str]
    """Name of the place → HTML."""
    layout: Drawn | None = None
    """The layout of the page, with slots for its parts; None for the theme's."""

    def drawn(self) -> list[str]:
        """Give the HTML of all of it."""
        return [*self.html.values(), *([self.layout.html] if self.layout else ())]


LAYOUT_PARTS = ("announcements", "topBar", "sidebar", "main", "footer")
"""What a layout arranges, in the order in which the theme draws it."""
_PIECE = f"{SLOT}PIECE{SLOT}"
_BETWEEN_TEXTS = "<!-- -->"
"""What React writes between two texts, such as two of our marks."""


def with_slots(payload: PagePayload, around: Around, *, is_inside: bool = False) -> PagePayload:
    """Put what the site has drawn around an article into a payload; without any of it the payload stays as it is.

    With `is_inside`, the payload is part of the page itself, where the HTML is in its places already.
    """
    slots = dict.fromkeys(around.html, "") if is_inside else dict(around.html)
    if around.layout is not None:
        slots["layout"] = around.layout.data
    return msgspec.structs.replace(payload, slots=slots) if slots else payload


def lay_out(skeleton: str, layout: Drawn) -> str:
    """Put the parts of a page into its layout; a page without a frame stays as it is.

    Args:
        skeleton: What the theme has drawn: marks, and the parts between them.
        layout: The layout, with slots for parts.
    """
    before, *pieces = skeleton.split(_PIECE)
    if not pieces:
        return skeleton
    after = pieces.pop()
    values = {
        name: piece.removeprefix(_BETWEEN_TEXTS).removesuffix(_BETWEEN_TEXTS)
        for name, piece in zip(LAYOUT_PARTS, pieces, strict=True)
    }
    drawn = layout.html.split(SLOT)
    drawn[1::2] = [values.get(name, "") for name in drawn[1::2]]
    return "".join([before, *drawn, after])
