"""Each operation does what it is for: what was sent can be read back, and an answer is about what was asked for.

A status alone would be reached by a handler that ignores its body or its path; these tests would notice it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from apis.tests.contract.gateway.gateway import OPERATIONS, Gateway
from apis.tests.contract.gateway.providers import FakeProvider
from apis.tests.contract.gateway.test_gateway_statuses import RULE, World

Effect = Callable[[World], None]
EFFECTS: dict[str, Effect] = {}
ELSEWHERE = {"v1_stream_sse"}
"""Has a listener of its own: `test_gateway_events`."""
OTHER = {"name": "other", "description": "Reads charts about sales."}
SECOND = {
    "name": "second",
    "description": "For trials.",
    "provider_type": "openai",
    "endpoint": "http://127.0.0.1:1",
    "auth_type": "passthrough",
}


@pytest.fixture
def world(gateway: Gateway, provider: FakeProvider) -> World:
    return World(gateway, provider)


def effect(*operations: str) -> Callable[[Effect], Effect]:
    """Note which operations a function looks at."""

    def note(function: Effect) -> Effect:
        EFFECTS.update(dict.fromkeys(operations, function))
        return function

    return note


def status(world: World, operation: str, **arguments: Any) -> int:
    return world.call(operation, **arguments).status_code


def names(found: Any) -> list[str]:
    return sorted(one["name"] for one in found)


@effect("v1_create_persona", "v1_get_persona", "v1_list_personas")
def _persona_is_stored(world: World) -> None:
    world.gateway.get("v1_create_persona", body=OTHER)
    found = world.gateway.get("v1_get_persona", persona_name="other")
    assert (found["name"], found["description"]) == ("other", OTHER["description"])
    assert world.gateway.get("v1_get_persona", persona_name="writer")["description"] == "Writes guides for readers."
    assert names(world.gateway.get("v1_list_personas")) == ["other", "writer"]


@effect("v1_update_persona")
def _persona_is_changed(world: World) -> None:
    new = {"new_name": "editor", "new_description": "Shortens guides."}
    world.gateway.get("v1_update_persona", persona_name="writer", body=new)
    assert world.gateway.get("v1_get_persona", persona_name="editor")["description"] == "Shortens guides."
    assert status(world, "v1_get_persona", persona_name="writer") == 404


@effect("v1_delete_persona")
def _persona_is_deleted(world: World) -> None:
    world.gateway.get("v1_create_persona", body=OTHER)
    world.gateway.get("v1_delete_persona", persona_name="writer")
    assert names(world.gateway.get("v1_list_personas")) == ["other"]


@effect("v1_add_provider_endpoint", "v1_get_provider_endpoint", "v1_list_provider_endpoints")
def _provider_is_stored(world: World) -> None:
    world.gateway.get("v1_add_provider_endpoint", body=SECOND)
    found = world.gateway.get("v1_get_provider_endpoint", provider_name="second")
    assert {name: found[name] for name in SECOND} == SECOND
    assert world.gateway.get("v1_get_provider_endpoint", provider_name="local")["provider_type"] == "vllm"
    assert names(world.gateway.get("v1_list_provider_endpoints")) == ["local", "second"]
    assert names(world.gateway.get("v1_list_provider_endpoints", query={"name": "second"})) == ["second"]


@effect("v1_update_provider_endpoint")
def _provider_is_changed(world: World) -> None:
    world.gateway.get("v1_add_provider_endpoint", body=SECOND)
    new = SECOND | {"name": "third", "description": "For work.", "endpoint": "http://127.0.0.1:2"}
    world.gateway.get("v1_update_provider_endpoint", provider_name="second", body=new)
    found = world.gateway.get("v1_get_provider_endpoint", provider_name="third")
    assert {name: found[name] for name in new} == new
    assert status(world, "v1_get_provider_endpoint", provider_name="second") == 404


@effect("v1_configure_auth_material")
def _credentials_are_changed(world: World) -> None:
    body = {"auth_type": "passthrough"}
    world.gateway.get("v1_configure_auth_material", provider_name="local", body=body)
    assert world.gateway.get("v1_get_provider_endpoint", provider_name="local")["auth_type"] == "passthrough"


@effect("v1_delete_provider_endpoint")
def _provider_is_deleted(world: World) -> None:
    world.gateway.get("v1_add_provider_endpoint", body=SECOND)
    world.gateway.get("v1_delete_provider_endpoint", provider_name="local")
    assert names(world.gateway.get("v1_list_provider_endpoints")) == ["second"]


@effect("v1_list_models_by_provider", "v1_list_all_models_for_all_providers")
def _models_are_those_of_the_provider(world: World) -> None:
    world.gateway.get("v1_add_provider_endpoint", body=SECOND)
    own = world.gateway.get("v1_list_models_by_provider", provider_name="local")
    assert "model-a" in names(own)
    assert {model["provider_name"] for model in own} == {"local"}
    assert world.gateway.get("v1_list_models_by_provider", provider_name="second") == []
    assert names(world.gateway.get("v1_list_all_models_for_all_providers")) == names(own)


@effect("v1_create_workspace", "v1_get_workspace_custom_instructions", "v1_get_workspace_muxes", "v1_list_workspaces")
def _workspace_is_stored_with_its_configuration(world: World) -> None:
    config = {"custom_instructions": "Be kind.", "muxing_rules": [RULE]}
    world.gateway.add_workspace("gamma", config)
    assert world.gateway.get("v1_get_workspace_custom_instructions", workspace_name="gamma") == {"prompt": "Be kind."}
    assert world.gateway.get("v1_get_workspace_custom_instructions", workspace_name="alpha") == {"prompt": "Be brief."}
    assert [rule["model"] for rule in world.gateway.get("v1_get_workspace_muxes", workspace_name="gamma")] == [
        "model-a"
    ]
    assert world.gateway.get("v1_get_workspace_muxes", workspace_name="beta") == []
    everyone = world.gateway.get("v1_list_workspaces")["workspaces"]
    assert names(everyone) == ["alpha", "beta", "default", "gamma"]
    routed = world.gateway.get("v1_list_workspaces", query={"provider_name": "local"})["workspaces"]
    assert names(routed) == ["alpha", "gamma"]


@effect("v1_update_workspace", "v1_get_workspace_by_name")
def _workspace_is_changed_in_all_its_parts(world: World) -> None:
    config = {"custom_instructions": "Be long.", "muxing_rules": [RULE, RULE]}
    world.gateway.get("v1_update_workspace", workspace_name="beta", body={"name": "renamed", "config": config})
    assert world.gateway.get("v1_get_workspace_by_name", workspace_name="renamed")["name"] == "renamed"
    assert status(world, "v1_get_workspace_by_name", workspace_name="beta") == 404
    found = world.gateway.get("v1_get_workspace_custom_instructions", workspace_name="renamed")
    assert found == {"prompt": "Be long."}
    assert len(world.gateway.get("v1_get_workspace_muxes", workspace_name="renamed")) == 2


@effect("v1_activate_workspace", "v1_list_active_workspaces")
def _workspace_becomes_the_active_one(world: World) -> None:
    for name in ("beta", "alpha"):
        world.gateway.get("v1_activate_workspace", body={"name": name})
        assert names(world.gateway.get("v1_list_active_workspaces")["workspaces"]) == [name]


@effect("v1_delete_workspace", "v1_list_archived_workspaces")
def _workspace_is_archived(world: World) -> None:
    world.gateway.get("v1_delete_workspace", workspace_name="beta")
    assert status(world, "v1_get_workspace_by_name", workspace_name="beta") == 404
    assert status(world, "v1_get_workspace_by_name", workspace_name="alpha") == 200
    assert names(world.gateway.get("v1_list_archived_workspaces")["workspaces"]) == ["beta", "gone"]


@effect("v1_recover_workspace")
def _workspace_is_recovered(world: World) -> None:
    world.gateway.get("v1_recover_workspace", workspace_name="gone")
    assert status(world, "v1_get_workspace_by_name", workspace_name="gone") == 200
    assert world.gateway.get("v1_list_archived_workspaces")["workspaces"] == []


@effect("v1_hard_delete_workspace")
def _archived_workspace_is_deleted(world: World) -> None:
    world.gateway.get("v1_hard_delete_workspace", workspace_name="gone")
    assert world.gateway.get("v1_list_archived_workspaces")["workspaces"] == []
    assert status(world, "v1_recover_workspace", workspace_name="gone") == 404


@effect("v1_set_workspace_custom_instructions", "v1_delete_workspace_custom_instructions")
def _instructions_are_set_and_deleted(world: World) -> None:
    read = "v1_get_workspace_custom_instructions"
    world.gateway.get("v1_set_workspace_custom_instructions", workspace_name="beta", body={"prompt": "New."})
    assert world.gateway.get(read, workspace_name="beta") == {"prompt": "New."}
    world.gateway.get("v1_delete_workspace_custom_instructions", workspace_name="beta")
    assert world.gateway.get(read, workspace_name="beta") == {"prompt": ""}
    assert world.gateway.get(read, workspace_name="alpha") == {"prompt": "Be brief."}


@effect("v1_set_workspace_muxes")
def _rules_are_replaced_in_their_order(world: World) -> None:
    rules = [RULE | {"matcher_type": "filename_match", "matcher": "*.py"}, RULE]
    world.gateway.get("v1_set_workspace_muxes", workspace_name="alpha", body=rules)
    found = world.gateway.get("v1_get_workspace_muxes", workspace_name="alpha")
    assert [(rule["matcher_type"], rule["matcher"]) for rule in found] == [
        ("filename_match", "*.py"),
        ("catch_all", ""),
    ]


@effect(
    "v1_get_workspace_alerts",
    "v1_get_workspace_alerts_summary",
    "v1_get_workspace_messages",
    "v1_get_workspace_token_usage",
    "v1_get_messages_by_prompt_id",
)
def _records_are_those_of_the_workspace(world: World) -> None:
    """The exchanges are recorded in the workspace alpha; another one has none of them."""
    read = {name: {"workspace_name": name} for name in ("alpha", "beta")}
    for operation in ("v1_get_workspace_alerts", "v1_get_workspace_alerts_summary", "v1_get_workspace_token_usage"):
        own, other = (world.gateway.get(operation, **read[name]) for name in ("alpha", "beta"))
        assert own != other, operation
    chats = world.gateway.get("v1_get_workspace_messages", **read["alpha"])["data"]
    assert str(world.exchange.id) in str(chats)
    assert world.gateway.get("v1_get_workspace_messages", **read["beta"])["data"] == []
    one = {"prompt_id": str(world.exchange.id)}
    answer = world.gateway.get("v1_get_messages_by_prompt_id", **read["alpha"], **one)
    assert str(world.exchange.id) in str(answer)
    assert status(world, "v1_get_messages_by_prompt_id", **read["beta"], **one) == 404


@effect("health_check_health_get")
def _server_is_healthy(world: World) -> None:
    assert world.gateway.get("health_check_health_get")["status"] == "healthy"


@effect("v1_version_check")
def _version_is_told_and_nobody_is_asked(world: World) -> None:
    found = world.gateway.get("v1_version_check")
    assert found["current_version"]
    assert (found["latest_version"], found["is_latest"]) == ("unknown", None)


def test_every_operation_has_an_effect_that_is_looked_at() -> None:
    assert sorted(EFFECTS.keys() | ELSEWHERE) == sorted(OPERATIONS)


@pytest.mark.parametrize("operation_id", sorted(EFFECTS))
def test_operation_has_its_effect(world: World, operation_id: str) -> None:
    EFFECTS[operation_id](world)
