"""Rules of workspaces and mux rules."""

from __future__ import annotations

from typing import Any

import pytest

from apis.tests.contract.gateway.gateway import Gateway
from apis.tests.contract.gateway.providers import FakeProvider


def rule(model: str = "model-a", provider: str = "local", **fields: Any) -> dict[str, Any]:
    values = {"provider_name": provider, "provider_type": "vllm", "model": model, "matcher_type": "catch_all"}
    return values | {"matcher": ""} | fields


def names(gateway: Gateway, operation_id: str = "v1_list_workspaces", **query: str) -> list[str]:
    return [workspace["name"] for workspace in gateway.get(operation_id, query=query or None)["workspaces"]]


def active(gateway: Gateway) -> list[str]:
    return [found["name"] for found in gateway.get("v1_list_active_workspaces")["workspaces"]]


def detail(gateway: Gateway, operation_id: str, status: int, **arguments: Any) -> str:
    answer = gateway.call(operation_id, **arguments)
    assert answer.status_code == status, answer.text
    return str(answer.json()["detail"])


def test_first_start_has_one_workspace_which_is_active(gateway: Gateway) -> None:
    listed = gateway.get("v1_list_workspaces")
    assert listed == {"workspaces": [{"name": "default", "is_active": True}]}
    assert active(gateway) == ["default"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "Workspace name cannot be empty"),
        ("   ", "Workspace name cannot be empty"),
        ("default", "Workspace name default is reserved"),
        ("active", "Workspace name active is reserved"),
        ("Archive", "Workspace name Archive is reserved"),
        ("archived", "Workspace name archived is reserved"),
        ("a b", "Workspace name is invalid. Use letters, digits, underscores and hyphens"),
        ("a\n", None),
        ("ä", "Workspace name is invalid. Use letters, digits, underscores and hyphens"),
        ("a/b", "Workspace name is invalid. Use letters, digits, underscores and hyphens"),
    ],
)
def test_names_are_checked(gateway: Gateway, name: str, said: str | None) -> None:
    answer = gateway.call("v1_create_workspace", body={"name": name})
    if said is None:  # surrounding white space is not part of a name
        assert answer.json()["name"] == name.strip()
    else:
        assert (answer.status_code, answer.json()) == (400, {"detail": said})


def test_names_are_stored_in_lower_case_and_found_in_any(gateway: Gateway) -> None:
    assert gateway.add_workspace(" My-Project_1 ")["name"] == "my-project_1"
    assert gateway.get("v1_get_workspace_by_name", workspace_name="MY-Project_1")["name"] == "my-project_1"


@pytest.mark.parametrize("name", ["alpha", "ALPHA", "gone", "Default"])
def test_taken_names_are_refused_archived_ones_included(gateway: Gateway, name: str) -> None:
    gateway.add_workspace("alpha")
    gateway.add_workspace("gone")
    gateway.get("v1_delete_workspace", workspace_name="gone")
    said = detail(gateway, "v1_create_workspace", 409, body={"name": name})
    assert said == f"Workspace {name.lower()} already exists" + (" in the archive" if name == "gone" else "")


@pytest.mark.parametrize("name", ["a", "d", "def", "fault", "efaul"])
def test_parts_of_the_word_default_are_names_like_others(gateway: Gateway, name: str) -> None:
    gateway.add_workspace(name)
    assert gateway.get("v1_update_workspace", workspace_name=name, body={"name": "renamed"})["name"] == "renamed"


def test_created_workspace_is_shown_whole_and_not_active(gateway: Gateway) -> None:
    assert gateway.add_workspace() == {"name": "alpha", "config": {"custom_instructions": "", "muxing_rules": []}}
    assert active(gateway) == ["default"]


def test_refused_rule_leaves_no_workspace_behind(gateway: Gateway) -> None:
    config = {"custom_instructions": "", "muxing_rules": [rule()]}
    said = detail(gateway, "v1_create_workspace", 400, body={"name": "alpha", "config": config})
    assert said == "Provider local does not exist"
    assert names(gateway) == ["default"]


def test_activation_moves_and_there_is_always_one(gateway: Gateway) -> None:
    gateway.add_workspace("alpha")
    before = gateway.get("v1_list_active_workspaces")["workspaces"][0]["last_updated"]
    gateway.get("v1_activate_workspace", body={"name": "ALPHA"})
    listed = gateway.get("v1_list_workspaces")["workspaces"]
    assert [entry["name"] for entry in listed if entry["is_active"]] == active(gateway) == ["alpha"]
    assert gateway.get("v1_list_active_workspaces")["workspaces"][0]["last_updated"] > before


def test_active_workspace_can_be_renamed_and_stays_active(gateway: Gateway) -> None:
    gateway.add_workspace("alpha")
    gateway.get("v1_activate_workspace", body={"name": "alpha"})
    gateway.get("v1_update_workspace", workspace_name="alpha", body={"name": "Beta"})
    assert active(gateway) == ["beta"]


def test_active_and_default_workspace_cannot_be_archived(gateway: Gateway) -> None:
    gateway.add_workspace("alpha")
    gateway.get("v1_activate_workspace", body={"name": "alpha"})
    said = detail(gateway, "v1_delete_workspace", 400, workspace_name="alpha")
    assert said == "Cannot archive the active workspace"
    said = detail(gateway, "v1_delete_workspace", 400, workspace_name="default")
    assert said == "Cannot archive the default workspace"


def test_archive_hides_and_recover_brings_all_back(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.add_provider(provider.url("open"))
    config = {"custom_instructions": "Be brief.", "muxing_rules": [rule()]}
    made = gateway.add_workspace("alpha", config)
    gateway.get("v1_delete_workspace", workspace_name="alpha")
    assert names(gateway) == ["default"]
    assert names(gateway, "v1_list_archived_workspaces") == ["alpha"]
    detail(gateway, "v1_activate_workspace", 404, body={"name": "alpha"})
    gateway.get("v1_recover_workspace", workspace_name="Alpha")
    assert gateway.get("v1_get_workspace_by_name", workspace_name="alpha") == made
    assert active(gateway) == ["default"]


def test_archive_lists_the_latest_first(gateway: Gateway) -> None:
    for name in ("one", "two", "three"):
        gateway.add_workspace(name)
    for name in ("two", "one", "three"):
        gateway.get("v1_delete_workspace", workspace_name=name)
    assert names(gateway, "v1_list_archived_workspaces") == ["three", "one", "two"]


def test_deleting_for_good_frees_the_name(gateway: Gateway) -> None:
    gateway.add_workspace("alpha", {"custom_instructions": "Old.", "muxing_rules": []})
    gateway.get("v1_delete_workspace", workspace_name="alpha")
    gateway.get("v1_hard_delete_workspace", workspace_name="alpha")
    assert gateway.add_workspace("alpha")["config"]["custom_instructions"] == ""


def test_update_leaves_what_it_does_not_name(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.add_provider(provider.url("open"))
    gateway.add_workspace("alpha", {"custom_instructions": "Be brief.", "muxing_rules": [rule()]})
    empty = {"custom_instructions": "", "muxing_rules": []}
    answer = gateway.get("v1_update_workspace", workspace_name="alpha", body={"name": "alpha", "config": empty})
    assert answer["config"] == {"custom_instructions": "Be brief.", "muxing_rules": [rule()]}


def test_refused_update_changes_nothing(gateway: Gateway) -> None:
    gateway.add_workspace("alpha")
    body = {"name": "beta", "config": {"custom_instructions": "New.", "muxing_rules": [rule()]}}
    detail(gateway, "v1_update_workspace", 400, workspace_name="alpha", body=body)
    assert gateway.get("v1_get_workspace_by_name", workspace_name="alpha")["config"]["custom_instructions"] == ""
    assert names(gateway) == ["default", "alpha"]


def test_default_workspace_keeps_its_name_and_takes_instructions(gateway: Gateway) -> None:
    said = detail(gateway, "v1_update_workspace", 400, workspace_name="default", body={"name": "default"})
    assert said == "Cannot update the default workspace"
    gateway.get("v1_set_workspace_custom_instructions", workspace_name="default", body={"prompt": "Be brief."})
    assert gateway.get("v1_get_workspace_custom_instructions", workspace_name="default") == {"prompt": "Be brief."}
    for _ in range(2):
        gateway.get("v1_delete_workspace_custom_instructions", workspace_name="default")
    assert gateway.get("v1_get_workspace_custom_instructions", workspace_name="default") == {"prompt": ""}


@pytest.mark.parametrize(
    "text", ["\0", "a\0b\uffff0\uffff", "🦊" * 1000, "\ufeffx\u2028", "'; DROP TABLE workspaces; --"]
)
def test_any_text_comes_back_as_it_was(gateway: Gateway, text: str) -> None:
    gateway.get("v1_set_workspace_custom_instructions", workspace_name="default", body={"prompt": text})
    assert gateway.get("v1_get_workspace_custom_instructions", workspace_name="default") == {"prompt": text}


class TestMuxRules:
    @pytest.fixture(autouse=True)
    def _two_providers(self, gateway: Gateway, provider: FakeProvider) -> None:
        gateway.add_provider(provider.url("open"))
        gateway.add_provider(provider.url("open"), "second", provider_type="lm_studio")
        gateway.add_workspace("alpha")

    def put(self, gateway: Gateway, *rules: dict[str, Any]) -> None:
        gateway.get("v1_set_workspace_muxes", workspace_name="alpha", body=list(rules))

    def rules(self, gateway: Gateway, workspace: str = "alpha") -> list[dict[str, Any]]:
        return list(gateway.get("v1_get_workspace_muxes", workspace_name=workspace))

    def test_order_is_kept_and_duplicates_are_allowed(self, gateway: Gateway) -> None:
        wanted = [
            rule("model-b", matcher_type="filename_match", matcher="*.py"),
            rule("model-a", matcher_type="fim_filename"),
            rule("model-b", matcher_type="filename_match", matcher="*.py"),
            rule("model-a"),
        ]
        self.put(gateway, *wanted)
        assert self.rules(gateway) == wanted

    def test_empty_list_clears(self, gateway: Gateway) -> None:
        self.put(gateway, rule())
        self.put(gateway)
        assert self.rules(gateway) == []

    @pytest.mark.parametrize("matcher", [{}, {"matcher": None}, {"matcher": ""}])
    def test_missing_matcher_is_answered_as_empty_text(self, gateway: Gateway, matcher: dict[str, Any]) -> None:
        given = {key: value for key, value in rule().items() if key != "matcher"}
        self.put(gateway, given | matcher)
        assert self.rules(gateway)[0]["matcher"] == ""

    def test_unknown_name_falls_back_to_a_provider_of_the_type(self, gateway: Gateway) -> None:
        self.put(gateway, rule(provider="elsewhere"))
        assert self.rules(gateway) == [rule(provider="local")]

    def test_name_with_another_type_falls_back_too(self, gateway: Gateway) -> None:
        self.put(gateway, rule(provider="second"))
        assert self.rules(gateway) == [rule(provider="local")]

    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            (rule("model-z"), "Model model-z is not known for provider local"),
            (rule(provider_type="ollama"), "Provider local does not exist"),
        ],
    )
    def test_refused_list_leaves_the_old_one(self, gateway: Gateway, wrong: dict[str, Any], said: str) -> None:
        self.put(gateway, rule())
        answer = detail(gateway, "v1_set_workspace_muxes", 400, workspace_name="alpha", body=[rule("model-b"), wrong])
        assert answer == said
        assert self.rules(gateway) == [rule()]

    def test_deleting_a_provider_drops_its_rules_everywhere_and_keeps_the_order(self, gateway: Gateway) -> None:
        other = rule(provider="second", provider_type="lm_studio")
        last = rule("model-b", provider="second", provider_type="lm_studio")
        self.put(gateway, other, rule(), last)
        gateway.add_workspace("beta", {"custom_instructions": "", "muxing_rules": [rule()]})
        gateway.get("v1_delete_workspace", workspace_name="beta")
        gateway.get("v1_delete_provider_endpoint", provider_name="local")
        gateway.get("v1_recover_workspace", workspace_name="beta")
        assert (self.rules(gateway), self.rules(gateway, "beta")) == ([other, last], [])

    def test_rules_follow_a_renamed_provider(self, gateway: Gateway, provider: FakeProvider) -> None:
        self.put(gateway, rule())
        body = {"name": "renamed", "provider_type": "vllm", "endpoint": provider.url("open")}
        gateway.get("v1_update_provider_endpoint", provider_name="local", body=body)
        assert self.rules(gateway) == [rule(provider="renamed")]

    def test_rules_of_a_vanished_model_go(self, gateway: Gateway, provider: FakeProvider) -> None:
        self.put(gateway, rule("model-b"), rule("model-a"))
        provider.models = ["model-a", "model-c"]
        body = {"name": "local", "provider_type": "vllm", "endpoint": provider.url("open")}
        gateway.get("v1_update_provider_endpoint", provider_name="local", body=body)
        assert self.rules(gateway) == [rule("model-a")]

    def test_workspaces_are_found_by_the_provider_of_a_rule(self, gateway: Gateway) -> None:
        self.put(gateway, rule(), rule("model-b"))
        gateway.get("v1_activate_workspace", body={"name": "alpha"})
        found = gateway.get("v1_list_workspaces", query={"provider_name": "local"})["workspaces"]
        assert found == [{"name": "alpha", "is_active": True}]
        assert names(gateway, provider_name="nobody") == []
        assert names(gateway, provider_name="") == ["default", "alpha"]


def test_update_stores_instructions_and_leaves_out_what_is_empty(gateway: Gateway) -> None:
    gateway.add_workspace("alpha", {"custom_instructions": "Old.", "muxing_rules": []})
    change = "v1_update_workspace"
    new = {"name": "alpha", "config": {"custom_instructions": "New.", "muxing_rules": []}}
    answered = gateway.get(change, workspace_name="alpha", body=new)
    assert answered["config"]["custom_instructions"] == "New."
    stored = gateway.get("v1_get_workspace_custom_instructions", workspace_name="alpha")
    assert stored == {"prompt": "New."}
    empty = {"name": "alpha", "config": {"custom_instructions": "", "muxing_rules": []}}
    assert gateway.get(change, workspace_name="alpha", body=empty)["config"]["custom_instructions"] == "New."
    assert gateway.get(change, workspace_name="alpha", body={"name": "beta"})["config"]["custom_instructions"] == "New."
