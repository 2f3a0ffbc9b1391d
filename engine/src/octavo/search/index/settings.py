"""`IndexSettings`: what the server must know to answer for an index; it lies in the index's folder."""

from __future__ import annotations

import msgspec

SETTINGS_NAME = "octavo.json"


class Rule(msgspec.Struct, frozen=True):
    """What happens to the hits of some queries."""

    id: str
    """Its name in the protocol."""
    queries: list[str]
    is_part: bool = False
    """It applies to queries that contain one of these; else to queries that are one of these."""
    pinned: list[str] = []
    """Addresses of what comes first, best first."""
    hidden: list[str] = []
    """Addresses of pages that are left out."""
    redirect: str | None = None
    """Address to which a reader is led; it comes first, before all that is pinned."""
    others: dict[str, list[str]] = {}
    """Address that is pinned, or redirected to → addresses of the same page in other languages and versions."""


class IndexSettings(msgspec.Struct, frozen=True):
    """Taken from `octavo.toml` by the build, so that a server needs the published folder only."""

    app_id: str
    api_key: str
    index_name: str
    most_per_second: int = 300
    """Searches that one address may send each second, twice as many at once; 0: as many as it likes."""
    has_insights: bool = False
    """Searches are counted and events are kept."""
    retention_days: int = 90
    """Days for which they are kept."""
    least_count: int = 3
    """Searches for the same words from which a report shows them: rarer ones may be about one person."""
    synonyms: dict[str, list[str]] = {}
    """Word → words and phrases that mean the same."""
    one_way_synonyms: dict[str, list[str]] = {}
    """Word or phrase → words and phrases that it finds, but which do not find it."""
    rules: list[Rule] = []
    languages: list[str] = []
    """Tags of the languages that its pages are in, for engines that cannot ask the index."""
    name: str = ""
    """Name of the site's product, in the words of its title. A query for it and for something else is for the latter."""
