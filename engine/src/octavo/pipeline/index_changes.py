"""What must change in a search index, so that it holds the pages of a site as they are now."""

from __future__ import annotations

import msgspec

from octavo.runtime import digest, index_key
from octavo.search import IndexSettings, PageFacts, facts_key, findable_pages, index_settings, page_facts, section_names
from octavo.site import LinkResolver, Page, Site


class IndexState(msgspec.Struct, frozen=True):
    """What an index was made of."""

    name: str = ""
    """Empty where there is no index."""
    code: str = ""
    """Hash of the code and the settings that made it."""
    keys: dict[str, str] = {}
    """Route → hash of everything the page's records were made of."""
    changed: int = 0
    """Pages that were changed in it since it was rebuilt; removed records still take space."""


class IndexChanges(msgspec.Struct, frozen=True):
    """The difference between an index and a site."""

    pages: list[Page]
    """All pages that search finds, in the order of the site."""
    facts: dict[str, PageFacts]
    """Route → what all records of the page share."""
    keys: dict[str, str]
    """As in `IndexState`, for the site of now."""
    settings: IndexSettings
    code: str
    gone: set[str]
    """Routes whose records must be removed."""
    fresh: set[str]
    """Routes whose records must be added."""
    changed: int
    """`IndexState.changed` after these changes."""
    can_update: bool
    """The index was made by the same code and settings, so it can be changed instead of rebuilt."""

    def state(self, name: str, *, is_rebuilt: bool) -> IndexState:
        """Describe the index after these changes."""
        return IndexState(name, self.code, self.keys, 0 if is_rebuilt else self.changed)


def compare_index(site: Site, resolver: LinkResolver, state: IndexState) -> IndexChanges:
    """Compare the pages of a site with what an index was made of.

    Args:
        site: The site.
        resolver: Gives the addresses of its pages.
        state: What the index was made of.
    """
    pages = findable_pages(site)
    names = section_names(site)
    facts = {page.route: page_facts(page, site.config, resolver, names) for page in pages}
    keys = {
        page.route: digest(page.summary.body_key if page.summary else "", facts_key(facts[page.route]))
        for page in pages
    }
    settings = index_settings(site, resolver)
    code = digest(index_key(), msgspec.msgpack.encode(settings))
    gone = {route for route, key in state.keys.items() if keys.get(route) != key}
    fresh = {route for route, key in keys.items() if state.keys.get(route) != key}
    return IndexChanges(
        pages=pages,
        facts=facts,
        keys=keys,
        settings=settings,
        code=code,
        gone=gone,
        fresh=fresh,
        changed=state.changed + len(gone) + len(fresh),
        can_update=bool(state.name) and state.code == code,
    )
