"""CodeGate's own dashboard: the calls of each of its pages, and what the page reads from the answers.

`dashboard_calls.json` lists the calls, written from the dashboard's public source. What is right is worked out from the
demo's exchanges as they were generated, not from the API.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from apis.tests.contract.gateway.gateway import OPERATIONS, Gateway
from apis.tests.contract.gateway.providers import KEY, MODELS, FakeProvider
from gateway_api.demo.generate import generate
from gateway_api.demo.load import load_demo
from gateway_api.demo.setting import ACTIVE, ARCHIVED, PROVIDERS, WORKSPACES
from gateway_api.recording import Exchange

NOW = datetime(2025, 5, 15, 12, tzinfo=UTC)
PAGE_SIZE = 20
"""What the dashboard asks for, always."""

CALLS: dict[str, list[str]] = json.loads(Path(__file__).with_name("dashboard_calls.json").read_text())["pages"]
KIND_COUNTERS = {
    "codegate-context-retriever": "malicious_packages",
    "codegate-pii": "pii",
    "codegate-secrets": "secrets",
}
"""Tabs of the dashboard → counters on them."""


class Dashboard:
    """Calls as the dashboard makes them, and notes which page has made which."""

    def __init__(self, gateway: Gateway, provider: FakeProvider) -> None:
        self.gateway = gateway
        self.provider = provider
        self.page = ""
        self.made: dict[str, set[str]] = {page: set() for page in CALLS}
        self.exchanges = [one for one in generate(NOW) if one.workspace == ACTIVE]

    @contextmanager
    def open(self, page: str) -> Iterator[Callable[..., Any]]:
        """Call for a page; an operation that it is not known to call is a mistake of the test."""

        def call(operation_id: str, **arguments: Any) -> Any:
            method, path, _ = OPERATIONS[operation_id]
            assert f"{method} {path}" in CALLS[page], f"{page} does not call {method} {path}"
            self.made[page].add(f"{method} {path}")
            return self.gateway.get(operation_id, **arguments)

        yield call


def test_every_page_of_the_dashboard_gets_what_it_shows(own_gateway: Gateway, provider: FakeProvider) -> None:
    assert load_demo(own_gateway.database, now=NOW)
    dashboard = Dashboard(own_gateway, provider)
    for walk in (_header, _dashboard, _conversations, _workspaces, _workspace, _providers):
        walk(dashboard)
    assert dashboard.made == {page: set(calls) for page, calls in CALLS.items()}


def test_list_names_operations_of_the_contract() -> None:
    known = {f"{method} {path}" for method, path, _ in OPERATIONS.values()}
    assert {call for calls in CALLS.values() for call in calls} <= known


def _header(dashboard: Dashboard) -> None:
    with dashboard.open("header") as call:
        assert call("health_check_health_get") == {"status": "healthy"}
        assert call("v1_version_check")["current_version"]
        listed = call("v1_list_workspaces")["workspaces"]
        assert [one["name"] for one in listed] == [one.name for one in WORKSPACES if one.name != ARCHIVED]
        assert [one["name"] for one in listed if one["is_active"]] == [ACTIVE]
        assert [one["name"] for one in call("v1_list_active_workspaces")["workspaces"]] == [ACTIVE]
        assert [one["name"] for one in call("v1_list_archived_workspaces")["workspaces"]] == [ARCHIVED]
        call("v1_activate_workspace", body={"name": "docs"})
        assert [one["name"] for one in call("v1_list_active_workspaces")["workspaces"]] == ["docs"]
        call("v1_activate_workspace", body={"name": ACTIVE})
    with httpx.stream("GET", f"{dashboard.gateway.address}/api/v1/alerts_notification", trust_env=False) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert next(stream.iter_lines()) == ": listening"
    dashboard.made["header"].add("GET /api/v1/alerts_notification")


def _dashboard(dashboard: Dashboard) -> None:
    alerts = Counter(alert.trigger_type for one in dashboard.exchanges for alert in one.alerts)
    counts = {counter: alerts[kind] for kind, counter in KIND_COUNTERS.items()}
    with dashboard.open("dashboard") as call:
        place = {"workspace_name": ACTIVE}
        assert call("v1_get_workspace_alerts_summary", **place) == counts | {"total_alerts": alerts.total()}
        usage = call("v1_get_workspace_token_usage", **place)
        spent = [one.usage for one in dashboard.exchanges if one.usage]
        assert usage["token_usage"]["input_tokens"] == sum(one.input_tokens for one in spent)
        assert usage["token_usage"]["output_tokens"] == sum(one.output_tokens for one in spent)
        assert set(usage["tokens_by_model"]) == {one.model for one in spent}
        rows = _all_pages(call, place, None)
        moments = [row["conversation_timestamp"] for row in rows]
        assert moments == sorted(moments, reverse=True)
        asked = {str(one.id) for one in dashboard.exchanges}
        assert {row["chat_id"] for row in rows} <= asked
        assert len({row["chat_id"] for row in rows}) == len(rows)
        assert sum(row["alerts_summary"]["total_alerts"] for row in rows) == alerts.total()
        for kind, counter in KIND_COUNTERS.items():
            shown = _all_pages(call, place, kind)
            assert [row["chat_id"] for row in shown] == [
                row["chat_id"] for row in rows if row["alerts_summary"][counter]
            ], kind


def _all_pages(call: Callable[..., Any], place: dict[str, str], kind: str | None) -> list[Any]:
    """Page through the table to its end, as its buttons do."""
    rows: list[Any] = []
    page = 1
    while True:
        query = {"page": page, "page_size": PAGE_SIZE} | ({"filter_by_alert_trigger_types": kind} if kind else {})
        found = call("v1_get_workspace_messages", **place, query=query)
        rows += found["data"]
        if len(rows) >= found["total"]:
            assert len(rows) == found["total"]
            return rows
        assert len(found["data"]) == PAGE_SIZE
        page += 1


def _conversations(dashboard: Dashboard) -> None:
    """Each row of the table leads to its page: questions, answers, alerts and tokens are those that were recorded."""
    of_id: dict[str, Exchange] = {str(one.id): one for one in dashboard.exchanges}
    with dashboard.open("dashboard") as call:
        rows = _all_pages(call, {"workspace_name": ACTIVE}, None)
    with dashboard.open("conversation") as call:
        seen: list[str] = []
        for row in rows:
            shown = call("v1_get_messages_by_prompt_id", workspace_name=ACTIVE, prompt_id=row["chat_id"])
            parts = [of_id[pair["question"]["message_id"]] for pair in shown["question_answers"]]
            seen += [str(part.id) for part in parts]
            assert (shown["chat_id"], shown["type"], shown["provider"]) == (
                row["chat_id"],
                row["type"],
                row["provider"],
            )
            assert [pair["answer"] and pair["answer"]["message"] for pair in shown["question_answers"]] == [
                part.answer and part.answer.message for part in parts
            ]
            raised = Counter(
                alert.trigger_type
                for part in parts
                for alert in part.alerts
                if alert.trigger_category == "critical"  # the page has no others
            )
            assert Counter(alert["trigger_type"] for alert in shown["alerts"]) == raised
            spent = sum(part.usage.input_tokens for part in parts if part.usage)
            told = shown["token_usage_agg"]["token_usage"]["input_tokens"] if shown["token_usage_agg"] else 0
            assert told == spent
    assert sorted(seen) == sorted(of_id)


def _workspaces(dashboard: Dashboard) -> None:
    def live() -> set[str]:
        return {one["name"] for one in call("v1_list_workspaces")["workspaces"]}

    def archived() -> set[str]:
        return {one["name"] for one in call("v1_list_archived_workspaces")["workspaces"]}

    with dashboard.open("workspaces") as call:
        call("v1_create_workspace", body={"name": "fresh"})
        assert "fresh" in live()
        call("v1_delete_workspace", workspace_name="fresh")
        assert "fresh" in archived() - live()
        call("v1_recover_workspace", workspace_name="fresh")
        assert "fresh" in live() - archived()
        call("v1_delete_workspace", workspace_name="fresh")
        call("v1_hard_delete_workspace", workspace_name="fresh")
        assert "fresh" not in live() | archived()


def _workspace(dashboard: Dashboard) -> None:
    demo = next(one for one in WORKSPACES if one.name == ACTIVE)
    place = {"workspace_name": ACTIVE}
    with dashboard.open("workspace") as call:
        whole = call("v1_get_workspace_by_name", **place)  # the button "Download"
        rules = call("v1_get_workspace_muxes", **place)
        assert whole["config"] == {"custom_instructions": demo.instructions, "muxing_rules": rules}
        assert [(rule["provider_name"], rule["model"], rule["matcher"]) for rule in rules] == [
            (rule.provider_name, rule.model, rule.matcher) for rule in demo.rules
        ]
        listed = {(one["provider_name"], one["name"]) for one in call("v1_list_all_models_for_all_providers")}
        assert listed == {(one.name, model) for one, models in PROVIDERS for model in models}
        call("v1_set_workspace_muxes", **place, body=rules[::-1][:1])
        assert call("v1_get_workspace_muxes", **place) == rules[::-1][:1]
        call("v1_set_workspace_custom_instructions", **place, body={"prompt": "Be brief."})
        assert call("v1_get_workspace_custom_instructions", **place) == {"prompt": "Be brief."}
        call("v1_update_workspace", workspace_name="docs", body={"name": "manuals", "config": None})
        assert call("v1_get_workspace_by_name", workspace_name="manuals")["name"] == "manuals"


def _providers(dashboard: Dashboard) -> None:
    with dashboard.open("providers") as call:
        listed = call("v1_list_provider_endpoints")
        assert [(one["name"], one["auth_type"]) for one in listed] == [
            (one.name, one.auth_type.value) for one, _ in PROVIDERS
        ]
        using = call("v1_list_workspaces", query={"provider_name": "router"})["workspaces"]
        wanted = {one.name for one in WORKSPACES if any(rule.provider_name == "router" for rule in one.rules)}
        assert {one["name"] for one in using} == wanted - {ARCHIVED}
        # The form sends all that it was given, the id included, and the key beside it.
        form = {"name": "own", "description": "", "provider_type": "vllm", "endpoint": dashboard.provider.url("openai")}
        call("v1_add_provider_endpoint", body={**form, "auth_type": "api_key", "api_key": KEY})
        shown = call("v1_get_provider_endpoint", provider_name="own")
        assert {name: shown[name] for name in form} == form
        _rename_and_give_key(call, shown)
        assert call("v1_get_provider_endpoint", provider_name="renamed")["auth_type"] == "api_key"
        call("v1_delete_provider_endpoint", provider_name="renamed")
        assert "renamed" not in {one["name"] for one in call("v1_list_provider_endpoints")}


def _rename_and_give_key(call: Callable[..., Any], shown: dict[str, Any]) -> None:
    """Save a changed name and a new key: the dashboard sends both at once, to the old name."""
    body = {name: value for name, value in shown.items() if name != "api_key"} | {"name": "renamed"}
    with ThreadPoolExecutor(2) as threads:
        sent = [
            threads.submit(call, "v1_update_provider_endpoint", provider_name="own", body=body),
            threads.submit(
                call,
                "v1_configure_auth_material",
                provider_name="own",
                body={"api_key": KEY, "auth_type": "api_key"},
            ),
        ]
        for one in sent:
            one.result()


def test_dashboard_sees_models_of_a_provider_that_it_has_added(gateway: Gateway, provider: FakeProvider) -> None:
    gateway.add_provider(provider.url("open"), "own")
    found = gateway.get("v1_list_all_models_for_all_providers")
    assert sorted(one["name"] for one in found) == sorted(MODELS)
