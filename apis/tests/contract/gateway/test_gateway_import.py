"""The way in for records: a file of lines, all or nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apis.tests.contract.gateway.exchanges import gpt_usage, make_alert, make_exchange
from apis.tests.contract.gateway.gateway import Gateway
from gateway_api.errors import SetupError
from gateway_api.importing import import_file


def line(**changes: Any) -> str:
    values = make_exchange("default", alerts=[make_alert("codegate-pii")], usage=gpt_usage()).model_dump(mode="json")
    return json.dumps(values | changes)


def run(gateway: Gateway, tmp_path: Path, *lines: str) -> int:
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    return import_file(file, gateway.settings)


def total(gateway: Gateway, workspace: str = "default") -> int:
    return int(gateway.get("v1_get_workspace_messages", workspace_name=workspace)["total"])


def test_lines_become_conversations_alerts_and_usage(gateway: Gateway, tmp_path: Path) -> None:
    assert run(gateway, tmp_path, line(), "", line()) == 2
    assert total(gateway) == 2
    assert gateway.get("v1_get_workspace_alerts_summary", workspace_name="default")["pii"] == 2
    usage = gateway.get("v1_get_workspace_token_usage", workspace_name="default")
    assert usage["token_usage"]["input_tokens"] == 2_000


def test_line_without_a_workspace_goes_to_the_active_one(gateway: Gateway, tmp_path: Path) -> None:
    gateway.add_workspace("alpha")
    gateway.get("v1_activate_workspace", body={"name": "alpha"})
    run(gateway, tmp_path, line(workspace=None))
    assert total(gateway, "alpha") == 1


def test_ids_may_be_left_out(gateway: Gateway, tmp_path: Path) -> None:
    short = {"type": "chat", "provider": None, "timestamp": "2025-05-01T10:00:00Z", "messages": ["Hello."]}
    run(gateway, tmp_path, json.dumps(short), json.dumps(short))
    assert total(gateway) == 2


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("{", "Invalid JSON: EOF while parsing an object at line 1 column 1"),
        ("[]", "Input should be an object"),
        (line(messages=[]), "messages: List should have at least 1 item after validation, not 0"),
        (line(timestamp="2025-05-01T10:00:00"), "timestamp: Input should have timezone info"),
        (line(colour="red"), "colour: Extra inputs are not permitted"),
        (line(workspace="nobody"), 'workspace "nobody" does not exist'),
        (line(usage=gpt_usage(-1)), "usage.input_tokens: Input should be greater than or equal to 0"),
    ],
)
def test_bad_line_is_named_and_nothing_is_stored(gateway: Gateway, tmp_path: Path, bad: str, said: str) -> None:
    with pytest.raises(SetupError) as caught:
        run(gateway, tmp_path, line(), bad, line())
    assert str(caught.value) == f"Nothing was imported; these lines are wrong:\nline 2: {said}"
    assert total(gateway) == 0


def test_ids_that_are_recorded_already_are_refused(gateway: Gateway, tmp_path: Path) -> None:
    first = line()
    run(gateway, tmp_path, first)
    with pytest.raises(SetupError, match="line 2: has an id that is recorded already"):
        run(gateway, tmp_path, line(), first)
    with pytest.raises(SetupError, match="line 3: has an id that is recorded already"):
        run(gateway, tmp_path, line(), twice := line(), twice)
    assert total(gateway) == 1


def test_long_lists_of_bad_lines_are_cut(gateway: Gateway, tmp_path: Path) -> None:
    with pytest.raises(SetupError) as caught:
        run(gateway, tmp_path, *(["{"] * 30))
    assert str(caught.value).splitlines()[-1] == "… and 10 more."
