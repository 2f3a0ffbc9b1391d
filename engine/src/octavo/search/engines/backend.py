"""`Backend`: what a search engine that runs elsewhere must be able to do, behind `RemoteEngine`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from octavo.search.engines.documents import Document
from octavo.search.engines.interface import Order
from octavo.search.query.filters import Filter
from octavo.search.query.parameters import Parameters


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One search, as a backend is asked it."""

    words: Sequence[str] = ()
    """As they were typed, without small words."""
    wished: Sequence[str] = ()
    """Words that need not occur."""
    phrases: Sequence[str] = ()
    """Texts that must occur as they are."""
    excluded: Sequence[str] = ()
    """Words and phrases that must not occur."""
    open_words: str = "last"
    """Words that may be the beginning of a longer one: `last`, `all` or `none`."""
    needs_all: bool = True
    """Every word must occur; else some are enough."""
    has_typos: bool = True
    typo_sizes: tuple[int, int] = (4, 8)
    """Letters of a word from which one mistake is forgiven, and two."""
    has_forms: bool = True
    """Plurals and other forms of a word count as the word."""
    filter: Filter | None = None
    wishes: Filter | None = None
    """Records that meet it come first."""
    attributes: Sequence[str] = ()
    """Names of the attributes to search; empty: all."""
    facets: Sequence[str] = ()
    """Names, on the wire, of the facets and numbers to count."""
    counts_distinct: bool = True
    most_values: int = 100
    """Values of each facet that are counted."""
    distinct: bool = True
    """One record of each address."""
    order: Order | None = None
    offset: int = 0
    length: int = 20


class Batch(msgspec.Struct, frozen=True):
    """A backend's answer."""

    documents: Sequence[Document]
    total: int
    is_exact: bool
    """The total is that of all hits, not an estimate or a limit."""
    counts: Mapping[str, Mapping[str, int]] = {}
    """Facet → value → hits. Of numbers all values, unless there are more than `most_values`."""


class Backend(Protocol):
    """A search engine that runs elsewhere.

    Every method raises a `ProtocolError` of status 503 when the engine cannot be reached or has no index.
    """

    @property
    def name(self) -> str:
        """How messages call it."""

    def refuse(self, parameters: Parameters) -> None:
        """Refuse what the engine cannot do.

        Raises:
            ProtocolError: of status 400, which names the parameter.
        """

    def note(self, question: Question) -> str:
        """Say what a reader should know about the answer; empty for nothing."""

    def ask(self, question: Question) -> Batch:
        """Search."""

    def load(self, filter_: Filter | None, offset: int, count: int) -> tuple[Sequence[Document], int]:
        """Load documents that meet a filter, without any ranking: (documents, number of all that meet it)."""


class Publisher(Protocol):
    """Replaces the records of an engine that runs elsewhere."""

    @property
    def name(self) -> str: ...

    def publish(
        self,
        documents: Sequence[Document],
        synonyms: Mapping[str, Sequence[str]],
        forms: Mapping[str, Sequence[str]],
    ) -> None:
        """Put records in the place of those that are searched now, in one step.

        Args:
            documents: The records.
            synonyms: Word or phrase → what it finds as well.
            forms: Word → its other forms in these records.

        Raises:
            UsageError: the engine does not take them; what is searched stays as it was.
        """
