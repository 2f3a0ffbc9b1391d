"""Parameters of the protocol that cannot be varied: what would have to change the answer is refused, and named."""

from __future__ import annotations

import pytest

from octavo.search.errors import ProtocolError
from octavo.search.query.fixed import FIXED, NAMES, check_fixed


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mode", "keywordSearch"),
        ("minProximity", 1),
        ("minProximity", "1"),
        ("decompoundQuery", True),
        ("decompoundQuery", "true"),
        ("alternativesAsExact", []),
        ("alternativesAsExact", "[]"),
        ("advancedSyntaxFeatures", ["excludeWords", "exactPhrase"]),
        ("advancedSyntaxFeatures", '["exactPhrase", "excludeWords"]'),
        ("queryLanguages", ["de", "en"]),
        ("allowTyposOnNumericTokens", None),
        ("aroundLatLng", ""),
        ("ruleContexts", []),
        ("ruleContexts", "[]"),
        ("semanticSearch", {}),
        ("clickAnalytics", True),
    ],
)
def test_value_that_changes_nothing_is_accepted(name: str, value: object) -> None:
    check_fixed({name: value})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("mode", "neuralSearch", 'cannot be changed on this server; expected only "keywordSearch"'),
        ("minProximity", 2, "cannot be changed on this server; expected only 1"),
        ("minProximity", "2", "cannot be changed on this server; expected only 1"),
        ("decompoundQuery", "false", "cannot be changed on this server; expected only true"),
        ("allowTyposOnNumericTokens", True, "cannot be changed on this server; expected only false"),
        ("advancedSyntaxFeatures", ["exactPhrase"], "cannot be changed on this server"),
        ("advancedSyntaxFeatures", "exactPhrase", "cannot be changed on this server"),
        ("aroundLatLng", "48.1, 11.5", "is not supported by this server; leave it out"),
        ("ruleContexts", ["shop"], "is not supported by this server; leave it out"),
        ("ruleContexts", '["shop"]', "is not supported by this server; leave it out"),
    ],
)
def test_value_that_would_change_the_answer_is_refused(name: str, value: object, message: str) -> None:
    with pytest.raises(ProtocolError, match=f'Parameter "{name}" {message}') as error:
        check_fixed({name: value})
    assert error.value.status == 400


def test_every_reason_says_what_is_accepted() -> None:
    for name, (accepts, reason) in FIXED.items():
        assert not reason or not accepts("octavo"), name
    assert FIXED.keys() <= NAMES
