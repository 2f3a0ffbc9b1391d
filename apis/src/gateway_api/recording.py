"""The record of one exchange: a line of an import file, or of the demo data."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from gateway_api.models.providers import ProviderType
from gateway_api.models.records import AlertSeverity, CodeSnippet, QuestionType

_MOST = 2**40
_ENVIRONMENT = re.compile(r"<environment_details>.*?</environment_details>", re.DOTALL)
_TASK = re.compile(r"\s*<task>(.*?)</task>", re.DOTALL)
_PREFACE = re.compile(r"\s*Context: .*?\n[^\S\n]*\n\s*Query: ?", re.DOTALL)
_MARKER = re.compile(r"REDACTED<[^>]*>")

Id = Annotated[uuid.UUID, Field(default_factory=uuid.uuid4)]
Cost = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[^\x00]*$")]
"""PostgreSQL stores no NUL, and these are compared as they are."""


class Part(BaseModel):
    """A part of a record; unknown fields are errors, because they are usually misspelled."""

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
    def given_ids(self) -> list[uuid.UUID]:
        """Ids of the exchange, its answer and its alerts that were not made here; each may be recorded once."""
        ids = [self.id] if "id" in self.model_fields_set else []
        if self.answer and "id" in self.answer.model_fields_set:
            ids.append(self.answer.id)
        return ids + [alert.id for alert in self.alerts if "id" in alert.model_fields_set] if self.alerts else ids

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
    """Take from a message what tools have added around the user's words.

    Editor extensions wrap the words in tags. The gateway itself puts what it knows about risky packages in front of
    them: `Context: …`, an empty line, `Query: …`.
    """
    if "<" not in message and "Context: " not in message:
        return message
    text = _ENVIRONMENT.sub("", message)
    task = _TASK.match(text)
    words = task.group(1) if task else text
    preface = _PREFACE.match(words)
    if preface:
        words = words[preface.end() :]
    return words if words == message else words.strip()


def equal_markers(message: str) -> str:
    """Make the markers of redacted secrets equal: each request gets new ones for the same secret."""
    return _MARKER.sub("REDACTED<>", message) if "REDACTED<" in message else message


def thread_keys(provider: str | None, messages: Sequence[str]) -> list[str]:
    """Hash the beginnings of a request: provider and first message, first two messages, and so on.

    A later request of the same chat repeats all messages of this one, so one of its keys is this one's last key. Text
    that tools add, and markers that differ from request to request, do not count.

    Returns:
        64 hex digits for each message.
    """
    running = hashlib.sha256(b"[" + json.dumps(provider).encode())
    keys = []
    for message in messages:
        running.update(b", " + json.dumps(equal_markers(clean_text(message))).encode())
        one = running.copy()
        one.update(b"]")
        keys.append(one.hexdigest())
    return keys
