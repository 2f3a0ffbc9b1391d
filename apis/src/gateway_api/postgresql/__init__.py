"""What PostgreSQL needs: limits of a connection, the lock of writers, and vacuuming."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.pool import ConnectionPoolEntry

__all__ = ["WRITER_LOCK", "connect_arguments", "has_waiting", "lock", "prepare", "vacuum"]

WRITER_LOCK = 0x6761_7465
"""Id of the advisory lock, the same in every process that writes to one database."""

_HAS_WAITING = """
SELECT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND objsubid = 1 AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
)
"""

_STATEMENT_S = 60
"""Longest statement on PostgreSQL, and longest pause inside a transaction: its process may be frozen or cut off."""

_REACH = {
    "connect_timeout": 5,
    # A machine that has vanished sends nothing; without these a connection would wait for it for hours.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""libpq's parameters in seconds, the last one in milliseconds; the URL's own win."""


def connect_arguments(query: Mapping[str, Any]) -> dict[str, Any]:
    """List the parameters of libpq that the query of a URL does not give."""
    return {name: value for name, value in _REACH.items() if name not in query}


def prepare(busy_timeout_s: float, connection: Any, _: ConnectionPoolEntry) -> None:
    """Set the limits of a new connection, as a listener of SQLAlchemy's event `connect`."""
    limits_s = {
        "lock_timeout": busy_timeout_s,
        "statement_timeout": _STATEMENT_S,
        "idle_in_transaction_session_timeout": _STATEMENT_S,
    }
    for name, seconds in limits_s.items():
        connection.execute("SELECT set_config(%s, %s, false)", (name, str(round(seconds * 1000))))
    connection.commit()  # the first rollback would take the settings back


def lock(connection: Connection, left_s: float, busy_timeout_s: float) -> None:
    """Take the writers' lock; PostgreSQL grants it in order of arrival, across all servers."""
    if left_s < busy_timeout_s * 0.9:  # the session's own limit is right for a request that has not waited yet
        left_ms = str(max(1, round(left_s * 1000)))
        connection.execute(text("SELECT set_config('lock_timeout', :left, true)"), {"left": left_ms})
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": WRITER_LOCK})


def has_waiting(connection: Connection) -> bool:
    """Return whether another session waits for the writers' lock."""
    return bool(connection.exec_driver_sql(_HAS_WAITING, (WRITER_LOCK,)).scalar())


def vacuum(connection: Any, tables: tuple[str, ...]) -> bool:
    """Vacuum tables, however long it takes."""
    connection.autocommit = True
    try:
        connection.execute("SET statement_timeout = 0")
        connection.execute(f"VACUUM {', '.join(tables)}")
    finally:
        connection.execute(f"SET statement_timeout = {_STATEMENT_S * 1000}")
        connection.autocommit = False
    return True
