"""What the demo's gateway is configured with: providers, workspaces with their rules, personas."""

from __future__ import annotations

from dataclasses import dataclass, field

from gateway_api.models.providers import ProviderAuthType, ProviderEndpoint, ProviderType
from gateway_api.models.workspaces import MuxMatcherType, MuxRule

_KEY, _NONE, _PASS = ProviderAuthType.API_KEY, ProviderAuthType.NONE, ProviderAuthType.PASSTHROUGH
GPU_MODEL = "Qwen/Qwen2.5-Coder-14B-Instruct"


def _provider(
    name: str, type_: ProviderType, endpoint: str, auth: ProviderAuthType, description: str
) -> ProviderEndpoint:
    return ProviderEndpoint(name=name, provider_type=type_, endpoint=endpoint, auth_type=auth, description=description)


PROVIDERS: list[tuple[ProviderEndpoint, list[str]]] = [
    (
        _provider("openai-main", ProviderType.OPENAI, "https://api.openai.com", _KEY, "The team's OpenAI account"),
        ["gpt-4o", "gpt-4o-mini", "o3-mini", "gpt-4.1-mini"],
    ),
    (
        _provider(
            "anthropic-main", ProviderType.ANTHROPIC, "https://api.anthropic.com", _KEY, "The team's Anthropic account"
        ),
        ["claude-3-7-sonnet-20250219", "claude-3-5-sonnet-20241022", "claude-3-5-haiku-20241022"],
    ),
    (
        _provider("router", ProviderType.OPENROUTER, "https://openrouter.ai/api", _KEY, "For models we try out"),
        ["deepseek/deepseek-r1", "anthropic/claude-3.5-sonnet", "qwen/qwen-2.5-coder-32b-instruct"],
    ),
    (
        _provider("ollama", ProviderType.OLLAMA, "http://host.docker.internal:11434", _NONE, "Models on this laptop"),
        ["qwen2.5-coder:7b", "qwen2.5-coder:1.5b", "deepseek-r1:8b"],
    ),
    (
        _provider("gpu-box", ProviderType.VLLM, "http://host.docker.internal:8000", _NONE, "The machine in the rack"),
        [GPU_MODEL],
    ),
    (
        _provider("studio", ProviderType.LM_STUDIO, "http://host.docker.internal:1234", _NONE, "LM Studio"),
        ["qwen2.5-coder-7b-instruct"],
    ),
    (
        _provider(
            "team-pass", ProviderType.ANTHROPIC, "https://api.anthropic.com", _PASS, "Keys of the assistants themselves"
        ),
        [],
    ),
]
"""Providers with their models; a passthrough provider has none."""

_TYPES = {provider.name: provider.provider_type for provider, _ in PROVIDERS}


def _rule(provider: str, model: str, matcher: MuxMatcherType = MuxMatcherType.CATCH_ALL, pattern: str = "") -> MuxRule:
    return MuxRule(
        provider_name=provider, provider_type=_TYPES[provider], model=model, matcher_type=matcher, matcher=pattern
    )


_FILE, _FIM, _CHAT = MuxMatcherType.FILENAME_MATCH, MuxMatcherType.FIM_FILENAME, MuxMatcherType.CHAT_FILENAME


@dataclass(frozen=True)
class DemoWorkspace:
    """A workspace, and its share of the conversations."""

    name: str
    conversations: int
    instructions: str = ""
    rules: list[MuxRule] = field(default_factory=list)


ACTIVE, ARCHIVED = "web-shop", "spike-auth"
WORKSPACES = [
    DemoWorkspace("default", 12, rules=[_rule("openai-main", "gpt-4o-mini")]),
    DemoWorkspace(
        ACTIVE,
        88,
        "This is a TypeScript shop. Keep commits small and ask before you add a dependency.",
        [
            _rule("anthropic-main", "claude-3-7-sonnet-20250219", _CHAT, "*.ts*"),
            _rule("ollama", "qwen2.5-coder:1.5b", _FIM),
            _rule("openai-main", "gpt-4o-mini", _FILE, "*.md"),
            _rule("anthropic-main", "claude-3-5-haiku-20241022"),
        ],
    ),
    DemoWorkspace(
        "data-pipeline",
        42,
        "Write Python 3.12 with type hints, and pandas the way its own documentation does.",
        [
            _rule("router", "deepseek/deepseek-r1", _FILE, "*.sql"),
            _rule("gpu-box", GPU_MODEL, _FILE, "*.py"),
            _rule("gpu-box", GPU_MODEL),
        ],
    ),
    DemoWorkspace(
        "code-review",
        22,
        "Rank findings by severity, cite the CWE number, and propose the smallest patch that helps.",
        [_rule("openai-main", "o3-mini")],
    ),
    DemoWorkspace(
        "docs",
        18,
        "Write plain US English in the second person.",
        [_rule("openai-main", "gpt-4o-mini", _FILE, "*.md*"), _rule("ollama", "qwen2.5-coder:7b")],
    ),
    DemoWorkspace("offline", 10, rules=[_rule("ollama", "qwen2.5-coder:7b")]),
    DemoWorkspace(ARCHIVED, 8, "A throw-away prototype: short answers, no tests.", [_rule("openai-main", "gpt-4o")]),
]

PERSONAS = [
    ("backend engineer", "Builds server code, tunes databases and runs message queues."),
    ("ui_designer", "Draws components, checks contrast and keyboard use, and cares about styling."),
    ("data-analyst", "Explores numbers in notebooks, runs statistics and explains charts to managers."),
    ("technical writer", "Structures guides, polishes wording and keeps the glossary."),
]
