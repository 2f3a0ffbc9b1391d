"""What the operations do, in one process: requests go in, and what a provider answers is decided by the test."""

from __future__ import annotations

import json
import logging
import threading
import time

import httpx
import pytest
from sqlalchemy import select

from apis.tests.unit.gateway.api_server import BASE, Server, provider, with_key
from gateway_api.store import providers as store
from gateway_api.tables import former_names, providers
from gateway_api.values.names import RESERVED_PROVIDER

KEY, OTHER_KEY = "sk-kiln", "sk-wheel"
WAIT_S = 30
NOT_FOUND = {"detail": "Provider endpoint not found"}


class TestAddingProviders:
    @pytest.mark.costly
    def test_provider_is_stored_with_the_models_that_it_lists(self, server: Server) -> None:
        added = server.add(description="The machine in the rack")
        assert added == provider(description="The machine in the rack") | {"id": added["id"]}
        assert len(added["id"]) == 36
        assert server.asked == [("http://box.example/v1/models", None)]
        assert server.client.get(f"{BASE}/box").json() == added
        assert server.client.get(BASE).json() == [added]
        assert server.client.get(f"{BASE}?name=box").json() == [added]
        models = [{"name": name, "provider_type": "vllm", "provider_name": "box"} for name in ("a", "b")]
        assert server.client.get(f"{BASE}/box/models").json() == models
        assert server.client.get(f"{BASE}/models").json() == models

    def test_key_is_sent_stored_and_never_shown(self, server: Server) -> None:
        added = server.add(auth_type="api_key", api_key=KEY)
        assert server.asked == [("http://box.example/v1/models", f"Bearer {KEY}")]
        assert server.key() == KEY
        assert "api_key" not in added
        assert KEY not in server.client.get(BASE).text

    @pytest.mark.parametrize("auth_type", ["none", "passthrough"])
    def test_key_of_a_provider_without_one_is_dropped(self, server: Server, auth_type: str) -> None:
        server.add(auth_type=auth_type, api_key=KEY)
        assert server.key() is None
        assert not any(sent for _, sent in server.asked)
        assert server.names() == (["a", "b"] if auth_type == "none" else [])

    @pytest.mark.parametrize(
        ("fields", "address"),
        [
            ({"provider_type": "openai"}, "https://api.openai.com"),
            ({"provider_type": "anthropic"}, "https://api.anthropic.com"),
            ({"provider_type": "openai", "endpoint": "http://own.example/"}, "http://own.example/"),
        ],
    )
    def test_known_types_have_an_address(self, server: Server, fields: dict[str, str], address: str) -> None:
        assert server.add(**{"endpoint": ""} | fields)["endpoint"] == address
        assert server.asked[0][0] == f"{address.rstrip('/')}/v1/models"

    @pytest.mark.parametrize(
        ("fields", "status", "said"),
        [
            ({"endpoint": ""}, 400, "An endpoint is required for this provider type"),
            ({"auth_type": "api_key"}, 400, "API key must be provided for API auth type"),
            ({"auth_type": "api_key", "api_key": ""}, 400, "API key must be provided for API auth type"),
            ({"name": "rack"}, 409, "A provider named rack already exists"),
            *(
                (
                    {"endpoint": endpoint},
                    400,
                    "An endpoint has no user, password, ? or #; send credentials as the API key",
                )
                for endpoint in (
                    "http://me:secret@box.example",
                    "http://box.example/?key=secret",
                    "http://box.example/#secret",
                    "me@box.example",
                    "//me@box.example",
                )
            ),
        ],
    )
    def test_what_is_refused_asks_nobody_and_stores_nothing(
        self, server: Server, fields: dict[str, str], status: int, said: str
    ) -> None:
        server.add("rack")
        server.asked.clear()
        answer = server.client.post(BASE, json=provider() | fields)
        assert answer.status_code == status
        assert answer.json() == {"detail": said}
        assert server.asked == []
        assert server.listed() == ["rack"]

    def test_address_with_an_at_sign_in_its_path_is_no_secret(self, server: Server) -> None:
        assert server.add(endpoint="http://box.example/@team")["endpoint"] == "http://box.example/@team"

    def test_provider_that_lists_no_models_is_not_stored(
        self, server: Server, caplog: pytest.LogCaptureFixture
    ) -> None:
        server.status = 403
        with caplog.at_level(logging.INFO, "gateway_api"):
            answer = server.client.post(BASE, json=with_key(api_key=KEY))
        said = "it refused the credentials (status 403)"
        assert (answer.status_code, answer.json()) == (
            401,
            {"detail": f"Could not list models of the provider: {said}"},
        )
        assert server.listed() == []
        assert {"models_not_listed", said} <= {value for line in caplog.messages for value in json.loads(line).values()}

    def test_name_that_is_taken_meanwhile_is_refused(self, server: Server) -> None:
        server.meanwhile = lambda: take_name(server, "box")
        answer = server.client.post(BASE, json=provider())
        assert (answer.status_code, answer.json()) == (409, {"detail": "A provider named box already exists"})
        assert server.listed() == ["box"]


def take_name(server: Server, name: str) -> None:
    """Store a provider past the API, as another server would."""
    with server.database.writing() as connection:
        found = store.ProviderEndpoint.model_validate(provider(name))
        store.add_provider(connection, found, public_id=store.make_public_id(), sealed_key=None)


class TestChangingProviders:
    def test_all_fields_but_the_id_are_replaced_and_models_are_listed_again(self, server: Server) -> None:
        added = server.add()
        server.models = ["c"]
        changed = provider("rack", provider_type="openai", endpoint="http://rack.example", description="d")
        answer = server.client.put(f"{BASE}/box", json=changed | {"id": "mine"})
        assert (answer.status_code, answer.json()) == (200, changed | {"id": added["id"]})
        assert server.names("rack") == ["c"]
        assert server.listed() == ["rack"]
        for name in ("box", "nobody"):
            assert server.client.get(f"{BASE}/{name}").json() == NOT_FOUND
            assert server.client.get(f"{BASE}/{name}/models").json() == NOT_FOUND
            answer = server.client.put(f"{BASE}/{name}", json=provider())
            assert (answer.status_code, answer.json()) == (404, NOT_FOUND)

    def test_stored_key_is_used_for_its_address_and_kept(self, server: Server) -> None:
        server.add(auth_type="api_key", api_key=KEY)
        server.models = ["c"]
        for endpoint in ("http://box.example/", "http://box.example"):
            assert server.client.put(f"{BASE}/box", json=with_key(endpoint=endpoint)).status_code == 200
            assert server.asked[-1] == ("http://box.example/v1/models", f"Bearer {KEY}")
        assert server.key() == KEY
        assert server.names() == ["c"]

    @pytest.mark.parametrize("change", [{"endpoint": "http://other.example"}, {"provider_type": "openai"}])
    def test_key_goes_to_no_other_address(self, server: Server, change: dict[str, str]) -> None:
        server.add(auth_type="api_key", api_key=KEY)
        server.asked.clear()
        server.models = ["c"]
        assert server.client.put(f"{BASE}/box", json=with_key() | change).status_code == 200
        assert server.asked == []
        assert server.key() is None
        assert server.names() == ["a", "b"]

    @pytest.mark.parametrize("auth_type", ["none", "passthrough"])
    def test_provider_that_needs_no_key_any_more_loses_it(self, server: Server, auth_type: str) -> None:
        server.add(auth_type="api_key", api_key=KEY)
        server.asked.clear()
        server.client.put(f"{BASE}/box", json=provider(auth_type=auth_type))
        assert server.key() is None
        assert not any(sent for _, sent in server.asked)
        assert server.names() == (["a", "b"] if auth_type == "none" else [])
        server.asked.clear()
        server.client.put(f"{BASE}/box", json=with_key())  # it needs one again, which is sent next
        assert (server.asked, server.key()) == ([], None)

    def test_models_are_kept_where_they_cannot_be_listed(
        self, server: Server, caplog: pytest.LogCaptureFixture
    ) -> None:
        added = server.add()
        server.status = 500
        with caplog.at_level(logging.INFO, "gateway_api"):
            answer = server.client.put(f"{BASE}/box", json=provider(description="changed"))
        assert (answer.status_code, answer.json()["description"]) == (200, "changed")
        assert server.names() == ["a", "b"]
        found = [json.loads(line) for line in caplog.messages]
        (line,) = [one for one in found if one["event"] == "models_not_refreshed"]
        assert (line["provider_id"], line["reason"]) == (added["id"], "it answered with status 500")

    @pytest.mark.parametrize(
        ("fields", "status"), [({"name": "rack"}, 409), ({"endpoint": ""}, 400), ({"endpoint": "http://a@b"}, 400)]
    )
    def test_what_is_refused_changes_nothing(self, server: Server, fields: dict[str, str], status: int) -> None:
        server.add("rack")
        added = server.add()
        assert server.client.put(f"{BASE}/box", json=provider() | fields).status_code == status
        assert server.client.get(f"{BASE}/box").json() == added

    def test_reserved_name_is_refused(self, server: Server) -> None:
        server.add()
        for answer in (
            server.client.put(f"{BASE}/box", json=provider(RESERVED_PROVIDER)),
            server.client.post(BASE, json=provider(RESERVED_PROVIDER)),
        ):
            assert (answer.status_code, answer.json()) == (
                400,
                {"detail": f"Provider name {RESERVED_PROVIDER} is reserved"},
            )

    def test_provider_that_is_deleted_meanwhile_is_not_found(self, server: Server) -> None:
        server.add()

        def delete() -> None:
            with server.database.writing() as connection:
                store.delete_provider(connection, "box")
            take_name(server, "box")

        server.meanwhile = delete
        answer = server.client.put(f"{BASE}/box", json=provider("rack"))
        assert (answer.status_code, answer.json()) == (404, NOT_FOUND)
        assert server.listed() == ["box"]

    def test_key_that_comes_meanwhile_is_not_deleted_in_silence(self, server: Server) -> None:
        """The old key cannot be used for the new address; one that has just come may be meant for it."""
        added = server.add(auth_type="api_key", api_key=KEY)
        moved: list[httpx.Response] = []

        def move() -> None:
            moved.append(server.client.put(f"{BASE}/box", json=with_key(endpoint="http://other.example")))

        mover = threading.Thread(target=move)

        def store_other() -> None:
            mover.start()
            waiting = server.app.state.parts.turns.waiting
            deadline = time.monotonic() + WAIT_S
            while max(waiting.values()) < 2:  # the second change has read its provider, and waits for the first
                assert time.monotonic() < deadline
            with server.database.writing() as connection:
                row_id = store.get_provider(connection, "box").row_id
                sealed = server.app.state.parts.seal.close(OTHER_KEY, owner=added["id"])
                store.set_auth_material(connection, row_id, store.ProviderAuthType.API_KEY, sealed)

        server.meanwhile = store_other
        assert server.client.put(f"{BASE}/box", json=with_key()).status_code == 200
        mover.join(WAIT_S)
        assert (moved[0].status_code, moved[0].json()) == (
            409,
            {"detail": "Other credentials were stored meanwhile; send the new endpoint first, then the credentials"},
        )
        assert server.key() == OTHER_KEY
        assert server.client.get(f"{BASE}/box").json()["endpoint"] == "http://box.example"

    def test_deletion(self, server: Server) -> None:
        server.add()
        assert server.client.delete(f"{BASE}/box").status_code == 204
        assert server.listed() == []
        answer = server.client.delete(f"{BASE}/box")
        assert (answer.status_code, answer.json()) == (404, NOT_FOUND)

    def test_name_may_have_a_slash(self, server: Server) -> None:
        server.add("team/box")
        assert server.client.get(f"{BASE}/team%2Fbox").json()["name"] == "team/box"
        assert server.names("team%2fbox") == ["a", "b"]
        assert server.client.delete(f"{BASE}/team%2Fbox").status_code == 204

    def test_secrets_in_an_address_of_an_earlier_release_are_not_shown(self, server: Server) -> None:
        server.add()
        for stored, shown in (
            ("http://me:secret@box.example/v1?key=1#x", "http://box.example/v1"),
            ("http://box.example?key=1", "http://box.example"),
            ("me@box.example", "box.example"),
            ("http://box.example/@team", "http://box.example/@team"),
        ):
            with server.database.writing() as connection:
                connection.execute(providers.update().values(endpoint=stored))
            assert server.client.get(f"{BASE}/box").json()["endpoint"] == shown
            assert server.client.get(BASE).json()[0]["endpoint"] == shown


class TestCredentials:
    def test_key_is_stored_after_the_provider_has_listed_its_models(self, server: Server) -> None:
        server.add()
        server.models = ["c"]
        answer = server.client.put(f"{BASE}/box/auth-material", json={"auth_type": "api_key", "api_key": KEY})
        assert (answer.status_code, answer.content) == (204, b"")
        assert server.asked[-1] == ("http://box.example/v1/models", f"Bearer {KEY}")
        assert server.key() == KEY
        assert server.names() == ["c"]
        assert server.client.get(f"{BASE}/box").json()["auth_type"] == "api_key"
        answer = server.client.put(f"{BASE}/box/auth-material", json={"auth_type": "none"})
        assert answer.status_code == 204
        assert server.key() is None
        assert server.client.get(f"{BASE}/box").json()["auth_type"] == "none"

    def test_key_that_the_provider_refuses_is_not_stored(self, server: Server) -> None:
        server.add(auth_type="api_key", api_key=KEY)
        server.status = 401
        answer = server.client.put(f"{BASE}/box/auth-material", json={"auth_type": "api_key", "api_key": OTHER_KEY})
        assert answer.status_code == 401
        assert server.key() == KEY
        assert server.names() == ["a", "b"]

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ({"auth_type": "api_key"}, "API key must be provided for API auth type"),
            ({"auth_type": "api_key", "api_key": ""}, "API key must be provided for API auth type"),
            ({"auth_type": "none", "api_key": KEY}, "API key cannot be provided for this auth type"),
            ({"auth_type": "passthrough", "api_key": KEY}, "API key cannot be provided for this auth type"),
        ],
    )
    def test_key_and_type_must_fit(self, server: Server, body: dict[str, str], said: str) -> None:
        server.add()
        answer = server.client.put(f"{BASE}/box/auth-material", json=body)
        assert (answer.status_code, answer.json()) == (400, {"detail": said})

    def test_former_name_is_known_for_a_few_seconds(self, server: Server) -> None:
        server.add()
        server.client.put(f"{BASE}/box", json=provider("rack"))
        body = {"auth_type": "api_key", "api_key": KEY}
        assert server.client.put(f"{BASE}/box/auth-material", json=body).status_code == 204
        assert server.key("rack") == KEY
        with server.database.writing() as connection:
            connection.execute(former_names.delete())
        for name in ("box", "nobody"):
            answer = server.client.put(f"{BASE}/{name}/auth-material", json=body)
            assert (answer.status_code, answer.json()) == (404, NOT_FOUND)

    def test_unchanged_name_is_not_a_former_one(self, server: Server) -> None:
        server.add()
        server.client.put(f"{BASE}/box", json=provider(description="d"))
        with server.database.reading() as connection:
            assert connection.execute(select(former_names)).all() == []

    def test_address_that_changes_meanwhile_gets_no_key(self, server: Server) -> None:
        server.add()

        def move() -> None:
            with server.database.writing() as connection:
                connection.execute(providers.update().values(endpoint="http://other.example"))

        server.meanwhile = move
        answer = server.client.put(f"{BASE}/box/auth-material", json={"auth_type": "api_key", "api_key": KEY})
        assert (answer.status_code, answer.json()) == (
            409,
            {"detail": "The provider's endpoint was changed meanwhile; send the credentials again"},
        )
        assert server.key() is None

    def test_key_file_that_has_gone_is_said(self, server: Server) -> None:
        server.add(auth_type="api_key", api_key=KEY)
        server.settings.key_file.unlink()
        said = f"The key file {server.settings.key_file} is missing; restore it from a backup"
        for answer in (
            server.client.put(f"{BASE}/box", json=with_key()),
            server.client.post(BASE, json=with_key("rack", api_key=KEY)),
            server.client.put(f"{BASE}/box/auth-material", json={"auth_type": "api_key", "api_key": KEY}),
        ):
            assert (answer.status_code, answer.json()) == (503, {"detail": said})
        assert server.listed() == ["box"]
