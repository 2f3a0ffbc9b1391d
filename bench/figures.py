"""Figures: what several runs say together, and the bound that a figure is held to."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

import msgspec


class Summary(msgspec.Struct, frozen=True):
    """Several measurements of the same thing."""

    median: float
    low: float
    high: float

    def format(self, digits: int = 2) -> str:
        """Write the median, and the range where there is one: `1.93 (1.88–2.01)`."""
        if self.low == self.high:
            return f"{self.median:.{digits}f}"
        return f"{self.median:.{digits}f} ({self.low:.{digits}f}–{self.high:.{digits}f})"


def summarise(values: Sequence[float]) -> Summary:
    """Take median, smallest and largest.

    Raises:
        ValueError: there are no values.
    """
    if not values:
        raise ValueError("No values to summarise.")
    return Summary(statistics.median(values), min(values), max(values))


class Ratio(msgspec.Struct, frozen=True):
    """How much larger one thing is than another, measured in pairs."""

    mean: float
    low: float
    """With `high` the interval that contains the ratio with a probability of 95 %."""
    high: float

    def format(self) -> str:
        """Write the mean and the interval: `1.043 (1.021–1.066)`."""
        return f"{self.mean:.3f} ({self.low:.3f}–{self.high:.3f})"


def compare_pairs(first: Sequence[float], second: Sequence[float]) -> Ratio:
    """Divide the second by the first of each pair, and take the geometric mean.

    What slows both runs of a pair down does not change the ratio. The interval is Student's, of the logarithms.

    Raises:
        ValueError: there are fewer than two pairs, or not as many of each.
    """
    logs = [math.log(after / before) for before, after in zip(first, second, strict=True)]
    if len(logs) < 2:
        raise ValueError("A ratio takes two pairs at least.")
    mean = statistics.fmean(logs)
    reach = _student(len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    return Ratio(math.exp(mean), math.exp(mean - reach), math.exp(mean + reach))


def _student(freedom: int) -> float:
    """Give the value that Student's distribution exceeds in 2.5 % of all cases, within 2 % from 4 degrees of freedom on."""
    known = {1: 12.706, 2: 4.303, 3: 3.182}
    z = statistics.NormalDist().inv_cdf(0.975)
    return known.get(freedom) or z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


class Bound(msgspec.Struct, frozen=True):
    """A figure beside the limit it must keep."""

    claim: str
    """What is bounded, such as `cold build, wall time`."""
    figure: float
    limit: float
    unit: str
    is_floor: bool = False
    """The figure has to reach the limit instead of staying within it."""
    basis: str = ""
    """Where the limit comes from, if it was measured itself."""

    @property
    def is_met(self) -> bool:
        """Both ends count as met."""
        return self.figure >= self.limit if self.is_floor else self.figure <= self.limit

    def format(self) -> str:
        """Write one line: verdict, claim, figure, limit, and by how much it was missed."""
        verdict = "met   " if self.is_met else "MISSED"
        relation = "at least" if self.is_floor else "at most"
        basis = f" ({self.basis})" if self.basis else ""
        figure, limit = _numbers(self.figure, self.limit)
        line = f"{verdict}  {self.claim}: {figure} {self.unit}, {relation} {limit}{basis}"
        off = abs(self.figure - self.limit)
        return line if self.is_met else f"{line}; off by {_number(off, 3)} {self.unit}"

    def cells(self) -> list[str]:
        """Write claim, figure, limit and verdict for a table."""
        figure, limit = _numbers(self.figure, self.limit)
        relation = "≥" if self.is_floor else "≤"
        return [
            self.claim,
            f"{figure} {self.unit}",
            f"{relation} {limit} {self.unit}",
            "met" if self.is_met else "MISSED",
        ]


def _numbers(figure: float, limit: float) -> tuple[str, str]:
    """Write both with three significant digits, or as many more as it takes to tell them apart."""
    digits = 3
    while figure != limit and _number(figure, digits) == _number(limit, digits) and digits < 15:
        digits += 1
    return _number(figure, digits), _number(limit, digits)


def _number(value: float, digits: int) -> str:
    """Write so many significant digits, never an exponent, no zeros at the end."""
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
