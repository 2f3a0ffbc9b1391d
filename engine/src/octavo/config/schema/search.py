"""`[search]`: what answers searches, in which order, and what is counted of them."""

from __future__ import annotations

from typing import Literal

from octavo.config.search_rules import SearchRules
from octavo.config.table import Table


class Insights(Table, frozen=True, kw_only=True):
    """Search statistics. Octavo never stores addresses or cookies of readers."""

    is_enabled: bool = False
    """Count searches, and store which results were shown and selected."""
    retention_days: int = 90
    """Number of days after which this data is deleted."""
    least_count: int = 3
    """Minimum number of searches for the same words before reports show them. Rare searches may identify a person."""
    script: Literal["own", "cdn"] = "own"
    """Source of the insights script: the one that Octavo publishes, or the official one at `cdn_url`."""
    cdn_url: str = "https://cdn.jsdelivr.net/npm/search-insights@2.17.3/dist/search-insights.min.js"
    """Address of the official script. It is loaded only with `script = "cdn"`."""
    host: str | None = None
    """Address that receives the events, such as `https://insights.algolia.io`. By default, the server that answers
    searches."""


class SearchEngine(Table, frozen=True, kw_only=True):
    """What answers searches behind `octavo serve`.

    Clients see no difference. `octavo search push` fills another engine than the embedded one; its key comes from the
    environment variable `OCTAVO_SEARCH_ENGINE_KEY` only.
    """

    kind: Literal["embedded", "meilisearch", "opensearch"] = "embedded"
    """`embedded` searches the published index in the server itself; `meilisearch` and `opensearch` ask a search engine
    that runs elsewhere (`opensearch` stands for Elasticsearch, too)."""
    url: str = ""
    """Address of that engine, such as `http://127.0.0.1:7700`, without a key or a password in it."""
    timeout_seconds: float = 3.0
    """Longest wait for its answer; after it a search is answered with status 503, and pages search by their own files."""


class Search(Table, frozen=True, kw_only=True):
    """Search. By default, the server of the site answers; a hosted service uses the same settings."""

    is_enabled: bool = True
    mode: Literal["auto", "server", "static", "hosted"] = "auto"
    """What answers searches. `server`: `octavo serve`. `static`: the browser, with files that each build publishes, so
    any static host works. `hosted`: another service with the same protocol. `auto`: the server, or the files if
    there is no server or it fails."""
    app_id: str = "octavo"
    api_key: str = "public-search-key"
    """Public search key. It is part of every request and is not a secret."""
    index_name: str = "docs"
    hosts: list[str] = []
    """Addresses of the search hosts, the preferred one first. By default, the server of the site."""
    placeholder: str | None = None
    """Text of the search button and the empty search field. By default, "Search docs" in the language of the page."""
    most_per_second: int = 300
    """Maximum number of searches from one address in a second, with bursts of twice that number. More get the status
    429. 0 means no limit."""
    kinds: dict[str, Literal["guide", "reference", "command", "api"]] = {}
    """Type of the documents in a folder, by which readers filter results: folder in the docs folder → type. The
    innermost folder applies. All other documents are guides, and pages of API descriptions are always `api`."""
    page_ranks: dict[str, int] = {}
    """Rank of the documents in a folder among equally good results, 0 to 100: folder in the docs folder → rank. By
    default, guides have 10, reference pages 5, pages of which 20 headings or more, and half of all, are versions or
    dates 3, as do those of one release (`release-notes/1.4`), commands and API pages 2, data types of an API and pages
    in folders named `blog`, `blogs`, `news` or `announcements` 1. Pages with 0 come last, and those with 3 behind others if the query has no number."""
    synonyms: dict[str, list[str]] = {}
    """Words and phrases with the same meaning, in both directions: `faq = ["frequently asked questions"]`. Phrases in
    quotes are searched literally."""
    rules: SearchRules = SearchRules()
    """Not a setting: the content of `search.toml`, which pins and hides pages for queries and names synonyms."""
    results_per_group: int = 5
    """Maximum number of results in each group of the dialog."""
    other_sites: dict[str, str] = {}
    """Other sites whose results the dialog shows below its own: `index_name` of each site → its name for readers, as
    `shop = "Shop"`. The server must search them (`octavo serve --also-search`), with the same `app_id` and `api_key`."""
    most_offline_megabytes: int = 40
    """With `offline = true`: maximum size of the search index that browsers store for offline search, in MB before
    compression. 1,000 pages need about 14. With 0, or a larger index, offline search uses only the parts of the
    index that earlier searches have downloaded."""
    engine: SearchEngine = SearchEngine()
    missing_results_url: str | None = None
    """Address where readers report missing results. `{query}` is replaced with the search text."""
    insights: Insights = Insights()
