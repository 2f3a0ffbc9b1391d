"""What tokens cost.

Source: the public price list of models as of 4 May 2025, US dollars per token.
"""

from __future__ import annotations

_CLAUDE_SONNET = (0.000003, 0.000015)
_CLAUDE_OPUS = (0.000015, 0.000075)
_CLAUDE_HAIKU = (0.0000008, 0.000004)
_MINI = (0.0000011, 0.0000044)

PRICES: dict[str, tuple[float, float]] = {
    "gpt-4o": (0.0000025, 0.00001),
    "gpt-4o-mini": (0.00000015, 0.0000006),
    "o3-mini": _MINI,
    "o4-mini": _MINI,
    "o1-mini": _MINI,
    "gpt-4.1": (0.000002, 0.000008),
    "gpt-4.1-mini": (0.0000004, 0.0000016),
    "claude-3-7-sonnet-20250219": _CLAUDE_SONNET,
    "claude-3-5-sonnet-20241022": _CLAUDE_SONNET,
    "claude-3-5-sonnet-latest": _CLAUDE_SONNET,
    "claude-3-5-haiku-20241022": _CLAUDE_HAIKU,
    "claude-3-5-haiku-latest": _CLAUDE_HAIKU,
    "claude-3-opus-20240229": _CLAUDE_OPUS,
    "claude-3-opus-latest": _CLAUDE_OPUS,
}
"""Model → price of a token sent, price of a token received."""


def costs_of(model: str, input_tokens: int, output_tokens: int) -> tuple[float, float]:
    """Price the tokens of a request; a model that is not listed, such as a local one, costs nothing."""
    input_price, output_price = PRICES.get(model, (0.0, 0.0))
    return input_tokens * input_price, output_tokens * output_price
