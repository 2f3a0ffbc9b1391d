"""Import of records: a file of lines, all or nothing."""

from __future__ import annotations

import contextlib
import gzip
import itertools
import json
import lzma
import math
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from apis.tests.contract.gateway.exchanges import gpt_usage, make_alert, make_exchange
from apis.tests.contract.gateway.gateway import Gateway
from apis.tests.contract.gateway.postgres import Cluster
from gateway_api.database import Database
from gateway_api.errors import SetupError
from gateway_api.importing import import_file, import_lines, storing
from gateway_api.importing.spool import Entry
from gateway_api.importing.storing import Imported, Storing
from gateway_api.prices import load_prices
from gateway_api.recording import Exchange
from gateway_api.sqlite import Turnstile
from gateway_api.store.recording import prepare
from gateway_api.store.workspaces import get_live


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


def bulk(count: int) -> list[str]:
    return [line() for _ in range(count)]


class KilledError(Exception):
    """The process ends here."""


def test_interrupted_import_goes_on_with_the_same_file(gateway: Gateway, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    without_ids = {"type": "chat", "provider": None, "timestamp": "2025-05-01T10:00:00Z", "messages": ["Hello."]}
    file.write_text("\n".join([*bulk(900), *([json.dumps(without_ids)] * 300)]), encoding="utf-8")

    def stop(event: str, count: int) -> None:
        if event == "stored" and count >= 100:
            raise KilledError

    with pytest.raises(KilledError):
        import_file(file, gateway.settings, stop)
    stored = total(gateway)
    assert 100 <= stored < 1_200
    assert import_file(file, gateway.settings) == 1_200
    assert total(gateway) == 1_200
    assert gateway.get("v1_get_workspace_alerts_summary", workspace_name="default")["pii"] == 900
    with pytest.raises(SetupError, match="line 1: has an id that is recorded already"):
        import_file(file, gateway.settings)


def test_interrupted_import_begins_anew_in_a_workspace_that_was_made_anew(gateway: Gateway, tmp_path: Path) -> None:
    """What the first attempt has stored is gone with the workspace of that name."""
    file = tmp_path / "records.jsonl"
    without_ids = {"type": "chat", "provider": None, "timestamp": "2025-05-01T10:00:00Z", "messages": ["Hello."]}
    file.write_text("\n".join([json.dumps(without_ids | {"workspace": "alpha"})] * 600), encoding="utf-8")
    gateway.add_workspace("alpha")

    def stop(event: str, _: int) -> None:
        if event == "stored":
            raise KilledError

    with pytest.raises(KilledError):
        import_file(file, gateway.settings, stop)
    gateway.get("v1_delete_workspace", workspace_name="alpha")
    gateway.get("v1_hard_delete_workspace", workspace_name="alpha")
    gateway.add_workspace("alpha")
    assert import_file(file, gateway.settings) == 600
    assert total(gateway, "alpha") == 600


def test_every_transaction_notes_how_far_it_came(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines without ids would be stored again if the note were only of the first."""
    monkeypatch.setattr(storing, "LONGEST_S", 0.0)
    monkeypatch.setattr(storing, "STEP", 10)
    file = tmp_path / "records.jsonl"
    without_ids = {"type": "chat", "provider": None, "timestamp": "2025-05-01T10:00:00Z", "messages": ["Hello."]}
    file.write_text("\n".join([json.dumps(without_ids)] * 100), encoding="utf-8")
    stored: list[int] = []

    def stop(event: str, count: int) -> None:
        if event == "stored":
            stored.append(count)
            if len(stored) == 2:
                raise KilledError

    with pytest.raises(KilledError):
        import_file(file, gateway.settings, stop)
    assert total(gateway) == stored[-1] < 100
    assert import_file(file, gateway.settings) == 100
    assert total(gateway) == 100


def test_record_that_comes_meanwhile_is_stored_once(gateway: Gateway, tmp_path: Path) -> None:
    lines = bulk(1_200)
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    other = tmp_path / "other.jsonl"
    other.write_text(lines[-1], encoding="utf-8")
    calls: list[int] = []

    def record_too(event: str, count: int) -> None:
        calls.append(count)
        if len(calls) == 1:
            import_file(other, gateway.settings)

    with file.open("rb") as opened:
        done = import_lines(opened, gateway.settings, record_too)
    assert (done.count, done.repeated, total(gateway)) == (1_200, 1, 1_200)


def test_imports_of_one_file_at_once_store_it_once(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one of them has found missing, another one may have stored before it is written."""
    monkeypatch.setattr(storing, "LONGEST_S", 0.0)
    monkeypatch.setattr(storing, "FEWEST", 20)
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join(bulk(1_200)), encoding="utf-8")
    begin = threading.Barrier(3)

    def run() -> Imported:
        is_checked = False

        def wait_for_others(event: str, _: int) -> None:
            nonlocal is_checked
            if event == "checked" and not is_checked:
                is_checked = True
                begin.wait(60)

        with file.open("rb") as opened:
            return import_lines(opened, gateway.settings, wait_for_others)

    with ThreadPoolExecutor(3) as pool:
        done = [task.result(120) for task in [pool.submit(run) for _ in range(3)]]
    assert total(gateway) == 1_200
    assert [one.count for one in done] == [1_200] * 3
    with pytest.raises(SetupError, match="line 1: has an id that is recorded already"):
        import_file(file, gateway.settings)


def test_writes_are_answered_while_an_import_runs(gateway: Gateway, tmp_path: Path) -> None:
    """The import holds the lock for a moment at a time: the API writes between any two of its transactions."""
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join(bulk(2_000)), encoding="utf-8")
    seen: list[int] = []

    def write_too(event: str, count: int) -> None:
        if event == "stored":
            gateway.get("v1_set_workspace_custom_instructions", workspace_name="default", body={"prompt": f"{count}"})
            seen.append(total(gateway))

    import_file(file, gateway.settings, write_too)
    assert len(seen) >= 2
    assert seen == sorted(seen)
    assert seen[-1] == 2_000


def stored_beside(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch, is_turn: Callable[[int, list[int]], bool]
) -> list[int]:
    """Store 100 entries in steps of 10 while somebody else asks for the turn; gives how many were stored after each transaction.

    Args:
        gateway: On SQLite.
        monkeypatch: For the lengths of transactions.
        is_turn: (number of the next entry, what was stored so far) → the other asks for the turn now.
    """
    monkeypatch.setattr(storing, "LONGEST_S", 1e6)
    monkeypatch.setattr(storing, "TRANSACTION_S", 0.0)
    monkeypatch.setattr(storing, "STEP", 10)
    other = Turnstile(gateway.settings.data_dir / "gateway.sqlite-turn")
    with gateway.database.reading() as connection:
        workspace_id = get_live(connection, "default").id
    stored: list[int] = []
    with contextlib.ExitStack() as waiting, contextlib.closing(other):

        def entries() -> Iterator[Entry]:
            for number in range(100):
                if is_turn(number, stored):
                    waiting.enter_context(other.passing(math.inf))
                yield workspace_id, prepare(make_exchange("default"), load_prices())

        def tell(_: str, count: int) -> None:
            stored.append(count)
            waiting.close()

        Storing(gateway.database, entries(), 100, "digest", tell).run()
    return stored


def test_transactions_are_short_as_long_as_somebody_waits(
    sqlite_gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many entries earlier ones have had: the next entries may take longer to store."""
    # In the second step of each transaction: who asks for the turn before the transaction has begun gets it first.
    stored = stored_beside(
        sqlite_gateway, monkeypatch, lambda number, before: number - (before[-1] if before else 0) == 15
    )
    assert stored[:4] == [20, 40, 60, 80]


def test_transaction_ends_when_somebody_waits(sqlite_gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    """While nobody does, it goes on: it would have all but the last of these entries."""
    stored = stored_beside(sqlite_gateway, monkeypatch, lambda number, _: number == 25)  # in the first transaction
    assert stored[0] == 30
    assert (stored[-1], total(sqlite_gateway)) == (100, 100)


def test_job_sees_who_waits_to_write(gateway: Gateway) -> None:
    other = Database(gateway.settings.database_url)

    def write() -> None:
        with other.writing():
            pass

    with contextlib.closing(other), gateway.database.writing(is_durable=False) as connection:
        assert not gateway.database.is_wanted(connection)
        waiting = threading.Thread(target=write)
        waiting.start()
        while not gateway.database.is_wanted(connection):
            assert waiting.is_alive()
        connection.commit()
        waiting.join()
    with gateway.database.writing() as connection:
        assert not gateway.database.is_wanted(connection)


def test_postgresql_waits_for_the_disk_only_where_that_is_asked_for(cluster: Cluster) -> None:
    with contextlib.closing(Database(cluster.fresh_database())) as database:
        for is_durable in (True, False, True):
            with database.writing(is_durable=is_durable) as connection:
                found = connection.exec_driver_sql("SHOW synchronous_commit").scalar_one()
                assert found == ("on" if is_durable else "off")


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf%s\r\n%s\r\n", b"%s\n\n%s", b"  %s  \n\t%s\n"])
def test_files_of_other_systems_are_read(gateway: Gateway, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(content % (line().encode(), line().encode()))
    assert import_file(file, gateway.settings) == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (line().encode("utf-16"), "UTF-16"),
        (line().encode("utf-16-be"), "UTF-16"),
        (line().encode("utf-16-le"), "UTF-16"),
        (gzip.compress(line().encode()), "compressed"),
        (lzma.compress(line().encode()), "compressed"),
        (b"SQLite format 3\0" + bytes(84), "a database"),
    ],
)
def test_what_is_no_text_in_utf_8_is_named(gateway: Gateway, tmp_path: Path, content: bytes, said: str) -> None:
    """PowerShell writes UTF-16, and tools that rotate files compress them."""
    file = tmp_path / "records.jsonl"
    file.write_bytes(content)
    with pytest.raises(SetupError, match=rf"^The file is {said}.*UTF-8"):
        import_file(file, gateway.settings)


@pytest.mark.parametrize("field", ["provider", "trigger_type"])
def test_nul_where_no_text_can_hold_it_is_a_bad_line(gateway: Gateway, tmp_path: Path, field: str) -> None:
    bad = json.loads(line())
    (bad if field == "provider" else bad["alerts"][0])[field] = "a\0b"
    with pytest.raises(SetupError, match=f"line 1: .*{field}: String should match pattern"):
        run(gateway, tmp_path, json.dumps(bad))


def test_nul_in_texts_is_kept(gateway: Gateway, tmp_path: Path) -> None:
    made = json.loads(line(messages=["a\0b"], usage=gpt_usage() | {"model": "m\0"}))
    made["answer"]["message"] = "c\0d"
    made["alerts"][0]["trigger_string"] = "e\0f"
    run(gateway, tmp_path, json.dumps(made))
    shown = gateway.get("v1_get_messages_by_prompt_id", workspace_name="default", prompt_id=made["id"])
    pair = shown["question_answers"][0]
    assert (pair["question"]["message"], pair["answer"]["message"]) == ("a\0b", "c\0d")
    assert shown["alerts"][0]["trigger_string"] == "e\0f"
    assert list(gateway.get("v1_get_workspace_token_usage", workspace_name="default")["tokens_by_model"]) == ["m\0"]


class TestThreads:
    """Chats are put together from requests in any order."""

    def told(self, gateway: Gateway, tmp_path: Path, *exchanges: Exchange, at_once: bool = True) -> list[list[str]]:
        """Record exchanges with an alert each, and list the questions of every chat."""
        lines = [json.dumps(exchange.model_dump(mode="json")) for exchange in exchanges]
        for part in [lines] if at_once else [[one] for one in lines]:
            run(gateway, tmp_path, *part)
        found = gateway.get("v1_get_workspace_alerts", workspace_name="default")
        chats = {alert["conversation"]["chat_id"]: alert["conversation"] for alert in found}
        return sorted([pair["question"]["message"] for pair in chat["question_answers"]] for chat in chats.values())

    @pytest.mark.parametrize("at_once", [True, False])
    @pytest.mark.parametrize("order", list(itertools.permutations(range(4))), ids=str)
    def test_order_of_records_does_not_matter(
        self, gateway: Gateway, tmp_path: Path, order: tuple[int, ...], at_once: bool
    ) -> None:
        chat = [made(place, [f"m{number}" for number in range(place + 1)]) for place in range(4)]
        told = self.told(gateway, tmp_path, *(chat[place] for place in order), at_once=at_once)
        assert told == [["m0", "m1", "m2", "m3"]]

    @pytest.mark.parametrize("is_reversed", [False, True])
    def test_chats_that_begin_alike_stay_apart(self, gateway: Gateway, tmp_path: Path, is_reversed: bool) -> None:
        exchanges = [made(1, ["hi"]), made(2, ["hi", "x"]), made(3, ["hi"]), made(4, ["hi", "y"])]
        told = self.told(gateway, tmp_path, *(reversed(exchanges) if is_reversed else exchanges), at_once=False)
        assert told == [["hi", "x"], ["hi", "y"]]

    def test_new_chat_does_not_join_an_old_one_whose_beginning_is_missing(
        self, gateway: Gateway, tmp_path: Path
    ) -> None:
        told = self.told(gateway, tmp_path, made(1, ["hi", "x"]), made(2, ["hi"]), at_once=False)
        assert told == [["hi"], ["x"]]

    @pytest.mark.parametrize("is_reversed", [False, True])
    def test_markers_of_secrets_do_not_count(self, gateway: Gateway, tmp_path: Path, is_reversed: bool) -> None:
        exchanges = [
            made(1, ["key REDACTED<$AAA>"]),
            made(2, ["key REDACTED<$BBB>", "and REDACTED<#3f0c-9#>?"]),
            made(3, ["key REDACTED<$CCC>", "and REDACTED<#77aa-1#>?", "Thanks."]),
        ]
        told = self.told(gateway, tmp_path, *(reversed(exchanges) if is_reversed else exchanges))
        assert told == [["key REDACTED<$AAA>", "and REDACTED<#3f0c-9#>?", "Thanks."]]

    @pytest.mark.parametrize("is_reversed", [False, True])
    def test_markers_of_personal_data_do_not_count(self, gateway: Gateway, tmp_path: Path, is_reversed: bool) -> None:
        first, second, third = (f"Write to #{uuid4()}# at #{uuid4()}#" for _ in range(3))
        exchanges = [made(1, [first]), made(2, [second, "Now?"]), made(3, [third, "Now?", "Thanks."])]
        told = self.told(gateway, tmp_path, *(reversed(exchanges) if is_reversed else exchanges))
        assert told == [[first, "Now?", "Thanks."]]

    def test_task_with_added_text_joins(self, gateway: Gateway, tmp_path: Path) -> None:
        task = "<task>Context: a is a package. However, it is malicious.\nQuery: Use a</task>"
        told = self.told(gateway, tmp_path, made(1, [task]), made(2, ["<task>\nUse a\n</task>", "Now?"]))
        assert told == [["Use a", "Now?"]]

    def test_words_after_added_text_are_those_of_the_client(self, gateway: Gateway, tmp_path: Path) -> None:
        words = "  Use it:\n```\ncode\n```\n"
        told = self.told(gateway, tmp_path, made(1, [f"Context: a \n\n Query: {words}"]), made(2, [words, "Now?"]))
        assert told == [[words, "Now?"]]

    def test_added_text_does_not_count(self, gateway: Gateway, tmp_path: Path) -> None:
        preface = "Context: invokehttp is malicious.\n\n Query: Use invokehttp"
        told = self.told(gateway, tmp_path, made(1, [preface]), made(2, ["Use invokehttp", "Now?"]))
        assert told == [["Use invokehttp", "Now?"]]

    def test_threads_that_waited_for_one_request_become_one(self, gateway: Gateway, tmp_path: Path) -> None:
        exchanges = [made(3, ["a", "c"]), made(2, ["a", "b"]), made(1, ["a"])]
        assert self.told(gateway, tmp_path, *exchanges, at_once=False) == [["a", "b", "c"]]


def made(minute: int, messages: list[str]) -> Exchange:
    alert = make_alert("codegate-pii", trigger_string=f"{minute}")
    return make_exchange("default", minute=minute, messages=messages, alerts=[alert])
