"""Search parameters: from the wire's names and shapes to typed values, or to an error that names the parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from octavo.search.errors import ProtocolError, bad_parameter
from octavo.search.query import fixed
from octavo.search.query.filters import All, Filter, parse_facet_filters, parse_filters, parse_numeric_filters
from octavo.search.query.query import LONGEST_QUERY, QuerySettings, QueryType
from octavo.search.query.values import (
    Raw,
    boolean_value,
    choice_value,
    decoded,
    encoded_pairs,
    integer_value,
    string_value,
    strings_value,
)

MOST_HITS = 1000
"""Hits that can be reached by paging; the hosted service's default of `paginationLimitedTo`."""

ALL_ATTRIBUTES = ("hierarchy.lvl0", "hierarchy.lvl1", "hierarchy.lvl2", "hierarchy.lvl3", "hierarchy.lvl4",
                  "hierarchy.lvl5", "hierarchy.lvl6", "content")  # fmt: skip
"""Searchable attributes; their places are those in `ranking.Text`."""


class Parameters(msgspec.Struct, frozen=True, kw_only=True):
    """What one search asks for."""

    query: str = ""
    is_cut: bool = False
    """The query was longer than `LONGEST_QUERY`."""
    offset: int = 0
    """Hits to skip."""
    length: int = 20
    """Hits to give."""
    page: int = 0
    hits_per_page: int = 20
    is_by_offset: bool = False
    """The request has `offset` and `length`, so the answer has these instead of pages."""
    retrieve: Sequence[str] = ("*",)
    highlight: Sequence[str] = ("*",)
    snippet: Mapping[str, int] = {}
    """Attribute → words."""
    ellipsis: str = "…"
    pre_tag: str = "<em>"
    post_tag: str = "</em>"
    restrict_highlights: bool = False
    attributes: frozenset[int] | None = None
    """Indexes of the attributes to search; None: all."""
    facets: Sequence[str] = ()
    most_facet_values: int = 100
    filter: Filter | None = None
    optional_filters: Filter | None = None
    distinct: int = 1
    """Records with the same address that are shown; 0: all of them."""
    typos: str = "true"
    """`true`, `false`, `min` or `strict`."""
    reading: QuerySettings = QuerySettings()
    remove_words: str = "allOptional"
    optional_words: Sequence[str] = ()
    click_analytics: bool = False
    ranking_info: bool = False
    analytics: bool = True
    response_fields: Sequence[str] = ("*",)
    sorts_facets_by: str = "count"
    """`count` or `alpha`."""
    counts_distinct: bool = True
    """Facets count hits rather than records."""
    uses_synonyms: bool = True
    uses_rules: bool = True
    needs_small_words: bool = False
    """Records must hold small words (`how`, `the`) as well."""


def decode_params(text: str) -> Raw:
    """Decode the encoded form of the parameters, `query=a&facets=%5B%22b%22%5D`.

    Values stay strings where they are not JSON; each parameter knows what it may be.
    """
    return encoded_pairs(text)


def parse_parameters(raw: Raw) -> Parameters:
    """Check the parameters of one search.

    Raises:
        ProtocolError: one of them is unknown or has a value that it cannot have.
    """
    for name in raw:
        if name not in _KNOWN and name not in fixed.NAMES:
            raise ProtocolError(400, f"Unknown parameter: {name[:80]}")
    fixed.check_fixed(raw)
    similar = string_value(raw, "similarQuery", "")
    if similar:  # finds what has words in common: none of them is needed
        raw = raw | {"query": similar, "optionalWords": [similar], "queryType": "prefixNone"}
    query = string_value(raw, "query", "")
    page = integer_value(raw, "page", 0, 0, 1 << 30)
    hits_per_page = integer_value(raw, "hitsPerPage", 20, 0, MOST_HITS)
    is_by_offset = raw.get("offset") is not None or raw.get("length") is not None
    offset = integer_value(raw, "offset", 0, 0, 1 << 30) if is_by_offset else page * hits_per_page
    length = integer_value(raw, "length", 20, 0, MOST_HITS) if is_by_offset else hits_per_page
    return Parameters(
        query=query[:LONGEST_QUERY],
        is_cut=len(query) > LONGEST_QUERY,
        offset=offset,
        length=length,
        page=page,
        hits_per_page=hits_per_page,
        is_by_offset=is_by_offset,
        retrieve=strings_value(raw, "attributesToRetrieve", ("*",)),
        highlight=strings_value(raw, "attributesToHighlight", ("*",)),
        snippet=_snippets(strings_value(raw, "attributesToSnippet", ())),
        ellipsis=string_value(raw, "snippetEllipsisText", "…")[:100],
        pre_tag=string_value(raw, "highlightPreTag", "<em>")[:200],
        post_tag=string_value(raw, "highlightPostTag", "</em>")[:200],
        restrict_highlights=boolean_value(raw, "restrictHighlightAndSnippetArrays", default=False),
        attributes=_attributes(strings_value(raw, "restrictSearchableAttributes", ())),
        facets=strings_value(raw, "facets", ()),
        most_facet_values=integer_value(raw, "maxValuesPerFacet", 100, 0, 1000),
        filter=_filter(raw),
        optional_filters=parse_facet_filters(raw.get("optionalFilters") or [], "optionalFilters"),
        distinct=_distinct(raw),
        typos=_typos(raw),
        reading=_reading(raw),
        remove_words=choice_value(
            raw, "removeWordsIfNoResults", "allOptional", ("none", "lastWords", "firstWords", "allOptional")
        ),
        optional_words=strings_value(raw, "optionalWords", ()),
        click_analytics=boolean_value(raw, "clickAnalytics", default=False),
        ranking_info=boolean_value(raw, "getRankingInfo", default=False),
        analytics=boolean_value(raw, "analytics", default=True),
        response_fields=strings_value(raw, "responseFields", ("*",)),
        sorts_facets_by=choice_value(raw, "sortFacetValuesBy", "count", ("count", "alpha")),
        counts_distinct=boolean_value(raw, "facetingAfterDistinct", default=True),
        uses_synonyms=boolean_value(raw, "synonyms", default=True),
        uses_rules=boolean_value(raw, "enableRules", default=True),
        needs_small_words=not _switch(raw, "removeStopWords"),
    )


def _filter(raw: Raw) -> Filter | None:
    filters = raw.get("filters")
    if filters is not None and not isinstance(filters, str):
        raise bad_parameter("filters", "a string")
    found = [
        parse_filters(filters or ""),
        parse_facet_filters(raw.get("facetFilters") or []),
        parse_numeric_filters(raw.get("numericFilters") or []),
    ]
    given = [item for item in found if item is not None]
    return All(given) if len(given) > 1 else given[0] if given else None


def _reading(raw: Raw) -> QuerySettings:
    query_type: QueryType = "prefixLast"
    match choice_value(raw, "queryType", "prefixLast", ("prefixLast", "prefixAll", "prefixNone")):
        case "prefixAll":
            query_type = "prefixAll"
        case "prefixNone":
            query_type = "prefixNone"
    return QuerySettings(
        query_type=query_type,
        has_syntax=boolean_value(raw, "advancedSyntax", default=False),
        has_forms=_switch(raw, "ignorePlurals"),
        one_typo_from=integer_value(raw, "minWordSizefor1Typo", 4, 1, 1000),
        two_typos_from=integer_value(raw, "minWordSizefor2Typos", 8, 1, 1000),
    )


def _switch(raw: Raw, name: str) -> bool:
    """Read a boolean that may also be a list of languages; true by default."""
    value = decoded(raw.get(name))
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return True
    return boolean_value(raw, name, default=True)


def _distinct(raw: Raw) -> int:
    value = decoded(raw.get("distinct"))
    if value is None:
        return 1
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int) and 0 <= value <= 4:
        return value
    raise bad_parameter("distinct", "a boolean, or an integer from 0 to 4")


def _typos(raw: Raw) -> str:
    value = decoded(raw.get("typoTolerance"))
    if value is None:
        return "true"
    if isinstance(value, bool):
        return str(value).lower()
    if value in ("min", "strict"):
        return str(value)
    raise bad_parameter("typoTolerance", 'a boolean, "min" or "strict"')


def _snippets(items: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for item in items:
        name, _, words = item.partition(":")
        if words and not (words.isascii() and words.isdigit() and len(words) < 5):
            raise bad_parameter("attributesToSnippet", 'entries of the form "attribute:words"')
        found[name] = int(words) if words else 10
    return found


def _attributes(names: Sequence[str]) -> frozenset[int] | None:
    if not names or "*" in names:
        return None
    wanted = [name.removeprefix("unordered(").removesuffix(")") for name in names]
    return frozenset(
        index for index, attribute in enumerate(ALL_ATTRIBUTES) if any(covers(name, attribute) for name in wanted)
    )


def covers(name: str, attribute: str) -> bool:
    """Return whether a name covers an attribute: itself, an object above it, or all."""
    return name in ("*", attribute) or attribute.startswith(f"{name}.")


_KNOWN_NAMES = """
    query page hitsPerPage offset length attributesToRetrieve attributesToHighlight attributesToSnippet
    snippetEllipsisText highlightPreTag highlightPostTag restrictHighlightAndSnippetArrays
    restrictSearchableAttributes facets maxValuesPerFacet filters facetFilters numericFilters optionalFilters distinct
    typoTolerance queryType advancedSyntax ignorePlurals minWordSizefor1Typo minWordSizefor2Typos
    removeWordsIfNoResults optionalWords clickAnalytics getRankingInfo analytics similarQuery responseFields
    sortFacetValuesBy facetingAfterDistinct synonyms enableRules removeStopWords
"""

_KNOWN = frozenset(_KNOWN_NAMES.split())
