from __future__ import annotations

import base64
import hashlib
import hmac
from urllib.parse import urlencode

import pytest

from octavo.search.errors import ProtocolError
from octavo.search.protocol.secured_keys import Key, check_key

from .conftest import SETTINGS


def secured(parent: str = "key", **restrictions: str) -> str:
    parameters = urlencode(restrictions)
    digest = hmac.new(parent.encode(), parameters.encode(), hashlib.sha256).hexdigest()
    return base64.b64encode((digest + parameters).encode()).decode()


def check(key: str, *, app_id: str = "app", address: str = "192.0.2.1") -> Key:
    headers = {"x-algolia-application-id": app_id, "x-algolia-api-key": key}
    return check_key(SETTINGS, headers, {}, address=address, clock=lambda: 1000.0)


def test_embedded_parameters_stand_over_those_of_a_search_and_filters_beside_them() -> None:
    key = check(secured(filters="kind:guide", hitsPerPage="3", userToken="reader", validUntil="1000"))
    assert key.restrict({"hitsPerPage": 50, "filters": "kind:code"}) == {"hitsPerPage": "3", "filters": "kind:code"}
    assert key.filters == {"filters": "kind:guide"}


@pytest.mark.parametrize(
    ("key", "app_id"),
    [
        ("", "app"), ("wrong", "app"), (secured(parent="wrong"), "app"), (secured(), "other"), ("key", "other"),
        (secured(validUntil="999"), "app"), (secured(validUntil="soon"), "app"),
        (secured(restrictIndices="others,blog*"), "app"), (secured(restrictSources="198.51.100.0/24"), "app"),
    ],
)  # fmt: skip
def test_other_keys_are_refused(key: str, app_id: str) -> None:
    with pytest.raises(ProtocolError) as refused:
        check(key, app_id=app_id)
    assert refused.value.status == 403


@pytest.mark.parametrize("restrictions", [{"restrictIndices": '["do*"]'}, {"restrictSources": "192.0.2.0/24"}])
def test_key_is_good_where_it_was_made_for(restrictions: dict[str, str]) -> None:
    assert check(secured(**restrictions)) == Key()


def test_key_with_too_many_parameters_is_an_error_of_the_client() -> None:
    with pytest.raises(ProtocolError) as refused:
        check(secured(**{f"a{number}": "1" for number in range(300)}))
    assert refused.value.status == 400
