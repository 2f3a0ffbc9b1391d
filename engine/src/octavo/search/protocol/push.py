"""Sending the records of a published site to the hosted service, with its own client."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from octavo.errors import UsageError
from octavo.manifest import MANIFEST_PATH, parse_manifest
from octavo.search.fields import FACETS
from octavo.search.index.tantivy_index import IndexReader
from octavo.search.protocol.answer import FieldSelection
from octavo.search.protocol.curation import list_rules, list_synonyms
from octavo.search.query.parameters import ALL_ATTRIBUTES
from octavo.search.ranking.engine import Engine

_ALL = FieldSelection(["*"])

LARGEST_RECORD = 10_000
"""Bytes of JSON that the hosted service takes for one record."""

HOSTED_SETTINGS: dict[str, Any] = {
    "searchableAttributes": [
        *(f"unordered({name})" for name in ALL_ATTRIBUTES if name != "content"),
        "content",
    ],
    "attributesForFaceting": [facet.attribute for facet in FACETS],
    "attributesToRetrieve": ["hierarchy", "content", "anchor", "url", "url_without_anchor", "type", "kind", "section"],
    "attributesToHighlight": ["hierarchy", "content"],
    "attributesToSnippet": ["content:10"],
    "customRanking": ["desc(weight.pageRank)", "desc(weight.level)", "asc(weight.position)"],
    "ranking": ["typo", "words", "filters", "proximity", "attribute", "exact", "custom"],
    "distinct": True,
    "attributeForDistinct": "url",
    "minWordSizefor1Typo": 4,
    "minWordSizefor2Typos": 8,
    "allowTyposOnNumericTokens": False,
    "minProximity": 1,
    "ignorePlurals": True,
    "advancedSyntax": True,
    "removeWordsIfNoResults": "allOptional",
    "separatorsToIndex": "_",
}  # fmt: skip
"""The ranking of this server, as far as the hosted one can express it."""


def push_index(out: Path, *, app_id: str, api_key: str, index_name: str, host: str | None = None) -> int:
    """Replace an index of the hosted service by the records of a published site, in one step.

    Args:
        out: The published folder.
        app_id: Application id.
        api_key: A key that may write.
        index_name: Name of the index there.
        host: Another host than the service's own, `http://127.0.0.1:8108`.

    Returns:
        The number of records sent.

    Raises:
        UsageError: nothing is published, the client is not installed, or the service refuses.
    """
    try:
        from algoliasearch.search.client import SearchClientSync
        from algoliasearch.search.config import SearchConfig
    except ImportError:
        raise UsageError(
            "`octavo search push` needs the official client; install it with `pip install algoliasearch`."
        ) from None
    records = list(published_records(out))
    reader = published_index(out)
    synonyms, rules = list_synonyms(reader.settings), list_rules(reader.settings, Engine(reader).ids_of)
    config = SearchConfig(app_id, api_key)
    if host is not None:
        config.hosts = _hosts(host)
    client = SearchClientSync.create_with_config(config)
    try:
        client.set_settings(index_name, HOSTED_SETTINGS)
        if synonyms:  # those that were made over there stay
            client.save_synonyms(index_name, synonyms)
        client.replace_all_objects(index_name, records)
        if rules:
            client.save_rules(index_name, rules)
    except Exception as error:
        raise UsageError(f"The search service did not take the records: {error}") from error
    return len(records)


def published_records(out: Path) -> Iterator[dict[str, Any]]:
    """Read all records of a published site, in the form that they have on the wire.

    Raises:
        UsageError: nothing is published there, or without an index.
    """
    for record in published_index(out).all_records():
        fields = _ALL.of(record)
        if fields["content"]:
            fields["content"] = _fitting(fields)
        yield fields


def published_index(out: Path) -> IndexReader:
    """Open the index of a published site.

    Raises:
        UsageError: nothing is published there, or without an index.
    """
    try:
        manifest = parse_manifest((out / MANIFEST_PATH).read_bytes())
    except OSError:
        raise UsageError(f"{out} contains no published site; build it first.") from None
    if not manifest.search:
        raise UsageError(f"{out} was published without a search index; build it without --no-search.")
    return IndexReader(out / manifest.search)


def _fitting(fields: dict[str, Any]) -> str:
    """Cut the content so that the record is not too large."""
    content: str = fields["content"]
    over = len(msgspec.json.encode(fields)) - LARGEST_RECORD
    while over > 0 and content:
        content = content[: -max(over // 4, 1)]
        over = len(msgspec.json.encode(fields | {"content": content})) - LARGEST_RECORD
    return content


def _hosts(address: str) -> Any:
    from algoliasearch.http.hosts import CallType, Host, HostsCollection

    scheme, _, name = address.rpartition("://")
    host, _, port = name.partition(":")
    return HostsCollection(
        [Host(host, scheme=scheme or "https", port=int(port) if port else None, accept=CallType.READ | CallType.WRITE)]
    )
