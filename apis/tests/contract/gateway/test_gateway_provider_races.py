"""A provider's API key goes to the provider it was sent for, whatever happens to names and endpoints meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from apis.tests.contract.gateway.gateway import Gateway, run_gateway, settings_for
from apis.tests.contract.gateway.providers import KEY, MODELS, FakeProvider
from gateway_api.tables import providers as table
from tests.support.waiting import wait_for

ADD, CHANGE, SIGN_IN = "v1_add_provider_endpoint", "v1_update_provider_endpoint", "v1_configure_auth_material"
DELETE = "v1_delete_provider_endpoint"
WAIT_S = 30
CREDENTIALS = {"auth_type": "api_key", "api_key": KEY}


@pytest.fixture
def patient(tmp_path: Path) -> Iterator[Gateway]:
    """A gateway that waits for providers longer than a test takes."""
    with run_gateway(settings_for(tmp_path, provider_timeout_s=WAIT_S)) as running:
        yield running


def body(endpoint: str, **fields: Any) -> dict[str, Any]:
    return {"name": "swap", "provider_type": "openai", "endpoint": endpoint} | fields


def rows(gateway: Gateway) -> dict[str, Any]:
    with gateway.database.reading() as connection:
        return {row.name: row for row in connection.execute(table.select())}


@contextmanager
def credentials_under_way(gateway: Gateway, provider: FakeProvider) -> Iterator[Future[Any]]:
    """Send an API key for `swap`, and go on while its provider is thinking about it."""
    with ThreadPoolExecutor(1) as pool:
        sent = pool.submit(gateway.call, SIGN_IN, provider_name="swap", body=CREDENTIALS)
        try:
            wait_for(lambda: any(path.startswith("/slow") for path, _ in provider.requests))
            yield sent
        finally:
            provider.release.set()


def test_name_and_key_are_saved_at_once(patient: Gateway, provider: FakeProvider) -> None:
    patient.get(ADD, body=body(provider.url("slow"), auth_type="passthrough"))
    with credentials_under_way(patient, provider) as sent, ThreadPoolExecutor(1) as pool:
        renamed = pool.submit(
            patient.call,
            CHANGE,
            provider_name="swap",
            body=body(provider.url("slow"), name="renamed", auth_type="api_key"),
        )
        provider.release.set()
        assert (sent.result(WAIT_S).status_code, renamed.result(WAIT_S).status_code) == (204, 200)
    stored = rows(patient)["renamed"]
    assert (stored.auth_type, stored.sealed_key is not None) == ("api_key", True)
    models = patient.get("v1_list_models_by_provider", provider_name="renamed")
    assert [model["name"] for model in models] == MODELS


def test_key_that_comes_just_after_the_rename_is_stored_too(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.get(ADD, body=body(provider.url("openai"), auth_type="passthrough"))
    gateway.get(CHANGE, provider_name="swap", body=body(provider.url("openai"), name="renamed", auth_type="api_key"))
    assert gateway.call(SIGN_IN, provider_name="swap", body=CREDENTIALS).status_code == 204
    assert rows(gateway)["renamed"].sealed_key
    assert gateway.call("v1_get_provider_endpoint", provider_name="swap").status_code == 404


def test_former_name_means_the_provider_that_has_it_now(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.get(ADD, body=body(provider.url("openai"), auth_type="passthrough"))
    gateway.get(CHANGE, provider_name="swap", body=body(provider.url("openai"), name="renamed", auth_type="none"))
    gateway.get(ADD, body=body(provider.url("openai"), auth_type="passthrough"))
    gateway.get(SIGN_IN, provider_name="swap", body=CREDENTIALS)
    assert {name: row.sealed_key is not None for name, row in rows(gateway).items()} == {"swap": True, "renamed": False}


def test_provider_made_anew_under_the_name_does_not_get_the_key(patient: Gateway, provider: FakeProvider) -> None:
    patient.get(ADD, body=body(provider.url("slow"), auth_type="passthrough"))
    with credentials_under_way(patient, provider) as sent:
        patient.get(DELETE, provider_name="swap")
        other = body(provider.url("open"), provider_type="vllm", auth_type="passthrough")
        made = patient.get(ADD, body=other)
        provider.release.set()
        assert sent.result(WAIT_S).status_code == 404
    patient.get(CHANGE, provider_name="swap", body=body(provider.url("open"), provider_type="vllm", auth_type="none"))
    stored = rows(patient)["swap"]
    assert (stored.public_id, stored.auth_type, stored.sealed_key) == (made["id"], "none", None)
    assert not any(KEY in str(headers) for path, headers in provider.requests if path.startswith("/open/"))


def test_endpoint_that_another_server_changes_meanwhile_is_a_conflict(patient: Gateway, provider: FakeProvider) -> None:
    patient.get(ADD, body=body(provider.url("slow"), auth_type="passthrough"))
    with run_gateway(patient.settings) as other, credentials_under_way(patient, provider) as sent:
        other.get(CHANGE, provider_name="swap", body=body(provider.url("open"), auth_type="none"))
        provider.release.set()
        answer = sent.result(WAIT_S)
    assert answer.status_code == 409
    assert answer.json()["detail"] == "The provider's endpoint was changed meanwhile; send the credentials again"
    assert rows(patient)["swap"].sealed_key is None


def test_new_endpoint_does_not_discard_credentials_that_are_on_their_way(
    patient: Gateway, provider: FakeProvider
) -> None:
    """They were acknowledged, and the caller of the new endpoint does not know of them."""
    patient.get(ADD, body=body(provider.url("slow"), auth_type="passthrough"))
    turns = patient.app.state.parts.turns
    with credentials_under_way(patient, provider) as sent, ThreadPoolExecutor(1) as pool:
        moved = body(provider.url("open"), auth_type="api_key")
        change = pool.submit(patient.call, CHANGE, provider_name="swap", body=moved)
        wait_for(lambda: 2 in turns.waiting.values())
        provider.release.set()
        assert (sent.result(WAIT_S).status_code, change.result(WAIT_S).status_code) == (204, 409)
    assert "send the new endpoint first" in change.result().json()["detail"]
    stored = rows(patient)["swap"]
    assert (stored.endpoint, stored.sealed_key is not None) == (provider.url("slow"), True)


@pytest.mark.parametrize("change", [{"endpoint": "/other"}, {"provider_type": "anthropic"}], ids=str)
def test_changed_address_never_gets_the_old_key(
    gateway: Gateway, provider: FakeProvider, change: dict[str, str]
) -> None:
    gateway.get(ADD, body=body(provider.url("openai"), **CREDENTIALS))
    provider.requests.clear()
    address = provider.url("openai") + change.get("endpoint", "")
    moved = body(address, auth_type="api_key", provider_type=change.get("provider_type", "openai"))
    assert gateway.get(CHANGE, provider_name="swap", body=moved)["endpoint"] == address
    gateway.get(CHANGE, provider_name="swap", body=moved)
    assert rows(gateway)["swap"].sealed_key is None
    assert provider.requests == []
    listed = gateway.get("v1_list_models_by_provider", provider_name="swap")
    assert [model["name"] for model in listed] == MODELS  # rules for these models are kept until the key comes


def test_slash_at_the_end_is_the_same_address(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.get(ADD, body=body(provider.url("openai"), **CREDENTIALS))
    gateway.get(CHANGE, provider_name="swap", body=body(provider.url("openai") + "/", auth_type="api_key"))
    assert rows(gateway)["swap"].sealed_key
