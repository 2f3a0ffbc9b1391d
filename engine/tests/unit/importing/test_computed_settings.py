"""Settings that other engines compute, and what becomes of their navigation and of the layout around pages."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from octavo.importing.settings.python_expressions import FAULTS, ComputedError, evaluate
from tests.support.each import each

NAMES = {"name": "Kite", "parts": ["a", "b"], "table": {"k": 1}, "empty": "", "long": "x" * 90_000}


def value(text: str, version: str = "") -> Any:
    return evaluate(ast.parse(text, mode="eval").body, NAMES, version)


@each(
    "text, expected",
    [
        ("'a' 'b'", "ab"),
        ("name + ' docs'", "Kite docs"),
        ("parts + ['c']", ["a", "b", "c"]),
        ("f'{name}-{1}'", "Kite-1"),
        ("'%s, %r, %d%%' % (name, name, 3)", "Kite, 'Kite', 3%"),
        ("'%(a)s' % {'a': 1}", "1"),
        ("'%s' % name", "Kite"),
        ("[1, (2,), {3}]", [1, [2], [3]]),
        ("{'a': name, 'b': [1]}", {"a": "Kite", "b": [1]}),
        ("1 if name else 2", 1),
        ("1 if empty else 2", 2),
        ("empty or name", "Kite"),
        ("name or empty", "Kite"),
        ("name and empty", ""),
        ("empty and name", ""),
        ("empty or 0 or name", "Kite"),
        ("not empty", True),
        ("-3", -3),
        ("name == 'Kite'", True),
        ("name != 'Kite'", False),
        ("1 < 1", False),
        ("1 <= 1", True),
        ("1 > 1", False),
        ("1 >= 1", True),
        ("'a' in parts", True),
        ("empty is None", False),
        ("None is not None", False),
        ("parts == ['a', 'b']", True),
        ("name[1:3]", "it"),
        ("name[:2] + name[2:]", "Kite"),
        ("parts[1]", "b"),
        ("table['k']", 1),
        ("table.get('k')", 1),
        ("table.get('gone', 2)", 2),
        ("os.environ.get('X', name)", "Kite"),
        ("os.getenv('X')", None),
        ("dict(a=1, b=name)", {"a": 1, "b": "Kite"}),
        ("str(3)", "3"),
        ("len(parts)", 2),
        ("list('ab')", ["a", "b"]),
        ("int('3')", 3),
        ("bool(empty)", False),
        ("', '.join(parts)", "a, b"),
        ("'{} {}'.format(name, 1)", "Kite 1"),
        ("'{1} {0} {who} {{}}'.format(1, 2, who=name)", "2 1 Kite {}"),
        ("name.lower().upper()", "KITE"),
        ("name.replace('K', 'B')", "Bite"),
        ("name.partition('i')", ["K", "i", "te"]),
        ("name.split('i')", ["K", "te"]),
        ("name.startswith('K')", True),
    ],
)
def test_values_are_those_that_python_computes(text: str, expected: Any) -> None:
    assert value(text) == expected


@each(
    "text",
    [
        "kite.__version__",
        "importlib.metadata.version('kite')",
        "get_distribution('kite').version",
        "version('kite')",
    ],
)
def test_version_is_that_of_the_project(text: str) -> None:
    assert value(text, "1.2") == "1.2"
    with pytest.raises(FAULTS):
        value(text)


@each(
    "text",
    [
        "unknown",
        "open('x')",
        "open('x').read()",
        "name()",
        "parts.append('c')",
        "name.encode()",
        "name - name",
        "name + parts",
        "name * 3",
        "1 + 1",
        "[one for one in parts]",
        "lambda: 1",
        "{**table}",
        "parts[5]",
        "name[::2]",
        "1 < 2 < 3",
        "'%s %s' % name",
        "'%.2f' % 1",
        "'%s' % (parts,)",
        "'{} {}'.format(name)",
        "'{0.a}'.format(name)",
        "'{!r}'.format(name)",
        "f'{name!r}'",
        "f'{name:>9}'",
        "f'{parts}'",
        "str(parts)",
        "[[1]] == [[1]]",
        "long + long",
        "long.replace('x', 'xx')",
        "'-'.join(list(long))",
        "[1, 2].get(0)",
        "dict(parts)",
        "name.lower(x=1)",
        "-name",
    ],
)
def test_what_is_the_result_of_a_program_is_not_known(text: str) -> None:
    with pytest.raises(FAULTS):
        value(text)


def test_expression_that_is_nested_without_end_is_not_known() -> None:
    assert value("+".join(["name"] * 150)) == "Kite" * 150
    with pytest.raises(ComputedError):
        value("+".join(["empty"] * 300))
