"""The tools: what a program can ask, and the texts that answer it. Each answer names page, heading and version."""

from __future__ import annotations

import sqlite3
from typing import Annotated, Literal

import anyio.to_thread
import msgspec

from octavo.mcp.finding import FoundPage, Kind, SectionFinder
from octavo.mcp.library import CurrentLibrary, NotAvailableError, PageLibrary
from octavo.mcp.problems import ProblemStore
from octavo.mcp.sections import Section, cut_text, whole_section
from octavo.page_list import PageEntry

MOST_TEXT = 20_000
"""Characters of a page in one answer."""
MOST_LISTED = 200
"""Pages in one answer."""
_EXCERPT = 320
"""Characters of the first section of each page in the answer of a search."""
_ENTRY = 4_000
"""Characters of an operation or a command."""

_Query = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
_Language = Annotated[str, msgspec.Meta(max_length=40, description="Id of a language; the site's default if left out.")]
_Version = Annotated[str, msgspec.Meta(max_length=80, description="Name of a version; the site's default if left out.")]
_Address = Annotated[
    str,
    msgspec.Meta(
        min_length=1,
        max_length=2000,
        description="Address or path of a page, as other tools give it; an anchor (#…) names a heading.",
    ),
]


class _Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the arguments: unknown ones are refused."""


class SearchPages(_Arguments, frozen=True):
    """Search the documentation. Gives the best pages, of each the best sections with text and address, and names further ones."""

    query: _Query
    limit: Annotated[int, msgspec.Meta(ge=1, le=10, description="Pages to give.")] = 5
    kind: Annotated[Kind | None, msgspec.Meta(description="Only what is of this kind.")] = None
    language: _Language = ""
    version: _Version = ""


class ReadPage(_Arguments, frozen=True):
    """Read a page, or the section below one of its headings, as Markdown."""

    page: _Address
    heading: Annotated[
        str, msgspec.Meta(max_length=500, description="Read only the section below this heading: its title or anchor.")
    ] = ""
    offset: Annotated[int, msgspec.Meta(ge=0, description="Characters to skip, for the rest of a long page.")] = 0


class ListPages(_Arguments, frozen=True):
    """List the pages of the documentation with a line about each, in the order of the site."""

    below: Annotated[
        str, msgspec.Meta(max_length=2000, description="Only pages whose path begins with this, such as /guides.")
    ] = ""
    language: _Language = ""
    version: _Version = ""
    offset: Annotated[int, msgspec.Meta(ge=0, description="Pages to skip.")] = 0


class FindOperation(_Arguments, frozen=True):
    """Find an operation of a documented HTTP API by what it does, its id, or its method and path."""

    query: _Query
    limit: Annotated[int, msgspec.Meta(ge=1, le=5)] = 2
    language: _Language = ""
    version: _Version = ""


class FindCommand(_Arguments, frozen=True):
    """Find a command or an option of a documented command-line program by its name or what it does."""

    query: _Query
    limit: Annotated[int, msgspec.Meta(ge=1, le=5)] = 2
    language: _Language = ""
    version: _Version = ""


class ReportProblem(_Arguments, frozen=True):
    """Tell the authors that a page is wrong, unclear or incomplete. Kept on the site's server; no personal data, please."""

    page: _Address
    problem: Annotated[
        str, msgspec.Meta(min_length=10, max_length=2000, description="What is wrong and how it should be.")
    ]


Arguments = SearchPages | ReadPage | ListPages | FindOperation | FindCommand | ReportProblem

TOOLS: dict[str, type[Arguments]] = {
    "search": SearchPages,
    "read_page": ReadPage,
    "list_pages": ListPages,
    "find_operation": FindOperation,
    "find_command": FindCommand,
    "report_problem": ReportProblem,
}


class Tools:
    """Answers calls."""

    def __init__(self, current: CurrentLibrary, finder: SectionFinder, problems: ProblemStore | None) -> None:
        """Initialize.

        Args:
            current: The published pages.
            finder: Searches them.
            problems: Keeps reports; None takes none.
        """
        self._current = current
        self._finder = finder
        self._problems = problems

    @property
    def names(self) -> list[str]:
        """Names of the tools that there are."""
        return [name for name in TOOLS if name != "report_problem" or self._problems is not None]

    async def call(self, name: str, arguments: object, address: str = "") -> str:
        """Call a tool.

        Args:
            name: Of the tool.
            arguments: As the client has sent them.
            address: The network of the client; empty where it is not known.

        Raises:
            NotAvailableError: there is no such tool, an argument is wrong, or what is asked for is not there.
        """
        if name not in self.names:
            raise NotAvailableError(f'There is no tool "{name[:80]}"; there are {", ".join(self.names)}.')
        try:
            given = msgspec.convert(arguments or {}, TOOLS[name])
        except msgspec.ValidationError as error:
            raise NotAvailableError(f"{error}.") from None
        if isinstance(given, SearchPages | FindOperation | FindCommand) and not given.query.strip():
            raise NotAvailableError("Expected a word - at `$.query`.")
        library = await self._current.get()
        match given:
            case SearchPages():
                return await self._search(library, given, address)
            case ReadPage():
                return await anyio.to_thread.run_sync(_read_page, library, given)
            case ListPages():
                return _list_pages(library, given)
            case FindOperation():
                return await self._entries(library, given, "api", "operation", address)
            case FindCommand():
                return await self._entries(library, given, "command", "command", address)
            case ReportProblem():
                return await self._report(library, given)

    async def _search(self, library: PageLibrary, given: SearchPages, address: str) -> str:
        edition = library.edition(given.language, given.version)
        found = await self._finder.find(
            library, given.query, edition, kind=given.kind, limit=given.limit, excerpt=_EXCERPT, address=address
        )
        if not found:
            return "Nothing was found. Use fewer or other words, or list_pages."
        parts = [f"{number}. {_cited(library, page)}" for number, page in enumerate(found, 1)]
        return "\n\n".join(parts)

    async def _entries(
        self,
        library: PageLibrary,
        given: FindOperation | FindCommand,
        kind: Literal["api", "command"],
        what: str,
        address: str,
    ) -> str:
        edition = library.edition(given.language, given.version)
        found = await self._finder.find(
            library, given.query, edition, kind=kind, limit=given.limit, excerpt=_ENTRY, is_whole=True, address=address
        )
        if not found:
            return f"No {what} was found. Use other words, or search without a kind."
        return "\n\n".join(_cited(library, page) for page in found)

    async def _report(self, library: PageLibrary, given: ReportProblem) -> str:
        page, anchor = library.page(given.page)
        assert self._problems is not None  # noqa: S101 - `names` has left the tool out otherwise
        place = f"{page.route}#{anchor}" if anchor else page.route
        try:
            await anyio.to_thread.run_sync(self._problems.keep, place, given.problem.strip())
        except (sqlite3.Error, OSError) as error:
            raise NotAvailableError("The report could not be stored; try again later.") from error
        return f"Kept for the authors of {page.title}. Nothing else happens with it."


def _cited(library: PageLibrary, found: FoundPage) -> str:
    first, *further = found.sections
    place = _address(first.page, first.anchor) + _edition(library, first.page)
    parts = ["\n".join([" > ".join(first.path), place]), first.excerpt]
    for one in further:
        parts += [f"Also: {one.path[-1]}\n{_address(one.page, one.anchor)}", one.excerpt]
    if found.more:
        parts.append(f"More on this page: {'; '.join(f'{title} (#{anchor})' for title, anchor in found.more)}")
    return "\n\n".join(filter(None, parts))


def _address(page: PageEntry, anchor: str) -> str:
    return f"{page.url}#{anchor}" if anchor else page.url


def _edition(library: PageLibrary, page: PageEntry) -> str:
    """Name version and language where the site has several."""
    names = [f"version {page.version}"] if page.version else []
    if len(library.languages) > 1:
        names.append(page.locale)
    return f" ({', '.join(names)})" if names else ""


def _read_page(library: PageLibrary, given: ReadPage) -> str:
    page, anchor = library.page(given.page)
    wanted = given.heading.strip() or anchor
    text = library.markdown(page) if not wanted else _read_section(library, page, wanted)
    rest = text[given.offset :]
    if given.offset and not rest:
        raise NotAvailableError(f"The text has {len(text)} characters; offset must be smaller.")
    if len(rest) <= MOST_TEXT:
        return rest
    end = rest.rfind("\n", MOST_TEXT // 2, MOST_TEXT)
    shown = rest[: end if end > 0 else MOST_TEXT]
    return f"{shown}\n\n[{len(rest) - len(shown)} more characters; go on with offset {given.offset + len(shown)}]"


def _read_section(library: PageLibrary, page: PageEntry, wanted: str) -> str:
    sections = library.sections(page)
    for is_it in (_has_anchor, _has_title, _has_title_like):
        for index, section in enumerate(sections):
            if is_it(section, wanted.lstrip("#").strip()):
                address = _address(page, section.anchor) + _edition(library, page)
                return f"{address}\n\n{whole_section(sections, index)}"
    titles = "; ".join(section.title for section in sections if section.title)
    raise NotAvailableError(f'{page.title} has no heading "{wanted[:200]}". It has: {cut_text(titles, 2000)}')


def _has_anchor(section: Section, wanted: str) -> bool:
    return bool(section.anchor) and section.anchor == wanted


def _has_title(section: Section, wanted: str) -> bool:
    return section.title.casefold() == wanted.casefold()


def _has_title_like(section: Section, wanted: str) -> bool:
    return wanted.casefold() in section.title.casefold()


def _list_pages(library: PageLibrary, given: ListPages) -> str:
    edition = library.edition(given.language, given.version)
    below = given.below.strip().rstrip("/")
    pages = [
        page for page in library.pages(edition) if not below or f"{page.route.rstrip('/')}/".startswith(f"{below}/")
    ]
    if not pages:
        return "There are no such pages."
    shown = pages[given.offset : given.offset + MOST_LISTED]
    if not shown:
        raise NotAvailableError(f"There are {len(pages)} such pages; offset must be smaller.")
    lines = [f"- {page.title} ({page.route}): {cut_text(page.description, 160)}".removesuffix(": ") for page in shown]
    left = len(pages) - given.offset - len(shown)
    if left > 0:
        lines.append(f"[{left} more; go on with offset {given.offset + len(shown)}]")
    return "\n".join(lines)
