"""The table of promises is held to its tests, and the check itself finds what it is there for."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.promises.check import Verdict, judge
from tests.promises.depth import SHALLOW, measure
from tests.promises.ran import Run, read_run
from tests.promises.table import TABLE, Promise, read_table, unwritten

PYTEST = """<testsuites><testsuite>
<testcase classname="engine.tests.unit.test_a" name="test_one" file="engine/tests/unit/test_a.py"/>
<testcase classname="engine.tests.unit.test_a.TestB" name="test_two[sqlite-1]" file="engine/tests/unit/test_a.py"/>
<testcase classname="engine.tests.unit.test_a.TestB" name="test_two[postgresql-1]" file="engine/tests/unit/test_a.py">
<skipped message="PostgreSQL is not installed"/></testcase>
<testcase classname="engine.tests.unit.test_a" name="test_three" file="engine/tests/unit/test_a.py"><failure/></testcase>
<testcase classname="engine.tests.unit.test_a" name="test_four" file="engine/tests/unit/test_a.py">
<skipped message="Docker does not answer"/></testcase>
<testcase classname="engine.tests.unit.test_a" name="test_five" file="engine/tests/unit/test_a.py"><error/></testcase>
<testcase classname="engine.tests.unit.test_a" name="test_six" file="engine/tests/unit/test_a.py">
<skipped type="pytest.xfail" message="one day"/></testcase>
</testsuite></testsuites>"""
VITEST = """<testsuites><testsuite>
<testcase classname="tests/tree.test.ts" name="a category &gt; is open at first"/>
</testsuite></testsuites>"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    files = {"unit.xml": PYTEST, "theme.xml": VITEST}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return read_run(tmp_path / name for name in files)


def judged(run: Run, *tests: str) -> Verdict:
    return judge([Promise("4 States", "it is kept", list(tests))], run)


@pytest.mark.parametrize(
    "test",
    [
        "engine/tests/unit/test_a.py::test_one",
        "engine/tests/unit/test_a.py::TestB::test_two",
        "engine/tests/unit/test_a.py::TestB::test_two[sqlite-1]",
        "engine/tests/unit/test_a.py::TestB::test_two[sqlite-*]",
        "engine/theme/tests/tree.test.ts: a category > is open at first",
        "engine/theme/tests/tree.test.ts: a category",
    ],
)
def test_promise_is_held_by_a_test_that_has_passed(run: Run, test: str) -> None:
    assert judged(run, test).lines() == ["1 promises held by 1 tests"]


@pytest.mark.parametrize(
    ("test", "problem"),
    [
        ("engine/tests/unit/test_a.py::test_gone", "does not exist or has not run"),
        ("engine/tests/unit/test_a.py::test_on", "does not exist or has not run"),
        ("engine/tests/unit/test_a.py::TestB::test_two[mysql-*]", "does not exist or has not run"),
        ("engine/theme/tests/tree.test.ts: a cat", "does not exist or has not run"),
        ("engine/tests/unit/test_a.py::test_three", "has failed"),
        ("engine/tests/unit/test_a.py::test_five", "has failed"),
        ("engine/tests/unit/test_a.py::test_six", "has failed"),
    ],
)
def test_test_that_has_not_passed_breaks_its_promise_whatever_others_say(run: Run, test: str, problem: str) -> None:
    verdict = judged(run, "engine/tests/unit/test_a.py::test_one", test)
    assert verdict.broken == [f"4 States: it is kept: {test} {problem}"]
    assert verdict.held == 0


def test_promise_without_a_test_is_broken(run: Run) -> None:
    assert judged(run).broken == ["4 States: it is kept: no test holds it"]


def test_promise_whose_tests_were_all_skipped_is_reported_with_the_reason(run: Run) -> None:
    verdict = judged(run, "engine/tests/unit/test_a.py::test_four")
    assert (verdict.held, verdict.broken) == (0, [])
    assert verdict.untried == ["4 States: it is kept: Docker does not answer"]


def test_run_that_holds_no_test_is_refused(tmp_path: Path) -> None:
    (tmp_path / "unit.xml").write_text("<testsuites/>")
    with pytest.raises(ValueError, match="holds no test"):
        read_run([tmp_path / "unit.xml"])


@pytest.mark.parametrize(
    "text", ["", '["4 States"]', '["4 States"]\nkept = "engine/tests/unit/test_a.py"', "kept = []"]
)
def test_table_that_promises_nothing_or_names_no_list_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"empty|Expected"):
        read_table(text)


def test_line_that_stands_twice_is_refused() -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        read_table('["4 States"]\n"kept" = []\n"kept" = []')


@pytest.mark.costly
def test_every_line_of_our_table_names_tests_that_are_written() -> None:
    promises = read_table(TABLE.read_text(encoding="utf-8"))
    assert [promise.line for promise in promises if not promise.tests] == []
    assert unwritten(promises) == []


def test_test_that_no_file_has_is_noticed_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("class TestB:\n    def test_two(self): ...\n\ndef test_one(): ...\n")
    (tmp_path / "a.test.ts").write_text("")
    tests = ["test_a.py::test_one[x]", "test_a.py::TestB::test_two", "a.test.ts: a > b"]
    lost = ["b.test.ts: a > b", "test_a.py::test_two", "test_b.py::test_one"]
    assert unwritten([Promise("4", "kept", tests + lost)], tmp_path) == lost


def test_every_operation_of_our_table_has_a_test_of_its_effect() -> None:
    """A status or a declaration is right also where a handler ignores its body."""
    assert measure(read_table(TABLE.read_text(encoding="utf-8"))).broken == []


def test_shallow_tests_are_used() -> None:
    named = {test.partition("[")[0].rpartition("::")[2] for one in read_table(TABLE.read_text()) for test in one.tests}
    assert SHALLOW.keys() - named == set()


def test_operation_with_shallow_tests_only_is_broken_and_others_are_counted() -> None:
    shallow = [f"a.py::{name}[x]" for name in sorted(SHALLOW)]
    promises = [
        Promise("7", "PUT /kilns/{name}, 200", shallow),
        Promise("7", "POST /kilns, 201", [*shallow, "a.py::test_kiln_is_stored"]),
        Promise("2", "/kilns", shallow),
    ]
    depths = measure(promises)
    assert depths.broken == ["7: PUT /kilns/{name}, 200: no test looks at the effect of the operation"]
    assert depths.lines() == ["1 of 3 promises have a test of what they say, 2 only shallow ones"]
