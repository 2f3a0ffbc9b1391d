"""Each listener gets each critical alert once; one that does not read what it is sent is disconnected."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, Gauge

from apis.tests.contract.gateway.exchanges import START, make_alert, make_exchange
from apis.tests.unit.gateway.databases import make_database
from gateway_api import events
from gateway_api.database import Database
from gateway_api.events import HEARTBEAT, HELLO, AlertNews, EventStream, Queue, TooManyListenersError, event_at
from gateway_api.settings import Settings
from gateway_api.store.recording import Recorder

WAIT_S = 30
TOLD = f"data: New alert detected: {START:%Y-%m-%d %H:%M:%S}.000000+00:00\n\n".encode()


class House:
    """A database, and the news of it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = replace(settings, poll_s=0.001, heartbeat_s=60.0)
        self.database = Database(settings.database_url)
        self.gauge = Gauge("listeners", "Who listens.", registry=CollectorRegistry())
        self.reports: list[tuple[str, dict[str, Any]]] = []
        self.has_reported = asyncio.Event()

    def report(self, event: str, **values: Any) -> None:
        self.reports.append((event, values))
        self.has_reported.set()

    def news(self, **changes: Any) -> AlertNews:
        settings = replace(self.settings, **changes)
        return AlertNews(self.database, settings, self.gauge, self.report)

    def record(self, *categories: str) -> None:
        with self.database.writing() as connection:
            recorder = Recorder(connection)
            for category in categories:
                alerts = [make_alert("codegate-pii", category)] if category else []
                recorder.record(1, make_exchange("default", alerts=alerts))
            recorder.finish()

    @property
    def listeners(self) -> float:
        return float(self.gauge.collect()[0].samples[0].value)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(make_database(tmp_path))
    yield made
    made.database.close()


async def take(queue: Queue) -> bytes | None:
    return await asyncio.wait_for(queue.get(), WAIT_S)


def test_event_names_the_moment_in_utc() -> None:
    moment = datetime(2025, 5, 1, 10, 0, 0, 1_500, UTC)
    assert event_at(int(moment.timestamp() * 1_000_000)) == (
        b"data: New alert detected: 2025-05-01 10:00:00.001500+00:00\n\n"
    )


def test_listener_is_told_of_critical_alerts_from_its_arrival_on(house: House) -> None:
    house.record("critical")

    async def listen() -> None:
        news = house.news()
        first = await news.join()
        assert house.listeners == 1
        house.record("info", "", "critical")
        assert await take(first) == TOLD
        second = await news.join()
        assert house.listeners == 2
        house.record("critical")
        assert await take(first) == await take(second) == TOLD
        assert (first.qsize(), second.qsize()) == (0, 0)
        news.leave(first)
        assert house.listeners == 1
        house.record("critical")
        assert await take(second) == TOLD
        assert first.qsize() == 0
        news.close()
        assert await take(second) is None
        assert house.listeners == 0

    asyncio.run(listen())


def test_nobody_is_told_what_happened_while_nobody_listened(house: House) -> None:
    async def listen() -> None:
        news = house.news()
        first = await news.join()
        watcher = news._watcher
        assert watcher
        news.leave(first)
        await asyncio.wait_for(watcher, WAIT_S)  # nobody listens any more, so nothing is looked at
        house.record("critical", "critical")
        second = await news.join()
        house.record("critical")
        assert await take(second) == TOLD
        assert second.qsize() == 0
        news.close()

    asyncio.run(listen())


def test_much_news_is_told_in_parts_and_at_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST_NEWS", 3)

    async def listen() -> None:
        news = house.news(poll_s=0.001)
        queue = await news.join()
        house.record(*["critical"] * 8)
        assert [await take(queue) for _ in range(8)] == [TOLD] * 8
        news.close()
        assert await take(queue) is None

    asyncio.run(listen())


@pytest.mark.parametrize("count", [4, 5])
def test_listener_that_does_not_read_is_let_go(house: House, count: int) -> None:
    """The queue holds as many events as are allowed, and the end beside them."""

    async def listen() -> None:
        news = house.news(listener_queue=4)
        slow, quick = await news.join(), await news.join()
        for _ in range(count):
            house.record("critical")
            assert await take(quick) == TOLD
        assert slow.qsize() == count
        assert house.listeners == (2 if count == 4 else 1)
        found = [await take(slow) for _ in range(count)]
        assert found == ([TOLD] * 4 if count == 4 else [TOLD] * 4 + [None])
        news.close()

    asyncio.run(listen())


def test_server_holds_as_many_streams_as_it_may(house: House) -> None:
    async def listen() -> None:
        news = house.news(most_listeners=2)
        first, _ = await news.join(), await news.join()
        with pytest.raises(TooManyListenersError):
            await news.join()
        news.leave(first)
        await news.join()
        news.close()

    asyncio.run(listen())


def test_who_comes_after_the_end_hears_the_end(house: House) -> None:
    async def listen() -> None:
        news = house.news()
        news.close()
        queue = await news.join()
        assert await take(queue) is None
        assert house.listeners == 0
        assert news._watcher is None

    asyncio.run(listen())


def test_listeners_stay_while_the_database_is_away(house: House) -> None:
    file = house.settings.data_dir / "gateway.sqlite"

    async def listen() -> None:
        news = house.news()
        queue = await news.join()
        house.database._engine.dispose()
        content = file.read_bytes()
        file.write_bytes(b"no database " * 1_000)
        for name in ("-wal", "-shm"):
            file.with_name(f"{file.name}{name}").unlink(missing_ok=True)
        await asyncio.wait_for(house.has_reported.wait(), WAIT_S)
        house.database._engine.dispose()
        file.write_bytes(content)
        house.record("critical")
        assert await take(queue) == TOLD
        news.close()

    asyncio.run(listen())
    assert {event for event, _ in house.reports} == {"news_unread"}
    assert house.reports[0][1] == {"trouble": "damaged", "code": "SQLITE_NOTADB"}


def test_mistake_of_the_program_is_reported_and_listeners_stay(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def listen() -> None:
        news = house.news()
        queue = await news.join()
        with monkeypatch.context() as broken:
            broken.setattr(events, "select", None)
            await asyncio.wait_for(house.has_reported.wait(), WAIT_S)
        house.record("critical")
        assert await take(queue) == TOLD
        news.close()

    asyncio.run(listen())
    assert house.reports[0] == ("news_unread", {"error": "TypeError"})


def test_stream_greets_tells_and_ends(house: House) -> None:
    async def listen() -> None:
        news = house.news()
        queue = await news.join()
        async with aclosing(news.stream(queue)) as stream:  # type: ignore[type-var]
            assert await anext(stream) == HELLO
            house.record("critical")
            assert await anext(stream) == TOLD
            news.close()
            assert [event async for event in stream] == []

    asyncio.run(listen())


def test_silence_is_filled_with_comments(house: House) -> None:
    async def listen() -> None:
        news = house.news(heartbeat_s=0.001)
        stream = news.stream(await news.join())
        assert [await anext(stream) for _ in range(3)] == [HELLO, HEARTBEAT, HEARTBEAT]
        news.close()

    asyncio.run(listen())
    assert HELLO.startswith(b":")
    assert HEARTBEAT.startswith(b":")
    assert HEARTBEAT.endswith(b"\n\n")


@pytest.mark.parametrize("who", ["client", "server"])
def test_answer_ends_when_either_side_goes_and_the_listener_is_gone(house: House, who: str) -> None:
    sent: list[dict[str, Any]] = []

    async def listen() -> None:
        news = house.news()
        answer = EventStream(news, await news.join())
        greeted, gone = asyncio.Event(), asyncio.Event()

        async def send(message: Any) -> None:
            sent.append(message)
            if message.get("body") == HELLO:
                greeted.set()

        async def receive() -> Any:
            await gone.wait()
            return {"type": "http.disconnect"}

        task = asyncio.create_task(answer({"type": "http"}, receive, send))
        await asyncio.wait_for(greeted.wait(), WAIT_S)
        assert house.listeners == 1
        if who == "client":
            gone.set()
        else:
            news.close()
        await asyncio.wait_for(task, WAIT_S)
        assert house.listeners == 0
        news.close()

    asyncio.run(listen())
    headers = dict(sent[0]["headers"])
    assert sent[0]["status"] == 200
    assert headers[b"content-type"].startswith(b"text/event-stream")
    assert (headers[b"cache-control"], headers[b"x-accel-buffering"]) == (b"no-store", b"no")
    assert sent[1]["body"] == HELLO
