"""Rules of providers: names, credentials, discovery of models."""

from __future__ import annotations

import json
import logging
import stat
from pathlib import Path
from typing import Any

import pytest

from apis.tests.contract.gateway.gateway import Gateway, run_gateway, settings_for
from apis.tests.contract.gateway.providers import KEY, MODELS, FakeProvider
from gateway_api.errors import KeyFileError
from gateway_api.sealing import Seal
from gateway_api.tables import providers as table

ADD, CHANGE = "v1_add_provider_endpoint", "v1_update_provider_endpoint"
SIGN_IN = "v1_configure_auth_material"


def body(endpoint: str, type_: str = "openai", **fields: Any) -> dict[str, Any]:
    return {"name": "mine", "provider_type": type_, "endpoint": endpoint} | fields


def with_key(endpoint: str, type_: str = "openai") -> dict[str, Any]:
    return body(endpoint, type_, auth_type="api_key", api_key=KEY)


def logged(caplog: pytest.LogCaptureFixture, event: str) -> list[dict[str, Any]]:
    """Read the lines of the log about one kind of event."""
    return [line for line in map(json.loads, caplog.messages) if line.get("event") == event]


def models(gateway: Gateway, name: str = "mine") -> list[str]:
    return [model["name"] for model in gateway.get("v1_list_models_by_provider", provider_name=name)]


def stored_row(gateway: Gateway) -> Any:
    with gateway.database.reading() as connection:
        return connection.execute(table.select()).one()


@pytest.mark.parametrize(
    ("type_", "kind", "path", "header"),
    [
        ("openai", "openai", "/openai/v1/models", ("authorization", f"Bearer {KEY}")),
        ("openrouter", "openai", "/openai/v1/models", ("authorization", f"Bearer {KEY}")),
        ("lm_studio", "openai", "/openai/v1/models", ("authorization", f"Bearer {KEY}")),
        ("vllm", "openai", "/openai/v1/models", ("authorization", f"Bearer {KEY}")),
        ("anthropic", "anthropic", "/anthropic/v1/models", ("x-api-key", KEY)),
        ("ollama", "ollama", "/ollama/api/tags", ("authorization", f"Bearer {KEY}")),
    ],
)
def test_models_are_asked_as_each_kind_of_provider_expects(
    gateway: Gateway, provider: FakeProvider, type_: str, kind: str, path: str, header: tuple[str, str]
) -> None:
    made = gateway.get(ADD, body=with_key(provider.url(kind), type_))
    assert made["endpoint"] == provider.url(kind)
    assert models(gateway) == MODELS
    asked, headers = provider.requests[-1]
    assert asked == path
    assert headers[header[0]] == header[1]


def test_no_credentials_are_sent_where_there_are_none(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.get(ADD, body=body(provider.url("ollama"), "ollama"))
    _, headers = provider.requests[-1]
    assert not {"authorization", "x-api-key"} & headers.keys()


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("openai", "it refused the credentials (status 401)"),
        ("elsewhere", "it redirects to another host, which must not get the API key"),
        ("circle", "it redirects too often"),
        ("broken", "its answer is not a list of models"),
        ("huge", "its answer is larger than 8388608 bytes"),
        ("missing", "it has no list of models at this endpoint (status 404)"),
        (
            "missing/v1",
            "it has no list of models at this endpoint (status 404); leave out /v1 at the end of the endpoint",
        ),
    ],
)
def test_provider_that_lists_no_models_is_refused_and_not_stored(
    gateway: Gateway, provider: FakeProvider, caplog: pytest.LogCaptureFixture, kind: str, reason: str
) -> None:
    with caplog.at_level(logging.INFO, "gateway_api"):
        answer = gateway.call(ADD, body=body(provider.url(kind)) | {"auth_type": "api_key", "api_key": "wrong"})
    assert (answer.status_code, answer.json()) == (401, {"detail": f"Could not list models of the provider: {reason}"})
    assert gateway.get("v1_list_provider_endpoints") == []
    assert [told["reason"] for told in logged(caplog, "models_not_listed")] == [reason]


@pytest.mark.parametrize("endpoint", ["nonsense", "http://", "ftp://127.0.0.1", "http://127.0.0.1:1", "https://api.example", "http://[", "http://127.0.0.1:99999"])  # fmt: skip
def test_wrong_addresses_are_refused(gateway: Gateway, endpoint: str) -> None:
    assert gateway.call(ADD, body=body(endpoint)).status_code == 401


def test_key_does_not_follow_a_redirect_to_another_host(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.call(ADD, body=with_key(provider.url("elsewhere")))
    assert [path for path, _ in provider.requests] == ["/elsewhere/v1/models"]


def test_redirect_on_the_same_host_is_followed(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.get(ADD, body=with_key(provider.url("moved")))
    assert models(gateway) == MODELS


def test_provider_that_does_not_answer_in_time_is_given_up(tmp_path: Path, provider: FakeProvider) -> None:
    with run_gateway(settings_for(tmp_path, provider_timeout_s=0.2)) as gateway:
        answer = gateway.call(ADD, body=with_key(provider.url("slow")))
        reason = "it did not answer within 0.2 s"
        assert (answer.status_code, answer.json()) == (
            401,
            {"detail": f"Could not list models of the provider: {reason}"},
        )
        assert gateway.get("v1_list_provider_endpoints") == []
    assert not provider.release.is_set()


def test_passthrough_is_never_contacted_and_has_no_models(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.get(ADD, body=body(provider.url("open"), auth_type="passthrough"))
    assert (models(gateway), provider.requests) == ([], [])


def test_local_models_are_files(gateway: Gateway) -> None:
    asked = body("http://unused", "llamacpp")
    assert gateway.call(ADD, body=asked).status_code == 401
    folder = gateway.settings.models_dir
    folder.mkdir(exist_ok=True)
    try:
        for name in ("qwen.gguf", "all-minilm-L6-v2-q5_k_m.gguf", "notes.txt"):
            (folder / name).touch()
        gateway.get(ADD, body=asked)
        assert models(gateway) == ["qwen"]
    finally:
        for path in folder.iterdir():
            path.unlink()


@pytest.mark.parametrize(("type_", "address"), [("openai", "https://api.openai.com"), ("anthropic", "https://api.anthropic.com")])  # fmt: skip
def test_public_addresses_are_filled_in(gateway: Gateway, type_: str, address: str) -> None:
    made = gateway.get(ADD, body=body("", type_, auth_type="passthrough"))
    assert made["endpoint"] == address


@pytest.mark.parametrize("type_", ["ollama", "vllm", "lm_studio", "llamacpp", "openrouter"])
def test_other_kinds_need_an_address(gateway: Gateway, type_: str) -> None:
    answer = gateway.call(ADD, body=body("", type_, auth_type="passthrough"))
    assert (answer.status_code, answer.json()["detail"]) == (400, "An endpoint is required for this provider type")


@pytest.mark.parametrize(
    "endpoint",
    [
        *(
            f"{start}{KEY}@127.0.0.1/"
            for start in ("http://", "https://user:", " HTTP://user:", "http:///", "//", "", "user:", "\\\\")
        ),
        *(f"http://127.0.0.1{end}{KEY}" for end in ("/?key=", "?", "/v1#", "/a@b?")),
    ],
)
@pytest.mark.parametrize("auth_type", ["none", "passthrough"])
def test_secret_in_an_address_is_refused_because_addresses_are_returned(
    sqlite_shared: Gateway, endpoint: str, auth_type: str
) -> None:
    """Whether the provider is asked for its models or not, when it is added and when it is changed."""
    said = "An endpoint has no user, password, ? or #; send credentials as the API key"
    body = {"name": "local", "provider_type": "vllm", "endpoint": endpoint, "auth_type": auth_type}
    for operation, names in ((ADD, {}), (CHANGE, {"provider_name": "nobody"})):
        answer = sqlite_shared.call(operation, body=body, **names)
        assert (answer.status_code, answer.json()["detail"]) == (400, said)


@pytest.mark.parametrize(
    "stored",
    ["http://user:hidden@127.0.0.1:9/v", "http://127.0.0.1:9/v?key=hidden", "http://127.0.0.1:9/v#hidden", "//hidden@127.0.0.1:9/v"],
)  # fmt: skip
def test_secret_in_a_stored_address_is_not_returned(gateway: Gateway, stored: str) -> None:
    """Former versions took such addresses."""
    gateway.add_provider("http://127.0.0.1:1/", auth_type="passthrough")
    with gateway.database.writing() as connection:
        connection.execute(table.update().values(endpoint=stored))
    answers = [
        gateway.get("v1_get_provider_endpoint", provider_name="local"),
        *gateway.get("v1_list_provider_endpoints"),
        *gateway.get("v1_list_provider_endpoints", name="local"),
    ]
    assert len(answers) == 3
    assert {answer["endpoint"].removeprefix("http:") for answer in answers} == {"//127.0.0.1:9/v"}


def test_address_may_have_an_at_sign_in_its_path(gateway: Gateway) -> None:
    assert gateway.add_provider("http://127.0.0.1:1/team@home/", auth_type="passthrough")["endpoint"].endswith("home/")


def test_all_violations_are_listed(gateway: Gateway) -> None:
    answer = gateway.call(ADD, body={"name": "ab", "provider_type": "other", "auth_type": 1, "api_key": [KEY]})
    assert {(*found["loc"],) for found in answer.json()["detail"]} == {
        ("body", "name"),
        ("body", "provider_type"),
        ("body", "auth_type"),
        ("body", "api_key"),
    }
    assert KEY not in answer.text


def test_id_is_the_servers(gateway: Gateway, provider: FakeProvider) -> None:
    made = gateway.get(ADD, body=body(provider.url("open"), id="mine-own"))
    assert len(made["id"]) == 36
    changed = gateway.get(CHANGE, provider_name="mine", body=body(provider.url("open"), id="another", name="new"))
    assert (changed["id"], changed["name"]) == (made["id"], "new")


def test_filter_finds_exactly_one(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.get(ADD, body=body(provider.url("open")))
    gateway.get(ADD, body=body(provider.url("open"), name="MINE"))
    listed = gateway.get("v1_list_provider_endpoints")
    assert [entry["name"] for entry in listed] == ["mine", "MINE"]
    assert gateway.get("v1_list_provider_endpoints", query={"name": "mine"}) == listed[:1]


@pytest.mark.parametrize("name", ["a/b", "../..", "%2F", "ü 🦊", "a\0b", " x ", "?#&", "\uffff0\uffff", "a" * 3000])
def test_any_name_can_be_asked_for(gateway: Gateway, name: str) -> None:
    made = gateway.get(ADD, body=body("http://x", name=name, auth_type="passthrough"))
    assert gateway.get("v1_get_provider_endpoint", provider_name=name) == made
    gateway.get("v1_delete_provider_endpoint", provider_name=name)


def test_the_name_of_the_list_of_models_is_reserved(gateway: Gateway) -> None:
    assert gateway.call(ADD, body=body("http://x", name="models", auth_type="passthrough")).status_code == 400


def test_models_of_all_providers_are_listed_from_storage(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.get(ADD, body=body(provider.url("open")))
    provider.requests.clear()
    assert gateway.get("v1_list_all_models_for_all_providers") == [
        {"name": name, "provider_type": "openai", "provider_name": "mine"} for name in MODELS
    ]
    assert provider.requests == []


class TestCredentials:
    def test_key_is_in_no_answer_and_sealed_at_rest(self, gateway: Gateway, provider: FakeProvider) -> None:
        gateway.get(ADD, body=with_key(provider.url("openai")))  # every answer is searched for the key
        gateway.get("v1_list_provider_endpoints")
        row = stored_row(gateway)
        assert KEY.encode() not in row.sealed_key
        key_file = gateway.settings.key_file
        assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
        seal = Seal(key_file.read_bytes(), key_file)
        assert seal.open(row.sealed_key, owner=row.public_id) == KEY
        with pytest.raises(KeyFileError):
            seal.open(row.sealed_key, owner="another provider")

    def test_stored_key_refreshes_models(self, gateway: Gateway, provider: FakeProvider) -> None:
        gateway.get(ADD, body=with_key(provider.url("openai")))
        provider.models = ["model-c"]
        gateway.get(CHANGE, provider_name="mine", body=body(provider.url("openai"), auth_type="api_key"))
        assert models(gateway) == ["model-c"]

    def test_failing_refresh_does_not_fail_the_update(
        self, gateway: Gateway, provider: FakeProvider, caplog: pytest.LogCaptureFixture
    ) -> None:
        gateway.get(ADD, body=body(provider.url("open")))
        with caplog.at_level(logging.INFO, "gateway_api"):
            changed = gateway.get(CHANGE, provider_name="mine", body=body(provider.url("broken"), description="New."))
        assert changed["description"] == "New."
        assert models(gateway) == MODELS
        (told,) = logged(caplog, "models_not_refreshed")
        assert (told["provider_id"], told["reason"]) == (changed["id"], "its answer is not a list of models")

    def test_update_falls_back_to_defaults(self, gateway: Gateway, provider: FakeProvider) -> None:
        gateway.get(ADD, body=with_key(provider.url("openai")) | {"description": "Old."})
        changed = gateway.get(CHANGE, provider_name="mine", body=body(provider.url("openai")))
        assert (changed["description"], changed["auth_type"]) == ("", "none")
        assert stored_row(gateway).sealed_key is None

    def test_new_credentials_refresh_models(self, gateway: Gateway, provider: FakeProvider) -> None:
        gateway.get(ADD, body=body(provider.url("openai"), auth_type="passthrough"))
        gateway.get(SIGN_IN, provider_name="mine", body={"auth_type": "api_key", "api_key": KEY})
        assert gateway.get("v1_get_provider_endpoint", provider_name="mine")["auth_type"] == "api_key"
        assert models(gateway) == MODELS

    def test_refused_credentials_leave_the_old_ones(self, gateway: Gateway, provider: FakeProvider) -> None:
        gateway.get(ADD, body=with_key(provider.url("openai")))
        before = stored_row(gateway)
        answer = gateway.call(SIGN_IN, provider_name="mine", body={"auth_type": "api_key", "api_key": "wrong"})
        assert answer.status_code == 401
        assert stored_row(gateway) == before

    def test_passthrough_empties_the_models_and_forgets_the_key(self, gateway: Gateway, provider: FakeProvider) -> None:
        gateway.get(ADD, body=with_key(provider.url("openai")))
        gateway.get(SIGN_IN, provider_name="mine", body={"auth_type": "passthrough"})
        assert models(gateway) == []
        assert stored_row(gateway).sealed_key is None

    def test_key_file_that_others_may_read_stops_the_start(self, tmp_path: Path) -> None:
        settings = settings_for(tmp_path)
        with run_gateway(settings):
            settings.key_file.chmod(0o644)
        with pytest.raises(Exception, match="Others may read the key file"), run_gateway(settings):
            pass
