"""How deeply a promise is tested: by a test about what it says, or only by one that looks at many things in passing."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from tests.promises.table import Promise

Depth = Literal["deep", "shallow"]

SHALLOW = {
    "test_status_is_reached": "looks at the status of an answer and at its shape",
    "test_code_takes_and_answers_what_the_document_says": "compares declarations, calls nothing",
    "test_code_has_the_operations_of_the_document": "compares declarations, calls nothing",
    "test_all_sixteen_operations_are_there_with_their_statuses": "compares declarations, calls nothing",
    "test_recorded_operations_are_those_of_the_program": "compares declarations, calls nothing",
    "test_route_is_a_page_in_its_sidebar": "looks at a route, its title and its sidebar, not at the text of the page",
}
"""Tests that would not notice if what a promise says were left undone → what they look at instead."""

OPERATION = re.compile(r"^(?:GET|HEAD|POST|PUT|PATCH|DELETE) /")
"""A promise about an operation begins like this."""


class Depths(msgspec.Struct, frozen=True):
    """How many promises are tested how deeply."""

    deep: int
    shallow: list[Promise]
    """Promises with no test but shallow ones."""

    @property
    def broken(self) -> list[str]:
        """Promises about an operation that no test holds to its effect: a handler may ignore its body there."""
        return [
            f"{promise.section}: {promise.line}: no test looks at the effect of the operation"
            for promise in self.shallow
            if OPERATION.match(promise.line)
        ]

    def lines(self) -> list[str]:
        """Write the depths for the end of a run."""
        total = self.deep + len(self.shallow)
        return [f"{self.deep} of {total} promises have a test of what they say, {len(self.shallow)} only shallow ones"]


def depth_of(promise: Promise) -> Depth:
    """Return whether one test at least is about what a promise says."""
    names = {test.partition("[")[0].rpartition("::")[2] for test in promise.tests}
    return "deep" if names - SHALLOW.keys() else "shallow"


def measure(promises: list[Promise]) -> Depths:
    """Measure all promises of a table."""
    shallow = [promise for promise in promises if depth_of(promise) == "shallow"]
    return Depths(len(promises) - len(shallow), shallow)
