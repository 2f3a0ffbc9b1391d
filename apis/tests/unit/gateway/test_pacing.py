"""How long the transactions of imports and removals are: their next size follows from what the last one took."""

from __future__ import annotations

import pytest

from gateway_api.importing.storing import FEWEST, STEP, next_length, next_step
from gateway_api.purging import next_rows


@pytest.mark.parametrize(
    ("step", "seconds", "expected"),
    [
        (500, 0.02, 500),  # as long as intended
        (500, 0.025, 400),
        (800, 0.04, 400),
        (300, 0.015, 400),
        (300, 0.001, 600),  # at most twice as many
        (800, 0.001, STEP),
        (800, 0.0, STEP),
        (500, 1.0, FEWEST),
        (50, 1.0, 100),  # the last step of a file may be shorter than the fewest
    ],
)
def test_step_of_an_import_takes_20_ms(step: int, seconds: float, expected: int) -> None:
    assert next_step(step, seconds) == expected


@pytest.mark.parametrize(
    ("longest_s", "writing_s", "commit_s", "expected"),
    [
        (0.2, 0.2, 0.05, 0.4),  # a commit of 50 ms is short enough
        (0.2, 0.1, 0.0, 0.4),
        (0.5, 0.5, 0.01, 0.8),
        (0.8, 0.4, 0.1, 0.2),  # twice as long as intended: half of what was written
        (0.2, 0.8, 0.1, 0.1),
        (0.8, 0.8, 2.0, 0.05),
    ],
)
def test_transaction_of_an_import_is_as_long_as_its_commit_allows(
    longest_s: float, writing_s: float, commit_s: float, expected: float
) -> None:
    assert next_length(longest_s, writing_s, commit_s) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rows", "seconds", "expected"),
    [
        (100, 0.04, 100),  # as long as intended
        (100, 0.08, 50),
        (100, 0.032, 125),
        (100, 0.001, 200),  # at most twice as many
        (100, 0.0, 200),
        (3_000, 0.001, 5_000),
        (100, 10.0, 20),
    ],
)
def test_transaction_of_a_removal_takes_40_ms(rows: int, seconds: float, expected: int) -> None:
    assert next_rows(rows, seconds) == expected
