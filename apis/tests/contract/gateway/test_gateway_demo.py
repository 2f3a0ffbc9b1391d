"""The demo data keep every invariant that the contract's readers rely on."""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from apis.tests.contract.gateway.gateway import Gateway, run_gateway, settings_for
from gateway_api.demo.generate import generate
from gateway_api.demo.load import load_demo
from gateway_api.demo.setting import PROVIDERS, WORKSPACES
from gateway_api.models.providers import ProviderAuthType
from gateway_api.prices import load_prices
from gateway_api.recording import Exchange
from gateway_api.store.recording import prepare

NOW = datetime(2025, 5, 15, 12, tzinfo=UTC)
KINDS = {
    "codegate-secrets": "critical",
    "codegate-pii": "critical",
    "codegate-context-retriever": "critical",
    "code-comment": "critical",
    "system-prompt": "info",
    "secret-unredaction": "info",
}
SECRET_LIKE = re.compile(r"AKIA[0-9A-Z]{16}|ghp_\w{36}|eyJ\w{10}|[\w.]+@[\w.]+\.\w{2,}|\b\d{13,16}\b")


@pytest.fixture(scope="module")
def exchanges() -> list[Exchange]:
    return list(generate(NOW))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with run_gateway(settings_for(tmp_path_factory.mktemp("demo"))) as gateway:
        assert load_demo(gateway.database, now=NOW) == 200
        yield gateway


def test_same_seed_makes_the_same_data(exchanges: list[Exchange]) -> None:
    assert list(generate(NOW)) == exchanges


def test_there_are_as_many_as_promised(exchanges: list[Exchange]) -> None:
    assert (len(exchanges), len(WORKSPACES), len(PROVIDERS)) == (200, 7, 7)
    types = Counter(exchange.type for exchange in exchanges)
    assert 0.2 < types["fim"] / 200 < 0.4


def test_alerts_of_all_types_have_their_category_and_time(exchanges: list[Exchange]) -> None:
    alerts = [(exchange, alert) for exchange in exchanges for alert in exchange.alerts]
    assert {alert.trigger_type: alert.trigger_category for _, alert in alerts} == KINDS
    for exchange, alert in alerts:
        assert timedelta(0) <= alert.timestamp - exchange.timestamp <= timedelta(seconds=2)
        assert isinstance(alert.trigger_string, dict) == (alert.trigger_type == "codegate-context-retriever")


def test_answers_follow_within_forty_seconds(exchanges: list[Exchange]) -> None:
    for exchange in exchanges:
        if exchange.answer:
            waited = exchange.answer.timestamp - exchange.timestamp
            assert timedelta(seconds=1) <= waited <= timedelta(seconds=40)


def test_everything_was_said_within_the_last_two_weeks(exchanges: list[Exchange]) -> None:
    moments = [exchange.timestamp for exchange in exchanges]
    assert NOW - timedelta(days=14) <= min(moments)
    assert max(moments) < NOW


def test_ids_are_uuids_of_version_4_and_unique(exchanges: list[Exchange]) -> None:
    ids = [id_ for exchange in exchanges for id_ in prepare(exchange, load_prices()).ids]
    assert len(ids) == len(set(ids))
    assert {uuid.UUID(id_).version for id_ in ids} == {4}


def test_texts_hold_marks_instead_of_secrets(exchanges: list[Exchange]) -> None:
    for exchange in exchanges:
        said = "\n".join([*exchange.messages, exchange.answer.message if exchange.answer else ""])
        assert not SECRET_LIKE.search(re.sub(r"#[0-9a-f-]{36}#", "", said)), said


def test_completions_are_short_and_raise_no_package_alerts(exchanges: list[Exchange]) -> None:
    for exchange in exchanges:
        if exchange.type == "fim":
            assert not exchange.alerts
            assert exchange.provider != "copilot"


def test_one_workspace_is_active_and_one_is_archived(demo: Gateway) -> None:
    live = demo.get("v1_list_workspaces")["workspaces"]
    assert [entry["name"] for entry in live if entry["is_active"]] == ["web-shop"]
    assert [entry["name"] for entry in demo.get("v1_list_archived_workspaces")["workspaces"]] == ["spike-auth"]
    assert len(live) == 6


def test_rules_end_with_a_catch_all_and_target_known_models(demo: Gateway) -> None:
    models = {(model["provider_name"], model["name"]) for model in demo.get("v1_list_all_models_for_all_providers")}
    for workspace in demo.get("v1_list_workspaces")["workspaces"]:
        rules = demo.get("v1_get_workspace_muxes", workspace_name=workspace["name"])
        assert rules[-1]["matcher_type"] == "catch_all"
        assert {(rule["provider_name"], rule["model"]) for rule in rules} <= models
        assert all(isinstance(rule["matcher"], str) for rule in rules)


def test_passthrough_providers_have_no_models() -> None:
    assert [models for provider, models in PROVIDERS if provider.auth_type is ProviderAuthType.PASSTHROUGH] == [[]]


def test_summaries_and_totals_agree(demo: Gateway) -> None:
    for workspace in demo.get("v1_list_workspaces")["workspaces"]:
        name = {"workspace_name": workspace["name"]}
        summary = demo.get("v1_get_workspace_alerts_summary", **name)
        assert summary["total_alerts"] >= summary["malicious_packages"] + summary["pii"] + summary["secrets"]
        entries = demo.get("v1_get_workspace_messages", **name, query={"page_size": 100})
        assert entries["total"] == len(entries["data"])
        for counter in summary:
            assert summary[counter] == sum(entry["alerts_summary"][counter] for entry in entries["data"])
        usage = demo.get("v1_get_workspace_token_usage", **name)
        for amount in usage["token_usage"]:
            parts = [part["token_usage"][amount] for part in usage["tokens_by_model"].values()]
            assert usage["token_usage"][amount] == pytest.approx(sum(parts))
            spent = [entry["token_usage_agg"]["token_usage"][amount] for entry in entries["data"]]
            assert usage["token_usage"][amount] == pytest.approx(sum(spent))


def test_alerts_belong_to_their_workspace_and_are_critical(demo: Gateway) -> None:
    for workspace in demo.get("v1_list_workspaces")["workspaces"]:
        alerts = demo.get("v1_get_workspace_alerts", workspace_name=workspace["name"])
        assert {alert["trigger_category"] for alert in alerts} == {"critical"}
        moments = [alert["timestamp"] for alert in alerts]
        assert moments == sorted(moments, reverse=True)


def test_demo_leaves_a_used_database_alone(tmp_path: Path) -> None:
    with run_gateway(settings_for(tmp_path)) as gateway:
        gateway.add_workspace("mine")
        assert load_demo(gateway.database) == 0
        assert len(gateway.get("v1_list_workspaces")["workspaces"]) == 2
