"""Mutants change meaning in one place, and what no test could notice is left alone."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.mutation.__main__ import COPIED, READ_ONLY, Limit, Sampled, Scratch, calling_tests, sample, table
from tests.mutation.calls import CALLS_TO, ROOT, Calls
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.packages import PACKAGES, Package
from tests.support.each import each
from tests.support.paths import REPOSITORY


@pytest.mark.parametrize(
    ("source", "mutants"),
    [
        ("x = a < b", ["x = a <= b"]),
        ("x = a is None", ["x = a is not None"]),
        ("x = a and b", ["x = a or b"]),
        ("x = a + b", ["x = a - b"]),
        ("x = 'a' + b", []),
        ("x = True", ["x = False"]),
        ("x = 3", ["x = 4"]),
        ("def f():\n    return a", ["def f():\n    return None"]),
        ("def f():\n    return None", []),
        ("run()", ["None"]),
        ("x = f(name=value)", ["x = f(name=None)"]),
        ("if a:\n    pass", ["if not a:\n    pass"]),
        ('"""A docstring."""', []),
        ("def f(a: Literal[1]) -> Literal[2]:\n    pass", []),
        ("class A(B, frozen=True, gc=False):\n    pass", []),
        ("class A(B, kw_only=True):\n    pass", []),
        ("@dataclass(frozen=True, slots=True)\nclass A:\n    pass", []),
        ("@lru_cache(maxsize=8)\ndef f():\n    pass", []),
        ("@each(count=8)\ndef f():\n    pass", ["@each(count=9)\ndef f():\n    pass"]),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    x = 1", []),
    ],
)
def test_each_change_is_made_alone(source: str, mutants: list[str]) -> None:
    assert [mutant.source for mutant in mutants_of(source)] == mutants


def test_mutants_say_where_they_are() -> None:
    (mutant,) = mutants_of("a = b\n\n\nc = a == b\n")
    assert (mutant.line, mutant.change) == (4, "a == b → NotEq")


def test_sample_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    package = next(package for package in PACKAGES if package.name == "server")
    chosen = [(file, mutant.line, mutant.change) for file, mutant in sample(package, 20, 7)]
    again = [(file, mutant.line, mutant.change) for file, mutant in sample(package, 20, 7)]
    other = [(file, mutant.line, mutant.change) for file, mutant in sample(package, 20, 8)]
    assert len(chosen) == 20
    assert chosen == again
    assert chosen != other


def test_mutants_of_our_code_are_programs() -> None:
    for file, mutant in sample(PACKAGES[0], 30, 3):
        assert ast.parse(mutant.source), file


@each("package", PACKAGES, ids=lambda package: package.name)
def test_sampled_packages_are_there(package: object) -> None:
    assert [source for source in getattr(package, "sources", ()) if not (REPOSITORY / source).exists()] == []


def test_every_package_is_sampled() -> None:
    folders = [
        path.relative_to(REPOSITORY).as_posix()
        for source in ("engine/src/octavo", "apis/src")
        for path in (REPOSITORY / source).iterdir()
        if (path / "__init__.py").exists()
    ]
    sampled = {source for package in PACKAGES for source in package.sources}
    assert [folder for folder in folders if folder not in sampled] == []


def test_copy_has_the_files_that_unit_tests_read() -> None:
    """The stems that the theme's tests share were missing, so two packages were never sampled."""
    texts = [
        path.read_text(encoding="utf-8")
        for folder in ("engine/tests/unit", "apis/tests/unit")
        for path in (REPOSITORY / folder).rglob("*.py")
    ]
    read = {name for text in texts for name in re.findall(r'REPOSITORY / "([^"]+)"', text)}
    assert "engine/theme/tests/stems.json" in read
    copied = {*COPIED, *READ_ONLY}
    missing = {one for one in read if not any(f"{one}/".startswith(f"{part}/") for part in copied)}
    # The folder of the engine is copied in parts.
    assert {one for one in missing if not any(part.startswith(f"{one}/") for part in copied)} == set()


def test_table_counts_by_package() -> None:
    mutant = Mutant(1, "a → b", "")
    found = [
        Sampled("site", "a.py", mutant, outcome) for outcome in ("killed", "killed", "timeout", "survived", "untried")
    ]
    assert table(found)[1].split() == ["site", "2", "1", "1", "1", "67%"]


SOURCE = """import functools

LIMIT = 3


@functools.cache
def first(x):
    return x


def second(x):
    def inner(y):
        return y

    return inner(x)
"""


@pytest.mark.parametrize(
    ("line", "tests"),
    [
        (3, None),
        (7, None),
        (8, ("a.py::test_one",)),
        (13, ()),
        (15, ("a.py::test_one", "a.py::test_two")),
    ],
)
def test_tests_of_a_line_are_those_that_call_its_function(line: int, tests: tuple[str, ...] | None) -> None:
    calls = {6: ["a.py::test_one"], 11: ["a.py::test_one", "a.py::test_two"]}
    assert calling_tests(SOURCE, line, calls) == tests


def test_calls_are_noted_by_test(tmp_path: Path) -> None:
    (tmp_path / "code_of.py").write_text("def one():\n    return 1\n\n\ndef two():\n    return one() + 1\n")
    tests = "import threading\nimport pytest\nfrom code_of import *\n"
    tests += "@pytest.mark.parametrize('x', [1, 2])\ndef test_one(x):\n    assert one() == 1\n"
    tests += "def test_thread():\n    thread = threading.Thread(target=two)\n    thread.start()\n    thread.join()\n"
    (tmp_path / "test_code.py").write_text(tests)
    noted = tmp_path / "calls.json"
    environment = os.environ | {CALLS_TO: str(noted), ROOT: str(tmp_path), "PYTHONPATH": f"{tmp_path}:{REPOSITORY}"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.mutation.calls",
        "-p",
        "no:cacheprovider",
        "test_code.py",
    ]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, stdout=subprocess.DEVNULL)
    calls = msgspec.json.decode(noted.read_bytes(), type=Calls)
    one, thread = "test_code.py::test_one", "test_code.py::test_thread"
    assert calls["code_of.py"] == {1: [one, thread], 5: [thread]}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits another process")
def test_mutant_that_fills_the_memory_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for names in ("COPIED", "COPIED_FILES", "READ_ONLY"):
        monkeypatch.setattr(f"tests.mutation.__main__.{names}", ())
    scratch = Scratch(tmp_path)
    test = scratch.folder / "test_memory.py"
    test.write_text("def test_memory():\n    found = []\n    while True:\n        found.append(bytes(1 << 28))\n")
    assert scratch.passes(["test_memory.py"], Limit(600, 300)) is False
    test.write_text("def test_memory():\n    assert bytes(1 << 28)\n")
    assert scratch.passes(["test_memory.py"], Limit(600, 300)) is True


def test_mutant_that_runs_in_a_process_of_its_own_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for names in ("COPIED", "COPIED_FILES", "READ_ONLY"):
        monkeypatch.setattr(f"tests.mutation.__main__.{names}", ())
    scratch = Scratch(tmp_path)
    source = "def one():\n    return 1\n\nif one() != 1:\n    raise SystemExit(1)\n"
    (scratch.folder / "one.py").write_text(source)
    test = "import subprocess, sys\n\ndef test_one():\n    subprocess.run([sys.executable, 'one.py'], check=True)\n"
    (scratch.folder / "test_one.py").write_text(test)
    package = Package("one", ("one.py",), (("test_one.py",),))
    mutant = next(one for one in mutants_of(source) if one.change == "1 → 2")
    assert scratch.try_mutant(package, "one.py", mutant, Limit(600, 300), {}) == "killed"
