"""The form of a record, with messages for whoever wrote it wrongly: the model that decides what is accepted."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from gateway_api.models.providers import ProviderType
from gateway_api.models.records import AlertSeverity, CodeSnippet, QuestionType

MOST_TOKENS = 2**40
MOST_COST = 1e9
MOST_NESTED = 100
"""Objects and lists within each other: what reads and writes JSON here allows more, each part another number."""

Id = Annotated[uuid.UUID, Field(default_factory=uuid.uuid4)]
Cost = Annotated[float, Field(ge=0, le=MOST_COST, allow_inf_nan=False)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[^\x00]*$")]
"""PostgreSQL stores no NUL, and these are compared as they are."""


def _in_utc(moment: datetime) -> datetime:
    """Refuse a moment whose year in UTC is before 1 or after 9999, where it could be stored and not be read."""
    try:
        moment.astimezone(UTC)
    except OverflowError:
        raise PydanticCustomError("moment", "must be between the years 1 and 9999 in UTC") from None
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]


def is_nested_too_much(value: Any) -> bool:
    """Return whether objects and lists are within more others than `MOST_NESTED`, however many these are."""
    within = [value]
    for _ in range(MOST_NESTED + 1):
        within = [
            inner
            for one in within
            if isinstance(one, (dict, list))
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not within:
            return False
    return True


def _nested_little(value: dict[str, Any]) -> dict[str, Any]:
    if is_nested_too_much(value):
        raise PydanticCustomError("nesting", "must not be nested more than {most} levels deep", {"most": MOST_NESTED})
    return value


class Part(BaseModel):
    """A part of a record; unknown fields are errors, because they are usually misspelled."""

    model_config = ConfigDict(extra="forbid")


class Answer(Part):
    id: Id
    message: str
    timestamp: Moment


class Usage(Part):
    """Tokens of the exchange; costs that are left out come from the price list."""

    provider_type: ProviderType | Literal["copilot"]
    model: Annotated[str, StringConstraints(min_length=1)]
    input_tokens: int = Field(default=0, ge=0, le=MOST_TOKENS)
    output_tokens: int = Field(default=0, ge=0, le=MOST_TOKENS)
    input_cost: Cost | None = None
    output_cost: Cost | None = None


class RaisedAlert(Part):
    id: Id
    trigger_type: Word
    trigger_category: AlertSeverity
    trigger_string: str | Annotated[dict[str, Any], AfterValidator(_nested_little)] | None = None
    code_snippet: CodeSnippet | None = None
    timestamp: Moment


class Exchange(Part):
    """One intercepted request with all that came of it."""

    workspace: str | None = None
    """Where it is filed; the active workspace where none is named."""
    id: Id
    type: QuestionType
    provider: Word | None
    timestamp: Moment
    messages: list[str] = Field(min_length=1)
    """The user's messages of the request, oldest first."""
    answer: Answer | None = None
    usage: Usage | None = None
    alerts: list[RaisedAlert] = []
