"""The key file and the database belong together: no new key, and no request without credentials, in silence."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from apis.tests.contract.gateway.gateway import Gateway, run_gateway, settings_for
from apis.tests.contract.gateway.postgres import Cluster
from apis.tests.contract.gateway.providers import KEY, FakeProvider
from gateway_api.errors import SetupError
from gateway_api.sealing import fingerprint_of
from gateway_api.tables import gateway_facts

CHANGE = "v1_update_provider_endpoint"


def body(provider: FakeProvider, **fields: Any) -> dict[str, Any]:
    return {
        "name": "mine",
        "provider_type": "openai",
        "endpoint": provider.url("openai"),
        "auth_type": "api_key",
    } | fields


def add(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.get("v1_add_provider_endpoint", body=body(provider, api_key=KEY))
    provider.requests.clear()


def test_missing_file_stops_the_start_and_is_named(tmp_path: Path, provider: FakeProvider) -> None:
    settings = settings_for(tmp_path)
    with run_gateway(settings) as gateway:
        add(gateway, provider)
    key = settings.key_file.read_bytes()
    settings.key_file.unlink()
    with (
        pytest.raises(SetupError, match=r"The key file .*auth-material\.key is missing") as caught,
        run_gateway(settings),
    ):
        pass
    assert str(settings.key_file) in str(caught.value)
    assert fingerprint_of(key) in str(caught.value)
    assert not settings.key_file.exists()


def test_other_file_stops_the_start_and_is_named(tmp_path: Path, provider: FakeProvider) -> None:
    settings = settings_for(tmp_path)
    with run_gateway(settings) as gateway:
        add(gateway, provider)
    settings.key_file.write_bytes(os.urandom(32))
    with pytest.raises(SetupError, match="holds another key") as caught, run_gateway(settings):
        pass
    assert str(settings.key_file) in str(caught.value)


@pytest.mark.parametrize("kind", ["Is a directory", "Is not a regular file"])
def test_what_is_no_file_stops_the_start_and_is_named(tmp_path: Path, kind: str) -> None:
    settings = settings_for(tmp_path)
    if kind == "Is a directory":
        settings.key_file.mkdir()
    else:
        os.mkfifo(settings.key_file)
    with pytest.raises(SetupError, match=f"cannot be used: {kind}") as caught, run_gateway(settings):
        pass
    assert str(settings.key_file) in str(caught.value)


def test_keys_of_a_release_without_fingerprints_are_tried(tmp_path: Path, provider: FakeProvider) -> None:
    settings = settings_for(tmp_path)
    with run_gateway(settings) as gateway:
        add(gateway, provider)
        with gateway.database.writing() as connection:
            connection.execute(gateway_facts.delete())
    key = settings.key_file.read_bytes()
    settings.key_file.write_bytes(os.urandom(32))
    with pytest.raises(SetupError, match="holds another key"), run_gateway(settings):
        pass
    settings.key_file.unlink()
    with pytest.raises(SetupError, match="is missing"), run_gateway(settings):
        pass
    settings.key_file.write_bytes(key)
    settings.key_file.chmod(0o600)
    with run_gateway(settings) as gateway:
        gateway.get(CHANGE, provider_name="mine", body=body(provider))
    assert [headers["authorization"] for _, headers in provider.requests] == [f"Bearer {KEY}"]


@pytest.mark.parametrize("what", ["missing", "replaced"])
def test_file_that_goes_while_the_gateway_runs_is_named_and_nobody_is_asked(
    tmp_path: Path, provider: FakeProvider, what: str
) -> None:
    with run_gateway(settings_for(tmp_path)) as gateway:
        add(gateway, provider)
        key_file = gateway.settings.key_file
        if what == "missing":
            key_file.unlink()
        else:
            key_file.write_bytes(os.urandom(32))
        for answer in (
            gateway.call(CHANGE, provider_name="mine", body=body(provider)),
            gateway.call("v1_add_provider_endpoint", body=body(provider, name="second", api_key=KEY)),
        ):
            assert answer.status_code == 503
            assert f"The key file {key_file}" in answer.json()["detail"]
            assert what in answer.json()["detail"]
        assert not any(path for path, headers in provider.requests if "authorization" not in headers)
        assert len(gateway.get("v1_list_provider_endpoints")) == 1


def test_all_keys_can_be_forgotten(tmp_path: Path, provider: FakeProvider) -> None:
    settings = settings_for(tmp_path)
    with run_gateway(settings) as gateway:
        add(gateway, provider)
    settings.key_file.unlink()
    with run_gateway(settings_for(tmp_path, forgets_api_keys=True)) as gateway:
        gateway.get(CHANGE, provider_name="mine", body=body(provider))
        assert provider.requests == []  # without a key nobody is asked
    with run_gateway(settings):
        pass


def test_servers_with_one_key_share_a_database_wherever_their_folders_are(
    tmp_path: Path, provider: FakeProvider, cluster: Cluster
) -> None:
    url = cluster.fresh_database()
    first, second, third = (settings_for(tmp_path / name, url) for name in ("one", "two", "three"))
    with run_gateway(first) as gateway:
        add(gateway, provider)
        with pytest.raises(SetupError, match="is missing"), run_gateway(second):
            pass
        third.data_dir.mkdir()
        shutil.copy(first.key_file, third.key_file)
        with run_gateway(third) as other:
            other.get(CHANGE, provider_name="mine", body=body(provider))
    assert [headers["authorization"] for _, headers in provider.requests] == [f"Bearer {KEY}"]


def test_key_that_a_second_start_has_forgotten_is_not_used_any_more(tmp_path: Path, provider: FakeProvider) -> None:
    settings = settings_for(tmp_path)
    with run_gateway(settings) as gateway:
        with gateway.database.writing() as connection:
            connection.execute(gateway_facts.update().values(value="0" * 16))
        answer = gateway.call("v1_add_provider_endpoint", body=body(provider, api_key=KEY))
        assert (answer.status_code, "restart the gateway" in answer.json()["detail"]) == (503, True)
        assert gateway.get("v1_list_provider_endpoints") == []
