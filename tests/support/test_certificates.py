"""Which clients share what is read, and which have their own."""

from __future__ import annotations

import ssl

import certifi


def test_context_of_the_usual_authorities_is_made_once() -> None:
    first, second = (ssl.create_default_context(cafile=certifi.where()) for _ in range(2))
    assert first is second
    assert first.verify_mode is ssl.CERT_REQUIRED
    assert first.cert_store_stats()["x509_ca"] > 0


def test_any_other_context_is_its_own() -> None:
    made = [ssl.create_default_context(), ssl.create_default_context()]
    made += [ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=certifi.where()) for _ in range(2)]
    assert len({id(context) for context in [*made, ssl.create_default_context(cafile=certifi.where())]}) == 5
