"""Keys: the one of `octavo.toml`, and secured ones that clients make of it.

A secured key is base64 of an HMAC with the parameters that it embeds; these are part of every search that is made with
it. Who makes them needs a key that readers do not know: the key of `octavo.toml` is in every page.

Source:
    "Secured API keys" of the hosted service's documentation, read 2026-11-22: hex HMAC-SHA256 of the encoded parameters,
    by the parent key, followed by these parameters.
"""

from __future__ import annotations

import base64
import binascii
import fnmatch
import hashlib
import hmac
import ipaddress
import time
from collections.abc import Callable, Mapping

import msgspec

from octavo.search.errors import ProtocolError
from octavo.search.index.settings import IndexSettings
from octavo.search.query.values import Raw, encoded_pairs, strings_value

_HEX = 64
"""Digits of the HMAC."""

_OF_KEY = ("validUntil", "restrictIndices", "restrictSources", "userToken")
"""What a key embeds beside parameters of searches."""

FILTERS = ("filters", "facetFilters", "numericFilters")
"""Parameters of a key that are held against a search beside its own, and not instead of these."""


class Key(msgspec.Struct, frozen=True):
    """What the key of a request allows."""

    embedded: Raw = {}
    """Parameters of each search that is made with it."""

    def restrict(self, raw: Raw) -> Raw:
        """Put the embedded parameters over those of a search; embedded filters are kept apart, see `FILTERS`."""
        return raw | {name: value for name, value in self.embedded.items() if name not in FILTERS}

    @property
    def filters(self) -> Raw:
        """The filters that every search must meet as well."""
        return {name: value for name, value in self.embedded.items() if name in FILTERS}


def check_key(
    settings: IndexSettings,
    headers: Mapping[str, str],
    query: Mapping[str, str],
    *,
    address: str = "",
    clock: Callable[[], float] = time.time,
) -> Key:
    """Check the credentials of a request, from its headers or its query string.

    Args:
        settings: Of the index.
        headers: Of the request.
        query: Its query parameters.
        address: Who asks.
        clock: Seconds since 1970.

    Raises:
        ProtocolError: they are neither those of `octavo.toml` nor made of them, or the key allows it no more.
    """
    query = {name.lower(): value for name, value in query.items()}  # clients differ in how they write them
    app_id, given = (
        headers.get(name) or query.get(name) or "" for name in ("x-algolia-application-id", "x-algolia-api-key")
    )
    is_app = hmac.compare_digest(app_id.encode(), settings.app_id.encode())
    if is_app and hmac.compare_digest(given.encode(), settings.api_key.encode()):
        return Key()
    embedded = _verified(given, settings.api_key) if is_app else None
    if embedded is None:
        raise ProtocolError(403, "Invalid Application-ID or API key")
    _check_limits(embedded, settings.index_name, address, clock())
    return Key({name: value for name, value in embedded.items() if name not in _OF_KEY})


def _verified(given: str, parent: str) -> Raw | None:
    """Take a secured key apart; None where it was not made of the parent."""
    try:
        content = base64.b64decode(given, validate=True).decode()
    except (binascii.Error, ValueError):
        return None
    digest, parameters = content[:_HEX], content[_HEX:]
    expected = hmac.new(parent.encode(), parameters.encode(), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(digest.encode(), expected.encode()):
        return None
    return encoded_pairs(parameters)


def _check_limits(embedded: Raw, index: str, address: str, now_s: float) -> None:
    until = embedded.get("validUntil")
    if until is not None and not (str(until).isdecimal() and now_s <= int(until)):
        raise ProtocolError(403, "The API key is no longer valid")
    indices = strings_value(embedded, "restrictIndices", ())
    if indices and not any(fnmatch.fnmatchcase(index, pattern) for pattern in indices):
        raise ProtocolError(403, "The API key may not be used with this index")
    sources = strings_value(embedded, "restrictSources", ())
    if sources and not any(_is_within(address, network) for network in sources):
        raise ProtocolError(403, "The API key may not be used from this address")


def _is_within(address: str, network: str) -> bool:
    try:
        return ipaddress.ip_address(address) in ipaddress.ip_network(network, strict=False)
    except ValueError:
        return False
