"""A record as plain values, read at the speed of C.

Most lines of a file are written by a program and plainly right. They are decoded here, about ten times as fast as by
the model. This decoder is stricter than the model: it knows one spelling of an id and of a moment. Whatever it does not
take is read by the model, which either accepts it or says what is wrong. So both give the same for every line; a test
compares them.
"""

from __future__ import annotations

import re
from datetime import MAXYEAR, MINYEAR, datetime
from typing import Annotated, Any, Literal
from uuid import uuid4

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from gateway_api.models.providers import ProviderType
from gateway_api.recording.exchange import (
    MOST_COST,
    MOST_TOKENS,
    Answer,
    Exchange,
    RaisedAlert,
    Usage,
    is_nested_too_much,
)

_PROVIDER_TYPES = frozenset({*(str(one) for one in ProviderType), "copilot"})
_LONG_FRACTION = re.compile(rb":\d\d\.\d{7}")
"""Digits beyond microseconds: the model cuts them off, msgspec rounds."""

_UUID = r"\A[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z"

_Id = Annotated[str, Meta(pattern=_UUID)]
_Word = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"\A[^\x00]*\Z")]
_Moment = Annotated[datetime, Meta(tz=True)]
_Tokens = Annotated[int, Meta(ge=0, le=MOST_TOKENS)]
_Cost = Annotated[float, Meta(ge=0, le=MOST_COST)]


class Snippet(Struct, gc=False):
    """As `CodeSnippet`, whose unknown fields are left out."""

    code: str
    language: str | None
    filepath: str | None
    libraries: list[str] = []
    file_extension: str | None = None


class AlertRecord(Struct, forbid_unknown_fields=True):
    trigger_type: _Word
    trigger_category: Literal["info", "critical"]
    timestamp: _Moment
    id: _Id | UnsetType = UNSET
    trigger_string: str | dict[str, Any] | None = None
    code_snippet: Snippet | None = None


class AnswerRecord(Struct, forbid_unknown_fields=True, gc=False):
    message: str
    timestamp: _Moment
    id: _Id | UnsetType = UNSET


class UsageRecord(Struct, forbid_unknown_fields=True, gc=False):
    provider_type: str
    model: Annotated[str, Meta(min_length=1)]
    input_tokens: _Tokens = 0
    output_tokens: _Tokens = 0
    input_cost: _Cost | None = None
    output_cost: _Cost | None = None


class Record(Struct, forbid_unknown_fields=True):
    """See `Exchange`. Ids are in lower case with dashes; those that were not given are unset."""

    type: Literal["chat", "fim"]
    provider: _Word | None
    timestamp: _Moment
    messages: Annotated[list[str], Meta(min_length=1)]
    workspace: str | None = None
    id: _Id | UnsetType = UNSET
    answer: AnswerRecord | None = None
    usage: UsageRecord | None = None
    alerts: list[AlertRecord] = []

    def take_ids(self) -> list[str]:
        """List the ids that were given, each of which may be recorded once; make those that were not."""
        parts: list[Record | AnswerRecord | AlertRecord] = [self, *self.alerts]
        if self.answer:
            parts.append(self.answer)
        given = [part.id for part in parts if part.id is not UNSET]
        if len(given) < len(parts):
            for part in parts:
                if part.id is UNSET:
                    part.id = str(uuid4())
        return given


_decoder = msgspec.json.Decoder(Record)


def read_record(line: bytes) -> Record:
    """Read one JSON object.

    Raises:
        ValidationError: It is none, or not the record of an exchange; pydantic's.
    """
    return _decode(line) or record_of(Exchange.model_validate_json(line))


def record_of(exchange: Exchange) -> Record:
    """Give the same as plain values; ids that were not given are unset."""
    return Record(
        type=exchange.type.value,
        provider=exchange.provider,
        timestamp=exchange.timestamp,
        messages=exchange.messages,
        workspace=exchange.workspace,
        id=_given(exchange),
        answer=_answer(exchange.answer) if exchange.answer else None,
        usage=_usage(exchange.usage) if exchange.usage else None,
        alerts=[_alert(alert) for alert in exchange.alerts],
    )


def _decode(line: bytes) -> Record | None:
    """Decode a line that is plainly right; None for any other."""
    if _LONG_FRACTION.search(line):
        return None
    try:
        found = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if not all(map(_is_usual, (found, found.answer or found, *found.alerts))):
        return None
    if found.usage and found.usage.provider_type not in _PROVIDER_TYPES:
        return None
    objects = [alert.trigger_string for alert in found.alerts if isinstance(alert.trigger_string, dict)]
    if any(is_nested_too_much(one) or _has_float(one) for one in objects):
        return None  # msgspec reads integers of more than 64 bits as floats
    return found


def _is_usual(part: Record | AnswerRecord | AlertRecord) -> bool:
    """Return whether a moment has a year between the first and the last; the model looks at the others."""
    return MINYEAR < part.timestamp.year < MAXYEAR


def _has_float(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_float, value.values()))
    if isinstance(value, list):
        return any(map(_has_float, value))
    return isinstance(value, float)


def _given(part: Exchange | Answer | RaisedAlert) -> str | UnsetType:
    return str(part.id) if "id" in part.model_fields_set else UNSET


def _answer(answer: Answer) -> AnswerRecord:
    return AnswerRecord(message=answer.message, timestamp=answer.timestamp, id=_given(answer))


def _usage(usage: Usage) -> UsageRecord:
    return UsageRecord(
        provider_type=str(usage.provider_type),
        model=usage.model,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        input_cost=usage.input_cost,
        output_cost=usage.output_cost,
    )


def _alert(alert: RaisedAlert) -> AlertRecord:
    found = alert.code_snippet
    return AlertRecord(
        trigger_type=alert.trigger_type,
        trigger_category=alert.trigger_category.value,
        timestamp=alert.timestamp,
        id=_given(alert),
        trigger_string=alert.trigger_string,
        code_snippet=Snippet(found.code, found.language, found.filepath, list(found.libraries), found.file_extension)
        if found
        else None,
    )
