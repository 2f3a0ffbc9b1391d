"""What the gateway has recorded: conversations, alerts, tokens."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, Field

from gateway_api.models.providers import ProviderType

Count = Annotated[int, Field(ge=0)]


class QuestionType(StrEnum):
    CHAT = "chat"
    FIM = "fim"


class AlertSeverity(StrEnum):
    INFO = "info"
    CRITICAL = "critical"


class AlertTriggerType(StrEnum):
    """Types that messages can be filtered by; more are recorded."""

    PII = "codegate-pii"
    CONTEXT_RETRIEVER = "codegate-context-retriever"
    SECRETS = "codegate-secrets"


class ChatMessage(BaseModel):
    message: str
    timestamp: datetime
    message_id: str


class QuestionAnswer(BaseModel):
    question: ChatMessage
    answer: ChatMessage | None


class CodeSnippet(BaseModel):
    code: str
    language: str | None
    filepath: str | None
    libraries: list[str] = []
    file_extension: str | None = None


class Alert(BaseModel):
    id: str
    prompt_id: str
    code_snippet: CodeSnippet | None
    trigger_string: str | dict[str, Any] | None
    trigger_type: str
    trigger_category: AlertSeverity
    timestamp: datetime


class AlertSummary(BaseModel):
    """Counts of alerts; the total has every type and severity."""

    malicious_packages: Count
    pii: Count
    secrets: Count
    total_alerts: Count


class TokenUsage(BaseModel):
    """Tokens, and what they cost in US dollars."""

    input_tokens: int = 0
    output_tokens: int = 0
    input_cost: float = 0
    output_cost: float = 0

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return TokenUsage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            input_cost=self.input_cost + other.input_cost,
            output_cost=self.output_cost + other.output_cost,
        )


class TokenUsageByModel(BaseModel):
    provider_type: ProviderType
    model: str
    token_usage: TokenUsage


class TokenUsageAggregate(BaseModel):
    tokens_by_model: dict[str, TokenUsageByModel]
    token_usage: TokenUsage


class Conversation(BaseModel):
    question_answers: list[QuestionAnswer]
    provider: str | None
    type: QuestionType
    chat_id: str
    conversation_timestamp: datetime
    token_usage_agg: TokenUsageAggregate | None
    alerts: list[Alert] | None = []


class ConversationSummary(BaseModel):
    chat_id: str
    prompt: ChatMessage
    alerts_summary: AlertSummary
    token_usage_agg: TokenUsageAggregate | None
    provider: str | None
    type: QuestionType
    conversation_timestamp: datetime


class PaginatedMessagesResponse(BaseModel):
    data: list[ConversationSummary]
    limit: int
    offset: int
    total: int


class AlertConversation(BaseModel):
    conversation: Conversation
    alert_id: str
    code_snippet: CodeSnippet | None
    trigger_string: str | dict[str, Any] | None
    trigger_type: str
    trigger_category: str | None
    timestamp: datetime
