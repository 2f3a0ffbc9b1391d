"""Storing exchanges, many at a time, together with the counters that make totals cheap."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import add
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Table, func, select

from gateway_api.models.records import AlertTriggerType
from gateway_api.prices import MILLION, PriceList, load_prices
from gateway_api.recording import AlertRecord, Exchange, Record, clean_text, record_of, thread_keys
from gateway_api.storage_errors import wrapped
from gateway_api.store.threads import Request, ThreadFinder, driver_sql, listed
from gateway_api.tables import alerts, prompts
from gateway_api.values.moments import to_us
from gateway_api.values.text import escape, key_of

COUNTED_AS = {
    AlertTriggerType.CONTEXT_RETRIEVER.value: "malicious_packages",
    AlertTriggerType.PII.value: "pii",
    AlertTriggerType.SECRETS.value: "secrets",
}
"""Trigger type → counter; other types count in the total only."""

KIND_BITS = {name: 1 << place for place, name in enumerate(COUNTED_AS)}
"""Trigger type → bit of `prompts.alert_kinds`."""

BATCH = 1_000
"""Exchanges that are written with one statement."""

_PROMPT_COLUMNS = (
    *("public_id", "asked_at", "provider", "kind", "first_message", "last_message", "thread_key"),
    *("answer_id", "answer", "answered_at", "model", "model_provider"),
    *("input_tokens", "output_tokens", "input_cost", "output_cost", "unpriced_tokens"),
    *("malicious_packages", "pii", "secrets", "total_alerts", "alert_kinds", "alerted_at"),
)
_ASKED_AT = _PROMPT_COLUMNS.index("asked_at")
_ANSWER_ID = _PROMPT_COLUMNS.index("answer_id")
_ALERT_COLUMNS = ("public_id", "trigger_type", "category", "trigger", "snippet", "raised_at")


Counts = tuple[int, int, int, int]
"""Malicious packages, personal data, secrets, all alerts."""

Spent = tuple[str, str, int, int, float, float, int]
"""Model, provider type, tokens in and out, their costs, tokens without a known price."""


class Prepared(NamedTuple):
    """An exchange as plain values in the order of the columns: made once, before any lock is taken."""

    prompt: tuple[Any, ...]
    """Values of `_PROMPT_COLUMNS`."""
    alerts: tuple[tuple[Any, ...], ...]
    """Values of `_ALERT_COLUMNS`."""
    keys: tuple[str, ...]
    """Keys of the chat's beginnings, shortest first; empty where the exchange belongs to no chat."""
    counts: Counts
    usage: Spent | None
    """None where nothing was spent."""

    @property
    def ids(self) -> list[str]:
        """Ids of the exchange, its answer and its alerts."""
        answer_id = self.prompt[_ANSWER_ID]
        return [self.prompt[0], *([answer_id] if answer_id else []), *(alert[0] for alert in self.alerts)]


def prepare(exchange: Exchange, prices: PriceList) -> Prepared:
    """Work out all that is stored of an exchange."""
    record = record_of(exchange)
    record.take_ids()
    return prepare_record(record, prices)


def prepare_record(record: Record, prices: PriceList) -> Prepared:
    """Work out all that is stored of a record that has all its ids."""
    words = list(map(clean_text, record.messages))
    keys = thread_keys(record.provider, words) if record.type == "chat" else ()
    answer, usage, raised = record.answer, _spent(record, prices), record.alerts
    counts, bits, alerted_at = _summary(raised) if raised else _NO_ALERTS
    prompt = (
        record.id,
        to_us(record.timestamp),
        record.provider,
        record.type,
        _stored(words[0]),
        # An editor extension sends one question in several messages.
        _stored("\n".join(words) if record.provider == "copilot" and record.type == "chat" else words[-1]),
        keys[-1] if keys else "",
        *((answer.id, _stored(answer.message), to_us(answer.timestamp)) if answer else (None, None, None)),
        *((_stored(usage[0]), *usage[1:]) if usage else (None, None, 0, 0, 0.0, 0.0, 0)),
        *counts,
        bits,
        alerted_at,
    )
    return Prepared(
        prompt=prompt,
        alerts=tuple(map(_alert_values, raised)),
        keys=keys,
        counts=counts,
        usage=usage if usage and (usage[2] or usage[3]) else None,
    )


_NO_ALERTS: tuple[Counts, int, int | None] = ((0, 0, 0, 0), 0, None)


def _summary(raised: Sequence[AlertRecord]) -> tuple[Counts, int, int | None]:
    """Count alerts by kind; give the bits of the kinds, and the moment of the last critical one."""
    kinds = Counter(alert.trigger_type for alert in raised)
    packages, pii, secrets = (kinds.get(kind, 0) for kind in COUNTED_AS)
    bits = 0
    for kind in kinds:
        bits |= KIND_BITS.get(kind, 0)
    critical = [to_us(alert.timestamp) for alert in raised if alert.trigger_category == "critical"]
    return (packages, pii, secrets, len(raised)), bits, max(critical, default=None)


_COUNTERS = ("malicious_packages", "pii", "secrets", "total_alerts", "prompt_count")
_ADD_COUNTS = f"UPDATE workspaces SET {', '.join(f'{name} = {name} + %s' for name in _COUNTERS)} WHERE id = %s"  # noqa: S608 - our own names
_AMOUNTS = ("input_tokens", "output_tokens", "input_cost", "output_cost", "unpriced_tokens")
_ADD_USAGE = f"""
INSERT INTO usage_totals (workspace_id, model_key, model, provider_type, {", ".join(_AMOUNTS)})
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (workspace_id, model_key)
DO UPDATE SET {", ".join(f"{name} = usage_totals.{name} + excluded.{name}" for name in _AMOUNTS)}
"""  # noqa: S608 - as above


class Recorder:
    """Records exchanges in one writing transaction; `finish` writes what is left, and the counters.

    Args:
        connection: The transaction.
        prices: For exchanges that `record` prepares; None are the shipped ones.
    """

    def __init__(self, connection: Connection, prices: PriceList | None = None) -> None:
        self._connection = connection
        self._prices = prices
        self._waiting: list[tuple[int, Prepared]] = []
        self._counts: dict[int, list[int]] = {}
        self._usage: dict[tuple[int, str], list[Any]] = {}

    def record(self, workspace_id: int, exchange: Exchange) -> None:
        """Store one exchange with its alerts."""
        self.add(workspace_id, prepare(exchange, self._prices or load_prices()))

    def add(self, workspace_id: int, prepared: Prepared) -> None:
        """Store what `prepare` has made."""
        self._waiting.append((workspace_id, prepared))
        if len(self._waiting) >= BATCH:
            self._write()

    def add_all(self, entries: Sequence[tuple[int, Prepared]]) -> None:
        """Store what `prepare` has made, each in a workspace."""
        for start in range(0, len(entries), BATCH):
            self._waiting += entries[start : start + BATCH]
            self._write()

    def flush(self) -> None:
        """Write what waits, without the counters."""
        self._write()

    def finish(self) -> None:
        """Write what is left, and add what was recorded to the counters."""
        self._write()
        counted = [(*counts, workspace_id) for workspace_id, counts in self._counts.items()]
        if counted:
            driver_sql(self._connection, _ADD_COUNTS, counted)
        spent = [
            (workspace_id, key_of(model), _stored(model), *usage)
            for (workspace_id, model), usage in sorted(self._usage.items())
        ]
        if spent:
            driver_sql(self._connection, _ADD_USAGE, spent)
        self._counts, self._usage = {}, {}

    def _count(self) -> None:
        """Sum the counts of all waiting records in one call: an import spends most of its calls here."""
        counts, usage = self._counts, self._usage
        for workspace_id, (_, raised, _, of_alerts, spent) in self._waiting:
            if workspace_id not in counts:
                counts[workspace_id] = [0, 0, 0, 0, 0]
            counts[workspace_id][-1] += 1
            if raised:
                counts[workspace_id][:-1] = map(add, counts[workspace_id], of_alerts)
            if spent is not None:
                model, provider_type, *amounts = spent
                found = usage.get((workspace_id, model))
                if found is None:
                    usage[workspace_id, model] = [provider_type, *amounts]
                else:
                    found[1:] = map(add, found[1:], amounts)

    def _write(self) -> None:
        if not self._waiting:
            return
        self._count()
        first_id = _reserve(self._connection, len(self._waiting))
        requests = [Request(workspace_id, made.prompt[_ASKED_AT], made.keys) for workspace_id, made in self._waiting]
        threads = ThreadFinder(self._connection, first_id, requests)
        rows, raised = [], []
        for row_id, (workspace_id, prepared) in enumerate(self._waiting, start=first_id):
            rows.append((row_id, workspace_id, threads.root_of(row_id), *prepared.prompt))
            raised += [(row_id, workspace_id, *values) for values in prepared.alerts]
        threads.save()
        insert_rows(self._connection, prompts, ("id", "workspace_id", "thread_id", *_PROMPT_COLUMNS), rows)
        insert_rows(self._connection, alerts, ("prompt_id", "workspace_id", *_ALERT_COLUMNS), raised)
        self._waiting = []


def insert_rows(connection: Connection, table: Table, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows of plain values by the fastest way that the database has.

    Types are not converted: texts are escaped and moments are numbers already.
    """
    if not rows:
        return
    names = ", ".join(f'"{column}"' for column in columns)
    if connection.dialect.name == "sqlite":
        places = ", ".join("?" * len(columns))
        connection.exec_driver_sql(f"INSERT INTO {table.name} ({names}) VALUES ({places})", list(map(tuple, rows)))  # noqa: S608 - our own names
        return
    driver: Any = connection.connection.driver_connection
    with (
        wrapped(driver, connection.dialect, f"COPY {table.name}"),
        driver.cursor() as cursor,
        cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row(row)


KNOWN = """
SELECT k.value FROM unnest(%s::text[]) AS k(value) WHERE coalesce(
    (SELECT 1 FROM prompts WHERE public_id = k.value),
    (SELECT 1 FROM prompts WHERE answer_id = k.value),
    (SELECT 1 FROM alerts WHERE public_id = k.value)
) = 1
"""
"""Each subquery is one seek in an index. PostgreSQL would read whole tables for `IN`, `ANY` and `EXISTS`, once for every
batch."""


def known_ids(connection: Connection, ids: Iterable[str]) -> set[str]:
    """Return which ids of exchanges, answers and alerts are recorded already."""
    return set(driver_sql(connection, KNOWN, (listed(connection, ids),)).scalars())


def all_ids(connection: Connection, most: int) -> set[str] | None:
    """Read the ids of all exchanges, answers and alerts of a small database.

    Args:
        connection: Any transaction.
        most: Exchanges that were ever recorded beyond which None is returned.
    """
    if (connection.scalar(select(func.max(prompts.c.id))) or 0) > most:
        return None
    columns = (prompts.c.public_id, prompts.c.answer_id, alerts.c.public_id)
    return {id_ for column in columns for id_ in connection.scalars(select(column)) if id_ is not None}


def _reserve(connection: Connection, count: int) -> int:
    """Reserve ids for new rows of `prompts`; the caller holds the writers' lock."""
    if connection.dialect.name == "sqlite":
        last = connection.exec_driver_sql("SELECT seq FROM sqlite_sequence WHERE name = 'prompts'").scalar()
        return (last or 0) + 1
    sequence = "pg_get_serial_sequence('prompts', 'id')"
    first: int = connection.exec_driver_sql(f"SELECT nextval({sequence})").scalar_one()
    connection.exec_driver_sql(f"SELECT setval({sequence}, {first + count - 1})")
    return first


def _spent(record: Record, prices: PriceList) -> Spent | None:
    usage = record.usage
    if usage is None:
        return None
    provider_type = "openai" if usage.provider_type == "copilot" else usage.provider_type
    sent, received = usage.input_tokens, usage.output_tokens
    input_cost, output_cost, unpriced = usage.input_cost, usage.output_cost, 0
    if input_cost is None or output_cost is None:
        price = prices.find(usage.model, provider_type, record.timestamp.date())
        if price is None:  # tokens whose costs are not in the record itself either
            unpriced = (sent if input_cost is None else 0) + (received if output_cost is None else 0)
            price = (0.0, 0.0)
        input_cost = sent * price[0] / MILLION if input_cost is None else input_cost
        output_cost = received * price[1] / MILLION if output_cost is None else output_cost
    return usage.model, provider_type, sent, received, input_cost, output_cost, unpriced


def _stored(text: str) -> str:
    """Write a text as `StoredText` would."""
    return escape(text, "\0")


def _alert_values(alert: AlertRecord) -> tuple[Any, ...]:
    found = alert.code_snippet
    return (
        alert.id,
        alert.trigger_type,
        alert.trigger_category,
        None if alert.trigger_string is None else _stored(json.dumps(alert.trigger_string)),
        None if found is None else _stored(msgspec.json.encode(found).decode()),
        to_us(alert.timestamp),
    )
