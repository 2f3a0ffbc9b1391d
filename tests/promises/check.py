"""The judgement: which promises are held by a run, which are not, and which could not be tried on this machine."""

from __future__ import annotations

from collections import Counter

import msgspec

from tests.promises.ran import Case, Run
from tests.promises.table import Promise


class Verdict(msgspec.Struct, frozen=True):
    """What a run says of the table."""

    held: int
    """Promises of which every test that could run has passed, and one at least has."""
    tests: int
    """Different tests that have passed for them."""
    broken: list[str]
    """One line for each reason why a promise is not held."""
    untried: list[str]
    """Promises whose tests were all skipped, each with the reason."""

    def lines(self) -> list[str]:
        """Write the verdict, worst last."""
        return [
            *(f"not tried here: {line}" for line in self.untried),
            *(f"NOT HELD: {line}" for line in self.broken),
            f"{self.held} promises held by {self.tests} tests"
            + (f", {len(self.untried)} not tried on this machine" if self.untried else "")
            + (f", {len(self.broken)} findings against the table" if self.broken else ""),
        ]


def judge(promises: list[Promise], run: Run) -> Verdict:
    """Hold a run against the table."""
    broken: list[str] = []
    untried: list[str] = []
    passed: set[str] = set()
    held = 0
    for promise in promises:
        place = f"{promise.section}: {promise.line}"
        found = {test: run.find(test) for test in promise.tests}
        problems = _problems(found)
        cases = [case for test in found.values() for case in test]
        if problems:
            broken += [f"{place}: {problem}" for problem in problems]
        elif any(case.outcome == "passed" for case in cases):
            held += 1
            passed |= {case.id for case in cases if case.outcome == "passed"}
        else:
            reasons = Counter(case.reason for case in cases)
            untried.append(f"{place}: {reasons.most_common(1)[0][0]}")
    return Verdict(held, len(passed), broken, untried)


def _problems(found: dict[str, list[Case]]) -> list[str]:
    if not found:
        return ["no test holds it"]
    missing = [f"{test} does not exist or has not run" for test, cases in found.items() if not cases]
    failed = [case.id for cases in found.values() for case in cases if case.outcome == "failed"]
    return missing + [f"{test} has failed" for test in failed]
