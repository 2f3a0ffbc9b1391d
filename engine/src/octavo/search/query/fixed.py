"""Parameters of the hosted service that this server cannot vary: which of their values describe what it does anyway.

A value that would change an answer there, and changes nothing here, is an error: a filter or a ranking that is silently
left out misleads whoever reads the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from octavo.search.errors import ProtocolError
from octavo.search.query.values import decoded

ANALYTICS = frozenset(
    [
        "analyticsTags",
        "enableABTest",
        "enablePersonalization",
        "enableReRanking",
        "percentileComputation",
        "personalizationImpact",
        "userToken",
    ]
)
"""Parameters that say who asks, or ask for experiments: accepted, and used for nothing."""

Accepts = Callable[[object], bool]


def _only(*values: object) -> Accepts:
    return lambda value: any(value == one and type(value) is type(one) for one in values)


def _nothing(value: object) -> bool:
    return value is False or value in ("", [], {})


def _anything(_: object) -> bool:
    return True


_SYNTAX = {"exactPhrase", "excludeWords"}

FIXED: Mapping[str, tuple[Accepts, str]] = {
    "advancedSyntaxFeatures": (
        lambda value: isinstance(value, list) and set(map(str, value)) == _SYNTAX,
        'only ["exactPhrase", "excludeWords"]: both are understood where advancedSyntax is true',
    ),
    "allowCompressionOfIntegerArray": (_anything, ""),
    "allowTyposOnNumericTokens": (_only(False), "only false: digits are never taken for misspelt"),
    "alternativesAsExact": (_only([]), "only []: other forms of a word come after the word itself"),
    "attributeCriteriaComputedByMinProximity": (_only(False), "only false"),
    "decompoundQuery": (_only(True), "only true: compounds are always found by their parts"),
    "exactOnSingleWordQuery": (_only("attribute"), 'only "attribute"'),
    "minProximity": (_only(1), "only 1"),
    "mode": (_only("keywordSearch"), 'only "keywordSearch"'),
    "naturalLanguages": (_anything, ""),
    "queryLanguages": (_anything, ""),
    "relevancyStrictness": (_only(100), "only 100: no hit is left out for its rank"),
    "replaceSynonymsInHighlight": (_only(False), "only false: texts are shown as they were written"),
    "sumOrFiltersScores": (_only(False), "only false"),
}
"""Parameter → which values are accepted, and what to say of others.

Languages need no setting: the index knows those of its pages.
"""

_ABSENT = frozenset(
    [
        "aroundLatLng",
        "aroundLatLngViaIP",
        "aroundPrecision",
        "aroundRadius",
        "disableExactOnAttributes",
        "disablePrefixOnAttributes",
        "disableTypoToleranceOnAttributes",
        "extensions",
        "insideBoundingBox",
        "insidePolygon",
        "keepDiacriticsOnCharacters",
        "minimumAroundRadius",
        "reRankingApplyFilter",
        "renderingContent",
        "ruleContexts",
        "semanticSearch",
        "tagFilters",
    ]
)
"""Parameters about data that records do not have, or that ranking does not use; accepted if their value is empty."""

NAMES = ANALYTICS | FIXED.keys() | _ABSENT


def check_fixed(raw: Mapping[str, object]) -> None:
    """Check the parameters that cannot be varied.

    Raises:
        ProtocolError: one has a value that would have to change the answer.
    """
    for name in NAMES.intersection(raw):
        value = decoded(raw[name])
        if value is None or name in ANALYTICS:
            continue
        if name in _ABSENT:
            if not _nothing(value):
                raise ProtocolError(400, f'Parameter "{name}" is not supported by this server; leave it out')
            continue
        accepts, reason = FIXED[name]
        if not accepts(value):
            raise ProtocolError(400, f'Parameter "{name}" cannot be changed on this server; expected {reason}')
