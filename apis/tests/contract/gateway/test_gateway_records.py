"""What was recorded, as it is listed, filtered, counted and summed."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from pydantic import TypeAdapter
from sqlalchemy import update

from apis.tests.contract.gateway.exchanges import START, gpt_usage, make_alert, make_exchange
from apis.tests.contract.gateway.gateway import Gateway
from gateway_api.models.records import AlertConversation, Conversation, PaginatedMessagesResponse
from gateway_api.routes.records import _write_alerts
from gateway_api.store.records import RepeatFilter, read_alerts
from gateway_api.store.workspaces import get_live
from gateway_api.tables import alerts

SECRETS, PII, PACKAGES = "codegate-secrets", "codegate-pii", "codegate-context-retriever"
ZERO = {"input_tokens": 0, "output_tokens": 0, "input_cost": 0, "output_cost": 0}


def messages(gateway: Gateway, workspace: str = "alpha", **query: Any) -> dict[str, Any]:
    return dict(gateway.get("v1_get_workspace_messages", workspace_name=workspace, query=query))


def ids(found: dict[str, Any]) -> list[str]:
    return [entry["chat_id"] for entry in found["data"]]


@pytest.fixture(autouse=True)
def _workspaces(gateway: Gateway) -> None:
    gateway.add_workspace("alpha")
    gateway.add_workspace("beta")


class TestMessages:
    def test_newest_come_first_in_pages(self, gateway: Gateway) -> None:
        made = [make_exchange(minute=minute) for minute in (3, 1, 4, 2, 0)]
        gateway.record(*made)
        newest = [str(exchange.id) for exchange in sorted(made, key=lambda exchange: exchange.timestamp, reverse=True)]
        assert ids(messages(gateway)) == newest
        page = messages(gateway, page=2, page_size=2)
        assert (ids(page), page["limit"], page["offset"], page["total"]) == (newest[2:4], 2, 2, 5)
        assert messages(gateway, page=9, page_size=2) == {"data": [], "limit": 2, "offset": 16, "total": 5}

    def test_page_far_beyond_any_number_of_rows_is_empty(self, gateway: Gateway) -> None:
        gateway.record(make_exchange())
        assert messages(gateway, page=10**30)["data"] == []

    def test_workspaces_do_not_mix(self, gateway: Gateway) -> None:
        mine, other = make_exchange(), make_exchange("beta")
        gateway.record(mine, other)
        assert ids(messages(gateway)) == [str(mine.id)]
        answer = gateway.call("v1_get_messages_by_prompt_id", workspace_name="alpha", prompt_id=str(other.id))
        assert answer.status_code == 404

    def test_filters_combine(self, gateway: Gateway) -> None:
        secret = make_exchange(minute=1, alerts=[make_alert(SECRETS)])
        both = make_exchange(minute=2, alerts=[make_alert(SECRETS), make_alert(PII)])
        quiet = make_exchange(minute=3)
        gateway.record(secret, both, quiet)

        def found(**query: Any) -> tuple[list[str], int]:
            page = messages(gateway, **query)
            return ids(page), page["total"]

        by_type = "filter_by_alert_trigger_types"
        assert found(**{by_type: SECRETS}) == ([str(both.id), str(secret.id)], 2)
        assert found(**{by_type: [PII, PACKAGES]}) == ([str(both.id)], 1)
        assert found(filter_by_ids=[str(quiet.id), str(secret.id), "none"]) == ([str(quiet.id), str(secret.id)], 2)
        assert found(**{by_type: SECRETS, "filter_by_ids": [str(quiet.id), str(secret.id)]}) == ([str(secret.id)], 1)
        assert found(filter_by_ids=f"{quiet.id},{secret.id}") == ([], 0)

    def test_ids_that_no_database_can_hold_are_not_found(self, gateway: Gateway) -> None:
        made = make_exchange()
        gateway.record(made)
        assert messages(gateway, filter_by_ids="a\0b") == {"data": [], "limit": 50, "offset": 0, "total": 0}
        assert ids(messages(gateway, filter_by_ids=["a\0b", str(made.id)])) == [str(made.id)]
        for prompt_id in ("a\0b", "\0"):
            answer = gateway.call("v1_get_messages_by_prompt_id", workspace_name="alpha", prompt_id=prompt_id)
            assert answer.status_code == 404

    @pytest.mark.parametrize("query", [{"page": "x"}, {"page_size": "0"}, {"page_size": "101"}, {"page": "0"}])
    def test_limits_are_kept(self, gateway: Gateway, query: dict[str, str]) -> None:
        answer = gateway.call("v1_get_workspace_messages", workspace_name="alpha", query=query)
        assert answer.status_code == 422
        assert answer.json()["detail"][0]["loc"] == ["query", *query]

    def test_only_filterable_types_filter(self, gateway: Gateway) -> None:
        query = {"filter_by_alert_trigger_types": "code-comment"}
        assert gateway.call("v1_get_workspace_messages", workspace_name="alpha", query=query).status_code == 422

    def test_informational_alerts_alone_do_not_hide_a_conversation(self, gateway: Gateway) -> None:
        made = make_exchange(alerts=[make_alert("system-prompt", "info")])
        gateway.record(made)
        entry = messages(gateway)["data"][0]
        assert entry["alerts_summary"] == {"malicious_packages": 0, "pii": 0, "secrets": 0, "total_alerts": 1}

    def test_entry_without_tokens_has_zeros(self, gateway: Gateway) -> None:
        gateway.record(make_exchange())
        assert messages(gateway)["data"][0]["token_usage_agg"] == {"tokens_by_model": {}, "token_usage": ZERO}

    def test_times_keep_their_microseconds(self, gateway: Gateway) -> None:
        gateway.record(make_exchange(timestamp="2025-05-01T12:00:00.000001+02:00"))
        assert messages(gateway)["data"][0]["conversation_timestamp"] == "2025-05-01T10:00:00.000001Z"


class TestConversation:
    def show(self, gateway: Gateway, exchange: Any) -> dict[str, Any]:
        found = gateway.get("v1_get_messages_by_prompt_id", workspace_name="alpha", prompt_id=str(exchange.id))
        return dict(found)

    def test_list_shows_the_first_message_and_detail_the_last(self, gateway: Gateway) -> None:
        made = make_exchange(messages=["First.", "Second."])
        gateway.record(made)
        assert messages(gateway)["data"][0]["prompt"]["message"] == "First."
        question = self.show(gateway, made)["question_answers"][0]["question"]
        assert (question["message"], question["message_id"]) == ("Second.", str(made.id))

    def test_editor_extension_asks_in_several_messages(self, gateway: Gateway) -> None:
        made = make_exchange(messages=["First.", "Second."], provider="copilot")
        gateway.record(made)
        assert self.show(gateway, made)["question_answers"][0]["question"]["message"] == "First.\nSecond."

    def test_what_tools_wrap_around_the_words_is_left_out(self, gateway: Gateway) -> None:
        wrapped = "<task>\nDo it.\n</task>\n<environment_details>\nfiles\n</environment_details>"
        gateway.record(make_exchange(messages=[wrapped]))
        assert messages(gateway)["data"][0]["prompt"]["message"] == "Do it."

    def test_unanswered_chat_is_listed_and_has_a_detail(self, gateway: Gateway) -> None:
        made = make_exchange(answer=None)
        gateway.record(made)
        assert ids(messages(gateway)) == [str(made.id)]
        shown = self.show(gateway, made)
        assert [pair["answer"] for pair in shown["question_answers"]] == [None]

    def test_completion_without_an_answer_has_a_detail(self, gateway: Gateway) -> None:
        made = make_exchange(answer=None, type="fim")
        gateway.record(made)
        shown = self.show(gateway, made)
        assert (shown["type"], shown["question_answers"][0]["answer"], shown["token_usage_agg"]) == ("fim", None, None)

    def test_critical_alerts_are_shown_newest_first(self, gateway: Gateway) -> None:
        alerts = [
            make_alert(SECRETS, at=START),
            make_alert("system-prompt", "info", at=START),
            make_alert(PII, at=START + timedelta(seconds=1)),
        ]
        made = make_exchange(alerts=alerts)
        gateway.record(made)
        shown = self.show(gateway, made)["alerts"]
        assert [alert["trigger_type"] for alert in shown] == [PII, SECRETS]
        assert {alert["prompt_id"] for alert in shown} == {str(made.id)}


class TestAlerts:
    def alerts(self, gateway: Gateway) -> list[dict[str, Any]]:
        return list(gateway.get("v1_get_workspace_alerts", workspace_name="alpha"))

    def test_only_critical_ones_are_listed_and_all_are_counted(self, gateway: Gateway) -> None:
        kinds = [SECRETS, SECRETS, PII, PACKAGES, "code-comment"]
        made = [make_alert(kind, trigger_string=f"{kind} {number}") for number, kind in enumerate(kinds)]
        gateway.record(make_exchange(alerts=[*made, make_alert("system-prompt", "info")]))
        assert sorted(alert["trigger_type"] for alert in self.alerts(gateway)) == sorted(kinds)
        counted = gateway.get("v1_get_workspace_alerts_summary", workspace_name="alpha")
        assert counted == {"malicious_packages": 1, "pii": 1, "secrets": 2, "total_alerts": 6}

    @pytest.mark.parametrize(("seconds", "kept"), [(4.9, 1), (5, 2)])
    def test_repeats_within_five_seconds_are_one(self, gateway: Gateway, seconds: float, kept: int) -> None:
        later = START + timedelta(seconds=seconds)
        first = make_alert(SECRETS, trigger_string="Key\nContext: a")
        second = make_alert(SECRETS, at=later, trigger_string="Key\nContext: b")
        gateway.record(make_exchange(alerts=[first, second]))
        found = self.alerts(gateway)
        assert len(found) == kept
        assert found[0]["timestamp"] == later.isoformat().replace("+00:00", "Z")

    @pytest.mark.parametrize("trigger", ["text", {"name": "invokehttp", "status": "malicious"}, None, {}])
    def test_trigger_comes_back_in_its_form(self, gateway: Gateway, trigger: Any) -> None:
        snippet = {"code": "x", "language": "python", "filepath": "a.py", "libraries": [], "file_extension": ".py"}
        gateway.record(make_exchange(alerts=[make_alert(PACKAGES, trigger_string=trigger, code_snippet=snippet)]))
        found = self.alerts(gateway)[0]
        assert (found["trigger_string"], found["code_snippet"]) == (trigger, snippet)

    def test_alert_carries_the_whole_chat(self, gateway: Gateway) -> None:
        first = make_exchange(messages=["One."], usage=gpt_usage())
        second = make_exchange(minute=1, messages=["One.", "Two."], usage=gpt_usage(), alerts=[make_alert(SECRETS)])
        other = make_exchange(minute=2, messages=["Two."])
        gateway.record(first, second, other)
        chat = self.alerts(gateway)[0]["conversation"]
        assert [pair["question"]["message"] for pair in chat["question_answers"]] == ["One.", "Two."]
        assert (chat["chat_id"], chat["alerts"]) == (str(first.id), [])
        assert chat["token_usage_agg"]["token_usage"]["input_tokens"] == 2_000

    def test_completion_begins_no_chat(self, gateway: Gateway) -> None:
        """Also where its text is the first message of a chat, and whether or not both are recorded together."""
        completion = make_exchange(type="fim", messages=["One."], answer=None)
        gateway.record(completion)
        first = make_exchange(minute=1, messages=["One."])
        gateway.record(make_exchange(minute=2, type="fim", messages=["One."], answer=None), first)
        gateway.record(make_exchange(minute=3, type="fim", messages=["One."], answer=None))
        gateway.record(make_exchange(minute=4, messages=["One.", "Two."], alerts=[make_alert(SECRETS)]))
        chat = self.alerts(gateway)[0]["conversation"]
        assert (chat["chat_id"], chat["type"]) == (str(first.id), "chat")
        assert [pair["question"]["message"] for pair in chat["question_answers"]] == ["One.", "Two."]

    def test_every_chat_that_is_offered_has_a_detail(self, gateway: Gateway) -> None:
        first = make_exchange(messages=["One."], answer=None)
        second = make_exchange(minute=1, messages=["One.", "Two."], alerts=[make_alert(SECRETS)])
        gateway.record(first, second)
        chat = self.alerts(gateway)[0]["conversation"]
        told = [(pair["question"]["message"], pair["answer"] is None) for pair in chat["question_answers"]]
        assert told == [("One.", True), ("Two.", False)]
        for chat_id in (chat["chat_id"], *ids(messages(gateway))):
            gateway.get("v1_get_messages_by_prompt_id", workspace_name="alpha", prompt_id=chat_id)

    def test_list_of_any_length_is_whole_and_in_order(self, gateway: Gateway) -> None:
        """More alerts than are read at a time, several of the same moment, repeats on both sides of a part's end."""
        raised = [
            make_alert(SECRETS, at=START + timedelta(seconds=second), trigger_string=f"{second} {place}")
            for second in range(150)
            for place in range(3)
        ]
        repeated = [make_alert(PII, at=START + timedelta(seconds=second)) for second in range(0, 150, 2)]
        gateway.record(*(make_exchange(alerts=raised[start : start + 9]) for start in range(0, 450, 9)))
        gateway.record(make_exchange(alerts=repeated))
        found = self.alerts(gateway)
        assert sum(alert["trigger_type"] == SECRETS for alert in found) == 450
        assert sum(alert["trigger_type"] == PII for alert in found) == 25  # every third, six seconds apart
        times = [alert["timestamp"] for alert in found]
        assert times == sorted(times, reverse=True)
        assert len({alert["alert_id"] for alert in found}) == len(found)

    def test_list_is_read_and_sent_in_parts(self, gateway: Gateway) -> None:
        """Whatever its length, so many alerts and bytes are in memory at a time, and no more."""
        said = [make_alert(SECRETS, trigger_string=f"{number} {'x' * 2_000}") for number in range(450)]
        gateway.record(*(make_exchange(alerts=said[start : start + 50]) for start in range(0, 450, 50)))
        repeats, sizes = RepeatFilter(), []
        with gateway.database.reading() as connection:
            workspace_id = get_live(connection, "alpha").id
            first = part = read_alerts(connection, workspace_id, None, repeats)
            while part.next_place:
                sizes.append(len(part.alerts))
                part = read_alerts(connection, workspace_id, part.next_place, repeats)
        assert [*sizes, len(part.alerts)] == [200, 200, 50]

        async def send() -> list[int]:
            return [len(piece) async for piece in _write_alerts(gateway.database, workspace_id, first, RepeatFilter())]

        pieces = asyncio.run(send())
        assert sum(pieces) == len(gateway.call("v1_get_workspace_alerts", workspace_name="alpha").content) > 900_000
        assert max(pieces) < 80_000

    def test_list_is_written_as_its_models_would_write_it(self, gateway: Gateway) -> None:
        snippet = {"code": "x", "language": None, "filepath": None, "libraries": ["a"], "file_extension": None}
        gateway.record(
            make_exchange(usage=gpt_usage(), alerts=[make_alert(PII, code_snippet=snippet)]),
            make_exchange(minute=1, type="fim", answer=None, alerts=[make_alert(SECRETS, trigger_string={"é": 1})]),
        )
        written = gateway.call("v1_get_workspace_alerts", workspace_name="alpha").content
        read = TypeAdapter(list[AlertConversation])
        assert written == read.dump_json(read.validate_json(written))

    def test_unanswered_chats_are_left_out(self, gateway: Gateway) -> None:
        gateway.record(make_exchange(answer=None, alerts=[make_alert(SECRETS)]))
        assert self.alerts(gateway) == []


class TestTokenUsage:
    def usage(self, gateway: Gateway) -> dict[str, Any]:
        return dict(gateway.get("v1_get_workspace_token_usage", workspace_name="alpha"))

    def test_empty_workspace_has_spent_nothing(self, gateway: Gateway) -> None:
        assert self.usage(gateway) == {"tokens_by_model": {}, "token_usage": ZERO}

    def test_sums_are_by_model_with_list_prices(self, gateway: Gateway) -> None:
        local = {"provider_type": "ollama", "model": "qwen2.5-coder:7b", "input_tokens": 500, "output_tokens": 50}
        gateway.record(make_exchange(usage=gpt_usage()), make_exchange(usage=gpt_usage()))
        gateway.record(make_exchange(usage=gpt_usage()), make_exchange(usage=local))
        found = self.usage(gateway)
        assert found["tokens_by_model"]["gpt-4o"]["provider_type"] == "openai"
        assert found["tokens_by_model"]["gpt-4o"]["token_usage"] == {
            "input_tokens": 3_000,
            "output_tokens": 300,
            "input_cost": pytest.approx(3_000 * 0.0000025),
            "output_cost": pytest.approx(300 * 0.00001),
        }
        assert found["tokens_by_model"]["qwen2.5-coder:7b"]["token_usage"]["input_cost"] == 0
        assert found["token_usage"]["input_tokens"] == 3_500

    def test_worked_example_of_a_price(self, gateway: Gateway) -> None:
        usage = {"provider_type": "anthropic", "model": "claude-3-5-sonnet-latest"}
        gateway.record(make_exchange(usage=usage | {"input_tokens": 1_183, "output_tokens": 433}))
        total = self.usage(gateway)["token_usage"]
        assert (total["input_cost"], total["output_cost"]) == (pytest.approx(0.003549), pytest.approx(0.006495))

    def test_records_without_tokens_are_left_out(self, gateway: Gateway) -> None:
        gateway.record(make_exchange(usage=gpt_usage(0, 0)), make_exchange(provider="copilot"))
        assert self.usage(gateway)["tokens_by_model"] == {}


def test_small_consistent_set(gateway: Gateway) -> None:
    """Nine prompts of one workspace, told in full by all calls."""

    def at(hour: int, *kinds: str, **fields: Any) -> Any:
        raised = START + timedelta(hours=hour)
        alerts = [
            make_alert(
                kind, "info" if kind == "system-prompt" else "critical", raised, trigger_string=f"{kind} {place}"
            )
            for place, kind in enumerate(kinds)
        ]
        return make_exchange(minute=60 * hour, alerts=alerts, **({"usage": gpt_usage()} | fields))

    third = at(3, SECRETS, SECRETS, "system-prompt")
    seventh = at(7, type="fim", answer=None)
    prompts = [
        at(1),
        at(2),
        third,
        at(4, PACKAGES, "code-comment"),
        at(5, PII),
        at(6),
        seventh,
        at(8, provider="copilot", usage=None),
        at(9, "system-prompt"),
    ]
    gateway.record(*prompts)
    listed = messages(gateway)
    assert (listed["total"], len(listed["data"])) == (9, 9)
    assert ids(messages(gateway, filter_by_alert_trigger_types=SECRETS)) == [str(third.id)]
    counted = gateway.get("v1_get_workspace_alerts_summary", workspace_name="alpha")
    assert counted == {"malicious_packages": 1, "pii": 1, "secrets": 2, "total_alerts": 7}
    detail = gateway.get("v1_get_messages_by_prompt_id", workspace_name="alpha", prompt_id=str(seventh.id))
    assert detail["question_answers"][0]["answer"] is None
    usage = gateway.get("v1_get_workspace_token_usage", workspace_name="alpha")
    assert usage["token_usage"]["input_tokens"] == 8_000


def test_detail_is_written_as_its_model_would_write_it(gateway: Gateway) -> None:
    snippet = {"code": "x", "language": None, "filepath": None, "libraries": ["a"], "file_extension": None}
    raised = [make_alert(SECRETS, code_snippet=snippet), make_alert(PII, trigger_string={"é": [1.5, None]})]
    gateway.record(
        make_exchange(usage=gpt_usage(), alerts=raised),
        make_exchange(minute=1, usage=gpt_usage(0, 5), messages=["a", "b"]),
        make_exchange(minute=2, provider=None, type="fim", answer=None),
    )
    for chat_id in ids(messages(gateway)):
        written = gateway.call("v1_get_messages_by_prompt_id", workspace_name="alpha", prompt_id=chat_id).content
        assert written == Conversation.model_validate_json(written).model_dump_json().encode()


def test_trigger_of_any_depth_that_was_stored_is_shown(gateway: Gateway) -> None:
    """Earlier releases stored objects within each other that are refused now."""
    exchange = make_exchange(alerts=[make_alert(SECRETS, trigger_string={"a": 1})])
    gateway.record(exchange)
    with gateway.database.writing() as connection:
        connection.execute(update(alerts).values(trigger='{"a":' * 300 + "1" + "}" * 300))
    where = {"workspace_name": "alpha", "prompt_id": str(exchange.id)}
    detail = gateway.call("v1_get_messages_by_prompt_id", **where).json()
    listed = gateway.call("v1_get_workspace_alerts", workspace_name="alpha").json()
    assert detail["alerts"][0]["trigger_string"] == listed[0]["trigger_string"]


def test_deleting_for_good_takes_the_records(gateway: Gateway) -> None:
    gateway.record(make_exchange(alerts=[make_alert(SECRETS)], usage=gpt_usage()))
    gateway.get("v1_delete_workspace", workspace_name="alpha")
    gateway.get("v1_hard_delete_workspace", workspace_name="alpha")
    gateway.add_workspace("alpha")
    assert messages(gateway)["total"] == 0
    assert gateway.get("v1_get_workspace_token_usage", workspace_name="alpha")["token_usage"] == ZERO


def test_recovering_brings_the_records_back(gateway: Gateway) -> None:
    gateway.record(make_exchange())
    gateway.get("v1_delete_workspace", workspace_name="alpha")
    gateway.get("v1_recover_workspace", workspace_name="alpha")
    assert messages(gateway)["total"] == 1


def test_page_is_written_as_its_models_would_write_it(gateway: Gateway) -> None:
    gateway.record(
        make_exchange(usage=gpt_usage(), alerts=[make_alert("codegate-pii")]),
        make_exchange(minute=1, usage=gpt_usage(0, 0)),
        make_exchange(minute=0.5, provider=None, type="fim", messages=['é \u2028 "<&>']),
    )
    written = gateway.call("v1_get_workspace_messages", workspace_name="alpha").content
    page = PaginatedMessagesResponse.model_validate_json(written)
    assert len(page.data) == 3
    assert json.loads(written) == json.loads(page.model_dump_json())
    assert written == page.model_dump_json().encode()
