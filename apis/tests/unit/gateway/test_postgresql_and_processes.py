"""Statements for PostgreSQL, the number of processes that examine a file, and how a server stops. None of them is started."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI

from gateway_api import postgresql
from gateway_api.importing import examining
from gateway_api.running import make_server
from tests.support.each import each


class Connection:
    """Notes what is executed."""

    def __init__(self, answer: object = None, failing: str = "") -> None:
        self.autocommit = False
        self.said: list[tuple[str, object]] = []
        self._answer = answer
        self._failing = failing

    def execute(self, statement: object, values: object = None) -> None:
        self.said.append((str(statement), values if values is not None else self.autocommit))
        if self._failing and self._failing in str(statement):
            raise RuntimeError

    def exec_driver_sql(self, statement: str, values: object) -> Any:
        self.execute(statement, values)
        return SimpleNamespace(scalar=lambda: self._answer)

    def commit(self) -> None:
        self.said.append(("commit", None))


def test_limits_of_a_connection_are_kept_after_a_rollback() -> None:
    connection = Connection()
    postgresql.prepare(1.5, connection, None)  # type: ignore[arg-type]  # as SQLAlchemy calls it
    limit = "SELECT set_config(%s, %s, false)"
    assert connection.said == [
        (limit, ("lock_timeout", "1500")),
        (limit, ("statement_timeout", "60000")),
        (limit, ("idle_in_transaction_session_timeout", "60000")),
        ("commit", None),
    ]


@each("left_s, limit", [(15.0, None), (13.5, None), (13.4, "13400"), (0.0004, "1"), (0.0, "1"), (-3.0, "1")])
def test_lock_is_waited_for_as_long_as_a_request_has_left(left_s: float, limit: str | None) -> None:
    connection = Connection()
    postgresql.lock(connection, left_s, 15.0)  # type: ignore[arg-type]  # what it uses of one
    *before, last = connection.said
    assert before == ([("SELECT set_config('lock_timeout', :left, true)", {"left": limit})] if limit else [])
    # The number is the same in every process of every version.
    assert last == ("SELECT pg_advisory_xact_lock(:lock)", {"lock": 1_734_440_037})


@each("answer, is_waiting", [(True, True), (False, False), (None, False)])
def test_other_writers_that_wait_are_seen(answer: object, is_waiting: bool) -> None:
    connection = Connection(answer)
    assert postgresql.has_waiting(connection) is is_waiting  # type: ignore[arg-type]  # what it uses of one
    assert connection.said[0][1] == (1_734_440_037,)


def test_tables_are_vacuumed_outside_of_a_transaction_and_without_a_limit() -> None:
    connection = Connection()
    assert postgresql.vacuum(connection, ("alerts", "prompts"))
    assert connection.said == [
        ("SET statement_timeout = 0", True),
        ("VACUUM alerts, prompts", True),
        ("SET statement_timeout = 60000", True),
    ]
    assert not connection.autocommit
    failing = Connection(failing="VACUUM")
    with pytest.raises(RuntimeError):
        postgresql.vacuum(failing, ("alerts",))
    assert failing.said[-1] == ("SET statement_timeout = 60000", True)
    assert not failing.autocommit


def test_parameters_of_the_address_win() -> None:
    given = postgresql.connect_arguments({"connect_timeout": "9", "sslmode": "require"})
    assert given == {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 30_000}


@each(
    "platform, threads, cores, processes",
    [
        ("linux", 1, 2, 2),
        ("linux", 1, 1, 1),
        ("linux", 1, 99, examining.MOST_PROCESSES),
        ("linux", 2, 4, 1),
        ("darwin", 1, 4, 1),
    ],
)
def test_file_is_examined_by_several_processes_where_forking_is_safe(
    platform: str, threads: int, cores: int, processes: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "platform", platform)
        patch.setattr(threading, "active_count", lambda: threads)
        patch.setattr("os.sched_getaffinity", lambda _: set(range(cores)), raising=False)
        assert examining._count_processes() == processes


def test_interrupt_is_left_to_the_process_that_was_started() -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        examining._ignore_interrupt()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_streams_end_before_the_server_waits_for_its_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    app = FastAPI()
    app.state.parts = SimpleNamespace(news=SimpleNamespace(close=lambda: done.append("news")))
    server = make_server(app)
    server.end_streams()  # not started yet

    async def take(*_: object) -> None:
        done.append("uvicorn")

    monkeypatch.setattr(uvicorn.Server, "startup", take)
    monkeypatch.setattr(uvicorn.Server, "shutdown", take)
    monkeypatch.setattr(uvicorn.Server, "handle_exit", lambda *_: done.append("exit"))
    monkeypatch.setattr("gateway_api.running.DRAIN_S", 0)

    async def run() -> None:
        await server.startup()
        server.servers = [SimpleNamespace(close=lambda: done.append("socket"))]  # type: ignore[list-item]  # what it uses of one
        server.handle_exit(15, None)
        await asyncio.sleep(0)
        await server.shutdown()

    asyncio.run(run())
    assert done == ["uvicorn", "exit", "news", "socket", "uvicorn"]


def test_server_says_nothing_of_itself() -> None:
    config = make_server(FastAPI()).config
    assert (config.server_header, config.date_header, config.access_log, config.log_config) == (
        False,
        True,
        False,
        None,
    )
    assert (config.ws, config.timeout_graceful_shutdown) == ("none", 5)
