"""The event stream: told to everybody, quiet in between, ended with the server."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from apis.tests.contract.gateway.exchanges import START, make_alert, make_exchange
from apis.tests.contract.gateway.gateway import DOCUMENT, Gateway, run_gateway, settings_for
from gateway_api.recording import Exchange

EVENT = re.compile(r"data: New alert detected: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00:00")
PATH = "/api/v1/alerts_notification"
PATIENCE_S = 60


class Listener:
    """Reads a stream line by line."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.iter_lines()
        assert self.line() == ": listening"

    def line(self) -> str:
        """Wait for the next line that is not empty."""
        return next(line for line in self._lines if line)

    def event(self) -> str:
        """Wait for the next event, heartbeats left out."""
        return next(line for line in self._patiently() if line.startswith("data"))

    def rest(self) -> list[str]:
        """Read until the server ends the stream."""
        return [line for line in self._patiently() if line]

    def _patiently(self) -> Iterator[str]:
        """Give lines until it takes too long: heartbeats would keep the stream alive for ever."""
        deadline = time.monotonic() + PATIENCE_S
        for line in self._lines:
            yield line
            assert time.monotonic() < deadline, "what was waited for did not come"


@contextmanager
def listen(gateway: Gateway) -> Iterator[Listener]:
    with httpx.stream("GET", gateway.address + PATH, timeout=PATIENCE_S, trust_env=False) as response:
        # Held here: a listener that nobody holds would take its stream with it when it is collected.
        listener = Listener(response)
        yield listener


def alerting(minute: float = 0) -> Exchange:
    raised = START + timedelta(minutes=minute)
    return make_exchange("default", minute=minute, alerts=[make_alert("codegate-secrets", at=raised)])


def test_stream_is_what_the_contract_says(gateway: Gateway) -> None:
    with listen(gateway) as listener:
        assert listener.response.status_code == 200
        assert listener.response.headers["content-type"].partition(";")[0] == "text/event-stream"
        assert listener.response.headers["cache-control"] == "no-store"
        assert listener.response.headers["x-accel-buffering"] == "no"
        gateway.record(alerting())
        event = listener.event()
        assert event == "data: New alert detected: 2025-05-01 10:00:00.000000+00:00"
    example = DOCUMENT["paths"][PATH]["get"]["responses"]["200"]["content"]["text/event-stream"]["example"]
    assert EVENT.fullmatch(example.strip())


def test_every_listener_hears_every_event_in_order(gateway: Gateway) -> None:
    with listen(gateway) as one, listen(gateway) as two:
        for minute in range(5):
            gateway.record(alerting(minute))
        heard = [[listener.event() for _ in range(5)] for listener in (one, two)]
    assert heard[0] == heard[1]
    assert [event.split(":")[3] for event in heard[0]] == ["00", "01", "02", "03", "04"]


def test_one_event_per_exchange_and_none_for_informational_alerts(gateway: Gateway) -> None:
    with listen(gateway) as listener:
        gateway.record(
            make_exchange("default", minute=1, alerts=[make_alert("system-prompt", "info")]),
            make_exchange("default", minute=2),
            make_exchange("default", minute=3, alerts=[make_alert("codegate-pii"), make_alert("code-comment")]),
            alerting(4),
        )
        listener.event()
        gateway.record(alerting(5))
        listener.event()
        assert listener.event()  # three in all: of minutes 3, 4 and 5


def test_listener_hears_nothing_from_before(gateway: Gateway) -> None:
    gateway.record(alerting(1))
    with listen(gateway) as listener:
        gateway.record(
            make_exchange("default", minute=2, alerts=[make_alert("codegate-pii", at=alerting(2).timestamp)])
        )
        assert "10:02:00" in listener.event()


def test_second_listener_hears_nothing_from_before(gateway: Gateway) -> None:
    """Also where the server has not yet looked at what was recorded before."""
    with listen(gateway) as first:
        gateway.record(alerting(1))
        with listen(gateway) as second:
            gateway.record(alerting(2))
            assert [("10:01:00" in event, "10:02:00" in event) for event in (first.event(), first.event())] == [
                (True, False),
                (False, True),
            ]
            assert "10:02:00" in second.event()


def test_alerts_of_another_process_are_heard(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(alerting().model_dump_json() + "\n", encoding="utf-8")
    with run_gateway(settings_for(tmp_path)) as gateway, listen(gateway) as listener:
        command = [sys.executable, "-m", "gateway_api", "--database-url", gateway.settings.database_url]
        subprocess.run([*command, "import", str(file)], check=True, capture_output=True, timeout=60)
        assert EVENT.fullmatch(listener.event())


def test_silence_is_filled_with_comments(tmp_path: Path) -> None:
    with run_gateway(settings_for(tmp_path, heartbeat_s=0.05)) as gateway, listen(gateway) as listener:
        assert [listener.line(), listener.line()] == [": still here"] * 2


def test_stream_ends_when_the_server_stops(tmp_path: Path) -> None:
    rests: list[list[str]] = []
    with run_gateway(settings_for(tmp_path)) as gateway:
        opened = threading.Event()

        def read() -> None:
            with listen(gateway) as listener:
                opened.set()
                rests.append(listener.rest())

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        assert opened.wait(60)
    reader.join(60)
    assert rests == [[]]


def test_listener_that_has_gone_is_forgotten(sqlite_gateway: Gateway) -> None:
    with listen(sqlite_gateway) as _one, listen(sqlite_gateway) as _two:
        assert "gateway_alert_listeners 2.0" in sqlite_gateway.http.get("/metrics").text
    deadline = time.monotonic() + PATIENCE_S
    while "gateway_alert_listeners 0.0" not in sqlite_gateway.http.get("/metrics").text:
        assert time.monotonic() < deadline, "listeners are still counted"


def test_listener_that_does_not_keep_up_is_closed_and_others_go_on(tmp_path: Path) -> None:
    """A queue that is full ends its stream after what it holds; nothing else waits for it."""
    import asyncio

    with run_gateway(settings_for(tmp_path, listener_queue=3)) as gateway:
        news = gateway.app.state.parts.news

        async def hear_too_much() -> list[bytes | None]:
            queue = await news.join()
            for number in range(1, 6):
                news._tell(number, number)
            return [queue.get_nowait() for _ in range(queue.qsize())]

        heard = asyncio.run(hear_too_much())
        assert (len(heard), heard[-1]) == (4, None)
        assert not news._queues


def test_more_listeners_than_allowed_are_asked_to_come_later(tmp_path: Path) -> None:
    with (
        run_gateway(settings_for(tmp_path, most_listeners=1)) as gateway,
        listen(gateway),
        # The head only: an answer that is a stream would never end.
        gateway.http.stream("GET", PATH) as answer,
    ):
        assert (answer.status_code, answer.headers.get("retry-after")) == (503, "1")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_stream_is_read_only(gateway: Gateway, method: str) -> None:
    assert gateway.http.request(method, PATH).status_code == 405
