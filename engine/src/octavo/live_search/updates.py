"""Find what has changed in a site, and what that changes in its search index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import msgspec

from octavo.content import Heading, TextChunk
from octavo.documents import BodySource
from octavo.pipeline import IndexState, compare_index
from octavo.runtime import Cache
from octavo.search import IndexSettings, PageFacts
from octavo.site import LinkResolver, Site

_TABLE = "dev-search.msgpack"
_STEP = 16
"""Pages that are read in one background step, between which requested pages are rendered."""
_LEAST_CHANGED, _MOST_CHANGED = 64, 256
"""Changed pages after which the index is rebuilt, because removed records still take space."""


class PageText(msgspec.Struct, frozen=True):
    """The parts of a page that its records are made of."""

    route: str
    facts: PageFacts
    headings: list[Heading]
    text: list[TextChunk]


class Update(msgspec.Struct, frozen=True):
    """A change of the index."""

    name: str
    """Its name afterwards."""
    base: str
    """Name of the index that is changed; empty for a new one."""
    gone: list[str]
    """Routes whose records are removed."""
    pages: list[PageText]
    """Pages whose records are added."""
    settings: IndexSettings


class Index(Protocol):
    """Takes updates, one after another."""

    def start(self, name: str) -> None:
        """Start, unless started, with an existing index; an empty name for none."""

    def update(self, update: Update) -> None:
        """Accept an update, which is carried out later."""

    def has(self, name: str) -> bool:
        """Return whether there is an index of this name."""

    def take_loss(self) -> bool:
        """Return whether an update has failed since the last call, so that a new index must be written."""


class SearchUpdates:
    """Finds what has changed in a site and updates the index."""

    def __init__(self, index: Index, session: str) -> None:
        """Initialize.

        Args:
            index: Takes the updates.
            session: Identifies this run in the names of its indexes.
        """
        self._index = index
        self._session = session
        self._count = 0
        self._state = IndexState()

    def load(self, cache: Cache) -> None:
        """Take over the index of the last run, if it exists."""
        state = cache.load_table(_TABLE, IndexState, IndexState())
        if state.name and self._index.has(state.name):
            self._state = state

    def save(self, cache: Cache) -> None:
        """Save the state of the index for the next run."""
        if self._state.name:
            cache.save_table(_TABLE, self._state)

    def update(self, site: Site, resolver: LinkResolver, bodies: BodySource) -> Iterator[None]:
        """Find what has changed and update the index, step by step."""
        if not site.config.search.is_enabled:
            return
        self._index.start(self._state.name)
        if self._index.take_loss():
            self._state = IndexState()
        state = self._state
        changes = compare_index(site, resolver, state)
        yield
        if changes.can_update and not changes.gone and not changes.fresh:
            return
        is_new = not changes.can_update or changes.changed > _room(len(changes.keys))
        texts = []
        for number, page in enumerate(page for page in changes.pages if is_new or page.route in changes.fresh):
            text = bodies.load(page.summary.body_key).text if page.summary else []
            headings = page.summary.headings if page.summary else []
            texts.append(PageText(page.route, changes.facts[page.route], headings, text))
            if number % _STEP == _STEP - 1:
                yield
        self._count += 1
        name = f"{self._session}-{self._count}"
        base = "" if is_new else state.name
        self._index.update(Update(name, base, sorted(changes.gone), texts, changes.settings))
        self._state = changes.state(name, is_rebuilt=is_new)


def _room(pages: int) -> int:
    return min(_MOST_CHANGED, max(_LEAST_CHANGED, pages // 2))
