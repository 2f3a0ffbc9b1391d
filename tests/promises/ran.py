"""What a run has done, test by test: the JUnit files of pytest and vitest."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

Outcome = Literal["passed", "failed", "skipped"]


class Case(msgspec.Struct, frozen=True):
    """One test that was asked to run."""

    id: str
    outcome: Outcome
    reason: str = ""
    """Why it was skipped."""


class Run(msgspec.Struct, frozen=True):
    """All tests of a run, by their ids and by names that cover several of them."""

    cases: dict[str, list[Case]]

    def find(self, name: str) -> list[Case]:
        """Give the tests of a name: an id, one without its parameters, a group of the theme, or a beginning and `*`."""
        if not name.endswith("*]"):
            return self.cases.get(name, [])
        beginning = name.removesuffix("*]")
        return [case for case in self.cases.get(name.partition("[")[0], []) if case.id.startswith(beginning)]


def read_run(files: Iterable[Path]) -> Run:
    """Read the files of a run.

    Raises:
        ValueError: a file holds no test.
        xml.etree.ElementTree.ParseError: a file is not XML.
    """
    cases: dict[str, list[Case]] = {}
    for file in files:
        found = [_read_case(element) for element in ET.parse(file).iter("testcase")]
        if not found:
            raise ValueError(f"{file} holds no test.")
        for case in found:
            for name in _names(case.id):
                cases.setdefault(name, []).append(case)
    return Run(cases)


def _read_case(element: ET.Element) -> Case:
    skipped = element.find("skipped")
    is_expected_to_fail = skipped is not None and skipped.get("type") == "pytest.xfail"
    if element.find("failure") is not None or element.find("error") is not None or is_expected_to_fail:
        return Case(_id(element), "failed")
    if skipped is not None:
        return Case(_id(element), "skipped", skipped.get("message", ""))
    return Case(_id(element), "passed")


def _id(element: ET.Element) -> str:
    """Write an id as a reader types it; pytest names the file, vitest says it in place of a class."""
    place, name, file = element.get("classname", ""), element.get("name", ""), element.get("file")
    if file is None:
        return f"engine/theme/{place}: {name}"
    module = file.removesuffix(".py").replace("/", ".")
    return "::".join([file, *filter(None, place.removeprefix(module).split(".")), name])


def _names(test: str) -> list[str]:
    """List an id and the shorter names that cover it."""
    if "::" in test:
        base, has_parameters, _ = test.partition("[")
        return [test, base] if has_parameters else [test]
    parts = test.split(" > ")
    return [" > ".join(parts[:count]) for count in range(1, len(parts) + 1)]
