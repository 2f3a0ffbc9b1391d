"""`python -m tests.mutation [PACKAGE…]`: sample mutants, run the package's tests on each, print a table of survivors."""

from __future__ import annotations

import argparse
import ast
import math
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from tests.mutation.calls import CALLS_TO, ROOT, Calls
from tests.mutation.mutants import Mutant, count_places, mutant_at
from tests.mutation.packages import PACKAGES, Package
from tests.support.paths import REPOSITORY

Outcome = Literal["killed", "survived", "timeout", "untried"]
COPIED = (
    "engine/src",
    "engine/tests",
    "engine/theme/src",
    "engine/pyproject.toml",
    "apis/src",
    "apis/tests",
    "apis/pyproject.toml",
    "tests",
)
COPIED_FILES = ("conftest.py", "pyproject.toml")
READ_ONLY = ("bench", "docs", "engine/theme/node_modules", "engine/theme/tests", "site")
"""Folders that tests read."""
_MOST_MEMORY = 4 << 30
"""Bytes that the process of the tests may use: a mutant that hangs in a loop may fill a list in it."""
_MOST_CALLING = 60
"""Tests that are tried before all others."""
LEFT_OUT = shutil.ignore_patterns("__pycache__", "node_modules", ".octavo")


class Sampled(msgspec.Struct, frozen=True):
    """A mutant of a file, and what became of it."""

    package: str
    file: str
    mutant: Mutant
    outcome: Outcome

    def line(self) -> str:
        """Write it as one line that an editor can follow."""
        return f"{self.outcome:9} {self.file}:{self.mutant.line}: {self.mutant.change}"


class Limit(NamedTuple):
    """What a run of tests may take."""

    wall_s: float
    cpu_s: float
    """Processor time of its first process, which runs the tests."""


class Scratch:
    """A copy of code and tests in which mutants are tried; the checkout itself is never changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            source, target = REPOSITORY / name, folder / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=LEFT_OUT, symlinks=True)
            elif source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        for name in COPIED_FILES:
            shutil.copy2(REPOSITORY / name, folder / name)
        for name in READ_ONLY:
            (folder / name).symlink_to(REPOSITORY / name)

    def passes(self, tests: Sequence[str], limit: Limit, calls_to: Path | None = None) -> bool | None:
        """Run tests until the first failure, in a process group of its own; None if they take too long.

        Args:
            tests: Files and folders, from the repository's folder, or tests as pytest names them.
            limit: What they may take.
            calls_to: File for what they call; see `calls`.
        """
        existing = [test for test in tests if (self.folder / test.partition("::")[0]).exists()]
        if not existing:
            return True
        noting = ["-p", "tests.mutation.calls"] if calls_to else []
        options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *noting]
        command = [sys.executable, "-m", "pytest", *options, *existing]
        paths = os.pathsep.join(str(self.folder / part) for part in ("engine/src", "apis/src", "."))
        noted = {CALLS_TO: str(calls_to), ROOT: str(self.folder)} if calls_to else {}
        environment = (
            os.environ
            | noted
            | {
                "PYTHONPATH": paths,
                "PYTHONDONTWRITEBYTECODE": "1",
                "HYPOTHESIS_MAX_EXAMPLES": "20",
            }
        )
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            _limit_process(process.pid, limit)
            try:
                code = process.wait(limit.wall_s)
            except subprocess.TimeoutExpired:
                return None
            finally:
                _end_group(process)
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            return None
        return code in (0, 5)  # 5: the folder has no test

    def note_calls(self, tests: Sequence[str], limit: Limit) -> Calls | None:
        """Run tests without a mutant, and note what they call; None if they fail or take too long."""
        noted = self.folder / "calls.json"
        if self.passes(tests, limit, noted) is not True:
            return None
        return msgspec.json.decode(noted.read_bytes(), type=Calls)

    def try_mutant(self, package: Package, file: str, mutant: Mutant, limit: Limit, calls: Calls) -> Outcome:
        """Put a mutant in place, run tests until one notices, and put the file back.

        First come the tests that call the changed function, then the stages whole: what one test has put into memory may be
        what another one needs. Where no test of the first stage calls the function, that stage is left out if there are others:
        calls within processes that a test starts are not noted.
        """
        path = self.folder / file
        original = path.read_bytes()
        calling = calling_tests(original.decode(), mutant.line, calls.get(file, {}))
        rest = package.tests[1:] or package.tests
        stages = package.tests if calling is None else (calling, *package.tests) if calling else rest
        path.write_text(mutant.source, encoding="utf-8")
        try:
            for stage in stages:
                passed = self.passes(stage, limit)
                if passed is None:
                    return "timeout"
                if not passed:
                    return "killed"
        finally:
            path.write_bytes(original)
        return "survived"


def _limit_process(pid: int, limit: Limit) -> None:
    if sys.platform == "linux":
        seconds = math.ceil(limit.cpu_s)
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 5))
            # Not the address space: V8 reserves much of that, and uses little.
            resource.prlimit(pid, resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))


def _used_by_children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _end_group(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def calling_tests(source: str, line: int, calls: Mapping[int, Sequence[str]]) -> tuple[str, ...] | None:
    """Find the tests that call the function of a line; None for a line that is run when its module is imported.

    Args:
        source: The module.
        line: 1-based.
        calls: First line of a function, that of its decorators included → tests that call it.
    """
    around = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body[0].lineno <= line <= (node.end_lineno or 0)
    ]
    if not around:
        return None
    function = max(around, key=lambda node: node.lineno)
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    return tuple(calls.get(first, ())[:_MOST_CALLING])


def sample(package: Package, count: int, seed: int) -> list[tuple[str, Mutant]]:
    """Choose mutants of a package, evenly over all its possible changes; the same for the same seed and code."""
    files = sorted(
        path
        for source in package.sources
        for path in ([REPOSITORY / source] if source.endswith(".py") else (REPOSITORY / source).rglob("*.py"))
    )
    texts = {path.relative_to(REPOSITORY).as_posix(): path.read_text(encoding="utf-8") for path in files}
    possible = [(name, number) for name, text in texts.items() for number in range(count_places(text))]
    chosen = random.Random(f"{package.name} {seed}")
    return [
        (name, mutant_at(texts[name], number)) for name, number in chosen.sample(possible, min(count, len(possible)))
    ]


def first_stages(package: Package, count: int) -> Package:
    """Leave out the later, dearer stages of a package's tests."""
    return msgspec.structs.replace(package, tests=package.tests[:count])


def try_package(scratch: Scratch, package: Package, count: int, seed: int, minutes: float) -> Iterator[Sampled]:
    """Try a sample of a package; mutants that no time is left for are `untried`. The run without mutants is not counted."""
    started = time.monotonic()
    used_s = _used_by_children_s()
    calls = scratch.note_calls(package.tests[0], Limit(1800, 1800))
    if calls is None:
        raise SystemExit(f"{package.name}: its tests fail or hang without any mutant, so mutants would say nothing.")
    deadline = time.monotonic() + minutes * 60
    # A mutant that hangs in a loop is found by its processor time, on a busy machine too; one that waits by the clock.
    limit = Limit(120 + 10 * (time.monotonic() - started), 30 + 4 * (_used_by_children_s() - used_s))
    for file, mutant in sample(package, count, seed):
        outcome: Outcome = "untried"
        if time.monotonic() < deadline:
            outcome = scratch.try_mutant(package, file, mutant, limit, calls)
        yield Sampled(package.name, file, mutant, outcome)


def table(found: Sequence[Sampled]) -> list[str]:
    """Write a table by package. The rate is of those that tests have judged: what hangs may only be slow on a busy machine."""
    lines = [f"{'package':12} {'killed':>7} {'timeout':>8} {'survived':>9} {'untried':>8} {'rate':>6}"]
    for name in dict.fromkeys(one.package for one in found):
        outcomes = [one.outcome for one in found if one.package == name]
        judged = outcomes.count("killed") + outcomes.count("survived")
        rate = f"{outcomes.count('killed') / judged:.0%}" if judged else "-"
        counts = [outcomes.count(outcome) for outcome in ("killed", "timeout", "survived", "untried")]
        lines.append(f"{name:12} {counts[0]:7} {counts[1]:8} {counts[2]:9} {counts[3]:8} {rate:>6}")
    return lines


def main() -> int:
    """Run from the command line; exit code 1 if a package is below the wanted rate."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("packages", nargs="*", help="packages to sample; all by default")
    parser.add_argument("--count", type=int, default=30, help="mutants of each package")
    parser.add_argument(
        "--seed", type=int, default=1, help="chooses the sample; take one that the tests' authors did not know"
    )
    parser.add_argument(
        "--stages", type=int, default=9, help="stages of tests for each mutant; 1 runs the cheapest only"
    )
    parser.add_argument("--minutes", type=float, default=120, help="time for all packages; the rest is not tried")
    parser.add_argument("--rate", type=float, default=0.9, help="wanted share of noticed mutants")
    parser.add_argument("--work", type=Path, default=REPOSITORY / ".octavo" / "mutants", help="folder for the copy")
    options = parser.parse_args()
    known = {package.name: package for package in PACKAGES}
    unknown = sorted(set(options.packages) - set(known))
    if unknown:
        parser.error(f"there is no package {', '.join(unknown)}; known are {', '.join(known)}")
    chosen = [first_stages(known[name], options.stages) for name in options.packages or known]
    shutil.rmtree(options.work, ignore_errors=True)
    scratch = Scratch(options.work)
    found: list[Sampled] = []
    for package in chosen:
        for one in try_package(scratch, package, options.count, options.seed, options.minutes / len(chosen)):
            found.append(one)
            print(one.line(), flush=True)
    print("\n".join(["", f"seed {options.seed}, {options.count} mutants a package", *table(found)]))
    survivors = [one for one in found if one.outcome == "survived"]
    if survivors:
        print("\n".join(["", "Survivors:", *(one.line() for one in survivors)]))
    return 1 if _is_below(found, options.rate) else 0


def _is_below(found: Sequence[Sampled], wanted: float) -> bool:
    for name in {one.package for one in found}:
        judged = [one.outcome for one in found if one.package == name and one.outcome in ("killed", "survived")]
        if judged and judged.count("killed") / len(judged) < wanted:
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
