"""Search for programs: the same request as the dialog's, answered with sections of pages in place of snippets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple

import anyio
import anyio.to_thread

from octavo.mcp.library import Edition, Library, NotAvailableError
from octavo.mcp.sections import Section, cut_text, whole_section
from octavo.page_list import PageEntry
from octavo.search import ProtocolError, SearchService, answer_search

Kind = Literal["guide", "reference", "command", "api", "code"]

_LEVELS = ("lvl1", "lvl2", "lvl3", "lvl4", "lvl5", "lvl6")
_MARKS = re.compile(r"\W+|_")
_SAME = 40
"""Letters at the beginning of a text by which it is recognized."""
_MORE = 3
"""Times as many hits as asked for: several hits may lie in one section."""
_MORE_PARTS = 10
"""The same where all parts of an operation or a command, such as its parameters, count as one."""
_MOST_OF_PAGE = 2
"""Sections of one page before those of other pages."""
_WORD = re.compile(r"\w+")
_SHORT = 2
_STEM = 5
"""Letters of a word that its other forms have, too."""
_MOST_COMPARED = 200
"""Sections of a page that are compared."""
_OPERATION = re.compile(r"^`[A-Z]+ [^`\n]*/[^`\n]*`$", re.MULTILINE)
"""Line below the title of an operation: its method and path."""


class Finding(NamedTuple):
    """A section that answers a question."""

    page: PageEntry
    path: tuple[str, ...]
    """Titles from the page's to the section's."""
    anchor: str
    excerpt: str


class Finder:
    """Searches the index of the published site."""

    def __init__(self, service: SearchService) -> None:
        self._service = service
        # Python runs one thread at a time, so more than one would only divide the time of each search.
        self._worker = anyio.CapacityLimiter(1)

    async def find(
        self,
        library: Library,
        query: str,
        edition: Edition,
        *,
        kind: Kind | None,
        limit: int,
        excerpt: int,
        is_whole: bool = False,
    ) -> list[Finding]:
        """Search, best section first.

        Args:
            library: The pages.
            query: What to find.
            edition: Language and version to search in.
            kind: Only what is of this kind.
            limit: Most sections.
            excerpt: Most characters of a section's text.
            is_whole: Give each operation or command once and whole, whatever part of it was found.

        Raises:
            NotAvailableError: the site has no search index.
        """
        filters: list[str | list[str]] = [
            f"language:{edition.language}",
            ["docusaurus_tag:default", f"docusaurus_tag:docs-default-{edition.version}"],
        ]
        if kind is not None:
            filters.append(f"kind:{kind}")
        request = {
            "query": query,
            "hitsPerPage": limit * (_MORE_PARTS if is_whole else _MORE),
            "advancedSyntax": True,
            "facetFilters": filters,
            "attributesToHighlight": [],
            "attributesToSnippet": [],
        }
        try:
            engine, settings = await self._service.engine()
        except ProtocolError as error:
            raise NotAvailableError("This site has no search index. Use list_pages instead.") from error

        def search() -> list[Finding]:
            hits = answer_search(engine, settings, request)["hits"]
            find = partial(_entry, kind=kind) if is_whole else partial(_finding, words=_asked(query))
            of_page = limit if is_whole else _MOST_OF_PAGE
            return _findings(hits, limit, of_page, lambda hit: find(library, hit, excerpt))

        try:
            return await anyio.to_thread.run_sync(search, limiter=self._worker)
        except ProtocolError as error:
            raise NotAvailableError(error.message) from error


def _findings(
    hits: list[dict[str, Any]], limit: int, most_of_page: int, find: Callable[[dict[str, Any]], Finding | None]
) -> list[Finding]:
    found: dict[tuple[str, tuple[str, ...], str], Finding] = {}
    more: list[Finding] = []
    of_page = Counter[str]()
    for hit in hits:
        finding = find(hit)
        if finding is None:
            continue
        key = (finding.page.route, finding.path, finding.anchor)
        if key in found:
            continue
        if of_page[finding.page.route] >= most_of_page:
            more.append(finding)
            continue
        of_page[finding.page.route] += 1
        found[key] = finding
        if len(found) == limit:
            break
    return [*found.values(), *more][:limit]


def _asked(query: str) -> list[str]:
    """Give the beginnings of the words of a question, by which sections of a page are compared."""
    return [word[:_STEM] for word in dict.fromkeys(_WORD.findall(query.casefold())) if len(word) > _SHORT]


def _best(sections: list[Section], words: list[str]) -> int:
    """Choose the section of a page that answers a question best: the page's first one, unless others have more of its words."""

    def score(index: int) -> int:
        title, text = sections[index].title.casefold(), sections[index].text.casefold()
        return sum(3 * (word in title) + (word in text) for word in words)

    best = max(range(min(len(sections), _MOST_COMPARED)), key=lambda index: (score(index), -index))
    return best if score(best) > score(0) + 1 else 0


class _Place(NamedTuple):
    """Where a hit is in its page."""

    page: PageEntry
    anchor: str
    sections: list[Section]
    titles: tuple[str, ...]
    section: int | None
    """Number of its section; None where the page has none for it."""


def _place(library: Library, hit: dict[str, Any]) -> _Place | None:
    """Find the section of a hit; None where its page cannot be read."""
    try:
        page, anchor = library.page(hit["url"])
        sections = library.sections(page)
    except NotAvailableError:
        return None
    titles = tuple(title for name in _LEVELS if (title := hit["hierarchy"].get(name)))
    return _Place(page, anchor, sections, titles, _index(sections, anchor, titles))


def _finding(library: Library, hit: dict[str, Any], excerpt: int, *, words: list[str]) -> Finding | None:
    place = _place(library, hit)
    if place is None:
        return None
    page, anchor, sections, titles, index = place
    content = hit.get("content") or ""
    if index is None:
        return Finding(page, titles, anchor, cut_text(content or page.description, excerpt))
    if not anchor and len(titles) < 2 and (best := _best(sections, words)) != index:
        # The page was found as a whole, and a heading of it has the words of the question.
        index, content = best, ""
    text = _body(sections, index)
    if anchor.startswith("operation/") and sections[index].anchor:
        anchor = sections[index].anchor  # of the operation, whatever part of it was found
    if content and _words(content)[:_SAME] not in _words(text[:excerpt]):
        text = content
    return Finding(
        page, _path(page, sections[index], titles), anchor or sections[index].anchor, cut_text(text, excerpt)
    )


def _entry(library: Library, hit: dict[str, Any], excerpt: int, *, kind: Kind | None) -> Finding | None:
    """Give the operation or the command that a hit is a part of; None for other hits, such as schemas."""
    place = _place(library, hit)
    if place is None:
        return None
    page, anchor, sections, titles, index = place
    if kind == "command":
        index = 0 if sections else None
    else:
        while index is not None and not _OPERATION.search(sections[index].text):
            index = _above(sections, index)
    if index is None:
        return None
    text = whole_section(sections, index)
    text = text.partition("\n")[2].strip() if sections[index].level else text.strip()
    content = hit.get("content") or ""
    if content and _words(content)[:_SAME] not in _words(text[:excerpt]):
        text = f"{content}\n\n{text}"
    # The first heading of a page needs no anchor.
    anchor = sections[index].anchor if index else ""
    return Finding(page, _path(page, sections[index], titles[:1]), anchor, cut_text(text, excerpt))


def _above(sections: list[Section], index: int) -> int | None:
    """Find the section around one; None where there is none."""
    level = sections[index].level
    return next((number for number in range(index - 1, -1, -1) if sections[number].level < level), None)


def _path(page: PageEntry, section: Section, titles: tuple[str, ...]) -> tuple[str, ...]:
    path = section.path or titles
    # A page whose title is no heading of its text is named all the same.
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
