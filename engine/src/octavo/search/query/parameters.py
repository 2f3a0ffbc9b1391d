"""Search parameters: from the wire's names and shapes to typed values, or to an error that names the parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

import msgspec

from octavo.search.errors import ProtocolError, bad_parameter
from octavo.search.query.filters import All, Filter, parse_facet_filters, parse_filters, parse_numeric_filters
from octavo.search.query.query import LONGEST_QUERY, QueryType, Settings

MOST_HITS = 1000
"""Hits that can be reached by paging; the hosted service's default of `paginationLimitedTo`."""

ALL_ATTRIBUTES = ("hierarchy.lvl0", "hierarchy.lvl1", "hierarchy.lvl2", "hierarchy.lvl3", "hierarchy.lvl4",
                  "hierarchy.lvl5", "hierarchy.lvl6", "content")  # fmt: skip
"""Searchable attributes; their places are those in `ranking.Text`."""

_IGNORED_NAMES = """
    advancedSyntaxFeatures allowCompressionOfIntegerArray allowTyposOnNumericTokens alternativesAsExact analyticsTags
    aroundLatLng aroundLatLngViaIP aroundPrecision aroundRadius attributeCriteriaComputedByMinProximity
    attributesForFaceting customRanking decompoundQuery disableExactOnAttributes disableTypoToleranceOnAttributes
    enableABTest enablePersonalization enableReRanking enableRules exactOnSingleWordQuery extensions facetingAfterDistinct
    facetsFetchedAllValues insideBoundingBox insidePolygon keepDiacriticsOnCharacters maxFacetHits
    minimumAroundRadius minProximity mode naturalLanguages paginationLimitedTo percentileComputation personalizationImpact
    queryLanguages ranking reRankingApplyFilter relevancyStrictness removeStopWords renderingContent
    replaceSynonymsInHighlight responseFields ruleContexts semanticSearch similarQuery sortFacetValuesBy
    sumOrFiltersScores synonyms tagFilters userToken injectPromotedItems compositionID runningCompositionID
    separatorsToIndex userData disablePrefixOnAttributes typos enableQueryRules
"""

IGNORED = frozenset(_IGNORED_NAMES.split())
"""Parameters of the hosted service that change nothing here."""


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
    """`offset` and `length` were asked for, so the answer has these instead of pages."""
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
    reading: Settings = Settings()
    remove_words: str = "allOptional"
    optional_words: Sequence[str] = ()
    click_analytics: bool = False
    ranking_info: bool = False
    analytics: bool = True
    sent: str = ""
    """The parameters as an encoded string, for the answer."""


Raw = dict[str, Any]


def decode_params(text: str) -> Raw:
    """Decode the encoded form of the parameters, `query=a&facets=%5B%22b%22%5D`.

    Values stay strings where they are no JSON; each parameter knows what it may be.
    """
    return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=200))


def parse_parameters(raw: Raw) -> Parameters:
    """Check the parameters of one search.

    Raises:
        ProtocolError: one of them is unknown or has a value that it cannot have.
    """
    for name in raw:
        if name not in _KNOWN and name not in IGNORED:
            raise ProtocolError(400, f"Unknown parameter: {name[:80]}")
    query = _string(raw, "query", "")
    page = _integer(raw, "page", 0, 0, 1 << 30)
    hits_per_page = _integer(raw, "hitsPerPage", 20, 0, MOST_HITS)
    is_by_offset = raw.get("offset") is not None or raw.get("length") is not None
    offset = _integer(raw, "offset", 0, 0, 1 << 30) if is_by_offset else page * hits_per_page
    length = _integer(raw, "length", 20, 0, MOST_HITS) if is_by_offset else hits_per_page
    return Parameters(
        query=query[:LONGEST_QUERY],
        is_cut=len(query) > LONGEST_QUERY,
        offset=offset,
        length=length,
        page=page,
        hits_per_page=hits_per_page,
        is_by_offset=is_by_offset,
        retrieve=_strings(raw, "attributesToRetrieve", ("*",)),
        highlight=_strings(raw, "attributesToHighlight", ("*",)),
        snippet=_snippets(_strings(raw, "attributesToSnippet", ())),
        ellipsis=_string(raw, "snippetEllipsisText", "…")[:100],
        pre_tag=_string(raw, "highlightPreTag", "<em>")[:200],
        post_tag=_string(raw, "highlightPostTag", "</em>")[:200],
        restrict_highlights=_boolean(raw, "restrictHighlightAndSnippetArrays", default=False),
        attributes=_attributes(_strings(raw, "restrictSearchableAttributes", ())),
        facets=_strings(raw, "facets", ()),
        most_facet_values=_integer(raw, "maxValuesPerFacet", 100, 0, 1000),
        filter=_filter(raw),
        optional_filters=parse_facet_filters(raw.get("optionalFilters") or [], "optionalFilters"),
        distinct=_distinct(raw),
        typos=_typos(raw),
        reading=_reading(raw),
        remove_words=_choice(
            raw, "removeWordsIfNoResults", "allOptional", ("none", "lastWords", "firstWords", "allOptional")
        ),
        optional_words=_strings(raw, "optionalWords", ()),
        click_analytics=_boolean(raw, "clickAnalytics", default=False),
        ranking_info=_boolean(raw, "getRankingInfo", default=False),
        analytics=_boolean(raw, "analytics", default=True),
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


def _reading(raw: Raw) -> Settings:
    query_type: QueryType = "prefixLast"
    match _choice(raw, "queryType", "prefixLast", ("prefixLast", "prefixAll", "prefixNone")):
        case "prefixAll":
            query_type = "prefixAll"
        case "prefixNone":
            query_type = "prefixNone"
    return Settings(
        query_type=query_type,
        has_syntax=_boolean(raw, "advancedSyntax", default=False),
        has_forms=_plurals(raw),
        one_typo_from=_integer(raw, "minWordSizefor1Typo", 4, 1, 1000),
        two_typos_from=_integer(raw, "minWordSizefor2Typos", 8, 1, 1000),
    )


def _plurals(raw: Raw) -> bool:
    """`ignorePlurals` may also be a list of languages."""
    value = raw.get("ignorePlurals")
    return True if isinstance(value, list) else _boolean(raw, "ignorePlurals", default=True)


def _distinct(raw: Raw) -> int:
    value = _json(raw.get("distinct"))
    if value is None:
        return 1
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int) and 0 <= value <= 4:
        return value
    raise bad_parameter("distinct", "a boolean, or an integer from 0 to 4")


def _typos(raw: Raw) -> str:
    value = _json(raw.get("typoTolerance"))
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
    """Tell whether a name stands for an attribute: itself, an object above it, or all."""
    return name in ("*", attribute) or attribute.startswith(f"{name}.")


def _json(value: object) -> object:
    """Read a value that came in the encoded form of the parameters."""
    if isinstance(value, str):
        try:
            return msgspec.json.decode(value)
        except msgspec.DecodeError:
            return value
    return value


def _string(raw: Raw, name: str, default: str) -> str:
    value = raw.get(name)
    if value is None:
        return default
    if not isinstance(value, str):
        raise bad_parameter(name, "a string")
    return value


def _strings(raw: Raw, name: str, default: Sequence[str]) -> Sequence[str]:
    """Read a list of strings; one string may also be a list in JSON, or several separated by commas."""
    value = raw.get(name)
    if value is None:
        return default
    if isinstance(value, str):
        decoded = _json(value) if value.startswith("[") else None
        value = decoded if isinstance(decoded, list) else [part.strip() for part in value.split(",") if part.strip()]
    if not isinstance(value, list) or len(value) > 1000 or not all(isinstance(item, str) for item in value):
        raise bad_parameter(name, "a list of strings")
    return value


def _integer(raw: Raw, name: str, default: int, low: int, high: int) -> int:
    value = _json(raw.get(name))
    if value is None or value == "":
        return default
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise bad_parameter(name, f"an integer from {low} to {high}")
    return value


def _boolean(raw: Raw, name: str, *, default: bool) -> bool:
    value = _json(raw.get(name))
    if value is None:
        return default
    if value in (0, 1):  # booleans too
        return bool(value)
    raise bad_parameter(name, "a boolean")


def _choice(raw: Raw, name: str, default: str, choices: Sequence[str]) -> str:
    value = raw.get(name)
    if value is None:
        return default
    if value not in choices:
        raise bad_parameter(name, f"one of {', '.join(choices)}")
    return str(value)


_KNOWN_NAMES = """
    query page hitsPerPage offset length attributesToRetrieve attributesToHighlight attributesToSnippet
    snippetEllipsisText highlightPreTag highlightPostTag restrictHighlightAndSnippetArrays
    restrictSearchableAttributes facets maxValuesPerFacet filters facetFilters numericFilters optionalFilters distinct
    typoTolerance queryType advancedSyntax ignorePlurals minWordSizefor1Typo minWordSizefor2Typos
    removeWordsIfNoResults optionalWords clickAnalytics getRankingInfo analytics
"""

_KNOWN = frozenset(_KNOWN_NAMES.split())
