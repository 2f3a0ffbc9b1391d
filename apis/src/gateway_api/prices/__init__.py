"""What tokens cost.

`prices.json` has public list prices with their source and date. It only has what that source has: a model that is not
listed has no known price, and nothing is guessed from a model of a similar name. A file of one's own has the same form;
what it says of a model replaces what the shipped file says.
"""

from __future__ import annotations

from datetime import date
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gateway_api.errors import SetupError
from gateway_api.models.providers import ProviderType
from service_guard import read_regular

MILLION = 1_000_000
LOCAL = frozenset({ProviderType.OLLAMA, ProviderType.LM_STUDIO, ProviderType.LLAMACPP, ProviderType.VLLM})
"""Providers that are programs on hardware of one's own: their tokens have no price, which is known."""

_MOST_FOUND = 10_000
"""Answers that are remembered."""

_Amount = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]
Price = tuple[_Amount, _Amount]
"""US dollars for a million tokens: sent, received."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class DatedPrices(_Part):
    """Prices that a source listed on a date."""

    source: str
    date: date
    models: dict[str, Price]


class _File(_Part):
    format: Literal[1]
    unit: str = ""
    """For readers of the file; the unit is always the same."""
    lists: list[DatedPrices] = Field(min_length=1)


class PriceList:
    """Prices by model.

    Args:
        shipped: Lists that come with the program.
        own: Lists of the user's file; a model in them is priced by them alone.
    """

    def __init__(self, shipped: list[DatedPrices], own: list[DatedPrices] | None = None) -> None:
        self.lists = [*shipped, *(own or [])]
        self._own = _by_model(own or [])
        self._all = _by_model(shipped) | self._own
        self._found: dict[tuple[str, str, date], Price | None] = {}

    def find(self, model: str, provider_type: str, on: date) -> Price | None:
        """Look up a price: the newest one listed by a date, else the oldest; None where none is known."""
        wanted = (model, provider_type, on)
        if wanted not in self._found:  # an import asks for a few models many times
            if len(self._found) >= _MOST_FOUND:
                self._found.clear()
            self._found[wanted] = self._look_up(model, provider_type, on)
        return self._found[wanted]

    def _look_up(self, model: str, provider_type: str, on: date) -> Price | None:
        for name in (f"{provider_type}/{model}", model):
            listed = self._own.get(name) if provider_type in LOCAL else self._all.get(name)
            if listed:
                return next((price for day, price in reversed(listed) if day <= on), listed[0][1])
        return (0.0, 0.0) if provider_type in LOCAL else None


@cache
def load_prices(own: Path | None = None) -> PriceList:
    """Read the shipped prices, and those of a file of one's own.

    Raises:
        SetupError: The file cannot be read, or is not of the right form.
    """
    text = files("gateway_api.prices").joinpath("prices.json").read_text(encoding="utf-8")
    shipped = _File.model_validate_json(text).lists
    if own is None:
        return PriceList(shipped)
    try:
        return PriceList(shipped, _File.model_validate_json(read_regular(own)).lists)
    except OSError as error:
        raise SetupError(f"The price file {own} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise SetupError(f"The price file {own} is wrong: {place + ': ' if place else ''}{first['msg']}.") from error


def _by_model(lists: list[DatedPrices]) -> dict[str, list[tuple[date, Price]]]:
    """Group by model, oldest price first."""
    found: dict[str, list[tuple[date, Price]]] = {}
    for listed in sorted(lists, key=lambda one: one.date):
        for model, price in listed.models.items():
            found.setdefault(model, []).append((listed.date, price))
    return found
