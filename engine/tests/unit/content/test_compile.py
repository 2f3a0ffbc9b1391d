"""Each case of `fixtures/` comes out as it is written there."""

import os

import pytest

from engine.tests.unit.content.cases import FIXTURES, Case, encode, load_cases, write_cases

_FILES = sorted(FIXTURES.glob("*.md"))

if os.environ.get("OCTAVO_UPDATE_CASES"):
    for _path in _FILES:
        write_cases(_path, load_cases(_path))

_CASES = [pytest.param(case, id=f"{path.stem}: {case.title}") for path in _FILES for case in load_cases(path)]


@pytest.mark.parametrize("case", _CASES)
def test_case_comes_out_as_written(case: Case):
    assert case.expected == case.outputs()


@pytest.mark.parametrize("case", _CASES)
def test_document_can_be_stored(case: Case):
    assert encode(case.run())
