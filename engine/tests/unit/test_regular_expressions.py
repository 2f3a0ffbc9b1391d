"""Regular expressions mean the same in each version of Python that the distributions allow."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import REPOSITORY

SOURCES = ("engine/src", "apis/src")
_GROUP = re.compile(r"(?<![\\(])\)(?:[*+?]|\{\d+(?:,\d*)?\})\+")
_PLUS_BEHIND = re.compile(r"""[*+?}](?:["'\s]|[rRbBfFuU]{1,2}(?=["']))*\+""")
"""What each such quantifier looks like in a source, also where a text is written in two parts; most files have none."""
_AT_START = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\})\+")


def possessive_groups(source: str) -> list[int]:
    """List the lines with a possessive quantifier behind a group, or behind a piece of a pattern that is put in."""
    if not _PLUS_BEHIND.search(source):
        return []
    return sorted({node.lineno for node in ast.walk(ast.parse(source)) if any(_found_in(node))})


def _found_in(node: ast.AST) -> Iterator[bool]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        yield _GROUP.search(text) is not None
    elif isinstance(node, ast.JoinedStr):
        for before, after in zip(node.values, node.values[1:], strict=False):
            if isinstance(before, ast.FormattedValue) and isinstance(after, ast.Constant):
                yield _AT_START.match(str(after.value)) is not None


def test_groups_are_found() -> None:
    assert possessive_groups('a = r"(?:ab|c)++"') == [1]
    assert possessive_groups('a = rb"(a){2,3}+"') == [1]
    assert possessive_groups('a = "x"\nb = rf"{a}*+(?:b)"') == [2]
    assert possessive_groups('a = (r"(?:a|b)*"\n  r"+c")') == [1]
    assert possessive_groups('a = rf"(?:{b}[x]++)*c\\)++"') == []


@pytest.mark.costly
def test_no_group_is_possessive() -> None:
    """Before Python 3.11.5, a round of such a group that fails half-way keeps what it has taken (gh-106052).

    Debian 12 has 3.11.2. A greedy quantifier does the same where the group can be divided in one way only; quantifiers of
    single characters may be possessive.
    """
    found = {
        path.relative_to(REPOSITORY).as_posix(): lines
        for folder in SOURCES
        for path in sorted(Path(REPOSITORY / folder).rglob("*.py"))
        if (lines := possessive_groups(path.read_text(encoding="utf-8")))
    }
    assert found == {}
