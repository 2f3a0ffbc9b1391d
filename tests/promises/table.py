"""The table of promises: `tests/promises.toml`, sections of lines, each with the tests that hold it."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import msgspec

TABLE = Path(__file__).parents[1] / "promises.toml"
ROOT = Path(__file__).parents[2]


class Promise(msgspec.Struct, frozen=True):
    """One line of the specification."""

    section: str
    line: str
    """Its words, or the part of them that can be held alone."""
    tests: list[str]
    """Ids as pytest writes them, or `engine/theme/tests/NAME.test.ts: a name > a name within`."""


def read_table(text: str) -> list[Promise]:
    """Read the table.

    Args:
        text: TOML: sections, in them `"words of the line" = ["id of a test", …]`.

    Raises:
        ValueError: it is not TOML, has a line twice, or a line whose tests are not a list of texts.
    """
    sections = tomllib.loads(text)
    promises = [
        Promise(section, line, msgspec.convert(tests, list[str]))
        for section, lines in sections.items()
        for line, tests in msgspec.convert(lines, dict[str, list[str]]).items()
    ]
    if not promises:
        raise ValueError("The table of promises is empty.")
    return promises


def unwritten(promises: list[Promise], root: Path = ROOT) -> list[str]:
    """List the tests that no file has, without running any; parameters are not looked at."""
    named = sorted({test for promise in promises for test in promise.tests})
    written: dict[str, set[str]] = {}
    for test in named:
        path = _path(test)
        if path not in written:
            written[path] = _functions(root / path)
    return [test for test in named if not _is_written(test, written[_path(test)])]


def _path(test: str) -> str:
    return test.partition("::")[0].partition(": ")[0]


def _is_written(test: str, functions: set[str]) -> bool:
    return (test.partition("::")[2].partition("[")[0] or "*") in functions


def _functions(path: Path) -> set[str]:
    """List a file's tests as `name` and `Class::name`; a file of the theme counts as a whole, as `*`."""
    if not path.is_file():
        return set()
    if path.suffix != ".py":
        return {"*"}
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
    return found
