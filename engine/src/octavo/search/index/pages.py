"""Which pages of a site are found, and what their records share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec

from octavo.config import Config, Search, SearchRule, label_in, site_words
from octavo.content import Heading
from octavo.lazy import regex as re
from octavo.search.index.facts import CHANGES_RANK, Kind, PageFacts
from octavo.search.index.settings import IndexSettings, Rule
from octavo.search.text.site_name import name_in_title
from octavo.site import LinkResolver, Page, Site, page_links

Value = TypeVar("Value")

PAGE_RANKS: dict[str, int] = {"guide": 10, "reference": 5, "command": 2, "api": 2, "code": 2}
"""Page rank by kind: a guide is ranked before generated reference that matches equally well. Data types of an API have
`DATA_RANK`, at which a match counts as one whose words are a step farther from each other. 0, which only
`octavo.toml` gives, puts a page behind all others that match as many words."""


NEWS_RANK = 1
"""Page rank of news. An announcement names the feature of a query; the guide explains it."""

NEWS = frozenset(("announcements", "blog", "blogs", "news"))
"""Names of folders with news."""

LEAST_RELEASES = 20
"""Headings that are a version or a date, from which a page is a list of changes whatever its name, if half of its headings of that level are.
Shorter ones answer what has changed lately as well as any guide: with these, held out queries of bench/relevance found less."""

_RELEASE = re.compile(
    r"""\[?(?:v|\w+\ )?(?:19|20)\d{6}(?:[-.]\w+)*\]?
    |\[?(?:\w+\ )?v?\d+(?:\.\d+)+[\w.+-]*\]?(?:\W+(?:\d{4}-\d\d-\d\d|\d{1,2}\W\w+\W+\d{4}|\w+\W\d{1,2}\W+\d{4}|\w+\W+\d{4}|unreleased)\)?)?
    |\[?\d{4}-\d\d(?:-\d\d)?\]?
    |(?:\d{1,2}\ )?[^\W\d]{3,9}\ (?:\d{1,2},\ )?\d{4}""",
    re.VERBOSE | re.IGNORECASE,
)
"""A heading that is a version, with a date or without, or a date; also one without marks within it, with what was built then: `20240203-110809`."""


_CHANGES = re.compile(
    r"(?:(.+?)-)?(?:change-?logs?|release-?notes?|releases?|relnotes|whats-?new)(?:-(.+))?", re.IGNORECASE
)
"""Name of a folder or a page with changes, with the text before and behind it: `release-notes-1.4`, `5-2-release-notes`."""

_VERSION = re.compile(
    r"(?:v|(?:version|release|ver)[-.])?\d+(?:[.-]\d+)*(?:[.-](?:x|(?:alpha|beta|rc)[\d.-]*))?", re.IGNORECASE
)
"""A version in an address; a number alone before a name is none, but says the order of pages."""


def is_news(route: str) -> bool:
    """Return whether a page is in a folder of news, or the list of these."""
    return not NEWS.isdisjoint(_bare(route.lower()).strip("/").split("/"))


def tells_release(route: str) -> bool:
    """Return whether a page lists the changes of one release, as its address says: `/release-notes/1.4`, `/releases/v2/changelog`.

    A page with the changes of all of them has no version in its address; it answers what has changed as well as any guide.
    """
    *folders, name = _bare(route).strip("/").replace("_", "-").split("/")
    inside = next((folders[place:] for place, folder in enumerate(folders) if _CHANGES.fullmatch(folder)), [])
    if _VERSION.fullmatch(name):
        return bool(inside)
    found = _CHANGES.fullmatch(name)
    if found is None:
        return False
    before, behind = found.groups(default="")
    if not all(_VERSION.fullmatch(text) for text in (before, behind) if text):
        return False
    return bool(behind) or "." in before or "-" in before or any(map(_VERSION.fullmatch, inside))


def lists_changes(headings: Iterable[Heading]) -> bool:
    """Return whether a page lists the changes of many releases: most of its headings are versions or dates."""
    found = list(headings)
    if len(found) < LEAST_RELEASES:
        return False
    all_, releases = Counter[int](), Counter[int]()
    for heading in found:
        all_[heading.level] += 1
        releases[heading.level] += _RELEASE.fullmatch(heading.text.strip()) is not None
    return any(count >= LEAST_RELEASES and 2 * count >= all_[level] for level, count in releases.items())


def rank_of(route: str, headings: Iterable[Heading], kind: Kind) -> int:
    """Give the rank of a page that `octavo.toml` gives none."""
    if is_news(route):
        return NEWS_RANK
    return CHANGES_RANK if tells_release(route) or lists_changes(headings) else PAGE_RANKS[kind]


def findable_pages(site: Site) -> list[Page]:
    """List the pages that have records: all but unlisted ones, those that ask for none, and the search page itself."""
    return [
        page for page in site.pages if not page.is_unlisted and not page.hides_from_search and not _is_search_page(page)
    ]


def section_names(site: Site) -> dict[str, str]:
    """Name the sidebars as readers know them: sidebar id → label, in the default language.

    A label of its own counts, then the entry of the top bar that names the sidebar. Of several sidebars, one without either
    has the name of the entry that leads to its first page, or to the folder of all its pages.
    """
    config, edition = site.config, site.main_edition
    entries = [one for item in config.navbar.items for one in (item, *item.items) if one.label]
    names = {one.id: one.label for one in config.sidebars if one.label}
    names |= {one.sidebar: one.label for one in reversed(entries) if one.sidebar and one.sidebar not in names}
    if len(config.sidebars) < 2:
        return names
    # An entry for the start page of the site is none for a sidebar.
    leading = {_bare(one.href): one.label for one in reversed(entries) if one.href and one.href.strip("/")}
    routes: dict[str, list[str]] = {one.id: [] for one in config.sidebars}
    for page in edition.pages.values():
        if page.sidebar_id in routes:
            routes[page.sidebar_id].append(_bare(page.route.removeprefix(edition.prefix)))
    folders = {
        path: [name for name, found in routes.items() if found and all(_is_at(one, path) for one in found)]
        for path in leading
    }
    for name, nodes in edition.sidebars.items():
        first = next((edition.pages[link.doc_id].route for link in page_links(nodes)), "")
        path = _bare(first.removeprefix(edition.prefix))
        label = leading.get(path) or next((leading[one] for one, found in folders.items() if found == [name]), None)
        if name not in names and label is not None:
            names[name] = label
    return names


def _bare(route: str) -> str:
    return route.rstrip("/").removesuffix(".html")


def _is_at(route: str, folder: str) -> bool:
    return route == folder or route.startswith(f"{folder}/")


def page_facts(page: Page, config: Config, resolver: LinkResolver, names: Mapping[str, str]) -> PageFacts:
    """Gather what the records of a page share; `names` are those of `section_names`."""
    version = page.edition.version.name if page.kind != "page" else None
    section = _section(page, config, names)
    labels = [label for label, _ in page.breadcrumbs[:-1]]
    if page.category is not None and page.category.label != page.title:
        labels.append(page.category.label)
    kind = page_kind(page, config.search)
    rank = _by_folder(page, config.search.page_ranks)
    return PageFacts(
        url=f"{config.url}{resolver.url(page.route)}",
        title=page.title,
        description=page.description,
        lvl0=" / ".join([section, *(label for label in labels if label != section)]),
        section=section,
        language=page.edition.locale.id,
        version=version,
        tag=f"docs-default-{version}" if version else "default",
        kind=kind,
        page_rank=rank
        if rank is not None
        else rank_of(page.route, page.summary.headings if page.summary else (), kind),
    )


def facts_key(facts: PageFacts) -> bytes:
    """Encode the facts, for a hash of everything that records are made of."""
    return msgspec.msgpack.encode(facts)


def page_kind(page: Page, search: Search) -> Kind:
    """Say what a page is: made from the description of an API, an API page; else by the longest folder in `octavo.toml`.

    A site that calls its folder `reference` means the pages that are written there.
    """
    if page.source is not None and page.source.maker == "openapi":
        return "api"
    return _by_folder(page, search.kinds) or "guide"


def index_settings(site: Site, resolver: LinkResolver) -> IndexSettings:
    """Take from the configuration what the server must know.

    Args:
        site: The site, with its settings.
        resolver: Gives the addresses of the pages that rules name.
    """
    config = site.config
    search = config.search
    both, one_way = _synonyms(search)
    return IndexSettings(
        app_id=search.app_id,
        api_key=search.api_key,
        index_name=search.index_name,
        most_per_second=search.most_per_second,
        has_insights=search.insights.is_enabled,
        retention_days=search.insights.retention_days,
        least_count=search.insights.least_count,
        synonyms=both,
        one_way_synonyms=one_way,
        rules=[_rule(index, rule, site, resolver) for index, rule in enumerate(search.rules.rules)],
        languages=[locale.id for locale in config.locales],
        name=name_in_title(config.title),
    )


def _synonyms(search: Search) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Gather synonyms of both files: (in both directions, in one)."""
    both = {word: list(meanings) for word, meanings in search.synonyms.items()}
    one_way: dict[str, list[str]] = {}
    for synonym in search.rules.synonyms:
        for index, word in enumerate(synonym.both_ways[:-1]):
            both.setdefault(word, []).extend(synonym.both_ways[index + 1 :])
        if synonym.word:
            one_way.setdefault(synonym.word, []).extend(synonym.also_finds)
    return both, one_way


def _rule(index: int, rule: SearchRule, site: Site, resolver: LinkResolver) -> Rule:
    def address(page: str) -> str:
        return f"{site.config.url}{resolver.resolve_setting(page).url}"

    def others(page: str) -> list[str]:
        return [f"{site.config.url}{one}" for one in _in_other_editions(page, site, resolver)]

    # A page is hidden as a whole; that a heading cannot be is a finding.
    hidden = [page for page in rule.hide if "#" not in page]
    named = [*([rule.redirect] if rule.redirect else []), *rule.pin]
    return Rule(
        id=f"search-toml-{index + 1}",
        queries=rule.queries,
        is_part=rule.match == "part",
        pinned=[address(page) for page in rule.pin],
        hidden=list(dict.fromkeys(one for page in hidden for one in (address(page), *others(page)))),
        redirect=address(rule.redirect) if rule.redirect else None,
        others={address(page): alike for page in named if (alike := others(page))},
    )


def _in_other_editions(named: str, site: Site, resolver: LinkResolver) -> Iterator[str]:
    """Give the addresses of a page that a rule names, in other languages and versions: of the heading, where it has the same id."""
    target = resolver.resolve_setting(named)
    page = site.by_route.get(target.route)
    if page is None:
        return
    for edition in site.editions:
        same = site.counterpart(page, edition)
        if same is None or same is page:
            continue
        ids = {heading.anchor for heading in same.summary.headings} if same.summary else set()
        yield resolver.url(same.route) + (f"#{target.anchor}" if target.anchor in ids else "")


def _section(page: Page, config: Config, names: Mapping[str, str]) -> str:
    sidebars = page.edition.version.sidebars or config.sidebars
    # Readers see it above the results: the id of the only sidebar, such as "docs", would say nothing.
    label = next(
        (
            one.label or names.get(one.id) or (one.id if len(sidebars) > 1 else "")
            for one in sidebars
            if one.id == page.sidebar_id
        ),
        "",
    )
    label = label_in(config, page.edition.locale.id, label)
    return label or site_words(config, page.edition.locale.id)["sections.default"]


def _by_folder(page: Page, values: Mapping[str, Value]) -> Value | None:
    found = [folder for folder in values if f"{page.doc_id}/".startswith(f"{folder.strip('/')}/")]
    return values[max(found, key=len)] if found else None


def _is_search_page(page: Page) -> bool:
    return page.summary is not None and page.summary.front_matter.layout == "search"
