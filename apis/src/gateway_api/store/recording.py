"""Exchanges into the database, together with the counters that make totals cheap."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, insert, select, update

from gateway_api.models.records import AlertSeverity, AlertTriggerType, QuestionType, TokenUsage
from gateway_api.moments import to_us
from gateway_api.prices import costs_of
from gateway_api.recording import Exchange, RaisedAlert, Usage
from gateway_api.tables import alerts, prompts, usage_totals, workspaces
from gateway_api.text import key_of

COUNTED_AS = {
    AlertTriggerType.CONTEXT_RETRIEVER.value: "malicious_packages",
    AlertTriggerType.PII.value: "pii",
    AlertTriggerType.SECRETS.value: "secrets",
}
"""Trigger type → counter; other types count in the total only."""

KIND_BITS = {name: 1 << place for place, name in enumerate(COUNTED_AS)}
"""Trigger type → bit of `prompts.alert_kinds`."""


class Recorder:
    """Records exchanges in one writing transaction; `finish` writes the counters."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._counts: dict[int, Counter[str]] = {}
        self._usage: dict[tuple[int, str], tuple[Usage, TokenUsage]] = {}

    def record(self, workspace_id: int, exchange: Exchange) -> None:
        """Store one exchange with its alerts."""
        counts = Counter(COUNTED_AS.get(alert.trigger_type, "other") for alert in exchange.alerts)
        values = _prompt_values(exchange, counts) | {"workspace_id": workspace_id}
        values["thread_id"] = self._thread(workspace_id, exchange)
        prompt_id = self._connection.scalar(insert(prompts).values(**values).returning(prompts.c.id))
        if exchange.alerts:
            rows = [_alert_values(alert) for alert in exchange.alerts]
            ids = {"prompt_id": prompt_id, "workspace_id": workspace_id}
            self._connection.execute(insert(alerts), [row | ids for row in rows])
        total = self._counts.setdefault(workspace_id, Counter())
        total["prompt_count"] += 1
        total["total_alerts"] += len(exchange.alerts)
        total.update({name: count for name, count in counts.items() if name != "other"})
        if exchange.usage:
            self._add_usage(workspace_id, exchange.usage)

    def finish(self) -> None:
        """Add what was recorded to the counters."""
        for workspace_id, counts in self._counts.items():
            changed = {workspaces.c[name]: workspaces.c[name] + count for name, count in counts.items()}
            self._connection.execute(update(workspaces).where(workspaces.c.id == workspace_id).values(changed))
        for (workspace_id, key), (usage, total) in self._usage.items():
            self._add_total(workspace_id, key, usage, total)

    def _thread(self, workspace_id: int, exchange: Exchange) -> int | None:
        """Find the first exchange of the chat that this one continues; None where it begins one.

        A request repeats the messages before it, so it continues the longest chat whose messages it begins with.
        """
        if exchange.type is not QuestionType.CHAT or len(exchange.messages) == 1:
            return None
        keys = [_thread_key(exchange, length) for length in range(len(exchange.messages) - 1, 0, -1)]
        rows = self._connection.execute(
            select(prompts.c.id, prompts.c.thread_id, prompts.c.thread_key)
            .where(prompts.c.workspace_id == workspace_id, prompts.c.thread_key.in_(keys))
            .order_by(prompts.c.id.desc())
        ).all()
        best = min(rows, key=lambda row: keys.index(row.thread_key), default=None)
        return None if best is None else (best.thread_id or best.id)

    def _add_usage(self, workspace_id: int, usage: Usage) -> None:
        spent = usage_of(usage)
        if not spent.input_tokens and not spent.output_tokens:
            return
        key = (workspace_id, usage.model)
        known = self._usage.get(key)
        self._usage[key] = (usage, known[1] + spent if known else spent)

    def _add_total(self, workspace_id: int, model: str, usage: Usage, total: TokenUsage) -> None:
        columns = usage_totals.c
        amounts = total.model_dump()
        of_model = (columns.workspace_id == workspace_id) & (columns.model_key == key_of(model))
        changed = {columns[name]: columns[name] + amount for name, amount in amounts.items()}
        if self._connection.execute(update(usage_totals).where(of_model).values(changed)).rowcount:
            return
        names = {"model_key": key_of(model), "model": model, "provider_type": _billed_type(usage)}
        self._connection.execute(insert(usage_totals).values(workspace_id=workspace_id, **names, **amounts))


def known_ids(connection: Connection, ids: Iterable[str]) -> set[str]:
    """Tell which ids of exchanges, answers and alerts are recorded already."""
    wanted = list(ids)
    columns = (prompts.c.public_id, prompts.c.answer_id, alerts.c.public_id)
    return {found for column in columns for found in connection.scalars(select(column).where(column.in_(wanted)))}


def usage_of(usage: Usage) -> TokenUsage:
    """Price the tokens of an exchange."""
    input_cost, output_cost = costs_of(usage.model, usage.input_tokens, usage.output_tokens)
    return TokenUsage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        input_cost=input_cost if usage.input_cost is None else usage.input_cost,
        output_cost=output_cost if usage.output_cost is None else usage.output_cost,
    )


def _billed_type(usage: Usage) -> str:
    return "openai" if usage.provider_type == "copilot" else usage.provider_type.value


def _thread_key(exchange: Exchange, length: int) -> str:
    """Hash the provider and the first messages of a request."""
    return hashlib.sha256(json.dumps([exchange.provider, *exchange.messages[:length]]).encode()).hexdigest()


def _prompt_values(exchange: Exchange, counts: Counter[str]) -> dict[str, Any]:
    answer, usage = exchange.answer, exchange.usage
    critical = [
        to_us(raised.timestamp) for raised in exchange.alerts if raised.trigger_category is AlertSeverity.CRITICAL
    ]
    values: dict[str, Any] = {
        "public_id": str(exchange.id),
        "asked_at": to_us(exchange.timestamp),
        "provider": exchange.provider,
        "kind": exchange.type.value,
        "first_message": exchange.first_message,
        "last_message": exchange.last_message,
        "thread_key": _thread_key(exchange, len(exchange.messages)),
        "answer_id": str(answer.id) if answer else None,
        "answer": answer.message if answer else None,
        "answered_at": to_us(answer.timestamp) if answer else None,
        "model": usage.model if usage else None,
        "model_provider": _billed_type(usage) if usage else None,
        **{name: counts[name] for name in COUNTED_AS.values()},
        "total_alerts": len(exchange.alerts),
        "alert_kinds": sum({KIND_BITS.get(raised.trigger_type, 0) for raised in exchange.alerts}),
        "alerted_at": max(critical, default=None),
    }
    return values | (usage_of(usage).model_dump() if usage else {})


def _alert_values(alert: RaisedAlert) -> dict[str, Any]:
    return {
        "public_id": str(alert.id),
        "trigger_type": alert.trigger_type,
        "category": alert.trigger_category.value,
        "trigger": None if alert.trigger_string is None else json.dumps(alert.trigger_string),
        "snippet": alert.code_snippet.model_dump_json() if alert.code_snippet else None,
        "raised_at": to_us(alert.timestamp),
    }
