"""Every operation, and every status that the contract lists, reached by honest use and honest misuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from apis.tests.contract.gateway.exchanges import gpt_usage, make_alert, make_exchange
from apis.tests.contract.gateway.gateway import OPERATIONS, Gateway
from apis.tests.contract.gateway.providers import KEY, FakeProvider
from gateway_api.tables import metadata

PROVIDERS, WORKSPACES = "provider-endpoints", "workspaces"
RULE = {"provider_name": "local", "provider_type": "vllm", "model": "model-a", "matcher_type": "catch_all"}
GENERAL = {"403", "413", "421", "503"}
"""Statuses that do not depend on the operation; `test_gateway_safety` reaches them."""

Case = Callable[["World"], httpx.Response]
CASES: dict[tuple[str, int], Case] = {}
PLAIN: set[tuple[str, int]] = set()
"""Cases of one call, without others that prepare it."""


class World:
    """A gateway with a provider, two workspaces beside the default one, an archived one, records and a persona."""

    def __init__(self, gateway: Gateway, provider: FakeProvider) -> None:
        self.gateway = gateway
        self.provider = provider
        gateway.add_provider(provider.url("open"))
        gateway.add_workspace("alpha", {"custom_instructions": "Be brief.", "muxing_rules": [RULE]})
        gateway.add_workspace("beta")
        gateway.add_workspace("gone")
        gateway.call("v1_delete_workspace", workspace_name="gone")
        gateway.get("v1_create_persona", body={"name": "writer", "description": "Writes guides for readers."})
        self.exchange = make_exchange(alerts=[make_alert("codegate-secrets")], usage=gpt_usage())
        self.unanswered = make_exchange(answer=None, minute=1)
        gateway.record(self.exchange, self.unanswered)
        self.call = gateway.call
        self.first_rows = self.rows()

    def rows(self) -> dict[str, list[str]]:
        """Read all that the gateway stores; tables have no order."""
        with self.gateway.database.reading() as connection:
            return {
                table.name: sorted(repr(tuple(row)) for row in connection.execute(select(table)))
                for table in metadata.sorted_tables
            }


@pytest.fixture(scope="module")
def worlds() -> dict[str, World]:
    """The world of each gateway, by its address."""
    return {}


@pytest.fixture
def world(shared_gateway: Gateway, provider: FakeProvider, worlds: dict[str, World]) -> World:
    """A world in its first state; made anew, which takes several calls, only after a case that has changed it."""
    known = worlds.get(shared_gateway.address)
    if known is None or known.rows() != known.first_rows:
        shared_gateway.reset()
        known = worlds[shared_gateway.address] = World(shared_gateway, provider)
    return known


def case(operation_id: str, status: int, **arguments: Any) -> None:
    """Note a call whose arguments do not depend on the world."""
    CASES[operation_id, status] = lambda world: world.call(operation_id, **arguments)
    PLAIN.add((operation_id, status))


def _plain_cases() -> None:
    case("health_check_health_get", 200)
    case("v1_version_check", 200)
    case("v1_list_provider_endpoints", 200, query={"name": "local"})
    case("v1_list_provider_endpoints", 404, query={"name": ""})
    case("v1_list_all_models_for_all_providers", 200)
    case("v1_list_workspaces", 200, query={"provider_name": "local"})
    case("v1_list_active_workspaces", 200)
    case("v1_list_archived_workspaces", 200)
    case("v1_list_personas", 200)
    for operation_id in ("v1_get_provider_endpoint", "v1_list_models_by_provider"):
        case(operation_id, 200, provider_name="local")
        case(operation_id, 404, provider_name="nobody")
    case("v1_delete_provider_endpoint", 204, provider_name="local")
    case("v1_delete_provider_endpoint", 404, provider_name="nobody")
    for operation_id in _READS_OF_A_WORKSPACE:
        case(operation_id, 200, workspace_name="alpha")
        case(operation_id, 404, workspace_name="gone")
    for operation_id in ("v1_get_persona", "v1_delete_persona"):
        case(operation_id, 204 if "delete" in operation_id else 200, persona_name="writer")
        case(operation_id, 404, persona_name="nobody")


_READS_OF_A_WORKSPACE = [
    "v1_get_workspace_by_name",
    "v1_get_workspace_alerts",
    "v1_get_workspace_alerts_summary",
    "v1_get_workspace_messages",
    "v1_get_workspace_custom_instructions",
    "v1_get_workspace_muxes",
    "v1_get_workspace_token_usage",
]


def _provider_cases() -> None:
    new = {"name": "second", "provider_type": "vllm", "endpoint": "http://127.0.0.1:1", "auth_type": "passthrough"}
    add, change, sign_in = "v1_add_provider_endpoint", "v1_update_provider_endpoint", "v1_configure_auth_material"
    case(add, 201, body=new)
    case(add, 400, body=new | {"auth_type": "api_key"})
    case(add, 401, body=new | {"auth_type": "none"})
    case(add, 409, body=new | {"name": "local"})
    case(add, 422, body=new | {"name": "ab"})
    CASES[change, 200] = lambda world: world.call(
        change, provider_name="local", body=new | {"endpoint": world.provider.url("open"), "auth_type": "none"}
    )
    case(change, 400, provider_name="local", body=new | {"endpoint": ""})
    case(change, 404, provider_name="nobody", body=new)

    def rename_to_taken(world: World) -> httpx.Response:
        world.gateway.get(add, body=new)
        return world.call(change, provider_name="local", body=new)

    CASES[change, 409] = rename_to_taken
    case(change, 422, provider_name="local", body={"name": "second"})
    case(sign_in, 204, provider_name="local", body={"auth_type": "none"})
    case(sign_in, 400, provider_name="local", body={"auth_type": "none", "api_key": KEY})

    def refused_key(world: World) -> httpx.Response:
        body = new | {"endpoint": world.provider.url("openai")}
        world.gateway.get(add, body=body)
        return world.call(sign_in, provider_name="second", body={"auth_type": "api_key", "api_key": "wrong"})

    CASES[sign_in, 401] = refused_key
    case(sign_in, 404, provider_name="nobody", body={"auth_type": "none"})
    case(sign_in, 422, provider_name="local", body={"auth_type": "perhaps"})


def _workspace_cases() -> None:
    create, change, activate = "v1_create_workspace", "v1_update_workspace", "v1_activate_workspace"
    case(create, 201, body={"name": "Gamma"})
    case(create, 400, body={"name": "active"})
    case(create, 409, body={"name": "ALPHA"})
    case(create, 422, body={"name": "gamma", "config": {"custom_instructions": ""}})
    case(change, 200, workspace_name="alpha", body={"name": "renamed"})
    case(change, 400, workspace_name="default", body={"name": "default"})
    case(change, 404, workspace_name="gone", body={"name": "renamed"})
    case(change, 409, workspace_name="alpha", body={"name": "gone"})
    case(change, 422, workspace_name="alpha", body={})
    case(activate, 204, body={"name": "alpha"}, query={"status_code": "200"})
    case(activate, 404, body={"name": "gone"})
    case(activate, 409, body={"name": "Default"})
    case(activate, 422, body={})
    case("v1_delete_workspace", 204, workspace_name="alpha")
    case("v1_delete_workspace", 400, workspace_name="default")
    case("v1_delete_workspace", 404, workspace_name="gone")
    for operation_id in ("v1_recover_workspace", "v1_hard_delete_workspace"):
        case(operation_id, 204, workspace_name="gone")
        case(operation_id, 404, workspace_name="alpha")
    case("v1_get_workspace_messages", 422, workspace_name="alpha", query={"page": "0", "page_size": "101"})
    one = "v1_get_messages_by_prompt_id"
    CASES[one, 200] = lambda world: world.call(one, workspace_name="alpha", prompt_id=str(world.exchange.id))
    CASES[one, 404] = lambda world: world.call(one, workspace_name="alpha", prompt_id="nothing")
    instruct, route = "v1_set_workspace_custom_instructions", "v1_set_workspace_muxes"
    case(instruct, 204, workspace_name="default", body={"prompt": "New."})
    case(instruct, 404, workspace_name="gone", body={"prompt": "New."})
    case(instruct, 422, workspace_name="alpha", body={})
    case("v1_delete_workspace_custom_instructions", 204, workspace_name="alpha")
    case("v1_delete_workspace_custom_instructions", 404, workspace_name="gone")
    case(route, 204, workspace_name="default", body=[RULE])
    case(route, 400, workspace_name="alpha", body=[RULE | {"model": "model-z"}])
    case(route, 404, workspace_name="gone", body=[])
    case(route, 422, workspace_name="alpha", body=[RULE | {"matcher_type": "sometimes"}])


def _persona_cases() -> None:
    create, change = "v1_create_persona", "v1_update_persona"
    case(create, 201, body={"name": "data analyst", "description": "Reads charts about sales."})
    case(create, 400, body={"name": "a/b", "description": "Reads charts about sales."})
    case(create, 409, body={"name": "other", "description": "Writes guides for readers."})
    case(create, 422, body={"name": "other"})
    new = {"new_name": "editor", "new_description": "Writes guides for readers, briefly."}
    case(change, 200, persona_name="writer", body=new)
    case(change, 400, persona_name="writer", body=new | {"new_name": "!"})
    case(change, 404, persona_name="nobody", body=new)

    def rename_to_taken(world: World) -> httpx.Response:
        world.gateway.get(create, body={"name": "other", "description": "Reads charts about sales."})
        return world.call(change, persona_name="writer", body=new | {"new_name": "other"})

    CASES[change, 409] = rename_to_taken
    case(change, 422, persona_name="writer", body={"new_name": "editor"})


for _add in (_plain_cases, _provider_cases, _workspace_cases, _persona_cases):
    _add()


def declared() -> Iterator[tuple[str, int]]:
    for operation_id, (_, _, operation) in OPERATIONS.items():
        for status in operation["responses"].keys() - GENERAL:
            yield operation_id, int(status)


def needs_no_input(operation_id: str) -> bool:
    """Return whether all that a client sends is text, which no check can refuse."""
    _, _, operation = OPERATIONS[operation_id]
    kinds = [
        parameter["schema"].get("type") or parameter["schema"].get("anyOf")
        for parameter in operation.get("parameters", [])
    ]
    texts = ("string", [{"type": "string"}, {"type": "null"}])
    return "requestBody" not in operation and all(kind in texts for kind in kinds)


def test_there_are_36_operations() -> None:
    assert len(OPERATIONS) == 36


def test_every_declared_status_has_a_case() -> None:
    # `test_gateway_events` listens to the stream; `test_gateway_provider_races` changes an endpoint meanwhile.
    elsewhere = {("v1_stream_sse", 200), ("v1_configure_auth_material", 409)}
    unreachable = {(id_, status) for id_, status in declared() if status == 422 and needs_no_input(id_)}
    assert set(declared()) - unreachable - elsewhere == CASES.keys()


@pytest.mark.parametrize(("operation_id", "status"), CASES, ids=str)
def test_status_is_reached(world: World, operation_id: str, status: int) -> None:
    answer = CASES[operation_id, status](world)
    assert answer.status_code == status
    method, _, _ = OPERATIONS[operation_id]
    if (operation_id, status) in PLAIN and (status >= 400 or method == "GET"):
        assert world.rows() == world.first_rows
