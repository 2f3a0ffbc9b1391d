"""Search for programs: the same request as the dialog's, answered with sections of pages in place of snippets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Literal, NamedTuple

from octavo.lazy import regex as re
from octavo.mcp.choosing import Chooser, PlacedHit, SectionChoice
from octavo.mcp.library import NotAvailableError, PageLibrary, ReadingEdition
from octavo.mcp.sections import Section, cut_text, whole_section
from octavo.page_list import PageEntry
from octavo.search import ProtocolError, SearchService, Work, answer_search, question_stems

Kind = Literal["guide", "reference", "command", "api", "code"]

_LEVELS = ("lvl1", "lvl2", "lvl3", "lvl4", "lvl5", "lvl6")
_MARKS = re.compile(r"\W+|_")
_SAME = 40
"""Letters at the beginning of a text by which it is recognized."""
_COMPARED = 60
"""Hits whose sections and pages are compared with the question."""
_MORE_PARTS = 10
"""Times as many hits as asked for where all parts of an operation or a command, such as its parameters, count as one."""
_MOST_OF_PAGE = 3
"""Sections of one page that are given."""
_FURTHER_EXCERPT = 120
"""Characters of the text of those after the first."""
_MOST_NAMED = 4
"""Further sections of a page that are named, without their text."""
_USUAL_RANK = 10
"""Rank of pages where the site says nothing else."""
_EXACT = re.compile(r'"[^"]+"|(?<!\S)-\w')
"""A phrase in quotes, or a word that must not occur: who writes these wants no other hits while there are some."""
_OPERATION = re.compile(r"^`[A-Z]+ [^`\n]*/[^`\n]*`$", re.MULTILINE)
"""Line below the title of an operation: its method and path."""


class FoundSection(NamedTuple):
    """A section that answers a question."""

    page: PageEntry
    path: tuple[str, ...]
    """Titles from the page's to the section's."""
    anchor: str
    excerpt: str


class FoundPage(NamedTuple):
    """A page that answers a question."""

    sections: tuple[FoundSection, ...]
    """Best first, one at least."""
    more: tuple[tuple[str, str], ...] = ()
    """(title, anchor) of further sections that may answer, best first."""


class SectionFinder:
    """Searches the index of the published site."""

    def __init__(self, service: SearchService) -> None:
        self._service = service
        self._chooser = Chooser()

    async def find(
        self,
        library: PageLibrary,
        query: str,
        edition: ReadingEdition,
        *,
        kind: Kind | None,
        limit: int,
        excerpt: int,
        is_whole: bool = False,
        address: str = "",
    ) -> list[FoundPage]:
        """Search, best page first, in turn with the searches of readers.

        Args:
            library: The pages.
            query: What to find.
            edition: Language and version to search in.
            kind: Only what is of this kind.
            limit: Most pages.
            excerpt: Most characters of the text of a page's first section.
            is_whole: Give each operation or command once and whole, whatever part of it was found, as if it were a page.
            address: The network that asks; empty where it is not known, as for a program on the same machine.

        Raises:
            NotAvailableError: the site has no search index, or the address has asked for too much.
        """
        filters: list[str | list[str]] = [
            f"language:{edition.language}",
            ["docusaurus_tag:default", f"docusaurus_tag:docs-default-{edition.version}"],
        ]
        if kind is not None:
            filters.append(f"kind:{kind}")
        request = {
            "query": query,
            "hitsPerPage": limit * _MORE_PARTS if is_whole else _COMPARED,
            "advancedSyntax": True,
            "facetFilters": filters,
            "attributesToHighlight": [],
            "attributesToSnippet": [],
            "getRankingInfo": True,
        }
        try:
            engine, settings = await self._service.engine()
        except ProtocolError as error:
            raise NotAvailableError("This site has no search index. Use list_pages instead.") from error

        def search() -> list[FoundPage]:
            hits = answer_search(engine, settings, request)["hits"]
            if is_whole:
                find = partial(_entry, kind=kind)
                entries = _once(finding for hit in hits if (finding := find(library, hit, excerpt)))
                return [FoundPage((entry,)) for entry in islice(entries, limit)]
            lists = [hits]
            if not hits or not _EXACT.search(query):
                # A question has words that the page of its answer does not have.
                loose = {**request, "optionalWords": [query], "advancedSyntax": False}
                lists.append(answer_search(engine, settings, loose)["hits"])
            asked = question_stems(query, edition.language, settings.synonyms, settings.one_way_synonyms)
            found = self._chosen(library, asked, edition.language, lists, excerpt)
            return _pages(found, limit)

        try:
            thread, work = self._service.thread, Work()
            work.searches = 1 if is_whole else 2
            return await thread.run_for(address, work, search, settings, engine, may_refuse=bool(address))
        except ProtocolError as error:
            raise NotAvailableError(error.message) from error

    def _chosen(
        self,
        library: PageLibrary,
        asked: dict[str, float],
        language: str,
        lists: list[list[dict[str, Any]]],
        excerpt: int,
    ) -> list[FoundSection]:
        """Give the sections that answer a question: pinned hits, then the others as their words tell."""
        placed = [[place for hit in hits if (place := _place(library, hit)) is not None] for hits in lists]
        pinned = [place for place in placed[0] if place.is_pinned]
        sections = {place.page.route: place.sections for places in placed for place in places}
        pages = {place.page.route: place.page for places in placed for place in places}
        best: dict[SectionChoice, _Place] = {}
        for place in (place for places in placed for place in places):
            if place.section is not None:
                best.setdefault(SectionChoice(place.page.route, place.section), place)
        hits = [
            [
                PlacedHit(place.page, place.section if place.anchor or place.content else None, place.rank)
                for place in places
            ]
            for places in placed
        ]
        found = [_finding(place, excerpt) for place in pinned]
        for one in self._chooser.choose(asked, language, hits, sections):
            place = best.get(one) or _Place(
                pages[one.route], "", sections[one.route], (), one.section, "", 0.0, is_pinned=False
            )
            found.append(_finding(place, excerpt))
        # Pages whose text is not in their sections.
        return found + [_finding(place, excerpt) for place in placed[0] if place.section is None]


def _once(found: Iterable[FoundSection]) -> Iterator[FoundSection]:
    """Leave sections out whose address was given before: parts without an anchor have that of their page."""
    known: set[tuple[str, str]] = set()
    for finding in found:
        key = (finding.page.route, finding.anchor)
        if key not in known:
            known.add(key)
            yield finding


def _pages(found: Iterable[FoundSection], limit: int) -> list[FoundPage]:
    """Put the sections of each page together, and name further ones: to read the right one costs a program less than another search."""
    pages: dict[str, list[FoundSection]] = {}
    for finding in _once(found):
        route = finding.page.route
        if route in pages or len(pages) < limit:
            pages.setdefault(route, []).append(finding)
    return [_page(sections) for sections in pages.values()]


def _page(sections: Sequence[FoundSection]) -> FoundPage:
    first, *further = sections[:_MOST_OF_PAGE]
    shorter = [one._replace(excerpt=cut_text(one.excerpt, _FURTHER_EXCERPT)) for one in further]
    given = {one.anchor for one in (first, *further)}
    named = {one.anchor: one.path[-1] for one in sections if one.anchor and one.anchor not in given}
    more = tuple((title, anchor) for anchor, title in islice(named.items(), _MOST_NAMED))
    return FoundPage((first, *shorter), more)


class _Place(NamedTuple):
    """Where a hit is in its page."""

    page: PageEntry
    anchor: str
    sections: list[Section]
    titles: tuple[str, ...]
    section: int | None
    """Number of its section; None where the page has none for it."""
    content: str
    rank: float
    """What the site says of the page's folder, from 0 to 1."""
    is_pinned: bool


def _place(library: PageLibrary, hit: dict[str, Any]) -> _Place | None:
    """Find the section of a hit; None where its page cannot be read."""
    try:
        page, anchor = library.page(hit["url"])
        sections = library.sections(page)
    except NotAvailableError:
        return None
    titles = tuple(title for name in _LEVELS if (title := hit["hierarchy"].get(name)))
    is_pinned = bool(hit.get("_rankingInfo", {}).get("promoted"))
    rank = min(max(hit["weight"]["pageRank"] / _USUAL_RANK, 0.0), 1.0)
    index = _index(sections, anchor, titles)
    return _Place(page, anchor, sections, titles, index, hit.get("content") or "", rank, is_pinned)


def _finding(place: _Place, excerpt: int) -> FoundSection:
    page, anchor, sections, titles, index, content, _, _ = place
    if index is None:
        return FoundSection(page, titles, anchor, cut_text(content or page.description, excerpt))
    text = _body(sections, index)
    if anchor.startswith("operation/") and sections[index].anchor:
        anchor = sections[index].anchor  # of the operation, whatever part of it was found
    if content and _words(content)[:_SAME] not in _words(text[:excerpt]):
        text = content
    # The first heading of a page needs no anchor.
    own = sections[index].anchor if index else ""
    return FoundSection(page, _path(page, sections[index], titles), anchor or own, cut_text(text, excerpt))


def _entry(library: PageLibrary, hit: dict[str, Any], excerpt: int, *, kind: Kind | None) -> FoundSection | None:
    """Give the operation or the command that a hit is a part of; None for other hits, such as schemas."""
    place = _place(library, hit)
    if place is None:
        return None
    _, _, sections, titles, index, content, _, _ = place
    page = place.page
    if kind == "command":
        index = 0 if sections else None
    else:
        while index is not None and not _OPERATION.search(sections[index].text):
            index = _above(sections, index)
    if index is None:
        return None
    text = whole_section(sections, index)
    text = text.partition("\n")[2].strip() if sections[index].level else text.strip()
    if content and _words(content)[:_SAME] not in _words(text[:excerpt]):
        text = f"{content}\n\n{text}"
    # The first heading of a page needs no anchor.
    anchor = sections[index].anchor if index else ""
    return FoundSection(page, _path(page, sections[index], titles[:1]), anchor, cut_text(text, excerpt))


def _above(sections: list[Section], index: int) -> int | None:
    """Find the section around one; None where there is none."""
    level = sections[index].level
    return next((number for number in range(index - 1, -1, -1) if sections[number].level < level), None)


def _path(page: PageEntry, section: Section, titles: tuple[str, ...]) -> tuple[str, ...]:
    path = section.path or titles
    # A page whose title is not a heading of its text is named all the same.
    return path if path[:1] == (page.title,) or not path else (page.title, *(one for one in path if one != page.title))


def _words(text: str) -> str:
    """Leave out all marks: a record has the text without those of Markdown."""
    return _MARKS.sub("", text)


def _index(sections: list[Section], anchor: str, titles: tuple[str, ...]) -> int | None:
    """Find the section of a hit: by its anchor, else by its title; a page's own hit has its first section."""
    if anchor:
        for index, section in enumerate(sections):
            if section.anchor == anchor:
                return index
    for index, section in enumerate(sections):
        if titles and section.title == titles[-1]:
            return index
    return None if anchor or not sections else 0


def _body(sections: list[Section], index: int) -> str:
    """Give a section's text without its heading; one without any has that of the sections below."""
    text = sections[index].text
    body = text.partition("\n")[2].strip() if sections[index].level else text.strip()
    return body or whole_section(sections, index).partition("\n")[2].strip()
