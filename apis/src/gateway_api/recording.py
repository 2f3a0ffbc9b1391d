"""The record of one exchange, as it comes in: a line of an import file, or a line of the demo data."""

from __future__ import annotations

import re
import uuid
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from gateway_api.models.providers import ProviderType
from gateway_api.models.records import AlertSeverity, CodeSnippet, QuestionType

_MOST = 2**40
_ENVIRONMENT = re.compile(r"<environment_details>.*?</environment_details>", re.DOTALL)
_TASK = re.compile(r"\s*<task>(.*?)</task>", re.DOTALL)

Id = Annotated[uuid.UUID, Field(default_factory=uuid.uuid4)]
Cost = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class Part(BaseModel):
    """A part of a record; a field that is not known is a mistake, not a wish."""

    model_config = ConfigDict(extra="forbid")


class Answer(Part):
    id: Id
    message: str
    timestamp: AwareDatetime


class Usage(Part):
    """Tokens of the exchange; costs that are left out come from the price list."""

    provider_type: ProviderType | Literal["copilot"]
    model: Annotated[str, StringConstraints(min_length=1)]
    input_tokens: int = Field(default=0, ge=0, le=_MOST)
    output_tokens: int = Field(default=0, ge=0, le=_MOST)
    input_cost: Cost | None = None
    output_cost: Cost | None = None


class RaisedAlert(Part):
    id: Id
    trigger_type: Word
    trigger_category: AlertSeverity
    trigger_string: str | dict[str, Any] | None = None
    code_snippet: CodeSnippet | None = None
    timestamp: AwareDatetime


class Exchange(Part):
    """One intercepted request with all that came of it."""

    workspace: str | None = None
    """Where it is filed; the active workspace where none is named."""
    id: Id
    type: QuestionType
    provider: Word | None
    timestamp: AwareDatetime
    messages: list[str] = Field(min_length=1)
    """The user's messages of the request, oldest first."""
    answer: Answer | None = None
    usage: Usage | None = None
    alerts: list[RaisedAlert] = []

    @property
    def ids(self) -> list[str]:
        """Ids of the exchange, its answer and its alerts; each may be recorded once."""
        return [str(part.id) for part in (self, self.answer, *self.alerts) if part]

    @property
    def first_message(self) -> str:
        """What the list of messages shows."""
        return clean_text(self.messages[0])

    @property
    def last_message(self) -> str:
        """What the detail shows; an editor extension sends one question in several messages."""
        if self.provider == "copilot" and self.type is QuestionType.CHAT:
            return "\n".join(clean_text(message) for message in self.messages)
        return clean_text(self.messages[-1])


def clean_text(message: str) -> str:
    """Take from a message what tools have added around the user's words."""
    text = _ENVIRONMENT.sub("", message)
    task = _TASK.match(text)
    return (task.group(1) if task else text).strip() if text != message or task else message
