"""Prices are those of a list with source and date; what no list has is unknown, not free."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from gateway_api.errors import SetupError
from gateway_api.prices import DatedPrices, PriceList, load_prices
from gateway_api.recording import Exchange
from gateway_api.store.recording import prepare

MAY, DECEMBER = date(2025, 5, 10), date(2026, 12, 1)


def price_file(folder: Path, *lists: dict[str, Any]) -> Path:
    file = folder / "prices.json"
    file.write_text(json.dumps({"format": 1, "lists": list(lists)}), encoding="utf-8")
    return file


def listed(day: str, **models: tuple[float, float]) -> DatedPrices:
    return DatedPrices(source="test", date=date.fromisoformat(day), models=models)


def test_shipped_lists_have_source_and_date() -> None:
    for one in load_prices().lists:
        assert one.source.startswith("LiteLLM's public list")
        assert date(2025, 1, 1) < one.date < date(2027, 1, 1)
        assert len(one.models) > 100


@pytest.mark.parametrize(
    ("model", "provider_type", "price"),
    [
        ("gpt-4o", "openai", (2.5, 10.0)),
        ("gpt-4-turbo", "openai", (10.0, 30.0)),
        # Came after the first list and went before the last one.
        ("claude-sonnet-4-20250514", "anthropic", (3.0, 15.0)),
        ("claude-opus-4-1-20250805", "anthropic", (15.0, 75.0)),
        ("claude-3-5-sonnet-latest", "anthropic", (3.0, 15.0)),
        ("openai/gpt-4o", "openrouter", (2.5, 10.0)),
        ("azure/gpt-4o", "openai", (2.5, 10.0)),
        ("groq/llama-3.3-70b-versatile", "openai", (0.59, 0.79)),
        ("anthropic.claude-3-5-sonnet-20241022-v2:0", "openai", (3.0, 15.0)),
        ("gpt-4o", "ollama", (0.0, 0.0)),
        ("qwen2.5-coder:7b", "llamacpp", (0.0, 0.0)),
        ("gpt-9-of-nobody", "openai", None),
        ("GPT-4o", "openai", None),
    ],
)
def test_price_is_the_listed_one_or_unknown(model: str, provider_type: str, price: tuple[float, float] | None) -> None:
    assert load_prices().find(model, provider_type, MAY) == price


def test_every_model_of_the_first_list_that_has_a_price_for_tokens_is_there() -> None:
    """Its other entries have prices for images, seconds or queries, or none."""
    first = load_prices().lists[0]
    assert first.date == date(2025, 5, 4)
    assert len(first.models) >= 755


def test_request_is_priced_by_the_list_of_its_day() -> None:
    prices = PriceList([listed("2025-05-04", m=(10, 40)), listed("2026-01-01", m=(2, 8))])
    assert prices.find("m", "openai", date(2025, 1, 1)) == (10, 40)
    assert prices.find("m", "openai", MAY) == (10, 40)
    assert prices.find("m", "openai", DECEMBER) == (2, 8)


def test_own_file_replaces_what_is_shipped(tmp_path: Path) -> None:
    own = {"source": "our contract", "date": "2025-01-01", "models": {"gpt-4o": [1, 2], "ours": [3, 4], "tiny": [5, 6]}}
    prices = load_prices(price_file(tmp_path, own))
    assert prices.find("gpt-4o", "openai", DECEMBER) == (1, 2)
    assert prices.find("ours", "openai", MAY) == (3, 4)
    assert prices.find("tiny", "ollama", MAY) == (5, 6)
    assert prices.find("gpt-4-turbo", "openai", MAY) == (10, 30)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "Invalid JSON"),
        ('{"format": 2, "lists": []}', "format: Input should be 1"),
        ('{"format": 1, "lists": [{"source": "x", "date": "2025-01-01", "models": {"m": [1]}}]}', "lists.0.models.m.1"),
        ('{"format": 1, "lists": [{"source": "x", "date": "2025-01-01", "models": {"m": [1, -1]}}]}', "greater than"),
        ('{"format": 1, "lists": [{"source": "x", "models": {}}]}', "lists.0.date: Field required"),
    ],
)
def test_wrong_file_is_named_with_the_place(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(SetupError, match=f"The price file {file} is wrong: .*{said}"):
        load_prices(file)
    with pytest.raises(SetupError, match="cannot be read: No such file"):
        load_prices(tmp_path / "missing.json")


@pytest.mark.parametrize(
    ("usage", "costs", "unpriced"),
    [
        ({"model": "gpt-4o"}, (2.5, 10.0), 0),
        ({"model": "nobody's"}, (0, 0), 2_000_000),
        ({"model": "nobody's", "input_cost": 1}, (1, 0), 1_000_000),
        ({"model": "nobody's", "input_cost": 1, "output_cost": 0}, (1, 0), 0),
        ({"model": "any", "provider_type": "ollama"}, (0, 0), 0),
    ],
)
def test_tokens_without_a_price_are_counted(usage: dict[str, Any], costs: tuple[float, float], unpriced: int) -> None:
    spent = {"provider_type": "openai", "input_tokens": 1_000_000, "output_tokens": 1_000_000} | usage
    asked = {"type": "chat", "provider": None, "timestamp": datetime(2025, 5, 10, tzinfo=UTC), "messages": ["?"]}
    found = prepare(Exchange.model_validate(asked | {"usage": spent}), load_prices()).usage
    assert found is not None
    assert (found[4], found[5], found[6]) == (*map(pytest.approx, costs), unpriced)
