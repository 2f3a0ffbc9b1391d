"""Reading of what was recorded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import islice, starmap
from operator import or_ as or_bits
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Row,
    Select,
    bindparam,
    func,
    literal,
    or_,
    select,
    tuple_,
)

from gateway_api.errors import NotFoundError
from gateway_api.models.providers import ProviderType
from gateway_api.models.records import (
    AlertSeverity,
    AlertSummary,
    AlertTriggerType,
    ChatMessage,
    CodeSnippet,
    QuestionAnswer,
    QuestionType,
    TokenUsage,
    TokenUsageAggregate,
    TokenUsageByModel,
)
from gateway_api.store.recording import KIND_BITS
from gateway_api.tables import alerts, prompts, usage_totals
from gateway_api.values.moments import from_us

DUPLICATE_US = 5_000_000
"""Alerts that say the same within 5 seconds are one."""

_CHUNK = 500
"""Bound parameters of one statement."""

_ALERTS = 200
"""Alerts that are read, and held in memory, at a time."""

_ENCODER = msgspec.json.Encoder()


def list_messages(
    connection: Connection,
    workspace: Row[Any],
    *,
    page: int,
    page_size: int,
    ids: Sequence[str] | None,
    trigger_types: Sequence[AlertTriggerType] | None,
) -> dict[str, Any]:
    """List a page of exchanges, newest first; filters combine with AND, the values of one with OR.

    Returns:
        Every field of `PaginatedMessagesResponse`.
    """
    offset = (page - 1) * page_size
    page_of, count_of = _queries(has_ids=ids is not None, has_types=trigger_types is not None)
    wanted: dict[str, Any] = {"workspace": workspace.id}
    if ids is not None:
        wanted["ids"] = [id_ for id_ in set(ids) if _can_be_an_id(id_)]
    if trigger_types is not None:
        wanted["mask"] = reduce(or_bits, (KIND_BITS[kind.value] for kind in trigger_types), 0)
    total: int = workspace.prompt_count if len(wanted) == 1 else connection.execute(count_of, wanted).scalar_one()
    rows: Iterable[Row[Any]] = (
        connection.execute(page_of, wanted | {"offset": offset, "limit": page_size}) if offset < total else []
    )
    return {"data": list(starmap(_summary, rows)), "limit": page_size, "offset": offset, "total": total}


@cache
def _queries(*, has_ids: bool, has_types: bool) -> tuple[Select[Any], Select[Any]]:
    """Write the queries of a page and of its total once for each choice of filters."""
    wanted: list[ColumnElement[bool]] = [prompts.c.workspace_id == bindparam("workspace")]
    if has_ids:
        wanted.append(prompts.c.public_id.in_(bindparam("ids", expanding=True)))
    if has_types:
        # The first condition is the partial index's own.
        wanted += [prompts.c.alert_kinds > 0, prompts.c.alert_kinds.bitwise_and(bindparam("mask")) != 0]
    newest_first = (prompts.c.asked_at.desc(), prompts.c.id.desc())
    # Rows are skipped in the index alone; texts are read for the page only.
    chosen = select(prompts.c.id).where(*wanted).order_by(*newest_first)
    chosen = chosen.offset(bindparam("offset", type_=Integer)).limit(bindparam("limit", type_=Integer))
    place = chosen.subquery()
    page = select(*_SUMMARY_COLUMNS).join(place, place.c.id == prompts.c.id).order_by(*newest_first)
    return page, select(func.count()).select_from(prompts).where(*wanted)


_SUMMARY_COLUMNS = (
    *(prompts.c[name] for name in ("public_id", "asked_at", "provider", "kind", "first_message")),
    *(prompts.c[name] for name in ("malicious_packages", "pii", "secrets", "total_alerts")),
    *(prompts.c[name] for name in ("model", "model_provider")),
    *(prompts.c[name] for name in ("input_tokens", "output_tokens", "input_cost", "output_cost")),
)
_NOTHING_SPENT = TokenUsage().model_dump(mode="json")


def _summary(
    public_id: str,
    asked_at_us: int,
    provider: str | None,
    kind: str,
    first_message: str,
    malicious_packages: int,
    pii: int,
    secrets: int,
    total_alerts: int,
    model: str | None,
    model_provider: str | None,
    input_tokens: int,
    output_tokens: int,
    input_cost: float,
    output_cost: float,
) -> dict[str, Any]:
    """Write an entry of the list: every field of `ConversationSummary`, from `_SUMMARY_COLUMNS`."""
    asked_at = from_us(asked_at_us)
    spent, by_model = _NOTHING_SPENT, {}
    if model is not None and (input_tokens or output_tokens):
        spent = {
            "input_tokens": input_tokens,
            "output_tokens": output_tokens,
            "input_cost": input_cost,
            "output_cost": output_cost,
        }
        by_model = {model: {"provider_type": model_provider, "model": model, "token_usage": spent}}
    return {
        "chat_id": public_id,
        "prompt": {"message": first_message, "timestamp": asked_at, "message_id": public_id},
        "alerts_summary": {
            "malicious_packages": malicious_packages,
            "pii": pii,
            "secrets": secrets,
            "total_alerts": total_alerts,
        },
        "token_usage_agg": {"tokens_by_model": by_model, "token_usage": spent},
        "provider": provider,
        "type": kind,
        "conversation_timestamp": asked_at,
    }


def summary_of(row: Row[Any]) -> AlertSummary:
    """Read the alert counters of a workspace or of an exchange."""
    return AlertSummary(
        malicious_packages=row.malicious_packages, pii=row.pii, secrets=row.secrets, total_alerts=row.total_alerts
    )


def get_conversation(connection: Connection, workspace_id: int, prompt_id: str) -> dict[str, Any]:
    """Read one exchange with its critical alerts.

    Returns:
        Every field of `Conversation`.

    Raises:
        NotFoundError: The workspace has no such exchange.
    """
    query = select(prompts).where(prompts.c.workspace_id == workspace_id, prompts.c.public_id == prompt_id)
    row = connection.execute(query).one_or_none() if _can_be_an_id(prompt_id) else None
    if row is None:
        raise NotFoundError("Conversation not found")
    of_prompt = connection.execute(_critical_alerts().where(alerts.c.prompt_id == row.id))
    return _thread_json([row]) | {"alerts": list(map(_alert_json, filter(RepeatFilter().is_new, of_prompt)))}


@dataclass(frozen=True)
class AlertPlace:
    """Where a list of alerts continues: after the alert with this time and row id."""

    raised_at_us: int
    alert_id: int


@dataclass(frozen=True)
class AlertPart:
    """Some alerts of a list, as JSON."""

    alerts: list[tuple[bytes, bytes]]
    """The chat and the other fields of each alert; alerts of one chat share its bytes."""
    next_place: AlertPlace | None
    """Where the list continues; None at its end."""

    def encoded(self) -> Iterator[bytes]:
        """Write the alerts one by one: every field of `AlertConversation`."""
        for chat, fields in self.alerts:
            yield b'{"conversation":' + chat + b"," + fields[1:]


def read_alerts(
    connection: Connection, workspace_id: int, after: AlertPlace | None, repeats: RepeatFilter
) -> AlertPart:
    """Read some critical alerts of a workspace, newest first, each with the chat it belongs to.

    Alerts of chats that were never answered are left out, as in the released program.

    Args:
        connection: A reading transaction.
        workspace_id: Row of the workspace.
        after: `next_place` of the part before; None starts with the newest alert.
        repeats: The same object for all parts of one list.
    """
    query = _critical_alerts().where(alerts.c.workspace_id == workspace_id).limit(_ALERTS)
    if after:
        place = tuple_(alerts.c.raised_at, alerts.c.id)
        query = query.where(place < tuple_(literal(after.raised_at_us), literal(after.alert_id)))
    found = connection.execute(query).all()
    rows = [row for row in found if repeats.is_new(row) and (row.kind == QuestionType.FIM or row.answer is not None)]
    threads = _threads(connection, {row.root_id for row in rows})
    chats = {root: _ENCODER.encode(_thread_json(thread)) for root, thread in threads.items()}
    return AlertPart(
        alerts=[(chats[row.root_id], _ENCODER.encode(_alert_fields(row))) for row in rows],
        next_place=AlertPlace(found[-1].raised_at, found[-1].id) if len(found) == _ALERTS else None,
    )


class RepeatFilter:
    """Leaves out alerts that a newer one repeats; alerts come newest first."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str | None, str, str, str], int] = {}

    def __len__(self) -> int:
        """Count the alerts that are remembered: a list of any length needs those of 5 seconds only."""
        return len(self._kept)

    def is_new(self, row: Row[Any]) -> bool:
        """Return whether no alert of the same content came within the 5 seconds after this one."""
        for key in [key for key, newer in islice(self._kept.items(), 2) if newer - row.raised_at >= DUPLICATE_US]:
            del self._kept[key]  # the oldest entries come first; two for each one added keep the table small
        trigger = _trigger(row)
        said = trigger.split("Context", 1)[0] if isinstance(trigger, str) else str(row.trigger)
        key = (row.snippet, row.trigger_type, row.category, said)
        newer = self._kept.get(key)
        if newer is not None and newer - row.raised_at < DUPLICATE_US:
            return False
        self._kept.pop(key, None)
        self._kept[key] = row.raised_at
        return True


def _can_be_an_id(text: str) -> bool:
    """Refuse to ask PostgreSQL for NUL, which no text of its own can hold."""
    return "\0" not in text


def token_usage(connection: Connection, workspace_id: int) -> TokenUsageAggregate:
    """Read what a workspace has spent since it was made."""
    rows = connection.execute(
        select(usage_totals).where(usage_totals.c.workspace_id == workspace_id).order_by(usage_totals.c.model_key)
    ).all()
    return _aggregate((row.model, row.provider_type, _spent(row)) for row in rows)


def unpriced_tokens(connection: Connection, workspace_id: int) -> int:
    """Count the tokens of a workspace that its costs do not have, because their price is unknown."""
    query = select(func.sum(usage_totals.c.unpriced_tokens)).where(usage_totals.c.workspace_id == workspace_id)
    return int(connection.scalar(query) or 0)


def _critical_alerts() -> Any:
    return (
        select(
            alerts,
            prompts.c.public_id.label("prompt_public_id"),
            prompts.c.kind,
            prompts.c.answer,
            func.coalesce(prompts.c.thread_id, prompts.c.id).label("root_id"),
        )
        .join(prompts, prompts.c.id == alerts.c.prompt_id)
        .where(alerts.c.category == AlertSeverity.CRITICAL.value)
        .order_by(alerts.c.raised_at.desc(), alerts.c.id.desc())
    )


def _threads(connection: Connection, roots: set[int]) -> dict[int, list[Row[Any]]]:
    """Read whole chats: id of the first exchange → exchanges in the order they were asked."""
    threads: dict[int, list[Row[Any]]] = {root: [] for root in roots}
    ordered = sorted(roots)
    for start in range(0, len(ordered), _CHUNK):
        some = ordered[start : start + _CHUNK]
        query = select(prompts).where(or_(prompts.c.id.in_(some), prompts.c.thread_id.in_(some)))
        for row in connection.execute(query.order_by(prompts.c.asked_at, prompts.c.id)):
            threads[row.thread_id or row.id].append(row)
    return threads


def _question_answer(row: Row[Any]) -> QuestionAnswer:
    question = ChatMessage(message=row.last_message, timestamp=from_us(row.asked_at), message_id=row.public_id)
    if row.answer is None:
        return QuestionAnswer(question=question, answer=None)
    answer = ChatMessage(message=row.answer, timestamp=from_us(row.answered_at), message_id=row.answer_id)
    return QuestionAnswer(question=question, answer=answer)


def _thread_json(rows: Sequence[Row[Any]]) -> dict[str, Any]:
    """Write a chat: every field of `Conversation`."""
    first = rows[0]
    usage = _usage(rows).model_dump(mode="json") if any(row.input_tokens for row in rows) else None
    return {
        "question_answers": [_question_answer(row).model_dump(mode="json") for row in rows],
        "provider": first.provider,
        "type": first.kind,
        "chat_id": first.public_id,
        "conversation_timestamp": from_us(first.asked_at),
        "token_usage_agg": usage,
        "alerts": [],
    }


def _alert_fields(row: Row[Any]) -> dict[str, Any]:
    """Write an alert of the list: every field of `AlertConversation` but the first, `conversation`."""
    snippet = _snippet(row)
    return {
        "alert_id": row.public_id,
        "code_snippet": snippet and snippet.model_dump(mode="json"),
        "trigger_string": _trigger(row),
        "trigger_type": row.trigger_type,
        "trigger_category": row.category,
        "timestamp": from_us(row.raised_at),
    }


def _alert_json(row: Row[Any]) -> dict[str, Any]:
    """Write an alert of an exchange: every field of `Alert`."""
    fields = _alert_fields(row)
    return {"id": fields.pop("alert_id"), "prompt_id": row.prompt_public_id, **fields}


def _snippet(row: Row[Any]) -> CodeSnippet | None:
    return None if row.snippet is None else CodeSnippet.model_validate_json(row.snippet)


def _trigger(row: Row[Any]) -> str | dict[str, Any] | None:
    found: str | dict[str, Any] | None = None if row.trigger is None else json.loads(row.trigger)
    return found


def _spent(row: Row[Any]) -> TokenUsage:
    return TokenUsage(
        input_tokens=row.input_tokens,
        output_tokens=row.output_tokens,
        input_cost=row.input_cost,
        output_cost=row.output_cost,
    )


def _usage(rows: Iterable[Row[Any]]) -> TokenUsageAggregate:
    counted = [row for row in rows if row.model is not None and (row.input_tokens or row.output_tokens)]
    return _aggregate((row.model, row.model_provider, _spent(row)) for row in counted)


def _aggregate(spent: Iterable[tuple[str, str, TokenUsage]]) -> TokenUsageAggregate:
    """Sum by model; the type is that of the model's first record."""
    by_model: dict[str, TokenUsageByModel] = {}
    total = TokenUsage()
    for model, provider_type, usage in spent:
        known = by_model.get(model)
        by_model[model] = TokenUsageByModel(
            provider_type=known.provider_type if known else ProviderType(provider_type),
            model=model,
            token_usage=known.token_usage + usage if known else usage,
        )
        total += usage
    return TokenUsageAggregate(tokens_by_model=by_model, token_usage=total)
