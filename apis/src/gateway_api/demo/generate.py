"""Conversations of the demo, one after the other from one seed: the same on every machine."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from random import Random
from typing import Any

from gateway_api.demo.setting import WORKSPACES
from gateway_api.demo.texts import (
    COMPLETIONS,
    FOLLOW_UPS,
    PACKAGES,
    PERSONAL,
    SECRETS,
    SYSTEM_PROMPT,
    TALKS,
)
from gateway_api.models.providers import ProviderType
from gateway_api.models.records import AlertSeverity, CodeSnippet, QuestionType
from gateway_api.recording import Answer, Exchange, RaisedAlert, Usage

SEED = 8989
DAYS = 14
_COPILOT = "copilot"
_ROUTES: dict[str, list[str]] = {
    "openai": ["gpt-4o-mini", "gpt-4o", "o3-mini"],
    "anthropic": ["claude-3-7-sonnet-20250219", "claude-3-5-haiku-20241022"],
    "ollama": ["qwen2.5-coder:1.5b", "qwen2.5-coder:7b"],
    _COPILOT: [],
    "openrouter": ["deepseek/deepseek-r1"],
    "vllm": ["Qwen/Qwen2.5-Coder-14B-Instruct"],
}
_WEIGHTS = [30, 25, 25, 12, 5, 3]
_FIM_SHARE, _ALERT_SHARE, _FOLLOW_UP_SHARE, _NO_FILL_SHARE = 0.3, 0.22, 0.12, 0.3
_KINDS = [
    "codegate-secrets",
    "codegate-pii",
    "codegate-context-retriever",
    "code-comment",
    "system-prompt",
    "unredaction",
]
_KIND_WEIGHTS = [45, 15, 15, 5, 18, 2]
_LANGUAGES = {".py": "python", ".ts": "javascript", ".go": "go", ".sh": "sh"}
CRITICAL, INFO = AlertSeverity.CRITICAL, AlertSeverity.INFO


def generate(now: datetime, *, times: int = 1, seed: int = SEED) -> Iterator[Exchange]:
    """Make the demo's conversations, oldest first in each workspace.

    Args:
        now: The newest ones are a few minutes older than this.
        times: Copies of the whole set with other ids and texts, for measurements.
        seed: Where the numbers come from.
    """
    random = Random(seed)  # noqa: S311 - not for secrets, but for the same data everywhere
    for workspace in WORKSPACES:
        moments = sorted(_moment(random, now) for _ in range(workspace.conversations * times))
        maker = _Maker(random, workspace.name)
        for number, moment in enumerate(moments):
            yield maker.make(moment, number)


def _moment(random: Random, now: datetime) -> datetime:
    """Choose a moment in working hours of the last days."""
    day = (now - timedelta(days=random.randrange(DAYS))).replace(hour=8, minute=0, second=0, microsecond=0)
    moment = day + timedelta(microseconds=random.randrange(10 * 3600 * 1_000_000))
    return min(moment, now - timedelta(seconds=120 + random.randrange(600))).astimezone(UTC)


class _Maker:
    """Makes the conversations of one workspace."""

    def __init__(self, random: Random, workspace: str) -> None:
        self._random = random
        self._workspace = workspace
        self._last: Exchange | None = None

    def make(self, moment: datetime, number: int) -> Exchange:
        """Make one exchange; the first ones of a workspace have one alert of each kind among them."""
        random = self._random
        route = random.choices(list(_ROUTES), _WEIGHTS)[0]
        forced = _KINDS[number] if number < len(_KINDS) else None
        if forced is None and random.random() < _FIM_SHARE:
            return self._completion(moment, "ollama" if route == _COPILOT else route)
        kind = forced or (random.choices(_KINDS, _KIND_WEIGHTS)[0] if random.random() < _ALERT_SHARE else None)
        made = self._chat(moment, route, kind)
        self._last = made
        return made

    def _chat(self, moment: datetime, route: str, kind: str | None) -> Exchange:
        random = self._random
        talk = random.choice(TALKS)
        question, answer = talk.question, talk.answer
        last = self._last
        messages = [question]
        if last and kind is None and last.provider not in (None, _COPILOT) and random.random() < _FOLLOW_UP_SHARE:
            messages, route = [*last.messages, random.choice(FOLLOW_UPS)], last.provider or route
        alerts: list[RaisedAlert] = []
        if kind:
            messages, answer, alerts = self._with_alert(kind, talk.file, question, answer, moment)
        return Exchange(
            workspace=self._workspace,
            id=self._id(),
            type=QuestionType.CHAT,
            provider=route,
            timestamp=moment,
            messages=messages,
            answer=Answer(id=self._id(), message=answer, timestamp=moment + self._between(1, 40)),
            usage=self._usage(route, input_tokens=(150, 6_000), output_tokens=(100, 900)),
            alerts=alerts,
        )

    def _completion(self, moment: datetime, route: str) -> Exchange:
        random = self._random
        piece = random.choice(COMPLETIONS)
        is_filled = random.random() >= _NO_FILL_SHARE
        answer = Answer(id=self._id(), message=piece.filled, timestamp=moment + self._between(1, 3))
        return Exchange(
            workspace=self._workspace,
            id=self._id(),
            type=QuestionType.FIM,
            provider=route,
            timestamp=moment,
            messages=[piece.code],
            answer=answer if is_filled else None,
            usage=self._usage(route, input_tokens=(200, 1_800), output_tokens=(5, 80)) if is_filled else None,
        )

    def _with_alert(
        self, kind: str, file: str, question: str, answer: str, moment: datetime
    ) -> tuple[list[str], str, list[RaisedAlert]]:
        """Put into question and answer what raises an alert, and raise it."""
        if kind == "codegate-secrets":
            return self._secret(question, answer, moment)
        if kind == "codegate-pii":
            types = self._random.choice(PERSONAL)
            count = len(types) + self._random.randrange(3)
            text = f"🔒 **Personal data redacted**\n- Total found: {count}\n- Types: {', '.join(types)}"
            marked = f"{question}\n\nsample,{'#' + str(self._id()) + '#'}"
            return [marked], answer, [self._alert(kind, CRITICAL, text, moment)]
        if kind in ("codegate-context-retriever", "code-comment"):
            return self._package(kind, file, question, answer, moment)
        if kind == "system-prompt":
            return [question], answer, [self._alert(kind, INFO, SYSTEM_PROMPT, moment)]
        messages, answer, alerts = self._secret(question, answer, moment)
        restored = self._alert("secret-unredaction", INFO, f"#{self._id()}#", moment)
        return messages, answer, [*alerts, restored]

    def _secret(self, question: str, answer: str, moment: datetime) -> tuple[list[str], str, list[RaisedAlert]]:
        service, type_, key, line, file = self._random.choice(SECRETS)
        context = f"{key}=REDACTED<#{self._id()}#>"
        text = (
            f"🔒 **Secret redacted**\n- Service: {service}\n- Type: {type_}\n- Key: {key}\n- Line Number: {line}\n"
            f"- Context:\n```\n{context}\n```"
        )
        snippet = _snippet(file, context) if self._random.random() < 0.6 else None
        alert = self._alert("codegate-secrets", CRITICAL, text, moment, snippet)
        return [f"{question}\n\n```\n{context}\n```"], answer, [alert]

    def _package(
        self, kind: str, file: str, question: str, answer: str, moment: datetime
    ) -> tuple[list[str], str, list[RaisedAlert]]:
        name, ecosystem, status = self._random.choice(PACKAGES)
        report = f"https://www.insight.stacklok.com/report/{ecosystem}/{name}"
        warning = f"**Warning:** the package {name} is {status}. [Report]({report})"
        trigger: str | dict[str, Any] = warning
        if kind == "codegate-context-retriever":
            description = f"The {ecosystem} package {name} is known to be {status}."
            trigger = {"name": name, "type": ecosystem, "status": status, "description": description}
        snippet = _snippet(file, f"use {name}") if self._random.random() < 0.5 else None
        alert = self._alert(kind, CRITICAL, trigger, moment, snippet)
        return [f"{question} Is the package {name} fine to use?"], f"{warning}\n\n{answer}", [alert]

    def _alert(
        self,
        trigger_type: str,
        category: AlertSeverity,
        trigger: str | dict[str, Any],
        moment: datetime,
        snippet: CodeSnippet | None = None,
    ) -> RaisedAlert:
        return RaisedAlert(
            id=self._id(),
            trigger_type=trigger_type,
            trigger_category=category,
            trigger_string=trigger,
            code_snippet=snippet,
            timestamp=moment + self._between(0, 2),
        )

    def _usage(self, route: str, *, input_tokens: tuple[int, int], output_tokens: tuple[int, int]) -> Usage | None:
        models = _ROUTES[route]
        if not models:  # the editor extension names no model
            return None
        return Usage(
            provider_type=ProviderType(route),
            model=self._random.choice(models),
            input_tokens=self._random.randint(*input_tokens),
            output_tokens=self._random.randint(*output_tokens),
        )

    def _between(self, least_s: int, most_s: int) -> timedelta:
        return timedelta(microseconds=self._random.randint(least_s * 1_000_000, most_s * 1_000_000))

    def _id(self) -> uuid.UUID:
        return uuid.UUID(int=self._random.getrandbits(128), version=4)


def _snippet(file: str, code: str) -> CodeSnippet:
    extension = PurePosixPath(file).suffix
    return CodeSnippet(
        code=code, language=_LANGUAGES.get(extension), filepath=file, libraries=[], file_extension=extension or None
    )
