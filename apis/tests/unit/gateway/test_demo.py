"""The conversations of the demo: the same on every machine, in order, and with each kind of alert."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from gateway_api.demo.generate import DAYS, generate
from gateway_api.demo.setting import WORKSPACES
from gateway_api.models.records import QuestionType
from gateway_api.recording import Exchange

NOW = datetime(2026, 3, 20, 15, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def made() -> list[Exchange]:
    return list(generate(NOW))


def test_same_seed_gives_the_same_conversations_and_another_gives_others(made: list[Exchange]) -> None:
    assert list(generate(NOW)) == made
    other = list(generate(NOW, seed=7))
    assert [one.id for one in other] != [one.id for one in made]
    assert len(other) == len(made)


def test_each_workspace_has_its_number_oldest_first(made: list[Exchange]) -> None:
    assert Counter(one.workspace for one in made) == {one.name: one.conversations for one in WORKSPACES}
    assert Counter(one.workspace for one in generate(NOW, times=2)) == {
        one.name: 2 * one.conversations for one in WORKSPACES
    }
    for workspace in WORKSPACES:
        moments = [one.timestamp for one in made if one.workspace == workspace.name]
        assert moments == sorted(moments)


def test_all_lie_in_working_hours_of_the_last_days_and_in_the_past(made: list[Exchange]) -> None:
    moments = [one.timestamp for one in made]
    assert max(moments) <= NOW - timedelta(seconds=120)
    assert min(moments) >= (NOW - timedelta(days=DAYS - 1)).replace(hour=8, minute=0)
    assert {moment.hour for moment in moments} == set(range(8, 18))
    assert len({moment.date() for moment in moments}) > DAYS // 2


def test_newest_are_some_minutes_old_whenever_they_are_made() -> None:
    # Early in the working day most moments of it are still to come.
    early = datetime(2026, 3, 20, 8, 0, 1, tzinfo=UTC)
    ages = [early - one.timestamp for seed in range(3) for one in generate(early, times=4, seed=seed)]
    assert timedelta(seconds=120) <= min(ages) < timedelta(seconds=720)


def test_no_id_is_given_twice(made: list[Exchange]) -> None:
    ids = [one.id for one in made]
    ids += [one.answer.id for one in made if one.answer is not None]
    ids += [alert.id for one in made for alert in one.alerts]
    assert len(set(ids)) == len(ids)


def test_first_conversations_of_a_workspace_show_each_kind_of_alert(made: list[Exchange]) -> None:
    large = max(WORKSPACES, key=lambda one: one.conversations)
    first = [one for one in made if one.workspace == large.name][:6]
    assert [one.alerts[0].trigger_type for one in first] == [
        "codegate-secrets",
        "codegate-pii",
        "codegate-context-retriever",
        "code-comment",
        "system-prompt",
        "codegate-secrets",
    ]
    assert [alert.trigger_type for alert in first[5].alerts] == ["codegate-secrets", "secret-unredaction"]
    assert all("REDACTED<#" in one.messages[-1] for one in (first[0], first[5]))
    assert [alert.trigger_category.value for alert in first[5].alerts] == ["critical", "info"]


def test_answers_and_alerts_come_after_their_question(made: list[Exchange]) -> None:
    for one in made:
        if one.answer is not None:
            seconds = (one.answer.timestamp - one.timestamp).total_seconds()
            assert 1 <= seconds <= (3 if one.type is QuestionType.FIM else 40)
        assert all(0 <= (alert.timestamp - one.timestamp).total_seconds() <= 2 for alert in one.alerts)


def test_completions_have_no_alert_and_cost_only_where_they_are_answered(made: list[Exchange]) -> None:
    completions = [one for one in made if one.type is QuestionType.FIM]
    assert completions
    assert [one for one in completions if one.alerts or len(one.messages) != 1] == []
    assert {(one.answer is None) == (one.usage is None) for one in completions} == {True}
    assert {one.answer is None for one in completions} == {True, False}


def test_editor_extension_names_no_model_and_others_name_one_of_their_provider(made: list[Exchange]) -> None:
    chats = [one for one in made if one.type is QuestionType.CHAT]
    assert {one.usage is None for one in chats if one.provider == "copilot"} == {True}
    for one in chats:
        if one.provider != "copilot":
            assert one.usage is not None
            assert one.usage.provider_type.value == one.provider
            assert 150 <= one.usage.input_tokens <= 6_000
            assert 100 <= one.usage.output_tokens <= 900


def test_some_questions_follow_up_on_the_one_before_with_the_same_provider(made: list[Exchange]) -> None:
    threads = [one for one in made if one.type is QuestionType.CHAT and len(one.messages) > 1]
    assert threads
    for one in threads:
        before = [other for other in made if other.workspace == one.workspace and other.messages == one.messages[:-1]]
        assert one.provider in {other.provider for other in before}
        assert one.alerts == []
